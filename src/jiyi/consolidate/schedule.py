"""Consolidation by itself: a job in the queue of every user who says something."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from jiyi.consolidate.consolidator import Consolidator
from jiyi.consolidate.policies import Policies
from jiyi.errors import InvalidInputError, ModelError, StoreUnavailableError
from jiyi.types import Scope

if TYPE_CHECKING:
    from jiyi.ports import Job, Store, Writer


class Schedule:
    """Queues a consolidation of each space `every` so often, from its first write on. Thread-safe.

    A space in which nothing is said is left alone: nothing in it grows.
    """

    def __init__(self, store: Store, every: timedelta) -> None:
        if not isinstance(every, timedelta) or every < timedelta(minutes=1):
            raise InvalidInputError(
                "consolidate_every", f"{every!r}", "Use a timedelta of a minute or more, or None"
            )
        self._store = store
        self._every = every
        self._lock = threading.Lock()
        self._queued: dict[tuple[str | None, str | None], datetime] = {}

    def note(self, scope: Scope, now: datetime) -> None:
        """Something was written: see to it that a consolidation is queued.

        Where the store fails now, the next writing sees to it: what was written is written.
        """
        space, due = (scope.tenant, scope.user), now + self._every
        with self._lock:
            queued = self._queued.get(space)
            # One that is further away than a new one would be was queued before the clock
            # jumped back.
            if queued is not None and now < queued <= due:
                return
            self._queued[space] = due
        owner = Scope(tenant=scope.tenant, user=scope.user)
        try:
            with self._store.write() as writer:
                writer.enqueue_once(owner, "consolidate", {}, at=now, due=due)
        except StoreUnavailableError:
            with self._lock:
                self._queued.pop(space, None)


def consolidation_handler(
    consolidator: Consolidator,
    policies: Policies,
    now: Callable[[], datetime],
    before: Callable[[datetime], None],
) -> Callable[[Job], Callable[[Writer], str | None]]:
    """The worker's handler of "consolidate" jobs; `before` writes what is buffered."""

    def handle(job: Job) -> Callable[[Writer], str | None]:
        moment = now()
        before(moment)
        report = consolidator.run(job.scope, policies, now=moment)
        if report.failed is not None:
            raise ModelError(report.failed, retryable=True)
        return lambda writer: None  # noqa: ARG005

    return handle
