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

from jiyi.ports import UnitCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from jiyi.ports import Layout, VectorBlock

SHRINK = 4.0  # vectors' worth of doubt about a mean: that of two or three says little
PRIOR = 40.0  # the same where the embedder says where its texts lie in general
_GROWN = 1.1  # times its first size, after which a block is averaged anew
_TINY = 1e-6


class Centres:
    """The mean of each block of vectors, and each row's distance to it, kept while the block is.

    A block of 100,000 rows takes about as long to average as to search, and changes seldom. Blocks
    grow at their end: until a tenth has been added, new rows are held against the known mean.

    Args:
        general: the mean of texts in general, shape (dimension,), if the embedder knows it: the
            mean of a small space is drawn towards it. Without it every two sentences of a squeezed
            model look alike in a space of ten.
    """

    def __init__(self, general: npt.NDArray[np.float32] | None = None) -> None:
        self._general = general
        self._lock = threading.Lock()
        self._known: dict[
            tuple[int, bool], tuple[weakref.ref[npt.NDArray[np.float32]], Centre]
        ] = {}

    def of(
        self,
        matrix: npt.NDArray[np.float32],
        rows: npt.NDArray[np.int64] | None = None,
        *,
        written: bool = False,
    ) -> Centre:
        """The centre of a block's matrix; views of one growing array share theirs.

        Args:
            rows: which rows it is of; they too only grow at their end. None means all.
            written: whether these are the rows of documents: they have a centre of their own.
        """
        owner = matrix.base if isinstance(matrix.base, np.ndarray) else matrix
        count = len(matrix) if rows is None else len(rows)
        place = id(owner), written
        with self._lock:
            reference, centre = self._known.get(place, (None, None))
            if reference is None or centre is None or reference() is not owner:
                centre = None
        if centre is None or count > centre.averaged * _GROWN:
            centre = Centre.of(matrix if rows is None else matrix[rows], self._general)
        elif count > len(centre.along):
            known = len(centre.along)
            centre = centre.extended(matrix[known:] if rows is None else matrix[rows[known:]])
        else:
            return centre.first(count)
        with self._lock:
            self._known = {k: v for k, v in self._known.items() if v[0]() is not None}
            self._known[place] = (weakref.ref(owner), centre)
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
    def of(cls, matrix: npt.NDArray[np.float32], general: npt.NDArray[np.float32] | None) -> Centre:
        count = len(matrix)
        if general is None:
            mean = matrix.mean(axis=0) * np.float32(count / (count + SHRINK))
        else:
            own = np.float32(count / (count + PRIOR))
            mean = own * matrix.mean(axis=0) + (1 - own) * general
        empty = np.zeros(0, np.float32)
        return cls(mean, count, empty, empty).extended(matrix)

    def extended(self, added: npt.NDArray[np.float32]) -> Centre:
        """With further rows."""
        along = added @ self.mean
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
    layouts: Mapping[int, Layout] | None = None,
) -> dict[int, npt.NDArray[np.float32]]:
    """Cosines of the query with every unit, by space.

    Args:
        query: shape (dimension,), float32, unit length.
        sizes: how long each space's array shall be; spaces without a size are left out.
        layouts: tell passages of documents from what was said: each is centred by its own mean,
            for a manual lies in another direction than talk.

    Returns:
        Arrays of shape (size,), float32, from -1 to 1; 0 for units without a vector.
    """
    result = {}
    for block in blocks:
        size = sizes.get(block.space)
        if size is None or not len(block.numbers):
            continue
        # Not `@`: the threads of BLAS spin after their work, and what follows here is not for them.
        # One core reads a large matrix as fast as memory gives it.
        cosines = np.vecdot(block.matrix, query)
        written = None if layouts is None else _written(block, layouts[block.space])
        if written is None:
            _centre(cosines, query, centres.of(block.matrix))
        else:
            for kind in (False, True):
                rows = np.flatnonzero(written == kind)
                if len(rows):
                    part = cosines[rows]
                    _centre(part, query, centres.of(block.matrix, rows, written=kind))
                    cosines[rows] = part
        scores = np.zeros(size, np.float32)
        # Numbers ascend: what lies beyond the array is at the end.
        known = int(np.searchsorted(block.numbers, size))
        scores[block.numbers[:known]] = cosines[:known]
        result[block.space] = scores
    return result


def _centre(
    cosines: npt.NDArray[np.float32], query: npt.NDArray[np.float32], centre: Centre
) -> None:
    """Turn products with the query into centred cosines, in place."""
    # (d - m)(q - m) = dq - dm - qm + mm: one product with the matrix as it is, no copy.
    along, square = float(query @ centre.mean), float(centre.mean @ centre.mean)
    cosines -= centre.along
    cosines -= along - square
    cosines /= centre.lengths
    cosines /= max(1.0 - 2.0 * along + square, _TINY) ** 0.5


def _written(block: VectorBlock, layout: Layout) -> npt.NDArray[np.bool_] | None:
    """Which rows belong to documents, as far as the layout reaches; None when none does."""
    if not (layout.kinds == UnitCode.DOCUMENT).any():
        return None
    known = int(np.searchsorted(block.numbers, layout.size))
    written: npt.NDArray[np.bool_] = layout.kinds[block.numbers[:known]] == UnitCode.DOCUMENT
    return written if written.any() else None
