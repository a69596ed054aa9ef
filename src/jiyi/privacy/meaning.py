"""What a few words mean when something is to be forgotten: every unit that holds enough of them.

Unlike recall this looks at all units that the text index knows, without a cap, and judges each by
a plain rule that a receipt can state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jiyi.text.terms import query_terms, term_weights
from jiyi.types import UnitKey

if TYPE_CHECKING:
    from jiyi.ports import Reader, Selection
    from jiyi.types import Document, MemoryRecord, Passage, Scope, Turn

COVERAGE = 0.6
"""Share of the words' weight that a unit must hold. Stricter than recall, because an erasure
cannot be undone; below 1 because people rarely repeat every word."""


@dataclass(frozen=True, slots=True)
class Meant:
    """Memories and turns by id, and passages of documents."""

    memories: dict[str, MemoryRecord]
    turns: dict[str, Turn]
    passages: dict[str, tuple[Passage, Document]]


def holds(text: str, words: str, *, coverage: float = COVERAGE) -> bool:
    """The same rule for a text that is not indexed."""
    weights = query_terms(words)
    total = sum(weights.values())
    there = term_weights(text).counts.keys()
    held = sum(weight for term, weight in weights.items() if term in there)
    return total > 0 and held >= coverage * total - 1e-9


def meant_by(
    reader: Reader, scope: Scope, words: str, selection: Selection, *, coverage: float = COVERAGE
) -> Meant:
    """Units whose indexed terms hold at least `coverage` of the weight of `words`.

    Words that carry no weight (such as "that" alone) mean nothing.
    """
    weights = query_terms(words)
    total = sum(weights.values())
    meant = Meant({}, {}, {})
    if not total:
        return meant
    for postings in reader.postings(scope, list(weights)):
        held = np.zeros(postings.size, dtype=np.float64)
        for term, (numbers, _) in postings.terms.items():
            held[numbers] += weights[term]
        # The tolerance keeps a full match from failing on the rounding of its sum.
        enough = np.flatnonzero(held >= coverage * total - 1e-9)
        keys = [UnitKey(postings.space, int(number)) for number in enough]
        for unit in reader.units(scope, keys, selection).values():
            if unit.memory is not None:
                meant.memories[unit.memory.id] = unit.memory
            elif unit.turn is not None:
                meant.turns[unit.turn.id] = unit.turn
            elif unit.passage is not None and unit.document is not None:
                meant.passages[unit.passage.id] = unit.passage, unit.document
    return meant
