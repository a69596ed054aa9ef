"""A model's statement is checked against what was said: words, numbers, names, negation.

The check is lexical and strict. A model that rewords beyond recognition, adds a detail or turns a
"not" around is refused; the turn itself stays and can be found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from jiyi.resolve.wording import is_negative, statement_key
from jiyi.text.normalise import fold
from jiyi.text.sentences import sentences
from jiyi.text.terms import date_words, term_weights
from jiyi.types import Turn

SHARE: Final = 0.6
"""Share of a statement's terms that the source must hold. A model writes 用户 for 我 and fills in
what "it" is from the turns before, so that not every word can be there."""

_NUMBER: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
_CODE: Final = re.compile(r"[A-Za-z]*\d[\w./#-]*|[A-Za-z][\w.-]*[A-Z#+][\w.#+-]*")
# Words with which a model speaks about the speaker.
_FRAME: Final = re.compile(
    r"用户|使用者|该用户|说话者|\b(?:the )?(?:user|speaker|person|they|he|she)(?:['’]s)?\b",
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
        span = _nearest_sentence(statement, turn.text)
    if allowed is not None and not any(_overlap(span, other) for other in allowed):
        return "it comes from a question, a quotation or something supposed"
    said = turn.text[span[0] : span[1]]
    known = f"{turn.text}\n{context}\n{date_words(turn.said_at)}\n{turn.name or ''}"
    if missing := _missing_details(statement, known):
        return f"it holds {missing} that nobody said"
    if _share(statement, known) < SHARE:
        return "its words are not those of the source"
    if _turned_around(statement, said):
        return "it says the opposite of the source"
    return Support(turn, span)


def holds(text: str, value: str) -> bool:
    """Whether a value stands in a text: letter by letter, or most of its words."""
    folded = fold(value).strip()
    return bool(folded) and (folded in fold(text) or _share(value, text) >= 0.75)


def _share(statement: str, source: str) -> float:
    terms = term_weights(_FRAME.sub(" ", statement)).counts
    if not terms:
        return 0.0
    known = term_weights(source).counts
    return sum(term in known for term in terms) / len(terms)


def _missing_details(statement: str, source: str) -> str | None:
    """The kind of the first number or code of a statement that the source lacks."""
    plain = fold(source)
    numbers = set(_NUMBER.findall(plain))
    if any(number not in numbers and number not in plain for number in _NUMBER.findall(statement)):
        return "a number"
    if any(fold(code) not in plain for code in _CODE.findall(statement)):
        return "a name or a code"
    return None


def _turned_around(statement: str, said: str) -> bool:
    negative, denied = is_negative(statement), is_negative(said)
    if negative == denied:
        return False
    if negative:
        return not denied
    # "I stopped eating meat" makes a vegetarian without any "not"; dropping only the "not" lies.
    own = set(statement_key(_FRAME.sub("user", statement)))
    return own <= set(statement_key(said)) | {"user"}


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


def _nearest_sentence(statement: str, text: str) -> tuple[int, int]:
    spans = sentences(text) or [(0, len(text))]
    terms = set(term_weights(statement).counts)
    return max(spans, key=lambda s: len(terms & set(term_weights(text[s[0] : s[1]]).counts)))


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]
