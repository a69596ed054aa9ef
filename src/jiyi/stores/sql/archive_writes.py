"""What an archive holds, taken back: merged by id, and kept out where it was erased here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jiyi.archived import (
    ArchivedDigest,
    ArchivedEvent,
    ArchivedField,
    ArchivedMemory,
    ArchivedNote,
    ArchivedSession,
    ArchivedTombstones,
    Restored,
)
from jiyi.errors import ConflictError, InvalidInputError
from jiyi.ports import ERASED, audience
from jiyi.stores.sql.archive_reads import ArchiveReads
from jiyi.stores.sql.changing import insert
from jiyi.stores.sql.codec import dump, first_unit, micros, optional_micros, pack_id, zone_of
from jiyi.stores.sql.memory_changes import same_source
from jiyi.stores.sql.records import (
    COLUMNS,
    FORGOTTEN,
    LIVE,
    SELECTED,
    STATUS,
    encode,
    encode_source,
)
from jiyi.stores.sql.sessions import SessionWrites
from jiyi.stores.sql.tombstones import turn_content

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import TermWeights
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space
    from jiyi.types import Turn, Version

_KEY, _UNIT, _STATUS = (COLUMNS.index(name) for name in ("key", "unit", "status"))
_KNOWN_FROM, _RECORDED_AT = COLUMNS.index("known_from"), COLUMNS.index("recorded_at")
_TEXT = COLUMNS.index("text")
_USES, _USED_AT = COLUMNS.index("use_count"), COLUMNS.index("last_used_at")
_NAMES = ", ".join(COLUMNS)
_DELETE = "DELETE FROM memory WHERE key = :key"
_STATES = """
SELECT known_from, recorded_at, text FROM memory_past WHERE key = :key ORDER BY version
"""
_SAME_TEXT = """
SELECT 1 FROM memory WHERE space = :space AND audience = :audience AND fingerprint = :fingerprint
    AND status IN (0, 1) AND key <> :key
"""
_SAME_SLOT = """
SELECT 1 FROM memory WHERE space = :space AND audience = :audience AND status = 1
    AND valid_to IS NULL AND slot_subject = :slot_subject AND slot_attribute = :slot_attribute
    AND slot_subject IS NOT NULL AND slot_many IS NULL AND key <> :key
"""
_USED = "UPDATE memory SET use_count = :count, last_used_at = :at WHERE key = :key"
_PUT_FIELD = """
INSERT INTO profile_permanent (space, name, value, set_at) VALUES (:space, :name, :value, :set_at)
ON CONFLICT (space, name) DO UPDATE SET value = EXCLUDED.value, set_at = EXCLUDED.set_at
WHERE profile_permanent.set_at < EXCLUDED.set_at
"""
_PUT_SESSION = """
UPDATE session SET summary = :summary, cites = :cites, set_at = :set_at, ended_at = :ended_at
WHERE space = :space AND name = :name
"""
_ADD_SESSION = """
INSERT INTO session (space, name, summary, cites, set_at, ended_at)
VALUES (:space, :name, :summary, :cites, :set_at, :ended_at)
"""


class ArchiveWrites(ArchiveReads, SessionWrites):
    """The archive side of the `Writer` port."""

    def restore_turn(
        self, turn: Turn, terms: Sequence[tuple[tuple[int, int], TermWeights]]
    ) -> Restored:
        space = self._open_own(turn.scope)
        id = pack_id(turn.id)
        if self._turn_row(space, turn.id) is not None:
            return "known"
        if space.erased and self._is_buried(space, turn_content(id)):
            return "blocked"
        if turn.key is not None and self._has_message(space, turn.key):
            return "known"
        return "added" if self.add_turn(turn, terms) else "blocked"

    def restore_memory(
        self,
        kept: ArchivedMemory,
        indexed: Sequence[tuple[bytes, TermWeights]],
        *,
        at: datetime,
    ) -> Restored:
        record = kept.record
        whose = audience(record.visibility, record.scope)
        space = self._home(record.scope, whose)
        row = self._db.one(
            f"SELECT {SELECTED} FROM memory AS m WHERE m.space = :space AND m.id = :id",  # noqa: S608
            {"space": space.id, "id": pack_id(record.id)},
        )
        if row is None:
            if space.erased and any(self._is_buried(space, mark) for mark, _ in indexed):
                return "blocked"
            key = first_unit(space.id) + space.next_number
            self._write_states(kept.versions, indexed, key, space, at=at)
            for ordinal, source in enumerate(record.sources):
                added = optional_micros(kept.added.get(source.id))
                insert(self._db, "memory_source", encode_source(source, key, ordinal, added))
            return "added"
        erased = record.status == "forgotten"
        if row[_STATUS] == FORGOTTEN or erased:
            both = row[_STATUS] == FORGOTTEN and erased
            return "known" if both else "differs" if erased else "blocked"
        return self._continue(row, kept, indexed, space, at=at)

    def _continue(
        self,
        row: Row,
        kept: ArchivedMemory,
        indexed: Sequence[tuple[bytes, TermWeights]],
        space: Space,
        *,
        at: datetime,
    ) -> Restored:
        """Bring a memory that is here up to date, if what is here is how it began."""
        key = row[_KEY]
        rows = [
            *self._db.all(_STATES, {"key": key}),
            (row[_KNOWN_FROM], row[_RECORDED_AT], row[_TEXT]),
        ]
        here = [(told if since is None else since, text) for since, told, text in rows]
        there = [(micros(v.known_from), v.record.text) for v in kept.versions]
        both = min(len(here), len(there))
        if here[:both] != there[:both]:
            return "differs"
        record = kept.record
        uses = max(row[_USES] or 0, record.use_count)
        used_at = max(row[_USED_AT] or 0, optional_micros(record.last_used_at) or 0)
        if len(there) > len(here):
            self._write_states(kept.versions, indexed, key, space, at=at, row=row, known=len(here))
        if uses > (row[_USES] or 0) or len(there) > len(here):
            self._db.run(_USED, {"count": uses or None, "at": used_at or None, "key": key})
        self._add_sources(key, kept)
        return "extended" if len(there) > len(here) else "known"

    def _write_states(
        self,
        versions: Sequence[Version],
        indexed: Sequence[tuple[bytes, TermWeights]],
        key: int,
        space: Space,
        *,
        at: datetime,
        row: Row | None = None,
        known: int = 0,
    ) -> None:
        """Write the states after the first `known` ones, of which `row` is the newest."""
        newest = versions[-1].record
        whose = audience(newest.visibility, newest.scope)
        rows = []
        number, unit = space.next_number, None if row is None else row[_UNIT]
        fresh: list[tuple[int, TermWeights]] = []
        for place, version in enumerate(versions):
            mark, terms = indexed[place]
            if place < known:
                continue
            if place == 0 or version.record.text != versions[place - 1].record.text:
                # Every text has its own number, for reading with `known_at`.
                unit = None if place == 0 else first_unit(space.id) + number
                fresh.append((number, terms))
                number += 1
            gone = version.record.status == "forgotten"
            since = version.known_from
            rows.append(
                encode(
                    version.record,
                    key=key,
                    space=space.id,
                    unit=unit,
                    audience=whose,
                    fingerprint=None if gone else mark,
                    known_from=None if since == version.record.recorded_at else since,
                )
            )
        self._make_way(rows[-1], space, at)
        if row is not None:
            self._db.run(
                f"INSERT INTO memory_past ({_NAMES}, known_to)"  # noqa: S608 - constant names
                f" SELECT {_NAMES}, :known_to FROM memory WHERE key = :key",
                {"key": key, "known_to": optional_micros(versions[known - 1].known_to)},
            )
            self._db.run(_DELETE, {"key": key})
        for version, past in zip(versions[known:-1], rows[:-1], strict=True):
            insert(self._db, "memory_past", {**past, "known_to": optional_micros(version.known_to)})
        insert(self._db, "memory", rows[-1])
        space.next_number = number
        if newest.status != "forgotten":
            for each, terms in fresh:
                self._index(space, each, terms)
            self._rename(space, key, indexed[-1][1])

    def _make_way(self, row: dict[str, Any], space: Space, at: datetime) -> None:
        """Sweep what has expired; raise ConflictError when something live holds the row's place."""
        if row["status"] not in LIVE:
            return
        self._sweep(row, space, at)
        fills = row["status"] == STATUS["active"] and row["valid_to"] is None
        fills = fills and row["slot_subject"] is not None and row["slot_many"] is None
        if self._db.one(_SAME_TEXT, row) or (fills and self._db.one(_SAME_SLOT, row)):
            raise ConflictError("another live memory says the same, or holds the same slot")

    def _add_sources(self, key: int, kept: ArchivedMemory) -> None:
        present = self._sources([key]).get(key, [])
        ordinal = self._db.one(
            "SELECT COALESCE(MAX(ordinal) + 1, 0) FROM memory_source WHERE memory = :key",
            {"key": key},
        )
        place = ordinal[0] if ordinal else 0
        for source in kept.record.sources:
            if not any(same_source(source, other) for other in present):
                added = kept.added.get(source.id, kept.record.recorded_at)
                insert(self._db, "memory_source", encode_source(source, key, place, micros(added)))
                place += 1

    def restore(
        self,
        kept: ArchivedEvent
        | ArchivedDigest
        | ArchivedField
        | ArchivedSession
        | ArchivedNote
        | ArchivedTombstones,
    ) -> Restored:
        match kept:
            case ArchivedEvent():
                return self._restore_event(kept)
            case ArchivedDigest():
                return self._restore_digest(kept)
            case ArchivedField():
                return self._restore_field(kept)
            case ArchivedSession():
                return self._restore_session(kept)
            case ArchivedNote():
                return self._restore_note(kept)
            case ArchivedTombstones():
                return self._restore_tombstones(kept)

    def _restore_event(self, kept: ArchivedEvent) -> Restored:
        event = kept.event
        id = pack_id(event.id)
        if self._db.one("SELECT 1 FROM event WHERE id = :id", {"id": id}):
            return "known"
        space, memory = self._open_own(kept.scope), None
        if event.memory_id is not None:
            row = self._db.one(
                "SELECT key FROM memory WHERE space = :space AND id = :id",
                {"space": space.id, "id": pack_id(event.memory_id)},
            )
            if row is None:
                return "blocked"
            memory = row[0]
        insert(
            self._db,
            "event",
            {
                "key": self._next_event(space),
                "id": id,
                "at": micros(event.at),
                "zone": zone_of(event.at),
                "action": event.action,
                "memory": memory,
                "other_id": None if event.other_id is None else pack_id(event.other_id),
                "reason": event.reason,
                "run_id": event.run_id,
                "counts": dump(dict(event.counts), "counts") if event.counts else None,
                "actor": event.actor,
            },
        )
        return "added"

    def _restore_digest(self, kept: ArchivedDigest) -> Restored:
        written = self._db.run(
            "INSERT INTO session_digest (space, id, cites) VALUES (:space, :id, :cites)"
            " ON CONFLICT DO NOTHING",
            {
                "space": self._open_own(kept.scope).id,
                "id": pack_id(kept.memory_id),
                "cites": dump(list(kept.cites), "cites"),
            },
        )
        return "added" if written else "known"

    def _restore_field(self, kept: ArchivedField) -> Restored:
        space = self._open_own(kept.scope)
        known = self._db.one(
            "SELECT 1 FROM profile_permanent WHERE space = :space AND name = :name",
            {"space": space.id, "name": kept.name},
        )
        written = self._db.run(
            _PUT_FIELD,
            {
                "space": space.id,
                "name": kept.name,
                "value": dump(kept.value, kept.name),
                "set_at": micros(kept.set_at),
            },
        )
        return _put(known is not None, written)

    def _restore_session(self, kept: ArchivedSession) -> Restored:
        space = self._open_own(kept.scope)
        parameters = {
            "space": space.id,
            "name": kept.session,
            "summary": kept.summary,
            "cites": dump(list(kept.cites), "cites") if kept.summary is not None else None,
            "set_at": micros(kept.set_at),
            "ended_at": optional_micros(kept.ended_at),
        }
        row = self._db.one(
            "SELECT set_at, ended_at FROM session WHERE space = :space AND name = :name",
            {"space": space.id, "name": kept.session},
        )
        if row is None:
            return _put(False, self._db.run(_ADD_SESSION, parameters))
        here = (row[0], row[1] or 0)
        newer = here < (parameters["set_at"], parameters["ended_at"] or 0)
        return _put(True, self._db.run(_PUT_SESSION, parameters) if newer else 0)

    def _restore_note(self, kept: ArchivedNote) -> Restored:
        row = self._db.one(
            "SELECT set_at FROM task_note WHERE space = :space AND task = :task AND name = :name",
            {"space": self._open_own(kept.scope).id, "task": kept.task, "name": kept.name},
        )
        newer = row is None or row[0] < micros(kept.set_at)
        if newer:
            self.set_note(kept.scope, kept.task, kept.name, kept.value, at=kept.set_at)
        return _put(row is not None, int(newer))

    def _restore_tombstones(self, kept: ArchivedTombstones) -> Restored:
        try:
            keys = [bytes.fromhex(key) for key in kept.keys]
            hashes = [bytes.fromhex(hash) for hash in kept.hashes]
        except ValueError as exc:
            raise InvalidInputError("tombstones", str(exc), "Use an archive as written") from exc
        tenant, user = kept.scope.tenant or "", kept.scope.user or ""
        known = self._hidden_space(tenant, user, keys) if user.startswith(ERASED) else None
        space = self._open_own(kept.scope) if known is None else self._hold(known)
        written = 0
        for table, column, values in (
            ("tombstone_key", "key", [key for key in keys if key != self._state.key]),
            ("tombstone", "hash", hashes),
        ):
            for value in values:
                written += self._db.run(
                    f"INSERT INTO {table} (space, {column}) VALUES (:space, :value)"  # noqa: S608
                    " ON CONFLICT DO NOTHING",
                    {"space": space.id, "value": value},
                )
        if written:
            space.has_erased = True
        return "added" if written else "known"


def _put(known: bool, written: int) -> Restored:
    if not known:
        return "added"
    return "extended" if written else "known"
