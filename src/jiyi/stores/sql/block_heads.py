"""The heads of index blocks, kept in memory: a block never changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_MOST_HEADS = 4096  # 12 kB each at most, and the blocks of 16 million units


@dataclass(frozen=True, slots=True)
class BlockHead:
    """Where a block lies, the lengths of its units, and the first term of each of its pages."""

    id: int
    base: int
    span: int
    lengths: npt.NDArray[np.uint16]
    directory: npt.NDArray[np.uint64]


class BlockHeads:
    """Heads by block id, and by how often their space was erased in, so that a restored backup,
    where ids begin again, is not mistaken for what was there. Oldest first out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heads: OrderedDict[tuple[int, int], BlockHead] = OrderedDict()

    def recall(self, erased: int, ids: Iterable[int]) -> dict[int, BlockHead]:
        """The heads that are known."""
        found = ((id, self._heads.get((erased, id))) for id in ids)
        return {id: head for id, head in found if head is not None}

    def remember(self, erased: int, heads: Mapping[int, BlockHead]) -> None:
        """Keep the heads of committed blocks."""
        with self._lock:
            for id, head in heads.items():
                self._heads[erased, id] = head
            while len(self._heads) > _MOST_HEADS:
                self._heads.popitem(last=False)
