"""The verbs of upkeep: hard facts and notes of the application, ends of sessions, forgetting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Unpack

from jiyi.arguments import read_flag, read_meta, read_time
from jiyi.encode.digests import end_session
from jiyi.errors import InvalidInputError
from jiyi.memory.view import SCOPE_FIELDS, View
from jiyi.privacy.forgetting import forget, read_request
from jiyi.recall.profile import read_profile
from jiyi.session.notes import TaskNotes
from jiyi.text.normalise import check_name
from jiyi.types import ForgetReport, Json, Outcome, Profile, Receipt, ScopeFields


class Keeping(View):
    """What a memory keeps for the application, and lets go of."""

    def set_permanent(self, /, **fields: Json) -> Profile:
        """Set hard facts of a user, by the application only: `set_permanent(role="technician")`.

        They are read exactly, come first in every context, are never found by search, and no
        conversation touches them. None removes a field. Scope fields (`user=…`) say whose.
        """
        names = SCOPE_FIELDS
        where = self._within({k: v for k, v in fields.items() if k in names})
        values = read_meta({k: v for k, v in fields.items() if k not in names}, "fields")
        if not values:
            raise InvalidInputError("fields", "there is none", 'Pass some, such as role="nurse"')
        if any(not name.strip() for name in values):
            raise InvalidInputError("fields", "one has no name", "Name every field")
        with self._parts.store.write() as writer:
            writer.set_permanent(where, values, at=self._now())
            return read_profile(writer, where, now=self._now())

    def task(self, name: str, **scope: Unpack[ScopeFields]) -> TaskNotes:
        """The working notes of a task: `task("T-7").note("progress", "96/120")`.

        They live until the task's `end()`, are shown in contexts with this task, and are never
        encoded.
        """
        parts = self._parts
        return TaskNotes(parts.store, self._within(scope), name, now=self._now)

    def end_session(self, /, session: str, **scope: str | None) -> Receipt:
        """End a session: its window and summary go, and a digest that can be recalled stays.

        With a chat model the digest is written in the background (see `flush`).

        Returns:
            The digest as a memory; "skipped" when there was nothing worth a digest.
        """
        where, now, parts = self._within({**scope, "session": session}), self._now(), self._parts
        name = check_name(session, "session")
        if name is None:
            raise InvalidInputError("session", "is missing", "Name the session")
        if parts.digests_wait:
            with parts.store.write() as writer:
                writer.enqueue(where, "digest", {}, at=now, due=now)
            parts.worker.wake()
            return Receipt(outcomes=(Outcome(status="pending", reason="a digest is on its way"),))
        return Receipt(outcomes=(end_session(parts.sessions, parts.store, where, now=now),))

    def forget(
        self,
        *,
        ids: str | Sequence[str] | None = None,
        query: str | None = None,
        subject: str | None = None,
        before: datetime | str | None = None,
        everything: bool = False,
        keep_turns: bool = False,
        dry_run: bool = False,
        confirm: bool = False,
        **scope: Unpack[ScopeFields],
    ) -> ForgetReport:
        """Erase for good; the receipt says what went and what no erasure can reach.

        Selectors combine with AND. Erasing a memory erases the turns it cites as well, and every
        erasure removes all traces of the space: their questions may repeat it in other words.

        Args:
            ids: memories or turns.
            query: units, notes of tasks, and passages of one's own documents, that hold most of
                these words. Permanent fields are the application's own and stay; the report names
                those that hold the words.
            subject: what is about this entity, under any of its names, or fills a slot of it;
                passages that mention it.
            session: (a scope field) what was said in this session.
            before: what was said earlier than this; beside `query` or `subject`, documents that
                came or changed earlier.
            everything: all of a named user, with notes and permanent fields; with `confirm=True`
                and no user a whole tenant, or without a tenant what no user is named for.
            keep_turns: leave the turns, marked so that nothing is drawn from them again.
            dry_run: only say what would go.

        Raises:
            NotFoundError: an id is not in this scope; then nothing is erased.
            InvalidInputError: no selector, or `everything` with neither user nor `confirm`.
        """
        where, now = self._within(scope), self._now()
        request = read_request(
            now=now,
            ids=ids,
            query=query,
            subject=subject,
            session=scope.get("session"),
            before=read_time(before, "before", now),
            everything=read_flag(everything, "everything"),
            keep_turns=read_flag(keep_turns, "keep_turns"),
            confirm=read_flag(confirm, "confirm"),
        )
        self._parts.journal.flush(at=now)
        report = forget(self._parts.store, where, request, now=now, dry_run=dry_run)
        return report if report.dry_run else replace(report, pending=self._drive_out(where, now))
