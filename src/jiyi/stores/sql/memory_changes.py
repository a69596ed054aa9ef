"""Writing memories: the database keeps texts and slots unique, and every change a version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jiyi.errors import ConflictError, InvalidInputError, NotFoundError
from jiyi.ports import audience
from jiyi.stores.sql.audit import AuditWrites
from jiyi.stores.sql.changing import insert, update
from jiyi.stores.sql.codec import first_unit, micros, moment, pack_id, zone_of
from jiyi.stores.sql.entities import EntityWrites
from jiyi.stores.sql.memories import MemoryReads, instant_of
from jiyi.stores.sql.records import (
    COLUMNS,
    LIVE,
    SELECTED,
    STATUS,
    encode,
    encode_source,
)
from jiyi.stores.sql.session import labels
from jiyi.stores.sql.text_index import TextIndexWrites
from jiyi.types import MemoryRecord

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import TermWeights
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space
    from jiyi.types import Draft, Scope, Source, Status

_KEY, _SPACE, _ID, _UNIT = range(4)
_AUDIENCE = COLUMNS.index("audience")
_AUTHOR = COLUMNS.index("author")
_FINGERPRINT = COLUMNS.index("fingerprint")
_RECORDED_AT = COLUMNS.index("recorded_at")
_KNOWN_FROM = COLUMNS.index("known_from")
_NAMES = ", ".join(COLUMNS)
_KEEP_PAST = (
    f"INSERT INTO memory_past ({_NAMES}, known_to)"  # noqa: S608
    f" SELECT {_NAMES}, :known_to FROM memory WHERE key = :key"
)
_EXPIRED = f"""
SELECT {SELECTED} FROM memory AS m
WHERE m.space = :space AND m.audience = :audience AND m.status IN (0, 1)
    AND m.expires_at IS NOT NULL AND m.expires_at <= :at
"""  # noqa: S608
# Two branches, because no one index answers both, and a scan would grow with the space.
_SWEEP = f"""
{_EXPIRED} AND m.fingerprint = :fingerprint
UNION {_EXPIRED} AND m.slot_subject = :subject AND m.slot_attribute = :attribute
"""
_UNCHANGEABLE = frozenset({"id", "scope", "sources", "recorded_at", "visibility"})

_JUDGEMENT = frozenset({"helpful", "unhelpful", "use_count", "last_used_at"})
"""What a reader may change of a memory that another user shares."""


class MemoryWrites(TextIndexWrites, AuditWrites, EntityWrites, MemoryReads):
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
        if not insert(self._db, "memory", row, or_nothing=True):
            self._sweep(row, space, recorded_at)
            # Sweeping writes no units, so the number taken above is still free.
            if not insert(self._db, "memory", row, or_nothing=True):
                raise _conflict(record)
        number = self._next_number(space)
        for ordinal, source in enumerate(draft.sources):
            insert(self._db, "memory_source", encode_source(source, key, ordinal, None))
        self._index(space, number, terms)
        self._name(space, key, terms)
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
        foreign = row[_AUDIENCE] == "shared" and row[_AUTHOR] != scope.user
        if foreign and not changes.keys() <= _JUDGEMENT:
            raise ConflictError(
                f"memory {memory_id} is shared by another user, and only they can change it;"
                " remember your own beside it"
            )
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
        before = self._records([row], space, instant_of(None))[0]
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
        # Where the clock has stepped back, the former state keeps its instant, and stays readable.
        start = row[_RECORDED_AT] if row[_KNOWN_FROM] is None else row[_KNOWN_FROM]
        since = at if micros(at) >= start else moment(start + 1, zone_of(at))
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
        changed = {n: v for n, v, old in zip(COLUMNS, new.values(), row, strict=True) if v != old}
        update(self._db, "memory", key, changed)
        if terms is not None:
            self._rename(space, key, terms)
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

    def set_names(self, scope: Scope, memory_id: str, terms: TermWeights) -> None:
        found = self._row_by_id(scope, memory_id)
        if found is None or found[0][4] == STATUS["forgotten"]:
            raise NotFoundError("memory", memory_id)
        row, readable = found
        self._rename(self._hold(readable.space), row[_KEY], terms)

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
        if any(same_source(source, other) for other in present):
            return False
        space = self._hold(readable.space)
        last = self._db.one(
            "SELECT COALESCE(MAX(ordinal) + 1, 0) FROM memory_source WHERE memory = :key",
            {"key": key},
        )
        ordinal = last[0] if last else 0
        insert(self._db, "memory_source", encode_source(source, key, ordinal, micros(at)))
        self._log(space, at, "add_source", memory=key, other_id=source.turn_id, reason=reason)
        return True

    def add_uses(self, uses: Mapping[tuple[Scope, str], int], *, at: datetime) -> None:
        by_scope: dict[Scope, list[tuple[str, int]]] = {}
        for (scope, memory_id), count in uses.items():
            by_scope.setdefault(scope, []).append((memory_id, count))
        # In one order everywhere: two writers that count the same memories, each in its own order,
        # would wait for each other where writers run side by side.
        for scope in sorted(by_scope, key=lambda scope: (scope.tenant or "", scope.user or "")):
            for readable in self._readable(scope):
                shared = {"at": micros(at), "space": readable.space.id, **labels(scope)}
                self._db.many(
                    "UPDATE memory SET use_count = COALESCE(use_count, 0) + :count,"  # noqa: S608 - values are bound
                    " last_used_at = :at WHERE space = :space AND id = :id AND status <> 6"
                    f" AND {readable.audiences('memory.audience')}",
                    [
                        {**shared, "id": pack_id(memory_id), "count": count}
                        for memory_id, count in sorted(by_scope[scope])
                    ],
                )


def same_source(source: Source, other: Source) -> bool:
    """Whether two sources are one: by id, or by the place in a turn."""
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
