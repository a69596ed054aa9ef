"""The text arm: BM25 over the postings of the readable spaces, as dense arrays by unit number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from jiyi.ports import Postings


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Every occurrence of a query term in one space, flat: arrays of equal length.

    `terms[i]` is the index in `names` of a term, `numbers[i]` the unit, `scores[i]` what the term
    adds to the unit's BM25 score, divided by the query's mass: the sum of a unit's scores lies
    between 0 and k1 + 1 however long the question is.
    """

    space: int
    size: int
    terms: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float32]
    names: tuple[str, ...]

    def held(self, weights: Mapping[str, float]) -> npt.NDArray[np.float32]:
        """Sum of the weights of the terms that each unit holds; shape (size,)."""
        by_term = np.array([weights.get(name, 0.0) for name in self.names], np.float32)
        sums = np.bincount(self.numbers, weights=by_term[self.terms], minlength=self.size)
        return sums.astype(np.float32)


def term_masses(
    postings: Sequence[Postings], query: Mapping[str, float], *, background: int = 0
) -> dict[str, float]:
    """Weight times inverse document frequency of each query term, over all readable spaces.

    idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative (Robertson & Zaragoza 2009,
    section 3.3, with the +1 that Lucene adds). A term nobody used has the highest mass of all:
    that the question asks for it and nothing holds it is what support is judged by.

    `background` counts as so many more units that hold none of the terms.
    """
    count = background + sum(p.count for p in postings)
    masses: dict[str, float] = {}
    for term, weight in query.items():
        holders = sum(len(p.terms[term][0]) for p in postings if term in p.terms)
        masses[term] = weight * math.log1p((count - holders + 0.5) / (holders + 0.5))
    return masses


def search(
    postings: Sequence[Postings], masses: Mapping[str, float], *, k1: float, b: float
) -> list[Occurrences]:
    """Where the query's terms occur and what each occurrence is worth, one entry per space.

    `masses` come from `term_masses`: document frequencies and the mean length are those of all
    readable spaces together, so that scores from different spaces can be compared.

    Args:
        k1: how fast a repeated term stops counting, > 0.
        b: how much a long unit is held back, from 0 (not at all) to 1 (in full).
    """
    total = sum(masses.values()) or 1.0
    units = sum(p.count for p in postings)
    mean_length = sum(p.count * p.mean_length for p in postings) / units if units else 1.0
    length_unit = max(mean_length, 1.0)
    result = []
    for space in postings:
        found = [(masses[t], *lists) for t, lists in space.terms.items() if masses.get(t)]
        names = tuple(t for t in space.terms if masses.get(t))
        shares = np.array([mass / total for mass, _, _ in found], np.float32)
        terms = np.repeat(np.arange(len(found)), [len(numbers) for _, numbers, _ in found])
        numbers = np.concatenate([np.zeros(0, np.int32), *(n for _, n, _ in found)])
        counts = np.concatenate([np.zeros(0, np.float32), *(c for _, _, c in found)])
        norm = 1 - b + (b / length_unit) * space.lengths[numbers].astype(np.float32)
        scores = shares[terms] * (k1 + 1) * counts / (counts + k1 * norm)
        result.append(Occurrences(space.space, space.size, terms, numbers, scores, names))
    return result
