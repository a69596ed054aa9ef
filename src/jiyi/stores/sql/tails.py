"""The ends of text indexes, kept in memory: rows that are in no block yet, by unit number."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from jiyi.stores.sql.packing import Counts, Hashes, tail_length, unpack_tail

_MOST_TAILS = 256  # 0.8 MB each at most for texts of 200 words


@dataclass(frozen=True, slots=True)
class Tail:
    """The tail rows with numbers from `low` up to `high`: their lengths, and all their postings,
    ascending by (hash, unit).

    A row never changes while nothing is erased in its space; it only moves into a block.
    """

    erased: int
    low: int
    high: int
    numbers: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.uint16]
    hashes: Hashes
    units: npt.NDArray[np.int32]
    counts: Counts

    def extended(self, numbers: Sequence[int], rows: Sequence[bytes], high: int) -> Tail:
        """With the rows of higher numbers."""
        if not rows:
            return replace(self, high=high)
        more = unpack_tail(rows, range(len(rows)))
        new = np.asarray(numbers, dtype=np.int32)
        lengths = np.array([tail_length(row) for row in rows], dtype=np.uint16)
        hashes = np.concatenate([self.hashes, more.hashes])
        order = np.argsort(hashes, kind="stable")
        return Tail(
            self.erased,
            self.low,
            high,
            np.concatenate([self.numbers, new]),
            np.concatenate([self.lengths, lengths]),
            hashes[order],
            np.concatenate([self.units, new[more.locals]])[order],
            np.concatenate([self.counts, more.counts])[order],
        )

    def outside(self, covered: npt.NDArray[np.bool_]) -> Tail:
        """Without the numbers that are in blocks, or that are not given yet in this snapshot."""
        size = len(covered)
        low = int(np.argmin(covered)) if not covered.all() else size
        kept = (self.numbers < size) & ~covered[np.minimum(self.numbers, size - 1)]
        if kept.all():
            return self
        part = (self.units < size) & ~covered[np.minimum(self.units, size - 1)]
        return Tail(
            self.erased,
            low,
            min(self.high, size),
            self.numbers[kept],
            self.lengths[kept],
            self.hashes[part],
            self.units[part],
            self.counts[part],
        )


def empty_tail(erased: int, low: int) -> Tail:
    """No rows yet; those from `low` on are to be added."""
    none = np.empty(0, np.int32)
    return Tail(
        erased, low, low, none, np.empty(0, np.uint16), np.empty(0, np.uint64), none,
        np.empty(0, np.uint8),
    )  # fmt: skip


class Tails:
    """The tails of the spaces read last, as they were in the newest state that was read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tails: OrderedDict[int, Tail] = OrderedDict()

    def recall(self, space: int, erased: int, low: int) -> Tail:
        """What is known of a space from the number `low` on, under its count of erasures."""
        tail = self._tails.get(space)
        if tail is None or tail.erased != erased or tail.low > low:
            return empty_tail(erased, low)
        return tail

    def remember(self, space: int, tail: Tail) -> None:
        """Keep rows that are committed, unless a newer state is known."""
        with self._lock:
            known = self._tails.get(space)
            if known is not None and (known.erased, known.high) > (tail.erased, tail.high):
                return
            self._tails[space] = tail
            self._tails.move_to_end(space)
            while len(self._tails) > _MOST_TAILS:
                self._tails.popitem(last=False)

    def drop(self, space: int) -> None:
        """Forget a space, after something in it was erased."""
        with self._lock:
            self._tails.pop(space, None)

    def clear(self) -> None:
        with self._lock:
            self._tails.clear()
