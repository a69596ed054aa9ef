"""The whole story of a memory: its states, the events, and what it replaced."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from jiyi.errors import NotFoundError
from jiyi.ports import Selection
from jiyi.types import STATUSES, History, MemoryRecord, Scope

if TYPE_CHECKING:
    from jiyi.ports import Reader


def history_of(reader: Reader, scope: Scope, memory_id: str, *, now: datetime) -> History:
    """Versions and events, oldest first, and the chain of replacements around a memory.

    Raises:
        NotFoundError: no such memory in this scope, and no event of one.
    """
    versions = tuple(reader.versions(scope, memory_id))
    events = tuple(reader.events(scope, memory_id=memory_id))
    if not versions and not events:
        raise NotFoundError("memory", memory_id)
    chain = _chain(reader, scope, memory_id, now) if versions else ()
    return History(memory_id=memory_id, versions=versions, events=events, chain=chain)


def _chain(reader: Reader, scope: Scope, memory_id: str, now: datetime) -> tuple[MemoryRecord, ...]:
    """Follow the replacements in both directions; what was erased is missing, not an error."""
    every = frozenset(STATUSES)
    found: dict[str, MemoryRecord] = {}
    waiting = [memory_id]
    while waiting:
        id = waiting.pop()
        if id in found:
            continue
        rows, _ = reader.memories(scope, Selection(now=now, statuses=every, ids=(id,)))
        for memory in rows:
            found[id] = memory
            if memory.superseded_by is not None:
                waiting.append(memory.superseded_by)
        waiting.extend(
            event.memory_id
            for event in reader.events(scope, other_id=id)
            if event.memory_id is not None
        )
    return tuple(sorted(found.values(), key=lambda m: (-_steps(m, found), m.recorded_at, m.id)))


def _steps(memory: MemoryRecord, found: dict[str, MemoryRecord]) -> int:
    """How many replacements lie between a memory and the end of its chain."""
    seen = {memory.id}
    while memory.superseded_by in found and memory.superseded_by not in seen:
        memory = found[memory.superseded_by]
        seen.add(memory.id)
    return len(seen)
