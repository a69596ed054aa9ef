"""Names of memories that were stored before names were kept: read from their words, once."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from jiyi.encode.commit import atomically
from jiyi.types import STATUSES

if TYPE_CHECKING:
    from jiyi.encode.commit import TermsOf
    from jiyi.ports import Store, Writer
    from jiyi.types import MemoryRecord

BATCH: Final = 200
"""Memories per transaction: others who write wait for a fraction of a second."""

_KEPT: Final = frozenset(STATUSES) - {"forgotten"}


def read_names(store: Store, *, terms_of: TermsOf, now: datetime) -> int:
    """Note what memories name in every space that has no name yet. Returns how many memories
    name anything; stopped in the middle, a space is left as far as it came."""
    with store.read() as reader:
        spaces = [space for space in reader.spaces() if not reader.names(space)]
    done = 0
    for space in spaces:
        with store.read() as reader:
            memories = reader.space_memories(space, statuses=_KEPT, now=now)
        for start in range(0, len(memories), BATCH):
            part = memories[start : start + BATCH]
            done += atomically(store, partial(_read, part, terms_of))
    return done


def _read(memories: list[MemoryRecord], terms_of: TermsOf, writer: Writer) -> int:
    naming = [(m, terms) for m in memories if (terms := terms_of(m)).names]
    for memory, terms in naming:
        writer.set_names(memory.scope, memory.id, terms)
    return len(naming)
