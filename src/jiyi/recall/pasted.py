"""A piece of a conversation as the question: its end leads to what is needed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jiyi.text.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jiyi.recall.settings import RecallSettings

_FEWEST: Final = 3
"""Lines from which a text is a piece of a conversation."""
_SPEAKER: Final = regex(r"\s*([^\s:：，。！？,.!?]{1,20}(?: [^\s:：，。！？,.!?]{1,20})?)\s*[:：]")


def lines_of(query: str) -> Sequence[str]:
    """The lines of a pasted conversation; none when the text is no such piece."""
    lines = [line for line in query.splitlines() if line.strip()]
    return lines if len(lines) >= _FEWEST else ()


def is_dialogue(query: str) -> bool:
    """Whether every line names its speaker ("Ann: …", 小安：…), and one of two or more again."""
    lines = lines_of(query)
    named = [match.group(1) for line in lines if (match := _SPEAKER.match(line))]
    return bool(lines) and len(named) == len(lines) and 2 <= len(set(named)) < len(lines)


def settings_for(query: str, settings: RecallSettings) -> RecallSettings:
    """The settings for a question: in a dialogue its last words lead, and the vector of the whole,
    which is about everything in it, counts less."""
    if not is_dialogue(query):
        return settings
    return replace(settings, vector=settings.vector * settings.line_vector)
