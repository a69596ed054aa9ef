"""The vectors of a space as one float32 matrix, kept in memory and brought up to date by number."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from jiyi.ports import VectorBlock

_HEADROOM = 1.5  # untouched pages of a fresh array cost no memory, copying a full one does
_MIN_ROWS = 64


@dataclass(slots=True)
class CachedVectors:
    """The rows read so far, ascending by number, valid for one erasure count of the space.

    `change` is the space's change number when it was last brought up to date, `last_seq` the
    highest sequence number among its rows. Arrays handed out are views of the first `count` rows;
    rows behind them are written only once.
    """

    dimension: int
    erased: int
    change: int = -1
    last_seq: int = 0
    count: int = 0
    numbers: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    matrix: npt.NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 0), np.float32))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reserve(self, more: int) -> None:
        """Make room for more rows."""
        needed = self.count + more
        if needed <= len(self.numbers):
            return
        capacity = max(int(needed * _HEADROOM), _MIN_ROWS)
        numbers = np.empty(capacity, np.int32)
        matrix = np.empty((capacity, self.dimension), np.float32)
        if self.count:
            numbers[: self.count] = self.numbers[: self.count]
            matrix[: self.count] = self.matrix[: self.count]
        self.numbers, self.matrix = numbers, matrix

    def append(self, numbers: npt.NDArray[np.int32], packed: bytes) -> None:
        """Add float16 rows of any order."""
        more = len(numbers)
        self.reserve(more)
        rows = np.frombuffer(packed, dtype="<f2").reshape(more, self.dimension)
        start, stop = self.count, self.count + more
        self.matrix[start:stop] = rows
        self.numbers[start:stop] = numbers
        self.count = stop

    def sort(self, first_new: int) -> None:
        """Restore the ascending order after rows were appended from `first_new` on."""
        if first_new >= self.count:
            return
        tail = self.numbers[max(first_new - 1, 0) : self.count]
        if (tail[1:] > tail[:-1]).all():
            return
        # Views of the old arrays may be in use, so the sorted rows go to new ones.
        order = np.argsort(self.numbers[: self.count], kind="stable")
        self.numbers, self.matrix = self.numbers[order], self.matrix[order]

    def block(self, space: int) -> VectorBlock:
        numbers, matrix = self.numbers[: self.count], self.matrix[: self.count]
        numbers.flags.writeable = matrix.flags.writeable = False
        return VectorBlock(space, numbers, matrix)


class VectorCache:
    """Cached vectors by (space, model), least recently used first out."""

    def __init__(self, max_bytes: int = 1 << 30) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._entries: OrderedDict[tuple[int, int], CachedVectors] = OrderedDict()

    def entry(self, space: int, model: int, dimension: int, erased: int) -> CachedVectors:
        """The entry to bring up to date (under its lock); a fresh one after an erasure."""
        with self._lock:
            entry = self._entries.get((space, model))
            if entry is not None and erased < entry.erased:
                # A reader of an older moment: what was erased since must not come back here.
                return CachedVectors(dimension, erased)
            if entry is None or entry.erased != erased:
                entry = self._entries[space, model] = CachedVectors(dimension, erased)
            self._entries.move_to_end((space, model))
            return entry

    def trim(self) -> None:
        """Drop the least recently used entries above the limit; the newest always stays."""
        with self._lock:
            total = sum(entry.count * entry.dimension * 4 for entry in self._entries.values())
            while total > self._max_bytes and len(self._entries) > 1:
                _, entry = self._entries.popitem(last=False)
                total -= entry.count * entry.dimension * 4

    def drop(self, space: int) -> None:
        """Forget a space, after something in it was erased."""
        with self._lock:
            for key in [key for key in self._entries if key[0] == space]:
                del self._entries[key]

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
