"""The end of a session becomes a digest: a memory of what was said, that can be recalled."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from jiyi.encode.commit import commit
from jiyi.ids import Clock, read_clock
from jiyi.types import Draft, Outcome, Scope

if TYPE_CHECKING:
    from jiyi.ports import Job, Store, Writer


class Ending(Protocol):
    """What ending a session comes to: the draft of its digest, if there is anything to say."""

    @property
    def draft(self) -> Draft | None: ...


class Sessions(Protocol):
    """Digests a session (`close`, which may ask a model) and notes its end (`end`)."""

    def close(self, store: Store, scope: Scope, session: str, *, now: datetime) -> Ending: ...

    def end(
        self,
        writer: Writer,
        scope: Scope,
        session: str,
        closing: Any,
        *,
        at: datetime,
        digest: str | None,
    ) -> None: ...


def end_session(sessions: Sessions, store: Store, scope: Scope, *, now: datetime) -> Outcome:
    """End the session of `scope` at once."""
    write = _prepare(sessions, store, scope, now)
    with store.write() as writer:
        return write(writer)


def digest_handler(
    sessions: Sessions, store: Store, clock: Clock
) -> Callable[[Job], Callable[[Writer], str | None]]:
    """How a worker ends a session whose digest a model writes."""

    def handle(job: Job) -> Callable[[Writer], str | None]:
        write = _prepare(sessions, store, job.scope, read_clock(clock))
        return lambda writer: write(writer).reason

    return handle


def _prepare(
    sessions: Sessions, store: Store, scope: Scope, now: datetime
) -> Callable[[Writer], Outcome]:
    """Digest outside of any transaction; what comes back writes the result inside one."""
    session = scope.session
    if session is None:
        raise AssertionError("a session ends by its name")
    closing = sessions.close(store, scope, session, now=now)

    def write(writer: Writer) -> Outcome:
        outcome = Outcome(status="skipped", reason="nothing in it was worth a digest")
        if closing.draft is not None:
            outcome = commit(writer, scope, closing.draft, now=now)
        sessions.end(writer, scope, session, closing, at=now, digest=outcome.memory_id)
        return outcome

    return write
