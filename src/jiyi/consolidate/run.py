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
from datetime import datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Final

from jiyi.consolidate.apply import Writing
from jiyi.consolidate.look import CONSOLIDATED, look
from jiyi.consolidate.model import Advisor
from jiyi.consolidate.plan import make_plan
from jiyi.consolidate.policies import Policies
from jiyi.consolidate.steps import Step
from jiyi.errors import ConflictError, ModelError
from jiyi.ids import new_id
from jiyi.types import (
    AuditEvent,
    ConsolidationReport,
    ConsolidationStep,
    Scope,
)

if TYPE_CHECKING:
    from jiyi.consolidate.undo import TermsOf
    from jiyi.ports import Reader, Store, Writer

logger = logging.getLogger("jiyi")

FAILED: Final = "consolidation failed"
CLAIM: Final = timedelta(minutes=30)
"""How long one run may take before another one may think it dead."""


class Run:
    """One run in the space of a scope. See `Consolidator.run`."""

    def __init__(
        self,
        store: Store,
        scope: Scope,
        policies: Policies,
        *,
        terms_of: TermsOf,
        now: datetime,
        advisor: Advisor | None = None,
    ) -> None:
        self._store = store
        self._scope = Scope(tenant=scope.tenant, user=scope.user)
        self._policies = policies
        self._terms_of = terms_of
        self._now = now
        self._advisor = advisor
        self._id = new_id()
        self._started = perf_counter()

    def plan(self) -> ConsolidationReport:
        """What the run would do by rules alone; no model is asked, nothing is written."""
        steps = [step.reported(None) for step in self._steps(None)]
        with self._store.read() as reader:
            turns = self._old_turns(reader)
        return self._report(steps, _counts(steps) | _erased(turns), dry_run=True)

    def carry_out(self) -> ConsolidationReport:
        """Do it, or report why nothing was done.

        Raises:
            ConflictError: another run is at work in this space.
        """
        erased = self._erased_since_last()
        with self._claimed():
            try:
                steps = self._steps(self._advisor)
                with self._store.write() as writer:
                    work = Writing(writer, self._id, self._now, self._terms_of)
                    done = work.write(steps)
                    counts = _counts(done) | self._prune(writer)
                    turns = self._old_turns(writer)
                    if turns:
                        writer.erase(
                            self._scope,
                            turn_ids=turns,
                            cascade=False,
                            quotes=False,
                            at=self._now,
                            reason=f"older than {self._policies.turn_days:g} days",
                            event_id=new_id(),
                        )
                        counts |= _erased(turns)
                    self._note(writer, CONSOLIDATED, counts)
            except (ModelError, ConflictError) as error:
                logger.warning("a consolidation failed and changed nothing: %s", error)
                with self._store.write() as writer:
                    self._note(writer, FAILED, {})
                return self._report([], {}, failed=str(error))
        if erased or turns:
            # What has to wait is not ours to wait for: the store's own queue tries again.
            self._store.purge()
            counts["purge"] = 1
        return self._report(done, counts)

    def _steps(self, advisor: Advisor | None) -> list[Step]:
        with self._store.read() as reader:
            seen = look(reader, self._scope, self._now)
        return make_plan(seen, self._policies, now=self._now, advisor=advisor)

    def _erased_since_last(self) -> bool:
        with self._store.read() as reader:
            last = reader.recent_events(self._scope, actions=frozenset({CONSOLIDATED}), limit=1)
            after = last[0].id if last else None
            erasures = reader.recent_events(
                self._scope, actions=frozenset({"erase"}), after=after, limit=1
            )
        return bool(erasures)

    @contextmanager
    def _claimed(self) -> Iterator[None]:
        with self._store.write() as writer:
            now = self._now
            claim = writer.claim(self._scope, "consolidating", now=now, until=now + CLAIM)
        if claim is None:
            raise ConflictError(
                "another consolidation of this memory is at work. Wait until it is done"
            )
        try:
            yield
        finally:
            with self._store.write() as writer:
                writer.finish([claim])

    def _prune(self, writer: Writer) -> dict[str, int]:
        """What is older than its retention rule, by what `counts` calls it."""
        pruned = {}
        for name, days, prune in (
            ("prune", self._policies.trace_days, writer.prune_traces),
            ("prune events", self._policies.audit_days, writer.prune_events),
        ):
            if days is not None:
                pruned[name] = prune(self._scope, before=self._now - timedelta(days=days))
        return {name: count for name, count in pruned.items() if count}

    def _old_turns(self, reader: Reader) -> list[str]:
        """The turns whose time is over, as many as one run may change."""
        days = self._policies.turn_days
        if days is None:
            return []
        before, most = self._now - timedelta(days=days), self._policies.most_changes
        return reader.uncited_turns(self._scope, before=before, limit=most)

    def _note(self, writer: Writer, action: str, counts: Mapping[str, int]) -> None:
        """The run's own entry in the audit log, and what the model cost."""
        advisor = self._advisor
        if advisor is not None and advisor.calls:
            day = self._now.date().isoformat()
            writer.spend(self._scope, day, calls=advisor.calls, tokens=advisor.tokens)
        event = AuditEvent(
            id=new_id(), at=self._now, action=action, run_id=self._id, counts=dict(counts)
        )
        writer.add_event(self._scope, event)

    def _report(
        self,
        steps: Sequence[ConsolidationStep],
        counts: Mapping[str, int],
        *,
        dry_run: bool = False,
        failed: str | None = None,
    ) -> ConsolidationReport:
        return ConsolidationReport(
            run_id=self._id,
            steps=tuple(steps),
            counts=dict(counts),
            seconds=perf_counter() - self._started,
            dry_run=dry_run,
            failed=failed,
        )


def _erased(turns: Sequence[str]) -> dict[str, int]:
    return {"erase turns": len(turns)} if turns else {}


def _counts(steps: Sequence[ConsolidationStep]) -> dict[str, int]:
    return dict(Counter(step.action for step in steps))
