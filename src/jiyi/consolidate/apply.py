"""Steps on their way into the store: new rows first, then what they replace is marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from jiyi.consolidate.fitting import fits, new_state
from jiyi.consolidate.look import KEPT, LONG_AGO
from jiyi.consolidate.steps import Step
from jiyi.consolidate.undo import DRAWN_INTO
from jiyi.ids import new_id
from jiyi.ports import Selection
from jiyi.resolve.kin import MERGED_INTO
from jiyi.text.normalise import fingerprint
from jiyi.types import AuditEvent, ConsolidationStep, MemoryRecord

if TYPE_CHECKING:
    from jiyi.consolidate.undo import TermsOf
    from jiyi.ports import Writer

TICK: Final = timedelta(microseconds=1)
"""Between two states of one memory in one transaction, so that they can be told apart."""


class Writing:
    """The steps of one run on their way into the store, in one transaction."""

    def __init__(self, writer: Writer, run_id: str, now: datetime, terms_of: TermsOf) -> None:
        self._writer = writer
        self._run_id = run_id
        self._now = now
        self._terms_of = terms_of

    def write(self, steps: Sequence[Step]) -> list[ConsolidationStep]:
        """Carry out what still fits: a memory that changed since the plan was made is left alone,
        and so is what it belongs to."""
        return [
            step.reported(self._carry_out(step))
            for step in steps
            if all(self._stands(memory) for memory in step.touched) and self._fits(step)
        ]

    def _stands(self, planned: MemoryRecord) -> bool:
        found, _ = self._writer.memories(
            planned.scope,
            Selection(now=self._now - LONG_AGO, statuses=KEPT, ids=(planned.id,)),
        )
        # A use is not a change.
        return bool(found) and planned == replace(
            found[0], use_count=planned.use_count, last_used_at=planned.last_used_at
        )

    def _fits(self, step: Step) -> bool:
        """Whether no memory outside the step says the same, or fills the same place, as what
        would become active by it."""
        if step.draft is not None and step.place is not None:
            scope, new = step.place, step.draft
        elif step.target is not None and step.changes.get("status") == "active":
            scope, new = step.target.scope, new_state(step.target)
        else:
            return True
        own = {memory.id for memory in step.touched}
        return fits(self._writer, scope, new, own=own, now=self._now)

    def _carry_out(self, step: Step) -> str | None:
        """Write a step; returns the id of the new memory, if there is one."""
        if step.target is not None:
            self._change(step.target, step.changes, _PAST[step.action], step.reason)
            for member in step.members:
                self._link(member, step.target.id)
            return None
        if step.draft is None or step.place is None:
            return None
        new, draft = new_id(), step.draft
        # It comes in cold, because what it replaces still holds its text or place; and warms up
        # an instant later, so that both states can be told apart and undone.
        cold = step.becoming is not None
        self._writer.add_memory(
            step.place,
            draft,
            id=new,
            fingerprint=fingerprint(draft.text),
            terms=self._terms_of(draft),
            recorded_at=self._now,
            said_at=draft.said_at or self._now,
            status="archived" if cold else "active",
            reason=step.reason,
            run_id=self._run_id,
        )
        for member in step.members:
            if step.becoming is not None:
                changes = _ENDINGS[step.becoming](member, new)
                self._change(member, changes, _PAST[step.action], step.reason, other=new)
            else:
                self._link(member, new)
        if cold:
            changes = {"status": "active", **step.gains}
            self._writer.change_memory(
                step.place,
                new,
                changes,
                at=self._now + TICK,
                action="in force",
                reason=step.reason,
                run_id=self._run_id,
            )
        return new

    def _link(self, member: MemoryRecord, new: str) -> None:
        """Note that a memory was drawn from another, which stays as it is."""
        event = AuditEvent(
            id=new_id(),
            at=self._now,
            action=DRAWN_INTO,
            memory_id=member.id,
            other_id=new,
            run_id=self._run_id,
        )
        self._writer.add_event(member.scope, event)

    def _change(
        self,
        memory: MemoryRecord,
        changes: Mapping[str, Any],
        action: str,
        reason: str,
        *,
        other: str | None = None,
    ) -> None:
        told = "text" in changes
        self._writer.change_memory(
            memory.scope,
            memory.id,
            changes,
            at=self._now,
            action=action,
            reason=reason,
            other_id=other,
            run_id=self._run_id,
            fingerprint=fingerprint(changes["text"]) if told else None,
            terms=self._terms_of(replace(memory, **changes)) if told else None,
        )


def _superseded(member: MemoryRecord, new: str) -> dict[str, Any]:
    # A twin was never true beside the one it became: looking back finds that one alone.
    return {"status": "superseded", "superseded_by": new, "valid_to": member.valid_from}


def _put_away(member: MemoryRecord, new: str) -> dict[str, Any]:  # noqa: ARG001
    return {"status": "archived", "tier": "archive"}


_ENDINGS: Final = {"superseded": _superseded, "archived": _put_away}
_PAST: Final[Mapping[str, str]] = {
    "expire": "expired",
    "promote": "promoted",
    "drop": "dropped",
    "merge": MERGED_INTO,
    "summarise": "summarised in",
    "archive": "archived",
    "thaw": "thawed",
    "tier": "moved",
    "reflect": "reflected",
    "retract": "retracted",
}
"""How the audit log names what was done to a memory."""
