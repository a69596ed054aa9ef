"""Everything of a space, handed out for an archive in parts that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from jiyi.archived import (
    Archived,
    ArchivedDigest,
    ArchivedEvent,
    ArchivedField,
    ArchivedMemory,
    ArchivedNote,
    ArchivedSession,
    ArchivedTombstones,
    ArchivedTurn,
)
from jiyi.ports import ERASED
from jiyi.stores.sql.audit import SELECT_EVENTS, decode_event
from jiyi.stores.sql.codec import load, moment, unpack_id
from jiyi.stores.sql.memories import MemoryReads
from jiyi.stores.sql.records import (
    COLUMNS,
    FORGOTTEN,
    SELECTED,
    SOURCE_COLUMNS,
    decode,
    decode_source,
)
from jiyi.stores.sql.tombstones import TombstoneReads
from jiyi.stores.sql.turns import TURN_COLUMNS, decode_turn
from jiyi.types import MemoryRecord, Scope, Source, Version

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space

_PART = 500  # rows read at once; a long turn has up to 1 MiB, most have a line
_AS_STORED = -(2**62)  # an instant at which nothing has expired
_AUDIENCE = COLUMNS.index("audience")
_STATUS = COLUMNS.index("status")
_ZONE = COLUMNS.index("zone")
_KNOWN_FROM = COLUMNS.index("known_from")
_RECORDED_AT = COLUMNS.index("recorded_at")
_REASON = COLUMNS.index("reason")

_SPACES = "SELECT tenant, user_id FROM space ORDER BY tenant, user_id"
_TURNS = f"""
SELECT {TURN_COLUMNS}, t.key FROM turn AS t
WHERE t.key > :after AND t.key < :high ORDER BY t.key LIMIT :limit
"""  # noqa: S608 - constant names
_UNREAD = "SELECT kind, payload FROM queue WHERE space = :space AND kind IN ('extract', 'read')"
_DIGESTS = "SELECT id, cites FROM session_digest WHERE space = :space AND id > :after"
_MEMORIES = f"""
SELECT {SELECTED} FROM memory AS m WHERE m.space = :space AND m.key > :after AND m.key < :high
"""  # noqa: S608
_AUTHORED = " AND m.audience = 'shared' AND m.audience <> '' AND m.author = :author"
_EVENTS = SELECT_EVENTS.replace("SELECT ", "SELECT e.key, ", 1)
_FIELDS = "SELECT name, value, set_at FROM profile_permanent WHERE space = :space ORDER BY name"
_SESSIONS = """
SELECT name, summary, cites, set_at, ended_at FROM session
WHERE space = :space AND name > :after ORDER BY name LIMIT :limit
"""
_NOTES = """
SELECT task, name, value, set_at FROM task_note WHERE space = :space ORDER BY task, ordinal
"""
_TOMBSTONES = """
SELECT hash FROM tombstone WHERE space = :space AND hash > :after ORDER BY hash LIMIT :limit
"""


class ArchiveReads(MemoryReads, TombstoneReads):
    """The archive side of the `Reader` port."""

    def spaces(self) -> list[Scope]:
        return [_scope(*row) for row in self._db.all(_SPACES, {})]

    def dump(self, scope: Scope, *, author: str | None = None) -> Iterator[Archived]:
        space = self._own_space(scope)
        if space is None:
            return
        if author is not None:
            yield from self._dump_memories(space, author)
            yield from self._dump_events(space, author)
            return
        # What others lean on comes first, and tombstones last: in a store that is being filled
        # they would keep out what was said anew after it had been erased.
        # Not so where only a hash is known of the user: they bring the key that it was made with.
        hidden = space.user.startswith(ERASED)
        if hidden:
            yield from self._dump_tombstones(space)
        yield from self._dump_turns(space)
        yield from self._dump_digests(space)
        yield from self._dump_memories(space, None)
        yield from self._dump_events(space, None)
        yield from self._dump_short_term(space)
        if not hidden:
            yield from self._dump_tombstones(space)

    def _dump_turns(self, space: Space) -> Iterator[ArchivedTurn]:
        unread: dict[str, set[Literal["extract", "read"]]] = {}
        for kind, payload in self._db.all(_UNREAD, {"space": space.id}):
            for id in load(payload).get("turns") or ():
                unread.setdefault(id, set()).add(kind)
        for row in self._in_parts(_TURNS, space):
            turn = decode_turn(row[:-1], space)
            yield ArchivedTurn(turn=turn, waiting=tuple(sorted(unread.get(turn.id, ()))))

    def _dump_digests(self, space: Space) -> Iterator[ArchivedDigest]:
        statement = _DIGESTS + " ORDER BY id LIMIT :limit"
        for id, cites in self._in_parts(statement, space, after=b"", place=0):
            yield ArchivedDigest(
                scope=_scope(space.tenant, space.user),
                memory_id=unpack_id(bytes(id)),
                cites=tuple(load(cites)),
            )

    def _dump_memories(self, space: Space, author: str | None) -> Iterator[ArchivedMemory]:
        statement = _MEMORIES + (_AUTHORED if author is not None else "")
        statement += " ORDER BY m.key LIMIT :limit"
        parameters: dict[str, Any] = {"author": author, **space.range()}
        after = parameters["low"] - 1
        while rows := self._db.all(
            statement, {**parameters, "space": space.id, "after": after, "limit": _PART}
        ):
            after = rows[-1][0]
            yield from self._states(rows, space)

    def _states(self, rows: Sequence[Row], space: Space) -> Iterator[ArchivedMemory]:
        """Memories with their past, and with when their sources came."""
        within = self._dialect.within("m.key", "keys")
        keys = self._array([row[0] for row in rows])
        past: dict[int, list[Row]] = {}
        for row in self._db.all(
            f"SELECT {SELECTED}, m.known_to FROM memory_past AS m"  # noqa: S608
            f" WHERE {within} ORDER BY m.key, m.version",
            {"keys": keys},
        ):
            past.setdefault(row[0], []).append(row)
        sources: dict[int, list[tuple[Source, int | None]]] = {}
        for row in self._db.all(
            f"SELECT {SOURCE_COLUMNS} FROM memory_source"  # noqa: S608
            f" WHERE {self._dialect.within('memory', 'keys')} ORDER BY memory, ordinal",
            {"keys": keys},
        ):
            sources.setdefault(row[0], []).append((decode_source(row), row[-1]))
        for row in rows:
            found = sources.get(row[0], [])
            former = [_version(each[:-1], space, (), each[-1]) for each in past.get(row[0], ())]
            yield ArchivedMemory(
                versions=(*former, _version(row, space, [source for source, _ in found], None)),
                added={source.id: moment(at, 0) for source, at in found if at is not None},
            )

    def _dump_events(self, space: Space, author: str | None) -> Iterator[ArchivedEvent]:
        statement = (
            _EVENTS
            + "WHERE e.key > :after AND e.key < :high"
            # Of a shared memory, the log lies in the common space.
            + (" AND m.author = :author" if author is not None else "")
            + " ORDER BY e.key LIMIT :limit"
        )
        scope = _scope(space.tenant, space.user)
        for row in self._in_parts(statement, space, place=0, author=author):
            yield ArchivedEvent(scope=scope, event=decode_event(row[1:]))

    def _dump_short_term(self, space: Space) -> Iterator[Archived]:
        scope, bound = _scope(space.tenant, space.user), {"space": space.id}
        for name, value, set_at in self._db.all(_FIELDS, bound):
            yield ArchivedField(scope=scope, name=name, value=load(value), set_at=moment(set_at, 0))
        for name, summary, cites, set_at, ended_at in self._in_parts(
            _SESSIONS, space, after="", place=0
        ):
            yield ArchivedSession(
                scope=scope,
                session=name,
                set_at=moment(set_at, 0),
                summary=summary,
                cites=tuple(load(cites)) if cites else (),
                ended_at=None if ended_at is None else moment(ended_at, 0),
            )
        for task, name, value, set_at in self._db.all(_NOTES, bound):
            yield ArchivedNote(
                scope=scope, task=task, name=name, value=load(value), set_at=moment(set_at, 0)
            )

    def _dump_tombstones(self, space: Space) -> Iterator[ArchivedTombstones]:
        keys = tuple(key.hex() for key in self._tombstone_keys(space))
        part: list[str] = []
        for (hash,) in self._in_parts(_TOMBSTONES, space, after=b"", place=0):
            part.append(bytes(hash).hex())
            if len(part) == _PART:
                yield ArchivedTombstones(
                    scope=_scope(space.tenant, space.user), keys=keys, hashes=tuple(part)
                )
                part.clear()
        if part:
            yield ArchivedTombstones(
                scope=_scope(space.tenant, space.user), keys=keys, hashes=tuple(part)
            )

    def _in_parts(
        self, statement: str, space: Space, *, after: Any = None, place: int = -1, **more: Any
    ) -> Iterator[Row]:
        """Rows of a statement that goes on after the value in column `place` of the last one."""
        span = space.range()
        if after is None:
            after = span["low"] - 1
        while rows := self._db.all(
            statement, {**span, **more, "space": space.id, "after": after, "limit": _PART}
        ):
            yield from rows
            after = rows[-1][place]


def _scope(tenant: str, user: str) -> Scope:
    return Scope(tenant=tenant or None, user=user or None)


def _version(row: Row, space: Space, sources: Sequence[Source], known_to: int | None) -> Version:
    known_from = row[_RECORDED_AT] if row[_KNOWN_FROM] is None else row[_KNOWN_FROM]
    zone = row[_ZONE]
    return Version(
        record=_labelled(decode(row, space, sources, _AS_STORED), row),
        known_from=moment(known_from, zone),
        known_to=None if known_to is None else moment(known_to, zone),
        reason=row[_REASON],
    )


def _labelled(record: MemoryRecord, row: Row) -> MemoryRecord:
    """An erased memory lost its labels; whom it was for is still known by its audience."""
    label, mark, value = row[_AUDIENCE].partition("=")
    if row[_STATUS] != FORGOTTEN or not mark:
        return record
    return replace(record, scope=replace(record.scope, **{label: value}))
