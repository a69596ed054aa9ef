"""Measures of rankings with known evidence, as information retrieval defines them.

A ranking is given as the pieces of evidence that each place holds (a place may hold several, or
none). `pieces` is how many there are in all, >= 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

Places = Sequence[frozenset[int]]


def recall_at(places: Places, pieces: int, k: int) -> float:
    """Share of the evidence within the first k places, 0 to 1."""
    return len(frozenset[int]().union(*places[:k])) / pieces


def all_at(places: Places, pieces: int, k: int) -> float:
    """1 when every piece stands within the first k places, else 0."""
    return float(recall_at(places, pieces, k) == 1)


def reciprocal_rank(places: Places) -> float:
    """1 / place of the first piece; 0 when there is none."""
    return next((1 / rank for rank, held in enumerate(places, 1) if held), 0.0)


def ndcg_at(places: Places, pieces: int, k: int) -> float:
    """Normalised discounted cumulative gain (Järvelin & Kekäläinen 2002): new pieces at a place,
    discounted by log2(place + 1), over the same sum of an ideal ranking with one piece a place; at
    most 1."""
    gains = sum(n / math.log2(rank + 1) for rank, n in enumerate(_new(places[:k]), 1))
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, pieces) + 1))
    return min(1.0, gains / ideal)


def _new(places: Places) -> Iterator[int]:
    seen: set[int] = set()
    for held in places:
        yield len(held - seen)
        seen |= held


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Means over questions with evidence, each 0 to 1; None where there was no such question.

    `recall`, `all_found` by k; `context` is the share of the evidence in a context, by budget in
    tokens; `false_silence` and `silence` are the shares of answerable and unanswerable questions
    with an empty result.
    """

    questions: int
    unanswerable: int
    recall: dict[int, float | None]
    all_found: dict[int, float | None]
    mrr: float | None
    ndcg: float | None
    context: dict[int, float | None]
    false_silence: float | None
    silence: float | None
    latency_ms: dict[int, float | None]
    """Of one recall, by percentile (50, 95); wall clock."""


def mean(values: Sequence[float]) -> float | None:
    """The mean, or None of nothing."""
    return fmean(values) if values else None


def percentile(values: Sequence[float], percent: int) -> float | None:
    """The value that `percent` of them do not exceed (nearest rank), or None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]
