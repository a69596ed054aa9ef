"""Turns: the verbatim archive, append-only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from jiyi.errors import ConflictError
from jiyi.stores.sql.changing import insert
from jiyi.stores.sql.codec import (
    dump,
    first_unit,
    key_of,
    load,
    micros,
    moment,
    pack_id,
    unpack_id,
    zone_of,
)
from jiyi.stores.sql.cursors import read_place, write_place
from jiyi.stores.sql.session import ReadSession
from jiyi.stores.sql.text_index import TextIndexWrites
from jiyi.stores.sql.tombstones import TombstoneReads, message_key_content
from jiyi.types import ROLES, Scope, Turn, UnitKey

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import TermWeights
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space

TURN_COLUMNS = (
    "t.id, t.session, t.said_at, t.recorded_at, t.zone, t.recorded_zone, t.role, t.encodable,"
    " t.text, t.name, t.agent, t.task, t.tool, t.message_key, t.meta"
)
# The keys come from an index alone: without a session all turns of a user are looked through.
_PAGE = """
SELECT {columns} FROM turn AS t WHERE t.key IN (
    SELECT u.key FROM turn AS u WHERE u.space = :space{within}{before}
    ORDER BY u.said_at DESC, u.key DESC LIMIT :limit
) ORDER BY t.said_at DESC, t.key DESC
"""
_BEFORE = " AND (u.said_at, u.key) < (:said_at, :key)"
_OF_SESSION = " AND u.session = :session"
_SAID_AT = 2
ROLE = {role: code for code, role in enumerate(ROLES)}


def decode_turn(row: Row, space: Space) -> Turn:
    """The turn of a row of `TURN_COLUMNS`."""
    (id, session, said_at, recorded_at, zone, recorded_zone, role, encodable) = row[:8]
    (text, name, agent, task, tool, message_key, meta) = row[8:]
    said = recorded = moment(said_at, zone)
    if recorded_at != said_at or recorded_zone is not None:
        recorded = moment(recorded_at, zone if recorded_zone is None else recorded_zone)
    return Turn(
        id=unpack_id(id),
        role=ROLES[role],
        text=text,
        said_at=said,
        recorded_at=recorded,
        scope=space.scope(space.user, agent, session or None, task, tool),
        name=name,
        key=message_key,
        meta=load(meta) if meta else {},
        encodable=bool(encodable),
    )


class TurnReads(ReadSession):
    """The turn side of the `Reader` port."""

    def turns(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        ids: Sequence[str] | None = None,
        limit: int | None = None,
        order: Literal["newest", "oldest"] = "oldest",
        said_before: datetime | None = None,
    ) -> list[Turn]:
        space = self._own_space(scope)
        if space is None:
            return []
        conditions = ["t.space = :space"]
        parameters: dict[str, Any] = {"space": space.id}
        if session is not None:
            conditions.append("t.session = :session")
            parameters["session"] = session
        if said_before is not None:
            conditions.append("t.said_at < :said_before")
            parameters["said_before"] = micros(said_before)
        direction = "DESC" if order == "newest" else "ASC"
        tail = f" ORDER BY t.said_at {direction}, t.key {direction}"
        if limit is not None:
            tail += " LIMIT :limit"
            parameters["limit"] = limit
        if ids is not None:
            conditions.append(self._dialect.within_ids("t.id", "ids"))
            parameters["ids"] = self._dialect.array([pack_id(id) for id in ids])
        rows = self._db.all(
            f"SELECT {TURN_COLUMNS} FROM turn AS t WHERE {' AND '.join(conditions)}{tail}",  # noqa: S608
            parameters,
        )
        return [decode_turn(row, space) for row in rows]

    def turns_page(
        self, scope: Scope, *, limit: int, cursor: str | None = None, session: str | None = None
    ) -> tuple[list[Turn], str | None]:
        space = self._own_space(scope)
        place = read_place(cursor, None if space is None else space.id)
        if space is None:
            return [], None
        parameters: dict[str, Any] = {"space": space.id, "limit": limit + 1}
        if session is not None:
            parameters["session"] = session
        if place is not None:
            parameters["said_at"], parameters["key"] = place
        sql = _PAGE.format(
            columns=f"{TURN_COLUMNS}, t.key",
            within="" if session is None else _OF_SESSION,
            before="" if place is None else _BEFORE,
        )
        rows = self._db.all(sql, parameters)
        turns = [decode_turn(row[:-1], space) for row in rows[:limit]]
        if len(rows) <= limit:
            return turns, None
        return turns, write_place(rows[limit - 1][_SAID_AT], rows[limit - 1][-1])

    def count_turns(self, scope: Scope, *, session: str | None = None) -> int:
        space = self._own_space(scope)
        if space is None:
            return 0
        within = "" if session is None else _OF_SESSION
        row = self._db.one(
            f"SELECT COUNT(*) FROM turn AS u WHERE u.space = :space{within}",  # noqa: S608
            {"space": space.id, **({} if session is None else {"session": session})},
        )
        return 0 if row is None else int(row[0])

    def turn_key(self, scope: Scope, turn_id: str) -> UnitKey | None:
        space = self._own_space(scope)
        key = None if space is None else self._turn_row(space, turn_id)
        return None if key is None else key_of(key)

    def _turn_row(self, space: Space, turn_id: str) -> int | None:
        row = self._db.one(
            "SELECT key FROM turn WHERE space = :space AND id = :id",
            {"space": space.id, "id": pack_id(turn_id)},
        )
        return None if row is None else int(row[0])


class TurnWrites(TextIndexWrites, TombstoneReads, TurnReads):
    """The turn side of the `Writer` port."""

    def add_turn(self, turn: Turn, terms: Sequence[tuple[tuple[int, int], TermWeights]]) -> bool:
        space = self._open_own(turn.scope)
        if turn.key is not None and space.erased and self._was_erased(space, turn.key):
            return False
        number = space.next_number
        key = first_unit(space.id) + number
        zone, recorded_zone = zone_of(turn.said_at), zone_of(turn.recorded_at)
        written = insert(
            self._db,
            "turn",
            {
                "key": key,
                "space": space.id,
                "id": pack_id(turn.id),
                "session": turn.scope.session or "",
                "said_at": micros(turn.said_at),
                "recorded_at": micros(turn.recorded_at),
                "zone": zone,
                "recorded_zone": None if recorded_zone == zone else recorded_zone,
                "role": ROLE[turn.role],
                "encodable": int(turn.encodable),
                "text": turn.text,
                "name": turn.name,
                "agent": turn.scope.agent,
                "task": turn.scope.task,
                "tool": turn.scope.tool,
                "message_key": turn.key,
                "meta": dump(dict(turn.meta), "meta") if turn.meta else None,
            },
            or_nothing=True,
        )
        if not written:
            if turn.key is not None and self._has_message(space, turn.key):
                return False
            raise ConflictError(f"there is already a turn {turn.id}")
        space.next_number = number + max(1, len(terms))
        for place, (_, weights) in enumerate(terms):
            self._index(space, number + place, weights)
        if len(terms) > 1:
            self._db.many(
                "INSERT INTO piece (unit, turn, start, stop) VALUES (:unit, :turn, :start, :stop)",
                [
                    {"unit": key + place, "turn": key, "start": start, "stop": stop}
                    for place, ((start, stop), _) in enumerate(terms)
                ],
            )
        return True

    def _has_message(self, space: Space, message_key: str) -> bool:
        row = self._db.one(
            "SELECT 1 FROM turn WHERE space = :space AND message_key = :message_key",
            {"space": space.id, "message_key": message_key},
        )
        return row is not None

    def _was_erased(self, space: Space, message_key: str) -> bool:
        return self._is_buried(space, message_key_content(message_key))

    def set_encodable(self, scope: Scope, turn_ids: Sequence[str], value: bool) -> None:
        space = self._open_own(scope)
        for turn_id in turn_ids:
            self._db.run(
                "UPDATE turn SET encodable = :value WHERE space = :space AND id = :id",
                {"value": int(value), "space": space.id, "id": pack_id(turn_id)},
            )
