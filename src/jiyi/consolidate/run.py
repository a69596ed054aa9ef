"""One run of consolidation: claim, look, decide, write, report.

A run reads one snapshot, decides without writing (a model may be asked then), and writes all its
steps in one transaction, new rows before old ones are marked. A failure before or in that
transaction leaves everything as it was. Every change carries the id of the run, so that `undo`
takes all of it back.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from jiyi.consolidate.fitting import fits, new_state
from jiyi.consolidate.look import CONSOLIDATED, KEPT, LONG_AGO, look
from jiyi.consolidate.model import Advisor
from jiyi.consolidate.plan import make_plan
from jiyi.consolidate.policies import Policies
from jiyi.consolidate.steps import Step
from jiyi.consolidate.undo import DRAWN_INTO
from jiyi.errors import ConflictError, ModelError
from jiyi.ids import new_id
from jiyi.ports import Selection
from jiyi.resolve.kin import MERGED_INTO
from jiyi.text.normalise import fingerprint
from jiyi.types import (
    AuditEvent,
    ConsolidationReport,
    ConsolidationStep,
    MemoryRecord,
    Scope,
)

if TYPE_CHECKING:
    from jiyi.consolidate.undo import TermsOf
    from jiyi.ports import ChatModel, Store, Writer

logger = logging.getLogger("jiyi")

FAILED: Final = "consolidation failed"
CLAIM: Final = timedelta(minutes=30)
"""How long one run may take before another one may think it dead."""

TICK: Final = timedelta(microseconds=1)


class Consolidator:
    """Keeps the spaces of a store in order. Thread-safe.

    Args:
        terms_of: how a memory is indexed, for new ones.
        chat_model: words summaries and finds insights; rules do without.
    """

    def __init__(
        self, store: Store, *, terms_of: TermsOf, chat_model: ChatModel | None = None
    ) -> None:
        self._store = store
        self._terms_of = terms_of
        self._chat_model = chat_model

    def run(
        self, scope: Scope, policies: Policies, *, now: datetime, dry_run: bool = False
    ) -> ConsolidationReport:
        """Keep the space of `scope` in order, or say what would be done.

        Raises:
            ConflictError: another run is at work in this space.
        """
        scope = Scope(tenant=scope.tenant, user=scope.user)
        started, run_id = perf_counter(), new_id()
        advisor = None if self._chat_model is None else Advisor(self._chat_model)
        if dry_run:
            steps = self._plan(scope, policies, now, advisor)
            return _report(run_id, [s.reported(None) for s in steps], started, dry_run=True)
        erased = self._erased_since_last(scope)
        with self._claimed(scope, now):
            try:
                steps = self._plan(scope, policies, now, advisor)
                with self._store.write() as writer:
                    done = _Writing(writer, run_id, now, self._terms_of).write(steps)
                    counts = _counts(done)
                    if policies.trace_days is not None:
                        before = now - timedelta(days=policies.trace_days)
                        if pruned := writer.prune_traces(scope, before=before):
                            counts["prune"] = pruned
                    _spend(writer, scope, advisor, now)
                    _note(writer, scope, CONSOLIDATED, run_id, now, counts=counts)
            except (ModelError, ConflictError) as error:
                logger.warning("a consolidation failed and changed nothing: %s", error)
                with self._store.write() as writer:
                    _spend(writer, scope, advisor, now)
                    _note(writer, scope, FAILED, run_id, now, counts={})
                return _report(run_id, [], started, failed=str(error))
        if erased:
            # Nothing is left to do for what has to wait: the store's own queue tries again.
            self._store.purge()
            counts["purge"] = 1
        return _report(run_id, done, started, counts=counts)

    def _erased_since_last(self, scope: Scope) -> bool:
        with self._store.read() as reader:
            last = reader.recent_events(scope, actions=frozenset({CONSOLIDATED}), limit=1)
            after = last[0].id if last else None
            erasures = reader.recent_events(
                scope, actions=frozenset({"erase"}), after=after, limit=1
            )
        return bool(erasures)

    @contextmanager
    def _claimed(self, scope: Scope, now: datetime) -> Iterator[None]:
        with self._store.write() as writer:
            claim = writer.claim(scope, "consolidating", now=now, until=now + CLAIM)
        if claim is None:
            raise ConflictError(
                "another consolidation of this memory is at work. Wait until it is done"
            )
        try:
            yield
        finally:
            with self._store.write() as writer:
                writer.finish([claim])

    def _plan(
        self, scope: Scope, policies: Policies, now: datetime, advisor: Advisor | None
    ) -> list[Step]:
        with self._store.read() as reader:
            seen = look(reader, scope, now)
        return make_plan(seen, policies, now=now, advisor=advisor)


class _Writing:
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


def _spend(writer: Writer, scope: Scope, advisor: Advisor | None, now: datetime) -> None:
    if advisor is not None and advisor.calls:
        day = now.date().isoformat()
        writer.spend(scope, day, calls=advisor.calls, tokens=advisor.tokens)


def _note(
    writer: Writer,
    scope: Scope,
    action: str,
    run_id: str,
    now: datetime,
    *,
    counts: Mapping[str, int],
) -> None:
    writer.add_event(
        scope, AuditEvent(id=new_id(), at=now, action=action, run_id=run_id, counts=dict(counts))
    )


def _counts(steps: Sequence[ConsolidationStep]) -> dict[str, int]:
    return dict(Counter(step.action for step in steps))


def _report(
    run_id: str,
    steps: Sequence[ConsolidationStep],
    started: float,
    *,
    counts: Mapping[str, int] | None = None,
    dry_run: bool = False,
    failed: str | None = None,
) -> ConsolidationReport:
    return ConsolidationReport(
        run_id=run_id,
        steps=tuple(steps),
        counts=_counts(steps) if counts is None else dict(counts),
        seconds=perf_counter() - started,
        dry_run=dry_run,
        failed=failed,
    )
