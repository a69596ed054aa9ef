"""A text made to fit: the sentences around the one that answers, or its beginning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jiyi.text.sentences import sentences
from jiyi.text.terms import term_weights
from jiyi.text.tokens import TokenCounter

ELLIPSIS: Final = "…"


def shorten(text: str, limit: int, count: TokenCounter) -> str:
    """The beginning of a text, at most `limit` tokens with its ellipsis; "" if none fits."""
    if count(text) <= limit:
        return text
    low, high = 0, len(text)
    # count() need not grow strictly with every character; the last step checks.
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle] + ELLIPSIS) <= limit:
            low = middle
        else:
            high = middle - 1
    short = text[:low].rstrip() + ELLIPSIS
    return short if low and count(short) <= limit else ""


def excerpt(text: str, terms: Mapping[str, float], limit: int, count: TokenCounter) -> str:
    """The part of a text that matters for a question, at most `limit` tokens.

    Args:
        text: any text.
        terms: the question's terms and their weights (see `query_terms`).
        limit: tokens, ellipses included.
        count: counts tokens.

    Returns:
        The whole text where it fits; else the sentence that holds most of the question's terms
        with the sentences around it that fit; else the beginning of that sentence.
    """
    if count(text) <= limit:
        return text
    spans = sentences(text)
    if len(spans) < 2:
        return shorten(text, limit, count)
    weights = [
        sum(terms[term] for term in term_weights(text[start:end]).counts if term in terms)
        for start, end in spans
    ]
    first = last = max(range(len(spans)), key=weights.__getitem__)
    best = shorten(_part(text, spans, first, last), limit, count)
    while best and (first > 0 or last < len(spans) - 1):
        # What follows explains more often than what goes before: try it first.
        for wider in ((first, last + 1), (first - 1, last)):
            if wider[0] < 0 or wider[1] >= len(spans):
                continue
            part = _part(text, spans, *wider)
            if count(part) <= limit:
                (first, last), best = wider, part
                break
        else:
            return best
    return best


def _part(text: str, spans: list[tuple[int, int]], first: int, last: int) -> str:
    part = text[spans[first][0] : spans[last][1]]
    head = ELLIPSIS if first > 0 else ""
    tail = ELLIPSIS if last < len(spans) - 1 else ""
    return f"{head}{part}{tail}"
