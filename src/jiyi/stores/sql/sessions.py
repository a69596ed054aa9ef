"""Short-term memory kept between processes: summaries of sessions, and notes of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jiyi.stores.sql.codec import dump, load, micros, pack_optional_id
from jiyi.stores.sql.erase import EraseWrites
from jiyi.stores.sql.session import ReadSession

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.stores.sql.erase import _Gone
    from jiyi.stores.sql.session import Space
    from jiyi.types import Json, Scope

_SET_SUMMARY = """
INSERT INTO session (space, name, summary, cites, set_at)
VALUES (:space, :name, :summary, :cites, :set_at)
ON CONFLICT (space, name) DO UPDATE SET
    summary = EXCLUDED.summary, cites = EXCLUDED.cites, set_at = EXCLUDED.set_at
"""
_END_SESSION = """
INSERT INTO session (space, name, set_at, ended_at, digest)
VALUES (:space, :name, :ended_at, :ended_at, :digest)
ON CONFLICT (space, name) DO UPDATE SET
    ended_at = EXCLUDED.ended_at, digest = COALESCE(EXCLUDED.digest, session.digest)
"""
_SET_NOTE = """
INSERT INTO task_note (space, task, name, value, ordinal, set_at)
SELECT :space, :task, :name, :value, COALESCE(MAX(ordinal), 0) + 1, :set_at
FROM task_note WHERE space = :space AND task = :task
ON CONFLICT (space, task, name) DO UPDATE SET
    value = EXCLUDED.value, set_at = EXCLUDED.set_at
"""


class SessionReads(ReadSession):
    """The short-term side of the `Reader` port."""

    def session_summary(self, scope: Scope, session: str) -> str | None:
        space = self._own_space(scope)
        if space is None:
            return None
        row = self._db.one(
            "SELECT summary FROM session WHERE space = :space AND name = :name",
            {"space": space.id, "name": session},
        )
        return None if row is None else row[0]

    def notes(self, scope: Scope, task: str) -> dict[str, Json]:
        space = self._own_space(scope)
        if space is None:
            return {}
        rows = self._db.all(
            "SELECT name, value FROM task_note WHERE space = :space AND task = :task"
            " ORDER BY ordinal",
            {"space": space.id, "task": task},
        )
        return {name: load(value) for name, value in rows}


class SessionWrites(EraseWrites, SessionReads):
    """The short-term side of the `Writer` port. What erasing takes away includes what quotes it."""

    def set_session_summary(
        self,
        scope: Scope,
        session: str,
        summary: str | None,
        *,
        cites: Sequence[str] = (),
        at: datetime,
    ) -> None:
        self._db.run(
            _SET_SUMMARY,
            {
                "space": self._open_own(scope).id,
                "name": session,
                "summary": summary,
                "cites": dump(list(cites), "cites") if summary is not None else None,
                "set_at": micros(at),
            },
        )

    def end_session(
        self, scope: Scope, session: str, *, at: datetime, digest: str | None = None
    ) -> None:
        self._db.run(
            _END_SESSION,
            {
                "space": self._open_own(scope).id,
                "name": session,
                "ended_at": micros(at),
                "digest": pack_optional_id(digest),
            },
        )

    def set_note(self, scope: Scope, task: str, name: str, value: Json, *, at: datetime) -> None:
        parameters = {"space": self._open_own(scope).id, "task": task, "name": name}
        if value is None:
            self._db.run(
                "DELETE FROM task_note WHERE space = :space AND task = :task AND name = :name",
                parameters,
            )
            return
        self._db.run(_SET_NOTE, {**parameters, "value": dump(value, name), "set_at": micros(at)})

    def end_task(self, scope: Scope, task: str) -> int:
        return self._db.run(
            "DELETE FROM task_note WHERE space = :space AND task = :task",
            {"space": self._open_own(scope).id, "task": task},
        )

    def _erase_turns(self, space: Space, gone: _Gone) -> list[int]:
        units = super()._erase_turns(space, gone)
        ids = set(gone.turn_ids)
        if ids:
            rows = self._db.all(
                "SELECT name, cites FROM session WHERE space = :space AND cites IS NOT NULL",
                {"space": space.id},
            )
            for name, cites in rows:
                if not ids.isdisjoint(load(cites)):
                    removed = self._db.run(
                        "UPDATE session SET summary = NULL, cites = NULL"
                        " WHERE space = :space AND name = :name",
                        {"space": space.id, "name": name},
                    )
                    gone.count("summaries", removed)
        return units

    def _empty(self, space: Space, gone: _Gone) -> None:
        super()._empty(space, gone)
        for name, table in (("summaries", "session"), ("notes", "task_note")):
            removed = self._db.run(
                f"DELETE FROM {table} WHERE space = :space",  # noqa: S608 - constant names
                {"space": space.id},
            )
            gone.count(name, removed)
