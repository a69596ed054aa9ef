"""The measures agree with their definitions, on rankings of any shape."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from jiyi.evaluation.measures import all_at, ndcg_at, percentile, recall_at, reciprocal_rank

PIECES = 4
RANKINGS = st.lists(st.frozensets(st.integers(0, PIECES - 1), max_size=2), max_size=12)


def test_by_hand() -> None:
    """A ranking worked out by hand: evidence at places 2 and 4 of three pieces."""
    places = [frozenset[int](), frozenset({0}), frozenset({0}), frozenset({2})]
    assert recall_at(places, 3, 1) == 0
    assert math.isclose(recall_at(places, 3, 4), 2 / 3)
    assert all_at(places, 3, 4) == 0
    assert reciprocal_rank(places) == 0.5
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert math.isclose(ndcg_at(places, 3, 10), (1 / math.log2(3) + 1 / math.log2(5)) / ideal)


@given(RANKINGS)
def test_bounds_and_growth(places: list[frozenset[int]]) -> None:
    """Every measure lies in 0..1, recall grows with k, and finding all is recall of 1."""
    curve = [recall_at(places, PIECES, k) for k in range(1, 13)]
    assert curve == sorted(curve)
    assert all(0 <= value <= 1 for value in curve)
    assert all_at(places, PIECES, 12) == float(curve[-1] == 1)
    assert 0 <= ndcg_at(places, PIECES, 10) <= 1
    assert (reciprocal_rank(places) > 0) == (curve[-1] > 0)


@given(RANKINGS, st.integers(0, 11))
def test_earlier_is_never_worse(places: list[frozenset[int]], place: int) -> None:
    """Moving a place that holds evidence one up lowers no measure when what it passes is empty."""
    if not 0 < place < len(places) or places[place - 1]:
        return
    better = [*places[: place - 1], places[place], places[place - 1], *places[place + 1 :]]
    assert reciprocal_rank(better) >= reciprocal_rank(places)
    assert ndcg_at(better, PIECES, 10) >= ndcg_at(places, PIECES, 10) - 1e-12


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 100))
def test_percentile(values: list[float], percent: int) -> None:
    """The percentile is one of the values, and that share of them does not exceed it."""
    found = percentile(values, percent)
    assert found in values
    assert sum(value <= found for value in values) >= percent / 100 * len(values)
