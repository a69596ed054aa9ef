"""The one object that keeps spaces in order. What a run needs is imported when the first begins, so
that programs that never consolidate start as fast as before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from jiyi.consolidate.policies import Policies
from jiyi.types import Conflict, ConsolidationReport, Scope

if TYPE_CHECKING:
    from jiyi.consolidate.model import Advisor
    from jiyi.consolidate.undo import TermsOf
    from jiyi.ports import ChatModel, Store


class Consolidator:
    """Keeps the spaces of a store in order. Thread-safe.

    Args:
        terms_of: how a memory is indexed, for new ones.
        chat_model: words summaries, finds insights and doubtful twins; rules do without.
        calls_per_day: what the model may be asked in a space and day, extraction included; None
            is no bound.
    """

    def __init__(
        self,
        store: Store,
        *,
        terms_of: TermsOf,
        chat_model: ChatModel | None = None,
        calls_per_day: int | None = 500,
    ) -> None:
        self._store = store
        self._terms_of = terms_of
        self._chat_model = chat_model
        self._calls_per_day = calls_per_day

    def on(self, store: Store) -> Consolidator:
        """The same, at work on a store."""
        return Consolidator(
            store,
            terms_of=self._terms_of,
            chat_model=self._chat_model,
            calls_per_day=self._calls_per_day,
        )

    def run(
        self, scope: Scope, policies: Policies, *, now: datetime, dry_run: bool = False
    ) -> ConsolidationReport:
        """Keep the space of `scope` in order, or say what would be done.

        Raises:
            ConflictError: another run is at work in this space.
        """
        from jiyi.consolidate.run import Run

        advisor = None if dry_run else self._advisor(scope, now)
        run = Run(self._store, scope, policies, terms_of=self._terms_of, now=now, advisor=advisor)
        return run.plan() if dry_run else run.carry_out()

    def propose(
        self, scope: Scope, conflicts: Sequence[Conflict], *, now: datetime
    ) -> list[Conflict]:
        """The contradictions, each with the side that the chat model would keep; without a model,
        or once the day's calls are used up, as they are.

        Raises:
            ModelError: the model failed.
        """
        advisor = self._advisor(scope, now)
        if advisor is None or not conflicts:
            return list(conflicts)
        proposed = advisor.sides(conflicts)
        with self._store.write() as writer:
            day = now.date().isoformat()
            writer.spend(scope, day, calls=advisor.calls, tokens=advisor.tokens)
        return proposed

    def _advisor(self, scope: Scope, now: datetime) -> Advisor | None:
        if self._chat_model is None:
            return None
        from jiyi.consolidate.model import CALLS_PER_RUN, Advisor

        return Advisor(self._chat_model, calls=min(CALLS_PER_RUN, self._left(scope, now)))

    def _left(self, scope: Scope, now: datetime) -> int:
        """How often the model may still be asked today."""
        if self._calls_per_day is None:
            return 1_000_000
        with self._store.read() as reader:
            spent = reader.spent(scope, now.date().isoformat())
        return max(0, self._calls_per_day - spent.get("calls", 0))
