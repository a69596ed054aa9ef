"""Memories: reading them by selection, writing them so that the database keeps them unique."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from jiyi.errors import ConflictError, InvalidInputError, NotFoundError
from jiyi.ports import audience
from jiyi.stores.sql.audit import AuditWrites
from jiyi.stores.sql.codec import first_unit, micros, moment, pack_id, zone_of
from jiyi.stores.sql.records import (
    COLUMNS,
    LIVE,
    SELECTED,
    SOURCE_COLUMNS,
    STATUS,
    decode,
    decode_source,
    encode,
    encode_source,
)
from jiyi.stores.sql.selection import Chosen, choose_memories
from jiyi.stores.sql.session import Readable, ReadSession, labels
from jiyi.stores.sql.text_index import TextIndexWrites
from jiyi.types import MemoryRecord

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import Selection, TermWeights
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space
    from jiyi.types import Draft, Scope, Source, Status

_KEY, _SPACE, _ID, _UNIT = range(4)
_AUDIENCE = COLUMNS.index("audience")
_FINGERPRINT = COLUMNS.index("fingerprint")
_RECORDED_AT = COLUMNS.index("recorded_at")
_KNOWN_FROM = COLUMNS.index("known_from")
_NAMES = ", ".join(COLUMNS)
_VALUES = ", ".join(f":{name}" for name in COLUMNS)
_INSERT = f"INSERT INTO memory ({_NAMES}) VALUES ({_VALUES}) ON CONFLICT DO NOTHING"  # noqa: S608
_UPDATE = (
    f"UPDATE memory SET {', '.join(f'{name} = :{name}' for name in COLUMNS if name != 'key')}"  # noqa: S608
    " WHERE key = :key"
)
_KEEP_PAST = (
    f"INSERT INTO memory_past ({_NAMES}, known_to)"  # noqa: S608
    f" SELECT {_NAMES}, :known_to FROM memory WHERE key = :key"
)
_INSERT_SOURCE = f"""
INSERT INTO memory_source ({SOURCE_COLUMNS}) VALUES
    (:memory, :ordinal, :id, :turn_id, :start, :stop, :label, :session, :said_at, :zone, :added_at)
"""  # noqa: S608 - constant names
_SWEEP = f"""
SELECT {SELECTED} FROM memory AS m
WHERE m.space = :space AND m.audience = :audience AND m.status IN (0, 1)
    AND m.expires_at IS NOT NULL AND m.expires_at <= :at
    AND (m.fingerprint = :fingerprint
         OR (m.slot_subject = :subject AND m.slot_attribute = :attribute))
"""  # noqa: S608
_UNCHANGEABLE = frozenset({"id", "scope", "sources", "recorded_at", "visibility"})


class MemoryReads(ReadSession):
    """The memory side of the `Reader` port."""

    def memories(
        self,
        scope: Scope,
        selection: Selection,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["newest", "oldest"] = "newest",
    ) -> tuple[list[MemoryRecord], str | None]:
        chosen = choose_memories(selection, self._dialect)
        after = _read_cursor(cursor, order)
        found: list[tuple[MemoryRecord, Space, int]] = []
        for readable in self._readable(scope):
            rows = self._select(
                readable, scope, chosen, order=order, limit=limit, after=after.get(readable.own)
            )
            records = self._records(rows, readable.space, chosen.now)
            found += [
                (record, readable.space, row[_KEY])
                for record, row in zip(records, rows, strict=True)
            ]
        # Each space is already in the order of its numbers; this merges the two.
        sign = -1 if order == "newest" else 1
        own = self._own_space(scope)
        found.sort(key=lambda item: sign * micros(item[0].recorded_at))
        for space_id in {space.id for _, space, _ in found}:
            _restore_order(found, space_id, newest=order == "newest")
        if limit is None or len(found) <= limit:
            return [record for record, _, _ in found], None
        page = found[:limit]
        for _, space, key in page:
            after[own is not None and space.id == own.id] = key
        return [record for record, _, _ in page], _write_cursor(after, order)

    def _select(
        self,
        readable: Readable,
        scope: Scope,
        chosen: Chosen,
        *,
        order: str,
        limit: int | None,
        after: int | None,
    ) -> list[Row]:
        parameters = chosen.parameters | labels(scope) | readable.space.range()
        if after is not None and order == "newest":
            parameters["high"] = min(parameters["high"], after)
        elif after is not None:
            parameters["low"] = max(parameters["low"], after + 1)
        parameters["space"] = readable.space.id
        if limit is not None:
            parameters["limit"] = limit + 1
        return self._db.all(
            f"SELECT {SELECTED} FROM {chosen.table}"  # noqa: S608 - values are bound
            " WHERE m.space = :space AND m.key >= :low AND m.key < :high"
            f" AND {readable.audiences()} AND {chosen.condition}"
            f" ORDER BY m.key {'DESC' if order == 'newest' else ''}"
            + (" LIMIT :limit" if limit is not None else ""),
            parameters,
        )

    def count_memories(self, scope: Scope, selection: Selection) -> int:
        chosen = choose_memories(selection, self._dialect)
        total = 0
        for readable in self._readable(scope):
            row = self._db.one(
                f"SELECT COUNT(*) FROM {chosen.table}"  # noqa: S608 - values are bound
                " WHERE m.space = :space AND m.key >= :low AND m.key < :high"
                f" AND {readable.audiences()} AND {chosen.condition}",
                chosen.parameters
                | labels(scope)
                | readable.space.range()
                | {"space": readable.space.id},
            )
            total += row[0] if row else 0
        return total

    def _records(self, rows: Sequence[Row], space: Space, now: int) -> list[MemoryRecord]:
        sources = self._sources([row[_KEY] for row in rows])
        return [decode(row, space, sources.get(row[_KEY], ()), now) for row in rows]

    def _sources(
        self, memories: Sequence[int], before: int | None = None
    ) -> dict[int, list[Source]]:
        """The sources of memories, by key; those added before an instant, if given."""
        found: dict[int, list[Source]] = {}
        if not memories:
            return found
        sql = (
            f"SELECT {SOURCE_COLUMNS} FROM memory_source"  # noqa: S608
            f" WHERE {self._dialect.within('memory', 'memories')} ORDER BY memory, ordinal"
        )
        for row in self._db.all(sql, {"memories": self._array(memories)}):
            if before is None or row[-1] is None or row[-1] < before:
                found.setdefault(row[0], []).append(decode_source(row))
        return found

    def _row_by_id(self, scope: Scope, memory_id: str) -> tuple[Row, Readable] | None:
        """The row of a readable memory, in any status."""
        for readable in self._readable(scope):
            row = self._db.one(
                f"SELECT {SELECTED} FROM memory AS m"  # noqa: S608
                f" WHERE m.space = :space AND m.id = :id AND {readable.audiences()}",
                {"space": readable.space.id, "id": pack_id(memory_id), **labels(scope)},
            )
            if row is not None:
                return row, readable
        return None

    def find_same(
        self, scope: Scope, draft: Draft, fingerprint: bytes, *, now: datetime | None = None
    ) -> MemoryRecord | None:
        whose = audience(draft.visibility, scope)
        space = self._place(scope, whose)
        if space is None:
            return None
        row = self._db.one(
            f"SELECT {SELECTED} FROM memory AS m"  # noqa: S608
            " WHERE m.space = :space AND m.audience = :audience AND m.fingerprint = :fingerprint"
            " AND m.status IN (0, 1) AND (m.expires_at IS NULL OR m.expires_at > :now)",
            {
                "space": space.id,
                "audience": whose,
                "fingerprint": fingerprint,
                "now": _instant(now),
            },
        )
        return None if row is None else self._records([row], space, _instant(now))[0]

    def slot_values(
        self,
        scope: Scope,
        *,
        subject: str,
        attribute: str | None = None,
        family: str | None = None,
        statuses: frozenset[Status] = frozenset({"active"}),
        now: datetime | None = None,
    ) -> list[MemoryRecord]:
        codes = ", ".join(str(STATUS[status]) for status in sorted(statuses)) or "-1"
        condition = "m.slot_subject = :subject"
        parameters: dict[str, Any] = {"subject": subject, "now": _instant(now), **labels(scope)}
        if attribute is not None:
            condition += " AND m.slot_attribute = :attribute"
            parameters["attribute"] = attribute
        if family is not None:
            condition += " AND substr(m.slot_attribute, 1, :size) = :family"
            parameters |= {"family": f"{family}/", "size": len(family) + 1}
        found: list[MemoryRecord] = []
        for readable in self._readable(scope):
            rows = self._db.all(
                f"SELECT {SELECTED} FROM memory AS m"  # noqa: S608
                f" WHERE m.space = :space AND {condition} AND {readable.audiences()}"
                f" AND (CASE WHEN m.status IN (0, 1) AND m.expires_at IS NOT NULL"
                f" AND m.expires_at <= :now THEN 3 ELSE m.status END) IN ({codes})"
                " ORDER BY m.key DESC",
                parameters | {"space": readable.space.id},
            )
            found += self._records(rows, readable.space, _instant(now))
        return sorted(found, key=lambda record: micros(record.said_at), reverse=True)

    def citing(self, scope: Scope, turn_ids: Sequence[str]) -> list[MemoryRecord]:
        found: list[MemoryRecord] = []
        for readable in self._readable(scope):
            keys: set[int] = set()
            for turn_id in turn_ids:
                rows = self._db.all(
                    "SELECT memory FROM memory_source WHERE turn_id = :turn_id"
                    " AND memory >= :low AND memory < :high",
                    {"turn_id": pack_id(turn_id), **readable.space.range()},
                )
                keys.update(row[0] for row in rows)
            if keys:
                rows = self._db.all(
                    f"SELECT {SELECTED} FROM memory AS m WHERE"  # noqa: S608
                    f" {self._dialect.within('m.key', 'keys')} AND {readable.audiences()}"
                    " ORDER BY m.key",
                    {"keys": self._array(sorted(keys)), **labels(scope)},
                )
                found += self._records(rows, readable.space, _instant(None))
        return found


class MemoryWrites(TextIndexWrites, AuditWrites, MemoryReads):
    """The memory side of the `Writer` port."""

    def add_memory(
        self,
        scope: Scope,
        draft: Draft,
        *,
        id: str,
        fingerprint: bytes,
        terms: TermWeights,
        recorded_at: datetime,
        said_at: datetime,
        status: Status = "active",
        superseded_by: str | None = None,
        valid_to: datetime | None = None,
        reason: str | None = None,
        run_id: str | None = None,
    ) -> MemoryRecord:
        if draft.visibility in ("agent", "task", "tool") and not getattr(scope, draft.visibility):
            raise InvalidInputError(
                "visibility", f"{draft.visibility!r} without one", f"Name the {draft.visibility}"
            )
        whose = audience(draft.visibility, scope)
        space = self._home(scope, whose)
        record = MemoryRecord(
            id=id,
            text=draft.text,
            kind=draft.kind,
            status=status,
            scope=scope,
            recorded_at=recorded_at,
            said_at=said_at,
            valid_from=draft.valid_from or said_at,
            valid_to=valid_to or draft.valid_to,
            expires_at=draft.expires_at,
            tags=draft.tags,
            meta=draft.meta,
            importance=draft.importance,
            confidence=draft.confidence,
            slot=draft.slot,
            event=draft.event,
            entities=draft.entities,
            sources=draft.sources,
            superseded_by=superseded_by,
            reason=reason,
            visibility=draft.visibility,
            pinned=draft.pinned,
            trust=draft.trust,
            flags=draft.flags,
            gate=draft.gate,
        )
        key = first_unit(space.id) + space.next_number
        row = encode(
            record,
            key=key,
            space=space.id,
            unit=None,
            audience=whose,
            fingerprint=fingerprint,
            known_from=None,
        )
        if not self._db.run(_INSERT, row):
            self._sweep(row, space, recorded_at)
            # Sweeping writes no units, so the number taken above is still free.
            if not self._db.run(_INSERT, row):
                raise _conflict(record)
        number = self._next_number(space)
        for ordinal, source in enumerate(draft.sources):
            self._db.run(_INSERT_SOURCE, encode_source(source, key, ordinal, None))
        self._index(space, number, terms)
        self._log(space, recorded_at, "store", memory=key, reason=reason, run_id=run_id)
        return record

    def _sweep(self, row: Mapping[str, Any], space: Space, at: datetime) -> None:
        """Mark what expired in the way of a row: no index can evaluate "now"."""
        expired = self._db.all(
            _SWEEP,
            {
                "space": space.id,
                "audience": row["audience"],
                "at": micros(at),
                "fingerprint": row["fingerprint"],
                "subject": row["slot_subject"],
                "attribute": row["slot_attribute"],
            },
        )
        for old in expired:
            if old[_KEY] != row["key"]:
                self._change(old, space, {"status": "expired"}, at=at, action="expire")

    def change_memory(
        self,
        scope: Scope,
        memory_id: str,
        changes: Mapping[str, Any],
        *,
        at: datetime,
        action: str,
        reason: str | None = None,
        other_id: str | None = None,
        run_id: str | None = None,
        fingerprint: bytes | None = None,
        terms: TermWeights | None = None,
    ) -> MemoryRecord:
        found = self._row_by_id(scope, memory_id)
        if found is None or found[0][4] == STATUS["forgotten"]:
            raise NotFoundError("memory", memory_id)
        row, readable = found
        space = self._hold(readable.space)
        return self._change(
            row,
            space,
            changes,
            at=at,
            action=action,
            reason=reason,
            other_id=other_id,
            run_id=run_id,
            fingerprint=fingerprint,
            terms=terms,
        )

    def _change(
        self,
        row: Row,
        space: Space,
        changes: Mapping[str, Any],
        *,
        at: datetime,
        action: str,
        reason: str | None = None,
        other_id: str | None = None,
        run_id: str | None = None,
        fingerprint: bytes | None = None,
        terms: TermWeights | None = None,
    ) -> MemoryRecord:
        key = row[_KEY]
        # The stored status, not the one computed from the clock: instant 0 expires nothing.
        before = self._records([row], space, _instant(None))[0]
        if reason is not None:
            changes = {"reason": reason, **changes}
        if wrong := _UNCHANGEABLE & changes.keys():
            raise InvalidInputError("changes", f"{min(wrong)!r} cannot be changed", "Leave it out")
        try:
            after = replace(before, **changes)
        except TypeError as exc:
            raise InvalidInputError("changes", str(exc), "Name fields of MemoryRecord") from exc
        unit = row[_UNIT]
        if after.text != before.text:
            if fingerprint is None or terms is None:
                raise InvalidInputError(
                    "changes", "a new text without its index terms", "Give fingerprint and terms"
                )
            # The former text keeps its number and postings, for reading with `known_at`.
            number = self._next_number(space)
            self._index(space, number, terms)
            unit = first_unit(space.id) + number
        # A clock that steps back must not make two states of one instant.
        start = row[_RECORDED_AT] if row[_KNOWN_FROM] is None else row[_KNOWN_FROM]
        since = max(at, moment(start, zone_of(at)))
        new = encode(
            after,
            key=key,
            space=space.id,
            unit=unit,
            audience=row[_AUDIENCE],
            fingerprint=fingerprint or row[_FINGERPRINT],
            known_from=since,
        )
        if new["status"] in LIVE:
            self._sweep(new, space, at)
        self._db.run(_KEEP_PAST, {"key": key, "known_to": micros(since)})
        self._db.run(_UPDATE, new)
        self._log(
            space,
            at,
            action,
            memory=key,
            other_id=other_id,
            reason=reason,
            run_id=run_id,
        )
        return after

    def add_source(
        self,
        scope: Scope,
        memory_id: str,
        source: Source,
        *,
        at: datetime,
        reason: str | None = None,
    ) -> bool:
        found = self._row_by_id(scope, memory_id)
        if found is None or found[0][4] == STATUS["forgotten"]:
            raise NotFoundError("memory", memory_id)
        row, readable = found
        key = row[_KEY]
        present = self._sources([key]).get(key, [])
        if any(_same_source(source, other) for other in present):
            return False
        space = self._hold(readable.space)
        last = self._db.one(
            "SELECT COALESCE(MAX(ordinal) + 1, 0) FROM memory_source WHERE memory = :key",
            {"key": key},
        )
        ordinal = last[0] if last else 0
        self._db.run(_INSERT_SOURCE, encode_source(source, key, ordinal, micros(at)))
        self._log(space, at, "add_source", memory=key, other_id=source.turn_id, reason=reason)
        return True

    def add_uses(self, uses: Mapping[tuple[Scope, str], int], *, at: datetime) -> None:
        for (scope, memory_id), count in uses.items():
            for readable in self._readable(scope):
                self._db.run(
                    "UPDATE memory SET use_count = COALESCE(use_count, 0) + :count,"  # noqa: S608 - values are bound
                    " last_used_at = :at WHERE space = :space AND id = :id AND status <> 6"
                    f" AND {readable.audiences('memory.audience')}",
                    {
                        "count": count,
                        "at": micros(at),
                        "space": readable.space.id,
                        "id": pack_id(memory_id),
                        **labels(scope),
                    },
                )


def _instant(now: datetime | None) -> int:
    """Without a "now" nothing counts as expired but what was marked so."""
    return -(2**62) if now is None else micros(now)


def _same_source(source: Source, other: Source) -> bool:
    if source.id == other.id:
        return True
    return source.turn_id is not None and (source.turn_id, source.span) == (
        other.turn_id,
        other.span,
    )


def _conflict(record: MemoryRecord) -> ConflictError:
    slot = record.slot
    if slot is None:
        return ConflictError(f"memory {record.id}: its text or id is already there and live")
    return ConflictError(
        f"memory {record.id}: its text or id is already there and live, or another memory holds"
        f" the slot {slot.subject}.{slot.attribute}"
    )


def _restore_order(
    found: list[tuple[MemoryRecord, Space, int]], space_id: int, *, newest: bool
) -> None:
    """Put the entries of one space back in the order of their numbers, in the places they hold.

    Sorting by time alone would reorder them where the clock stepped back.
    """
    places = [index for index, item in enumerate(found) if item[1].id == space_id]
    items = sorted((found[index] for index in places), key=lambda item: item[2], reverse=newest)
    for index, item in zip(places, items, strict=True):
        found[index] = item


def _write_cursor(after: Mapping[bool, int], order: str) -> str:
    return f"{order[0]}:{after.get(True, '')}:{after.get(False, '')}"


def _read_cursor(cursor: str | None, order: str) -> dict[bool, int]:
    """How far the own (True) and the common space (False) were read."""
    if cursor is None:
        return {}
    parts = cursor.split(":")
    ok = len(parts) == 3 and parts[0] == order[0]
    if not ok or not all(part == "" or part.isdecimal() for part in parts[1:]):
        raise InvalidInputError(
            "cursor", f"{cursor!r} is not from this list", "Use the cursor of the last page"
        )
    return {own: int(part) for own, part in zip((True, False), parts[1:], strict=True) if part}
