"""Undo: a change of a memory is taken back by restoring the state before it.

What was erased stays erased. Undoing a supersession brings the old memory back; where both fill
the same one-valued slot, the newer one is retracted, since only one can hold.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jiyi.errors import ConflictError, NotFoundError
from jiyi.text.normalise import fingerprint
from jiyi.types import STATUSES, AuditEvent, Draft, MemoryRecord, Outcome, Scope, Version

if TYPE_CHECKING:
    from jiyi.ports import TermWeights, Writer

RESTORED_FIELDS = (
    *("text", "status", "tags", "meta", "importance", "confidence", "tier", "pinned"),
    *("valid_from", "valid_to", "expires_at", "superseded_by", "helpful", "unhelpful"),
)
TermsOf = Callable[["MemoryRecord | Draft"], "TermWeights"]
ERASING = frozenset({"erased", "forgotten"})
DRAWN_INTO = "drawn into"
"""What the audit log says of a memory that another one was drawn from, and that did not change."""
_NO_CHANGE = frozenset({"store", "add_source", "lose_source", "compatible", DRAWN_INTO, *ERASING})
_MOST_EVENTS = 1_000_000  # of one run: all of them


def undo(
    writer: Writer, scope: Scope, id: str, *, terms_of: TermsOf, now: datetime
) -> list[Outcome]:
    """Take back an event, every change of a run, or the last change of a memory.

    Args:
        id: the id of an audit event, of a run, or of a memory.
        terms_of: how a memory is indexed, for texts that come back.

    Raises:
        NotFoundError: the id is none of these in this scope.
        ConflictError: there is nothing to take back, or it was an erasure.
    """
    events = writer.events(scope, event_id=id)
    if not events:
        run = writer.events(scope, run_id=id, limit=_MOST_EVENTS)
        if run:
            return _undo_run(writer, scope, run, terms_of, now)
        events = writer.events(scope, memory_id=id)[-1:]
    if not events:
        raise NotFoundError("event, run or memory", id)
    return [_undo_event(writer, scope, event, terms_of, now) for event in reversed(events)]


def _undo_run(
    writer: Writer, scope: Scope, events: list[AuditEvent], terms_of: TermsOf, now: datetime
) -> list[Outcome]:
    """Take back the changes of a run, whomever of the user's agents they concern. What it notes
    about itself is no change; a run that changed nothing leaves nothing to take back."""
    changes = [
        e
        for e in events
        if (e.memory_id is not None or e.action in ERASING) and e.action != DRAWN_INTO
    ]
    every = frozenset(STATUSES) - {"forgotten"}
    known = writer.space_memories(scope, statuses=every, now=now) if changes else []
    scopes = {memory.id: memory.scope for memory in known}
    return [
        _undo_event(writer, scopes.get(event.memory_id or "", scope), event, terms_of, now)
        for event in reversed(changes)
    ]


def _undo_event(
    writer: Writer, scope: Scope, event: AuditEvent, terms_of: TermsOf, now: datetime
) -> Outcome:
    if event.action in ERASING or event.memory_id is None:
        raise ConflictError(f"{event.action} at {event.at.isoformat()} cannot be undone")
    memory_id = event.memory_id
    versions = writer.versions(scope, memory_id)
    if not versions:
        raise ConflictError(f"memory {memory_id} was erased and cannot come back")
    before = _version_before(writer, scope, versions, event)
    if before is None:  # the event that stored it
        if versions[-1].record.status == "retracted":
            raise ConflictError(f"memory {memory_id} is already retracted")
        reason = "undone: it had been stored"
        writer.change_memory(
            scope, memory_id, {"status": "retracted"}, at=now, action="undone", reason=reason
        )
        return Outcome(status="stored", memory_id=memory_id, reason=reason)
    replaced = _yield_slot(writer, scope, before.record, now)
    changes: dict[str, Any] = {
        name: getattr(before.record, name)
        for name in RESTORED_FIELDS
        if getattr(before.record, name) != getattr(versions[-1].record, name)
    }
    if not changes:
        raise ConflictError(f"memory {memory_id} already stands as it did before {event.action}")
    reason = f"undone: {event.action}"
    retold = "text" in changes or "tags" in changes
    writer.change_memory(
        scope,
        memory_id,
        changes,
        at=now,
        action="undone",
        reason=reason,
        fingerprint=fingerprint(before.record.text) if retold else None,
        terms=terms_of(before.record) if retold else None,
    )
    return Outcome(status="stored", memory_id=memory_id, reason=reason, replaced=replaced)


def _version_before(
    writer: Writer, scope: Scope, versions: list[Version], event: AuditEvent
) -> Version | None:
    """The version that ended with the event; None for the event that stored the memory.

    Each change ended one version, in the same order; that tells them apart even where the clock
    has jumped back in between. A memory that came without its log is told by time: the last
    version closed no later than the event.
    """
    events = writer.events(scope, memory_id=event.memory_id, limit=_MOST_EVENTS)
    changes = [each.id for each in events if each.action not in _NO_CHANGE]
    closed = [v for v in versions if v.known_to is not None]
    if len(changes) == len(closed):
        return closed[changes.index(event.id)] if event.id in changes else None
    earlier = [v for v in closed if v.known_to is not None and v.known_to <= event.at]
    return earlier[-1] if earlier else None


def _yield_slot(
    writer: Writer, scope: Scope, restored: MemoryRecord, now: datetime
) -> tuple[str, ...]:
    """Retract the live value that stands where a restored one-valued memory comes back."""
    slot = restored.slot
    if slot is None or slot.cardinality == "many" or restored.status != "active":
        return ()
    rivals = [
        m
        for m in writer.slot_values(scope, subject=slot.subject, attribute=slot.attribute, now=now)
        if m.id != restored.id and m.visibility == restored.visibility
    ]
    for rival in rivals:
        writer.change_memory(
            scope,
            rival.id,
            {"status": "retracted"},
            at=now,
            action="retracted",
            reason="the memory it had replaced came back",
            other_id=restored.id,
        )
    return tuple(m.id for m in rivals)
