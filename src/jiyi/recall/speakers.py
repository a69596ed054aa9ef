"""Whose words a question is about: it names one of the speakers, and they tell of themselves.

"When did Ann move?" is answered by what Ann said of it; what Bo said to her shares as many words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jiyi.recall.candidate import Candidate
    from jiyi.recall.settings import RecallSettings

_WORD: Final = regex(rf"[^\W_{CJK}]+(?:[-'’][^\W_{CJK}]+)*")
_HAN: Final = regex(f"[{CJK}]")


def favour_named(candidates: Sequence[Candidate], query: str, settings: RecallSettings) -> None:
    """Turns of speakers whom the question does not name lose by a factor, if it names another.

    A name is known by its whole or by its first word (Ann for Ann Lee). Turns without a name keep
    their score.
    """
    names = {fold(name) for c in candidates if (name := _speaker(c))}
    if len(names) < 2:
        return
    asked = fold(query)
    words = {word.removesuffix("'s").removesuffix("’s") for word in _WORD.findall(asked)}
    named = {name for name in names if _is_named(name, asked, words)}
    if not named:
        return
    for candidate in candidates:
        name = _speaker(candidate)
        if name and fold(name) not in named:
            candidate.add("another speaker", candidate.score * (settings.others - 1))


def _speaker(candidate: Candidate) -> str | None:
    return None if candidate.stored.turn is None else candidate.stored.turn.name


def _is_named(name: str, asked: str, words: set[str]) -> bool:
    if _HAN.search(name):
        return name in asked
    parts = _WORD.findall(name)
    return bool(parts) and (parts[0] in words or all(part in words for part in parts))
