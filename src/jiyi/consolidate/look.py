"""What a run reads before it decides: one snapshot of a space."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from jiyi.consolidate.lessons import Outcomes, has_failed
from jiyi.consolidate.plan import Seen
from jiyi.consolidate.summaries import cited_by
from jiyi.ports import Selection
from jiyi.types import STATUSES, AuditEvent, MemoryRecord, Scope, Status

if TYPE_CHECKING:
    from jiyi.ports import Reader

CONSOLIDATED: Final = "consolidated"
"""The action by which a run notes itself in the audit log: where the next one begins."""

CORRECTED: Final = "corrected"
"""The reason of a supersession by `Memory.correct`."""

KEPT: Final[frozenset[Status]] = frozenset({"active", "candidate", "archived"})
LONG_AGO: Final = timedelta(days=36_500)
"""Seen from so far back nothing has expired: statuses are read as they are stored."""

THAWED_FOR: Final = timedelta(days=30)
"""What a question brought back out of the archive stays out of it so long at least."""
TURNS_LOOKED_AT: Final = 500
EVENTS_LOOKED_AT: Final = 10_000
_AT_ONCE: Final = 500  # ids in one statement
_UNDONE: Final = "undone: "
_UNDONE_STEPS: Final = ("merged into", "summarised in", "archived")


def look(reader: Reader, scope: Scope, now: datetime) -> Seen:
    """Everything live, candidate or archived, and what happened since the last run."""
    memories = reader.space_memories(scope, statuses=KEPT, now=now - LONG_AGO)
    runs = reader.recent_events(scope, actions=frozenset({CONSOLIDATED}), limit=1)
    last = runs[-1] if runs else None
    cited = {id for memory in memories if memory.status == "active" for id in cited_by(memory)}
    return Seen(
        memories=memories,
        cited=_by_id(reader, scope, sorted(cited), now),
        fresh=frozenset(m.id for m in memories if last is None or _told_since(m, last, now)),
        restored=_restored(reader, scope),
        needed=_needed(reader, scope, now),
        outcomes=_outcomes(reader, scope, last, now),
    )


def _told_since(memory: MemoryRecord, last: AuditEvent, now: datetime) -> bool:
    """Whether a memory or one of its sources came after the last run; where the clock has jumped
    back behind that run, everything did, for all we know."""
    if now < last.at or memory.recorded_at >= last.at:
        return True
    return any(s.said_at is not None and s.said_at >= last.at for s in memory.sources)


def _restored(reader: Reader, scope: Scope) -> frozenset[str]:
    events = reader.recent_events(scope, actions=frozenset({"undone"}), limit=EVENTS_LOOKED_AT)
    return frozenset(
        event.memory_id
        for event in events
        if event.memory_id is not None
        and (event.reason or "").removeprefix(_UNDONE) in _UNDONE_STEPS
    )


def _needed(reader: Reader, scope: Scope, now: datetime) -> frozenset[str]:
    thaws = reader.recent_events(scope, actions=frozenset({"thawed"}), limit=EVENTS_LOOKED_AT)
    return frozenset(e.memory_id for e in thaws if e.memory_id and now - e.at < THAWED_FOR)


def _outcomes(
    reader: Reader, scope: Scope, last: AuditEvent | None, now: datetime
) -> Outcomes | None:
    """What lessons may be drawn from, when something new came in."""
    events = reader.recent_events(scope, actions=frozenset({"superseded"}), limit=EVENTS_LOOKED_AT)
    corrections = [event for event in events if event.reason == CORRECTED]
    turns = [
        turn
        for turn in reader.turns(scope, limit=TURNS_LOOKED_AT, order="newest")[::-1]
        if turn.role == "tool"
    ]
    new = last is None or any(e.at >= last.at for e in corrections) or now < last.at
    if not new and not any(t.recorded_at >= last.at and has_failed(t) for t in turns if last):
        return None
    return Outcomes(corrections=_pairs(reader, scope, corrections, now), tool_turns=turns)


def _pairs(
    reader: Reader, scope: Scope, corrections: Sequence[AuditEvent], now: datetime
) -> list[tuple[MemoryRecord, MemoryRecord]]:
    ids = [(event.memory_id or "", event.other_id or "") for event in corrections]
    found = _by_id(reader, scope, sorted({id for pair in ids for id in pair if id}), now)
    return [(found[old], found[new]) for old, new in ids if old in found and new in found]


def _by_id(
    reader: Reader, scope: Scope, ids: Sequence[str], now: datetime
) -> dict[str, MemoryRecord]:
    found: dict[str, MemoryRecord] = {}
    every = frozenset(STATUSES) - {"forgotten"}
    for start in range(0, len(ids), _AT_ONCE):
        part = tuple(ids[start : start + _AT_ONCE])
        records, _ = reader.memories(scope, Selection(now=now, statuses=every, ids=part))
        found.update((record.id, record) for record in records)
    return found
