"""The vector arm: exact cosines over the vectors of the readable spaces, centred by their mean.

Vectors of small multilingual models lie in a narrow cone (a translation at .89, an unrelated
sentence at .82). Taking away the mean of the space spreads them out again, which was worth about
five points of recall@10 (docs/recall.md, "Vectors").
"""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from jiyi.ports import VectorBlock

SHRINK = 4.0  # vectors' worth of doubt about a mean: that of two or three says little
_GROWN = 1.1  # times its first size, after which a block is averaged anew
_TINY = 1e-6


class Centres:
    """The mean of each block of vectors, and each row's distance to it, kept while the block is.

    A block of 100,000 rows takes about as long to average as to search, and changes seldom. Blocks
    grow at their end: until a tenth has been added, new rows are held against the known mean.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[int, tuple[weakref.ref[npt.NDArray[np.float32]], Centre]] = {}

    def of(self, matrix: npt.NDArray[np.float32]) -> Centre:
        """The centre of a block's matrix; views of one growing array share theirs."""
        owner = matrix.base if isinstance(matrix.base, np.ndarray) else matrix
        with self._lock:
            reference, centre = self._known.get(id(owner), (None, None))
            if reference is None or centre is None or reference() is not owner:
                centre = None
        if centre is None or len(matrix) > centre.averaged * _GROWN:
            centre = Centre.of(matrix)
        elif len(matrix) > len(centre.along):
            centre = centre.extended(matrix)
        else:
            return centre.first(len(matrix))
        with self._lock:
            self._known = {k: v for k, v in self._known.items() if v[0]() is not None}
            self._known[id(owner)] = (weakref.ref(owner), centre)
        return centre


@dataclass(frozen=True, slots=True)
class Centre:
    """A mean, made of `averaged` rows, and per row: its product with the mean (`along`) and the
    length of what is left when the mean is taken away (`lengths`)."""

    mean: npt.NDArray[np.float32]
    averaged: int
    along: npt.NDArray[np.float32]
    lengths: npt.NDArray[np.float32]

    @classmethod
    def of(cls, matrix: npt.NDArray[np.float32]) -> Centre:
        count = len(matrix)
        mean = matrix.mean(axis=0) * np.float32(count / (count + SHRINK))
        empty = np.zeros(0, np.float32)
        return cls(mean, count, empty, empty).extended(matrix)

    def extended(self, matrix: npt.NDArray[np.float32]) -> Centre:
        """With the rows of `matrix` that are not there yet."""
        along = matrix[len(self.along) :] @ self.mean
        square = float(self.mean @ self.mean)
        lengths = np.sqrt(np.maximum(1.0 - 2.0 * along + square, _TINY))
        return replace(
            self,
            along=np.concatenate((self.along, along)),
            lengths=np.concatenate((self.lengths, lengths)),
        )

    def first(self, count: int) -> Centre:
        """For an older, shorter view of the same rows."""
        if count == len(self.along):
            return self
        return replace(self, along=self.along[:count], lengths=self.lengths[:count])


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
        along, square = float(query @ centre.mean), float(centre.mean @ centre.mean)
        cosines = block.matrix @ query
        cosines -= centre.along
        cosines -= along - square
        cosines /= centre.lengths
        cosines /= max(1.0 - 2.0 * along + square, _TINY) ** 0.5
        scores = np.zeros(size, np.float32)
        # Numbers ascend: what lies beyond the array is at the end.
        known = int(np.searchsorted(block.numbers, size))
        scores[block.numbers[:known]] = cosines[:known]
        result[block.space] = scores
    return result
