"""Short-term memory kept between processes: summaries of sessions, and notes of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jiyi.stores.sql.codec import dump, load, micros, pack_id, unpack_id
from jiyi.stores.sql.erase import EraseWrites
from jiyi.stores.sql.records import FORGOTTEN
from jiyi.stores.sql.session import ReadSession

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.stores.sql.erase import _Gone
    from jiyi.stores.sql.session import Space
    from jiyi.types import Json, Scope

# Writers to one space are serialised, so that an update that finds no row may be followed by an
# insert; a conflict clause would need a unique index on the names themselves, which may be long.
_UPDATE_SUMMARY = """
UPDATE session SET summary = :summary, cites = :cites, set_at = :set_at
WHERE space = :space AND name = :name
"""
_INSERT_SUMMARY = """
INSERT INTO session (space, name, summary, cites, set_at)
VALUES (:space, :name, :summary, :cites, :set_at)
"""
_CLEAR_SUMMARY = """
UPDATE session SET summary = NULL, cites = NULL WHERE space = :space AND name = :name
"""
_UPDATE_END = """
UPDATE session SET ended_at = :ended_at WHERE space = :space AND name = :name
"""
_INSERT_END = """
INSERT INTO session (space, name, set_at, ended_at) VALUES (:space, :name, :ended_at, :ended_at)
"""
_INSERT_DIGEST = """
INSERT INTO session_digest (space, id, cites) VALUES (:space, :id, :cites) ON CONFLICT DO NOTHING
"""
_UNENCODABLE = """
SELECT id FROM turn WHERE space = :space AND encodable = 0
"""
_UPDATE_NOTE = """
UPDATE task_note SET value = :value, set_at = :set_at
WHERE space = :space AND task = :task AND name = :name
"""
_INSERT_NOTE = """
INSERT INTO task_note (space, task, name, value, ordinal, set_at)
VALUES (:space, :task, :name, :value, :ordinal, :set_at)
"""
_LAST_NOTE = """
SELECT COALESCE(MAX(ordinal), 0) FROM task_note WHERE space = :space AND task = :task
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

    def tasks(self, scope: Scope) -> list[str]:
        space = self._own_space(scope)
        if space is None:
            return []
        rows = self._db.all(
            "SELECT DISTINCT task FROM task_note WHERE space = :space ORDER BY task",
            {"space": space.id},
        )
        return [row[0] for row in rows]

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
        self._put(
            _UPDATE_SUMMARY,
            _INSERT_SUMMARY,
            {
                "space": self._open_own(scope).id,
                "name": session,
                "summary": summary,
                "cites": dump(list(cites), "cites") if summary is not None else None,
                "set_at": micros(at),
            },
        )

    def end_session(
        self,
        scope: Scope,
        session: str,
        *,
        at: datetime,
        digest: str | None = None,
        cites: Sequence[str] = (),
    ) -> None:
        space = self._open_own(scope)
        parameters = {"space": space.id, "name": session, "ended_at": micros(at)}
        self._put(_UPDATE_END, _INSERT_END, parameters)
        if digest is not None:
            quoted = dump(list(cites), "cites")
            self._db.run(
                _INSERT_DIGEST, {"space": space.id, "id": pack_id(digest), "cites": quoted}
            )

    def set_note(self, scope: Scope, task: str, name: str, value: Json, *, at: datetime) -> None:
        parameters: dict[str, Any] = {
            "space": self._open_own(scope).id,
            "task": task,
            "name": name,
        }
        if value is None:
            self._db.run(
                "DELETE FROM task_note WHERE space = :space AND task = :task AND name = :name",
                parameters,
            )
            return
        parameters |= {"value": dump(value, name), "set_at": micros(at)}
        if not self._db.run(_UPDATE_NOTE, parameters):
            last = self._db.one(_LAST_NOTE, {"space": parameters["space"], "task": task})
            ordinal = last[0] + 1 if last else 1
            self._db.run(_INSERT_NOTE, {**parameters, "ordinal": ordinal})

    def end_task(self, scope: Scope, task: str) -> int:
        return self._db.run(
            "DELETE FROM task_note WHERE space = :space AND task = :task",
            {"space": self._open_own(scope).id, "task": task},
        )

    def _put(self, update: str, insert: str, parameters: dict[str, Any]) -> None:
        if not self._db.run(update, parameters):
            self._db.run(insert, parameters)

    def _erase(self, own: Space, gone: _Gone, at: datetime, event_id: str) -> None:
        """Before anything is erased: what quotes the turns concerned goes with them."""
        if gone.quotes:
            self._erase_quoting(own, gone)
        super()._erase(own, gone, at, event_id)
        for id in gone.memory_ids:
            self._db.run(
                "DELETE FROM session_digest WHERE space = :space AND id = :id",
                {"space": own.id, "id": pack_id(id)},
            )

    def _erase_quoting(self, own: Space, gone: _Gone) -> None:
        bound = {"space": own.id}
        digests = self._db.all("SELECT id, cites FROM session_digest WHERE space = :space", bound)
        summaries = self._db.all(
            "SELECT name, cites FROM session WHERE space = :space AND cites IS NOT NULL", bound
        )
        unwanted = {unpack_id(id) for id in gone.turns.values()}
        if digests or summaries:
            unwanted.update(unpack_id(row[0]) for row in self._db.all(_UNENCODABLE, bound))
        for id, cites in digests:
            key = self._memory_key(own, id)
            if key is not None and not unwanted.isdisjoint(load(cites)):
                gone.add(key, own.id)
        for name, cites in summaries:
            if not unwanted.isdisjoint(load(cites)):
                removed = self._db.run(_CLEAR_SUMMARY, {"space": own.id, "name": name})
                gone.count("summaries", removed)

    def _memory_key(self, space: Space, id: bytes) -> int | None:
        row = self._db.one(
            "SELECT key FROM memory WHERE space = :space AND id = :id"  # noqa: S608 - a constant
            f" AND status <> {FORGOTTEN}",
            {"space": space.id, "id": bytes(id)},
        )
        return None if row is None else row[0]

    def _empty_beside(self, space: Space, gone: _Gone) -> None:
        super()._empty_beside(space, gone)
        self._db.run("DELETE FROM session_digest WHERE space = :space", {"space": space.id})
        for name, table in (("summaries", "session"), ("notes", "task_note")):
            removed = self._db.run(
                f"DELETE FROM {table} WHERE space = :space",  # noqa: S608 - constant names
                {"space": space.id},
            )
            gone.count(name, removed)
