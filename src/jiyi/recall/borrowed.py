"""Support that a memory only has through the words of its slot.

A fact is also indexed under the words for what it fills, so that "what town do I live in" finds "I
live in Porto". Those words speak of the one whose fact it is: a question that names something else
("the capital of France") is not answered by a home because both speak of a town.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jiyi.recall.intent import without_the_user
from jiyi.recall.topics import topics
from jiyi.text.patterns import regex
from jiyi.text.terms import query_terms, term_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jiyi.recall.candidate import Candidate

_KEPT: Final = 0.2  # of the support that only the words of a slot give
_OWN: Final = regex(r"\b(?:i|i['’]\w+|me|my|mine|we|us|our|ours)\b|[我咱俺]|本人", re.IGNORECASE)


def take_back(
    candidates: Sequence[Candidate],
    query: str,
    support: Mapping[str, float],
    words_of: Callable[[str], Sequence[str]],
) -> None:
    """Lower the `matched` of memories that hold none of what a question is about but a word for
    their slot.

    Args:
        support: what holding each term of the question says (see `support.support_weights`).
        words_of: the words that an attribute is indexed under.
    """
    named: list[set[str]] | None = None
    for candidate in candidates:
        memory = candidate.stored.memory
        if memory is None or memory.slot is None:
            continue
        if named is None:
            named = _named(query)
        if not named:
            return
        own = set(term_weights(memory.text).counts)
        lent = set(query_terms(" ".join(words_of(memory.slot.attribute)))) - own
        borrowed = sum(weight for term, weight in support.items() if term in lent)
        if borrowed and any(phrase.isdisjoint(own | lent) for phrase in named):
            candidate.matched = max(0.0, candidate.matched - (1 - _KEPT) * borrowed)


def _named(query: str) -> list[set[str]]:
    """The terms of each thing that a question names; nothing when it is about who asks."""
    text = without_the_user(query)
    if _OWN.search(text) is not None:
        return []
    return [set(query_terms(phrase)) for phrase in topics(text)]
