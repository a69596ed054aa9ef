"""The vector arm: centred cosines, cheap, and current when a block is replaced."""

from __future__ import annotations

import numpy as np
import pytest

from jiyi.ports import VectorBlock
from jiyi.recall.dense import SHRINK, Centres, search_vectors


def unit(*rows: list[float]) -> np.ndarray:
    matrix = np.array(rows, np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def test_equals_the_plain_computation() -> None:
    """The one product with the matrix gives what subtracting the mean from every row gives."""
    generator = np.random.default_rng(7)
    matrix = unit(*(generator.normal(size=(50, 16)) + 2).tolist())
    query = unit((generator.normal(size=16) + 2).tolist())[0]
    block = VectorBlock(3, np.arange(50, dtype=np.int32), matrix)
    found = search_vectors([block], query, {3: 50}, Centres())[3]
    mean = matrix.mean(axis=0) * 50 / (50 + SHRINK)
    rows, offset = matrix - mean, query - mean
    plain = rows @ offset / (np.linalg.norm(rows, axis=1) * np.linalg.norm(offset))
    assert found.tolist() == pytest.approx(plain.tolist(), abs=1e-4)


def test_gaps_and_foreign_spaces() -> None:
    """Numbers without a vector score 0; a space without an array is left out."""
    block = VectorBlock(1, np.array([0, 2], np.int32), unit([1, 0], [0, 1]))
    found = search_vectors([block], unit([1, 0])[0], {1: 4}, Centres())
    assert found[1].shape == (4,)
    assert found[1][1] == found[1][3] == 0
    assert search_vectors([block], unit([1, 0])[0], {2: 4}, Centres()) == {}


def test_one_vector_is_still_found() -> None:
    """The mean of a single vector is that vector; doubt about it keeps the cosine meaningful."""
    block = VectorBlock(1, np.array([0], np.int32), unit([1, 0.2]))
    near = search_vectors([block], unit([1, 0.1])[0], {1: 1}, Centres())[1][0]
    far = search_vectors([block], unit([-0.2, 1])[0], {1: 1}, Centres())[1][0]
    assert near > 0.9
    assert far < 0.2


def test_a_new_block_has_a_new_centre() -> None:
    """Means are kept per matrix, found again through any view of it, and forgotten with it."""
    centres = Centres()
    first, second = unit([1, 0], [0, 1]), unit([1, 0], [1, 0.1])
    assert centres.of(first[:2]).mean is centres.of(first[:2]).mean
    assert centres.of(first).mean.tolist() != centres.of(second).mean.tolist()
    del first
    centres.of(unit([0, 1]))
    assert len(centres._known) <= 2


def test_a_growing_block_keeps_its_mean_for_a_while() -> None:
    """A few new rows are held against the known mean; a tenth more, and it is taken anew."""
    rows = unit(*np.random.default_rng(1).normal(size=(200, 8)).tolist())
    centres = Centres()
    mean = centres.of(rows[:100]).mean
    grown = centres.of(rows[:105])
    assert grown.mean is mean
    assert len(grown.along) == len(grown.lengths) == 105
    assert grown.along.tolist() == pytest.approx((rows[:105] @ mean).tolist())
    assert len(centres.of(rows[:100]).along) == 100
    assert centres.of(rows[:150]).mean is not mean
