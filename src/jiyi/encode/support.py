"""A model's statement is checked against what was said: words, numbers, names, negation.

The check is lexical and strict. A model that rewords beyond recognition, adds a detail or turns a
"not" around is refused; the turn itself stays and can be found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from typing import Final

from jiyi.resolve.wording import is_negative, singular
from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK
from jiyi.text.sentences import clauses
from jiyi.text.time_expressions import find_times
from jiyi.text.words import STOP_WORDS
from jiyi.types import Turn

SHARE: Final = 0.6
"""Share of a statement's content that the turns must hold, words that only frame it left out.
Chosen so that one foreign word in a short statement refuses it ("green tea" for "red tea", 对酒过敏
for 对虾过敏), and a rephrased long one passes. Half of it must be in the very turn."""

VALUE_SHARE: Final = 0.75
"""The same for the value of a slot, which should be in the words of the speaker."""

_STEM: Final = 4
"""Words that begin with the same letters up to here count as one (moved, move)."""

_Range = tuple[datetime | None, datetime | None]
_RUNS: Final = regex(f"[{CJK}]+|[^\\W_{CJK}]+(?:[-'’.@:/+&,_][^\\W_{CJK}]+)*(?:\\+\\+|#)?")
_CJK_RUN: Final = regex(f"[{CJK}]")

_NUMBER: Final = regex(r"\d+(?:[.,:/-]\d+)*")
_CODE: Final = regex(r"[A-Za-z]*\d[\w./#-]*|[A-Za-z][\w.-]*[A-Z#+][\w.#+-]*")
_NAME: Final = regex(r"(?<=[a-z,;:] )[A-Z][a-z]{2,}")
# Words with which a model speaks about the speaker, and frames what they said.
_SPEAKER: Final = regex(
    r"该?用户|使用者|说话者|\b(?:the )?(?:user|speaker|person|they|he|she)(?:['’]s)?\b",
    re.IGNORECASE,
)
_GLUE: Final = regex(
    r"喜欢|喜爱|偏好|偏爱|使用|采用|想要|希望|打算|计划|目前|现在|当前|最近|已经|正在|名叫|名为|表示|提到|认为|"
    r"需要|拥有|经常|平时|[的地得是有在对和与并且把被让用要会想叫做为了着过]"
    r"|\b(?:prefer|like|love|enjoy|want|wish|use|ha|have|had|own|work|live|plan|intend|need|name|call|"
    r"mention|sa(?:y|id)|state|current|currently|recently|usually|often|been|being|their|his|her|its|"
    r"favou?rite|get|got|go|going|went|make|made|do|doe|did|will|would|now|currently|also|"
    r"instead|because|since|after|before|when|who|which|there)(?:s|d|es|ed|ing)?\b",
    re.IGNORECASE,
)
_DISLIKE: Final = regex(
    r"讨厌|厌恶|反感|受不了|恨|嫌"
    r"|\b(?:hate|dislike|detest|loathe|despise)(?:s|d)?\b|can['’]?t stand",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Support:
    """Where a statement comes from: the turn and the half-open character span in it."""

    turn: Turn
    span: tuple[int, int]


def find_support(
    statement: str,
    turn: Turn,
    *,
    quote: str | None = None,
    context: str = "",
    allowed: tuple[tuple[int, int], ...] | None = None,
) -> Support | str:
    """The span of a turn that supports a statement, or why there is none.

    Args:
        quote: the words the model says it read this from.
        context: earlier text in which a pronoun may find its noun.
        allowed: spans of the turn that may hold facts; None allows all of it.
    """
    span = _find_quote(quote, turn.text) if quote else None
    if span is None:
        span = _nearest_clause(statement, turn.text)
    if allowed is not None and not any(_overlap(span, other) for other in allowed):
        return "it comes from a question, a quotation or something supposed"
    plain, dates_fit = _without_dates(statement, turn)
    known = f"{turn.text}\n{context}\n{turn.name or ''}"
    if not dates_fit:
        return "it holds a date that nobody spoke of"
    if missing := _missing_details(plain, known):
        return f"it holds {missing} that nobody said"
    # The turn itself must hold something of it; the rest may come from the turns before.
    if share(plain, known) < SHARE or share(plain, turn.text) < SHARE / 2:
        return "its words are not those of the source"
    if _turned_around(statement, turn.text[span[0] : span[1]]):
        return "it says the opposite of the source"
    return Support(turn, span)


def holds(text: str, value: str) -> bool:
    """Whether a value stands in a text: letter by letter, or most of its words."""
    folded = fold(value).strip()
    return bool(folded) and (folded in fold(text) or share(value, text) >= VALUE_SHARE)


def share(statement: str, source: str) -> float:
    """Which part of a statement's content stands in a source, from 0 to 1: words up to their
    ending, Chinese in pairs of characters."""
    parts = _content(statement) or _parts(statement)
    if not parts:
        return 0.0
    known = set(_parts(source)) | set(_content(source))
    stems = {part[:_STEM] for part in known if len(part) > _STEM}
    found = sum(p in known or (len(p) > _STEM and p[:_STEM] in stems) for p in parts)
    return found / len(parts)


def _content(statement: str) -> list[str]:
    """The parts of a statement that say something of their own."""
    for frame in (_SPEAKER, _DISLIKE, _GLUE):
        statement = frame.sub(" ", statement)
    return _parts(statement)


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    for run in _RUNS.findall(fold(text)):
        if _CJK_RUN.match(run):
            parts += [run[n : n + 2] for n in range(len(run) - 1)] if len(run) > 1 else [run]
        elif run not in STOP_WORDS:
            parts.append(singular(run))
    return parts


def _without_dates(statement: str, turn: Turn) -> tuple[str, bool]:
    """The statement with its dates blanked out, and whether each is a time the turn speaks of,
    or its own day: 下周三 may become a date."""
    day = turn.said_at.replace(hour=0, minute=0, second=0, microsecond=0)
    spoken = [(m.start, m.end) for m in find_times(turn.text, turn.said_at)]
    spoken.append((day, day + timedelta(days=1)))
    plain, fit = statement, True
    for mention in find_times(statement, turn.said_at):
        start, end = mention.span
        plain = plain[:start] + " " * (end - start) + plain[end:]
        said = fold(statement[start:end]) in fold(turn.text)
        fit = fit and (said or any(_meet((mention.start, mention.end), s) for s in spoken))
    return plain, fit


def _meet(one: _Range, other: _Range) -> bool:
    begins = one[0] is None or other[1] is None or one[0] < other[1]
    ends = one[1] is None or other[0] is None or other[0] < one[1]
    return begins and ends


def _missing_details(statement: str, source: str) -> str | None:
    """The kind of the first number or code of a statement that the source lacks."""
    plain = fold(source)
    numbers = set(_NUMBER.findall(plain))
    if any(number not in numbers for number in _NUMBER.findall(fold(statement))):
        return "a number"
    named = _CODE.findall(statement) + _NAME.findall(statement)
    if any(fold(name) not in plain for name in named):
        return "a name or a code"
    return None


def _turned_around(statement: str, said: str) -> bool:
    negative, denied = _denies(statement), _denies(said)
    if negative == denied:
        return False
    if negative:
        return True
    # "I stopped eating meat" makes a vegetarian without any "not"; dropping only the "not" lies.
    return set(_content(statement)) <= set(_parts(said)) | set(_content(said))


def _denies(text: str) -> bool:
    return is_negative(text) or _DISLIKE.search(text) is not None


def _find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quoted words stand, also when the model changed spaces, case or a letter."""
    words = quote.strip().strip("\"'“”「」…")
    if not words:
        return None
    start = text.find(words)
    if start >= 0:
        return start, start + len(words)
    pattern = r"\s*".join(re.escape(part) for part in words.split())
    if (match := re.search(pattern, text, re.IGNORECASE)) is not None:
        return match.span()
    blocks = SequenceMatcher(None, text.casefold(), words.casefold(), autojunk=False)
    longest = blocks.find_longest_match()
    if longest.size < 0.6 * len(words):
        return None
    return longest.a, longest.a + longest.size


def _nearest_clause(statement: str, text: str) -> tuple[int, int]:
    spans = clauses(text) or [(0, len(text))]
    own = set(_parts(statement))
    return max(spans, key=lambda s: len(own & set(_parts(text[s[0] : s[1]]))))


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]
