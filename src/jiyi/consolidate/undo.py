"""Undo: a change of a memory is taken back by restoring the state before it.

What was erased stays erased. A memory that replaced others came in one step with their end: that
step is taken back whole, whichever of them is named. The newer one is retracted, and what it had
replaced holds again. Where both fill the same one-valued slot, only one can hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from jiyi.errors import ConflictError, NotFoundError
from jiyi.ids import new_id
from jiyi.ports import Selection
from jiyi.resolve.authors import is_author, require_author
from jiyi.resolve.evidence import last_said
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
UNDONE: Final = "undone"
PLANNED: Final = "will end"
"""By which a fact about a day to come gave another one its end."""
DRAWN_INTO: Final = "drawn into"
"""What the audit log says of a memory that another one was drawn from, and that did not change."""
_NOTES = frozenset({"add_source", "lose_source", "compatible", DRAWN_INTO})
_NO_CHANGE = frozenset({"store", *_NOTES, *ERASING})
_STANDING = frozenset({"active", "candidate", "archived", "expired"})
SUPERSEDED: Final = "superseded"
"""What the audit log says of a memory that a newer statement replaced."""
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
        ConflictError: there is nothing to take back, it was an erasure, or it concerns what
            another user shares.
    """
    work = _Undo(writer, scope, terms_of, now)
    events = writer.events(scope, event_id=id)
    if not events:
        run = writer.events(scope, run_id=id, limit=_MOST_EVENTS)
        if run:
            return work.run(run)
        known = writer.events(scope, memory_id=id, limit=_MOST_EVENTS)
        events = [event for event in known if event.action not in _NOTES][-1:]
    if not events:
        raise NotFoundError("event, run or memory", id)
    return work.step(events[-1])


@dataclass(frozen=True, slots=True)
class _Undo:
    """What one undo needs, and does."""

    writer: Writer
    scope: Scope
    terms_of: TermsOf
    now: datetime
    step_id: str = field(default_factory=new_id)
    """What all that one step takes back is logged with, so that it can be taken back as one."""

    def run(self, events: list[AuditEvent]) -> list[Outcome]:
        """Take back the changes of a run, whomever of the user's agents they concern. What it
        notes about itself is no change; a run that changed nothing leaves nothing to take back."""
        changes = [
            e
            for e in events
            if (e.memory_id is not None or e.action in ERASING) and e.action not in _NOTES
        ]
        every = frozenset(STATUSES) - {"forgotten"}
        known = (
            self.writer.space_memories(self.scope, statuses=every, now=self.now) if changes else []
        )
        scopes = {memory.id: memory.scope for memory in known}
        outcomes: list[Outcome] = []
        for event in reversed(changes):
            whose = scopes.get(event.memory_id or "", self.scope)
            within = replace(self, scope=whose, step_id=new_id())
            if event.action == "store" and event.memory_id is not None:
                outcomes.append(within.take_back(within.record(event.memory_id)))
            elif not within._is_released(event):
                outcomes.append(within.event(event))
        return outcomes

    def _is_released(self, event: AuditEvent) -> bool:
        """Whether a supersession ended already when what had caused it was taken back."""
        if event.action != SUPERSEDED or event.memory_id is None:
            return False
        return self.record(event.memory_id).superseded_by != event.other_id

    def step(self, event: AuditEvent) -> list[Outcome]:
        """Take back one event, with what was written as one with it."""
        id = event.memory_id
        if id is None or event.action in ERASING:
            return [self.event(event)]
        record = self.record(id)
        require_author(record, self.scope)
        if event.action == "store":
            return [self.take_back(record)]
        if event.action == SUPERSEDED and event.other_id is not None:
            chain = self._chain(record, event.other_id)
            if chain:
                outcomes = [self.take_back(each) for each in reversed(chain)]
                back = self.record(id)
                if back.status != SUPERSEDED:
                    reason = f"undone: {event.action}"
                    replaced = tuple(each.id for each in chain)
                    return [
                        Outcome(status="stored", memory_id=id, reason=reason, replaced=replaced)
                    ]
                return outcomes
        if event.action == UNDONE:
            return self._again(event)
        return [self.event(event)]

    def _again(self, event: AuditEvent) -> list[Outcome]:
        """Undo an undo: all that it did is taken back, the last of it first."""
        undone = [event]
        if event.run_id is not None:
            undone = self.writer.events(self.scope, run_id=event.run_id, limit=_MOST_EVENTS)
        return [self.event(each) for each in reversed(undone)]

    def record(self, memory_id: str) -> MemoryRecord:
        """A memory as it stands.

        Raises:
            ConflictError: it was erased.
        """
        versions = self.writer.versions(self.scope, memory_id)
        if not versions or versions[-1].record.status == "forgotten":
            raise ConflictError(f"memory {memory_id} was erased and cannot come back")
        return versions[-1].record

    def _chain(self, record: MemoryRecord, first: str) -> list[MemoryRecord]:
        """What replaced a memory, and what replaced that, down to what stands; as far as each was
        stored in order to replace: what was known before is not taken back."""
        chain: list[MemoryRecord] = []
        before, next_id = record.id, first
        while True:
            events = self.writer.events(self.scope, memory_id=before, limit=_MOST_EVENTS)
            ends = [e for e in events if e.action == SUPERSEDED and e.other_id == next_id]
            own = self.writer.events(self.scope, memory_id=next_id, limit=_MOST_EVENTS)
            stored = [e for e in own if e.action == "store"]
            if not ends:
                return chain  # the last one was history from the start
            # In one step the old one ends first, then the new one is stored; ids ascend.
            if not stored or stored[0].at != ends[-1].at or stored[0].id < ends[-1].id:
                return []
            newer = self.record(next_id)
            chain.append(newer)
            if newer.status in _STANDING:
                return chain
            if newer.status != SUPERSEDED or newer.superseded_by is None:
                return []
            if newer.superseded_by in {record.id, *(each.id for each in chain)}:
                return []
            before, next_id = newer.id, newer.superseded_by

    def take_back(self, record: MemoryRecord) -> Outcome:
        """Retract a memory as if it had never been stored."""
        if record.status == "retracted":
            raise ConflictError(f"memory {record.id} is already retracted")
        reason = "undone: it had been stored"
        self.writer.change_memory(
            self.scope,
            record.id,
            {"status": "retracted"},
            at=self.now,
            action=UNDONE,
            reason=reason,
            run_id=self.step_id,
        )
        self.release(record)
        self.let_stand(record)
        return Outcome(status="stored", memory_id=record.id, reason=reason)

    def let_stand(self, plan: MemoryRecord) -> None:
        """What was to end on the day of a plan holds on, unless something else ended it since."""
        for event in self.writer.events(self.scope, other_id=plan.id, limit=_MOST_EVENTS):
            if event.action != PLANNED or event.memory_id is None:
                continue
            heir = self.record(event.memory_id)
            former = self._former(heir, plan.id)
            if former is None or heir.status != "active" or heir.valid_to != plan.valid_from:
                continue
            self.writer.change_memory(
                self.scope,
                heir.id,
                {"valid_to": former.valid_to, "expires_at": former.expires_at},
                at=self.now,
                action=UNDONE,
                reason=f"undone: {PLANNED}",
                other_id=plan.id,
                run_id=self.step_id,
            )

    def release(self, gone: MemoryRecord) -> None:
        """What a memory had replaced holds again. Where that memory had been replaced itself, its
        heirs end as it did; where several claim one slot, what was said last holds.
        `gone` is the memory as it was before it was taken back."""
        heirs: list[tuple[MemoryRecord, dict[str, Any]]] = []
        for heir in self._heirs(gone):
            former = self._former(heir, gone.id)
            if gone.status == SUPERSEDED:
                ending = {"superseded_by": gone.superseded_by, "valid_to": gone.valid_to}
                heirs.append((heir, ending))
            elif former is None:
                ending = {"status": "active", "superseded_by": None, "valid_to": None}
                heirs.append((heir, ending))
            else:
                names = ("status", "superseded_by", "valid_to")
                heirs.append((heir, {name: getattr(former, name) for name in names}))
        holders: dict[tuple[str, str], str] = {}
        for heir, changes in sorted(heirs, key=lambda h: (last_said(h[0]), h[0].id), reverse=True):
            holder = heir.id
            slot = heir.slot
            if changes.get("status") == "active" and slot and slot.cardinality == "one":
                holder = holders.setdefault((slot.subject, slot.attribute), heir.id)
                if holder == heir.id:
                    self._yield_slot(replace(heir, status="active"))
            self.writer.change_memory(
                self.scope,
                heir.id,
                changes if holder == heir.id else {"superseded_by": holder},
                at=self.now,
                action=UNDONE,
                reason="undone: superseded",
                other_id=gone.id,
                run_id=self.step_id,
            )

    def _heirs(self, gone: MemoryRecord) -> list[MemoryRecord]:
        """The memories that stand as superseded by this one."""
        found: dict[str, MemoryRecord] = {}
        every = Selection(now=self.now, statuses=frozenset({SUPERSEDED}))
        for record in self.writer.memories(self.scope, every)[0]:
            if record.superseded_by == gone.id and is_author(record, self.scope):
                found[record.id] = record
        return list(found.values())

    def _former(self, heir: MemoryRecord, by: str) -> MemoryRecord | None:
        """The state that ended when the heir was superseded by this one; None for what came
        late, and never was anything else."""
        events = self.writer.events(self.scope, memory_id=heir.id, limit=_MOST_EVENTS)
        ends = [e for e in events if e.action not in _NOTES and e.other_id == by]
        if not ends:
            return None
        versions = self.writer.versions(self.scope, heir.id)
        before = _version_before(self.writer, self.scope, versions, ends[-1])
        return None if before is None else before.record

    def event(self, event: AuditEvent) -> Outcome:
        """Take back one event by itself."""
        if event.action in ERASING or event.memory_id is None:
            raise ConflictError(f"{event.action} at {event.at.isoformat()} cannot be undone")
        writer, scope, now, memory_id = self.writer, self.scope, self.now, event.memory_id
        versions = writer.versions(scope, memory_id)
        if not versions:
            raise ConflictError(f"memory {memory_id} was erased and cannot come back")
        before = _version_before(writer, scope, versions, event)
        if before is None:  # the event that stored it
            if versions[-1].record.status == "retracted":
                raise ConflictError(f"memory {memory_id} is already retracted")
            reason = "undone: it had been stored"
            writer.change_memory(
                scope,
                memory_id,
                {"status": "retracted"},
                at=now,
                action=UNDONE,
                reason=reason,
                run_id=self.step_id,
            )
            return Outcome(status="stored", memory_id=memory_id, reason=reason)
        replaced = self._yield_slot(before.record)
        changes: dict[str, Any] = {
            name: getattr(before.record, name)
            for name in RESTORED_FIELDS
            if getattr(before.record, name) != getattr(versions[-1].record, name)
        }
        if not changes:
            raise ConflictError(
                f"memory {memory_id} already stands as it did before {event.action}"
            )
        reason = f"undone: {event.action}"
        retold = not changes.keys().isdisjoint(("text", "tags", "meta"))
        writer.change_memory(
            scope,
            memory_id,
            changes,
            at=now,
            action=UNDONE,
            reason=reason,
            run_id=self.step_id,
            fingerprint=fingerprint(before.record.text) if retold else None,
            terms=self.terms_of(before.record) if retold else None,
        )
        return Outcome(status="stored", memory_id=memory_id, reason=reason, replaced=replaced)

    def _yield_slot(self, restored: MemoryRecord) -> tuple[str, ...]:
        """Retract the live value that stands where a restored one-valued memory comes back."""
        slot = restored.slot
        if slot is None or slot.cardinality == "many" or restored.status != "active":
            return ()
        held = self.writer.slot_values(
            self.scope, subject=slot.subject, attribute=slot.attribute, now=self.now
        )
        rivals = [
            m
            for m in held
            if m.id != restored.id
            and m.visibility == restored.visibility
            and is_author(m, self.scope)
        ]
        for rival in rivals:
            self.writer.change_memory(
                self.scope,
                rival.id,
                {"status": "retracted"},
                at=self.now,
                action="retracted",
                reason="the memory it had replaced came back",
                other_id=restored.id,
                run_id=self.step_id,
            )
        return tuple(m.id for m in rivals)


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
