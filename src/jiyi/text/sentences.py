"""Where a text may be cut: sentences, clauses, and pieces of a long text. Spans are half-open
character ranges of the text as given, without the white space around them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK

if TYPE_CHECKING:
    from collections.abc import Iterable

Span = tuple[int, int]

SENTENCE_LIMIT: Final = 1_000
"""Characters from which a sentence is none that anybody would say."""

PIECE_LIMIT: Final = 2_000

_CLOSERS: Final = "\"'”’」』）)\\]】》"
# A Latin full stop ends a sentence only before white space, the end, or Chinese: 3.5, e.g. v2.3.1.
_SENTENCE_END: Final = regex(
    f"[。！？!?…]+[。！？!?…{_CLOSERS}]*|\\.+[{_CLOSERS}]*(?=\\s|$|[{CJK}])|[;；]+|\\n+"
)
_CLAUSE_END: Final = regex(r"[，,、：:](?!\d)|[—–]{1,2}|\s-\s")
_ABBREVIATION_LIST: Final = """
    mr mrs ms dr prof st jr sr vs etc inc ltd co corp no fig al approx dept est gen gov sen rep
    rev hon capt col lt sgt mt ave blvd rd jan feb mar apr jun jul aug sep sept oct nov dec
    mon tue wed thu fri sat sun e.g i.e a.m p.m u.s u.k ph.d
"""
_ABBREVIATIONS: Final = frozenset(_ABBREVIATION_LIST.split())
_LAST_WORD: Final = regex(r"[A-Za-z](?:[A-Za-z]|\.(?=[A-Za-z]))*$")
_ENDS_LINE: Final = regex(r"\s*(?:\n|$)")


def sentences(text: str) -> list[Span]:
    """Spans of the sentences, in order. A line break ends a sentence, an abbreviation does not."""
    return _cut(text, _sentence_ends(text))


def clauses(text: str) -> list[Span]:
    """Spans of the clauses: sentences cut further at commas, colons and dashes."""
    ends = {match.end() for match in _CLAUSE_END.finditer(text)}
    ends.update(_sentence_ends(text))
    return _cut(text, sorted(ends))


def pieces(text: str, limit: int = PIECE_LIMIT) -> list[Span]:
    """Spans of at most `limit` characters that together cover the text, cut at sentence borders.

    A sentence longer than the limit is cut at a clause, else at white space, else anywhere. A
    text within the limit is one piece, whole.
    """
    if limit < 1:
        raise ValueError("limit must be at least 1")
    if len(text) <= limit:
        return [(0, len(text))] if text else []
    borders = sorted({*_sentence_ends(text), len(text)})
    result: list[Span] = []
    start = 0
    reach = 0
    for border in borders:
        if border - start > limit and reach > start:
            result.append((start, reach))
            start = reach
        while border - start > limit:
            cut = _best_cut(text, start, start + limit)
            result.append((start, cut))
            start = cut
        reach = border
    if start < len(text):
        result.append((start, len(text)))
    return result


def bounded_sentences(text: str, limit: int = SENTENCE_LIMIT) -> list[Span]:
    """`sentences`, of which those over `limit` characters are cut like pieces: what is asked of a
    whole sentence for each of its clauses must not grow with the square of a text without stops."""
    return [
        (start + left, start + right)
        for start, end in sentences(text)
        for left, right in pieces(text[start:end], limit)
    ]


def _sentence_ends(text: str) -> list[int]:
    ends: list[int] = []
    for match in _SENTENCE_END.finditer(text):
        if match.group()[0] == "." and _is_abbreviation(text, match):
            continue
        ends.append(match.end())
    return ends


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if len(match.group()) > 1:
        return False
    if _ENDS_LINE.match(text, match.end()):
        return False
    word = _LAST_WORD.search(text, max(0, match.start() - 12), match.start())
    if word is not None:
        name = word.group().lower()
        if name in _ABBREVIATIONS:
            return True
        return len(name) == 1 and word.group().isupper() and name != "i"
    # "1. first, 2. second": the number of a list item is not a sentence
    before = text[max(0, match.start() - 3) : match.start()]
    line = before.rpartition("\n")[2].strip()
    return line.isdigit() and text[: match.start()].rpartition("\n")[2].strip().isdigit()


def _cut(text: str, ends: Iterable[int]) -> list[Span]:
    result: list[Span] = []
    start = 0
    for end in (*ends, len(text)):
        span = _stripped(text, start, end)
        if span is not None:
            result.append(span)
        start = end
    return result


def _stripped(text: str, start: int, end: int) -> Span | None:
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    right = len(part.rstrip())
    return (start + left, start + right) if left < right else None


def _best_cut(text: str, start: int, end: int) -> int:
    best = -1
    for match in _CLAUSE_END.finditer(text, start, end):
        best = match.end()
    if best <= start:
        best = max(text.rfind(" ", start, end), text.rfind("\n", start, end)) + 1
    return best if best > start else end
