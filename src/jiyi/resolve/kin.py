"""Memories that consolidation made one: whoever means one of them means the fact they all tell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from jiyi.ports import Selection
from jiyi.types import STATUSES, MemoryRecord, Scope

if TYPE_CHECKING:
    from jiyi.ports import Reader

MERGED_INTO: Final = "merged into"
"""The action in the audit log by which a memory became part of another one."""

_MANY: Final = 10_000  # events of one run


def with_kin(
    reader: Reader, scope: Scope, memories: Sequence[MemoryRecord], *, now: datetime
) -> list[MemoryRecord]:
    """The memories, and in whatever status those that they were merged with."""
    found = {memory.id: memory for memory in memories}
    waiting = list(found)
    while waiting:
        id = waiting.pop()
        for other in _kin_of(reader, scope, id) - found.keys():
            selection = Selection(
                now=now, statuses=frozenset(STATUSES) - {"forgotten"}, ids=(other,)
            )
            for memory in reader.memories(scope, selection)[0]:
                found[memory.id] = memory
                waiting.append(memory.id)
    return list(found.values())


def _kin_of(reader: Reader, scope: Scope, id: str) -> set[str]:
    """What a memory was merged into, and what was merged into it by the run that made it."""
    events = reader.events(scope, memory_id=id)
    into = {e.other_id for e in events if e.action == MERGED_INTO and e.other_id is not None}
    runs = {e.run_id for e in events if e.run_id is not None and e.action == "store"}
    made_of = {
        e.memory_id
        for run in runs
        for e in reader.events(scope, run_id=run, limit=_MANY)
        if e.action == MERGED_INTO and e.other_id == id and e.memory_id is not None
    }
    return into | made_of
