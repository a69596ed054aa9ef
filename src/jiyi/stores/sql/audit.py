"""The audit log and the history of memories: what happened, by ids, reasons and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jiyi.errors import ConflictError
from jiyi.ids import new_id
from jiyi.stores.sql.changing import insert
from jiyi.stores.sql.codec import (
    dump,
    load,
    micros,
    moment,
    pack_id,
    pack_optional_id,
    unpack_id,
    unpack_optional_id,
    zone_of,
)
from jiyi.stores.sql.session import ReadSession, WriteSession, labels
from jiyi.types import AuditEvent

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space
    from jiyi.types import Scope

SELECT_EVENTS = """
SELECT e.id, e.at, e.zone, e.action, m.id, e.other_id, e.reason, e.run_id, e.counts,
    e.actor
FROM event AS e LEFT JOIN memory AS m ON m.key = e.memory
"""
_EVENT_COUNTER = 0xFFFF_FFFF  # the last 32 bits of an id count within one transaction


class AuditReads(ReadSession):
    """The audit side of the `Reader` port."""

    def events(
        self,
        scope: Scope,
        *,
        memory_id: str | None = None,
        run_id: str | None = None,
        event_id: str | None = None,
        other_id: str | None = None,
        limit: int = 1000,
    ) -> list[AuditEvent]:
        spaces = self._readable(scope)
        named = (event_id, run_id, other_id) != (None, None, None)
        if memory_id is None and not named:
            spaces = [readable for readable in spaces if readable.own]
        found: list[AuditEvent] = []
        for readable in spaces:
            conditions = ["e.key >= :low", "e.key < :high"]
            parameters: dict[str, Any] = {**readable.space.range(), "limit": limit}
            if memory_id is None and not readable.own:
                # Of the common space's log, what is about the memories that this user shares.
                conditions.append("m.audience = 'shared' AND m.author = :author")
                parameters["author"] = scope.user
            if memory_id is not None:
                conditions.append(
                    "e.memory = (SELECT m.key FROM memory AS m WHERE m.space = :space"  # noqa: S608 - values are bound
                    f" AND m.id = :memory AND {readable.audiences()})"
                )
                parameters |= {
                    "space": readable.space.id,
                    "memory": pack_id(memory_id),
                    **labels(scope),
                }
            if run_id is not None:
                conditions.append("e.run_id = :run_id")
                parameters["run_id"] = run_id
            if event_id is not None:
                conditions.append("e.id = :id")
                parameters["id"] = pack_id(event_id)
            if other_id is not None:
                conditions.append("e.other_id = :other_id")
                parameters["other_id"] = pack_id(other_id)
            where = " AND ".join(conditions)
            rows = self._db.all(
                f"{SELECT_EVENTS} WHERE {where} ORDER BY e.key DESC LIMIT :limit", parameters
            )
            both = bool(found and rows)
            found += [decode_event(row) for row in reversed(rows)]
            if both:
                found.sort(key=lambda event: event.id)
        return found[-limit:]


class AuditWrites(AuditReads, WriteSession):
    """The audit side of the `Writer` port."""

    actor: str | None = None
    _last_event_id = 0

    def add_event(self, scope: Scope, event: AuditEvent) -> None:
        space = self._open_own(scope)
        memory = None
        if event.memory_id is not None:
            for readable in self._readable(scope):
                row = self._db.one(
                    "SELECT key FROM memory WHERE space = :space AND id = :id",
                    {"space": readable.space.id, "id": pack_id(event.memory_id)},
                )
                if row is not None:
                    memory, space = row[0], self._hold(readable.space)
                    break
        self._log(
            space,
            event.at,
            event.action,
            id=event.id,
            memory=memory,
            other_id=event.other_id,
            reason=event.reason,
            run_id=event.run_id,
            counts=event.counts,
            actor=event.actor,
        )

    def _event_id(self) -> bytes:
        """The next id of this transaction: a UUIDv7 of its beginning, counted upwards."""
        if self._last_event_id == 0:
            self._last_event_id = int.from_bytes(pack_id(new_id())) & ~_EVENT_COUNTER
        self._last_event_id += 1
        return self._last_event_id.to_bytes(16)

    def _log(
        self,
        space: Space,
        at: datetime,
        action: str,
        *,
        id: str | None = None,
        memory: int | None = None,
        other_id: str | None = None,
        reason: str | None = None,
        run_id: str | None = None,
        counts: Any = None,
        actor: str | None = None,
    ) -> None:
        """Append one event; `memory` is the key of the memory it is about."""
        written = insert(
            self._db,
            "event",
            {
                "key": self._next_event(space),
                "id": pack_id(id) if id else self._event_id(),
                "at": micros(at),
                "zone": zone_of(at),
                "action": action,
                "memory": memory,
                "other_id": pack_optional_id(other_id),
                "reason": reason,
                "run_id": run_id,
                "counts": dump(dict(counts), "counts") if counts else None,
                "actor": actor or self.actor,
            },
            or_nothing=True,
        )
        if not written:
            raise ConflictError(f"there is already an event {id}")


def decode_event(row: Row) -> AuditEvent:
    """The event of a row of `SELECT_EVENTS`."""
    id, at, zone, action, memory_id, other_id, reason, run_id, counts, actor = row
    return AuditEvent(
        id=unpack_id(id),
        at=moment(at, zone),
        action=action,
        memory_id=unpack_optional_id(memory_id),
        other_id=unpack_optional_id(other_id),
        reason=reason,
        run_id=run_id,
        counts=load(counts) if counts else {},
        actor=actor,
    )
