"""The vector arm: exact cosines over the vectors of the readable spaces, centred by their mean.

Vectors of small multilingual models lie in a narrow cone (a translation at .89, an unrelated
sentence at .82). Taking away the mean of the space spreads them out again, which was worth about
five points of recall@10 (docs/recall.md, "Vectors").
"""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from jiyi.ports import VectorBlock

SHRINK = 4.0  # vectors' worth of doubt about a mean: that of two or three says little
_TINY = 1e-6


class Centres:
    """The mean of each block of vectors, and each row's distance to it, kept while the block is.

    A block at 100,000 rows takes about as long to average as to search, and changes seldom.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[int, tuple[weakref.ref[npt.NDArray[np.float32]], _Centre]] = {}

    def of(self, matrix: npt.NDArray[np.float32]) -> _Centre:
        with self._lock:
            entry = self._known.get(id(matrix))
            if entry is not None and entry[0]() is matrix:
                return entry[1]
        centre = _Centre(matrix)
        with self._lock:
            self._known = {k: v for k, v in self._known.items() if v[0]() is not None}
            self._known[id(matrix)] = (weakref.ref(matrix), centre)
        return centre


class _Centre:
    __slots__ = ("along", "lengths", "mean", "square")

    def __init__(self, matrix: npt.NDArray[np.float32]) -> None:
        count = len(matrix)
        mean = matrix.mean(axis=0) if count else np.zeros(matrix.shape[1], np.float32)
        self.mean: npt.NDArray[np.float32] = mean * np.float32(count / (count + SHRINK))
        self.along: npt.NDArray[np.float32] = matrix @ self.mean
        self.square = float(self.mean @ self.mean)
        squares = np.maximum(1.0 - 2.0 * self.along + self.square, _TINY)
        self.lengths: npt.NDArray[np.float32] = np.sqrt(squares).astype(np.float32)


def search_vectors(
    blocks: Sequence[VectorBlock],
    query: npt.NDArray[np.float32],
    sizes: Mapping[int, int],
    centres: Centres,
) -> dict[int, npt.NDArray[np.float32]]:
    """Cosines of the query with every unit, by space.

    Args:
        query: shape (dimension,), float32, unit length.
        sizes: how long each space's array shall be; spaces without a size are left out.

    Returns:
        Arrays of shape (size,), float32, from -1 to 1; 0 for units without a vector.
    """
    result = {}
    for block in blocks:
        size = sizes.get(block.space)
        if size is None or not len(block.numbers):
            continue
        centre = centres.of(block.matrix)
        # (d - m)(q - m) = dq - dm - qm + mm: one product with the matrix as it is, no copy.
        along = float(query @ centre.mean)
        products = block.matrix @ query - centre.along - (along - centre.square)
        length = max(1.0 - 2.0 * along + centre.square, _TINY) ** 0.5
        scores = np.zeros(size, np.float32)
        known = block.numbers < size
        scores[block.numbers[known]] = (products / (centre.lengths * length))[known]
        result[block.space] = scores
    return result
