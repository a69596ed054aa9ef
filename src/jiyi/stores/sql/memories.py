"""Reading memories: by selection in pages, by text, by slot, by source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from jiyi.ports import audience
from jiyi.stores.sql.codec import micros, pack_id
from jiyi.stores.sql.cursors import read_cursor, write_cursor
from jiyi.stores.sql.records import (
    COLUMNS,
    SELECTED,
    SOURCE_COLUMNS,
    STATUS,
    decode,
    decode_source,
)
from jiyi.stores.sql.selection import Chosen, choose_memories
from jiyi.stores.sql.session import Readable, ReadSession, labels
from jiyi.types import MemoryRecord

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import Selection
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space
    from jiyi.types import Draft, Scope, Source, Status

_KEY = COLUMNS.index("key")
_AT_ONCE = 64  # ids that one statement names


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
        after = read_cursor(
            cursor, order, {each.own: each.space.id for each in self._readable(scope)}
        )
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
        return [record for record, _, _ in page], write_cursor(after, order)

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
                "now": instant_of(now),
            },
        )
        return None if row is None else self._records([row], space, instant_of(now))[0]

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
        parameters: dict[str, Any] = {"subject": subject, "now": instant_of(now), **labels(scope)}
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
            found += self._records(rows, readable.space, instant_of(now))
        return sorted(found, key=lambda record: micros(record.said_at), reverse=True)

    def slot_attributes(self, scope: Scope, *, subject: str, family: str) -> list[str]:
        found: set[str] = set()
        for readable in self._readable(scope):
            rows = self._db.all(
                "SELECT DISTINCT m.slot_attribute FROM memory AS m"  # noqa: S608
                " WHERE m.space = :space AND m.slot_subject = :subject"
                " AND substr(m.slot_attribute, 1, :size) = :family"
                f" AND {readable.audiences()} AND m.status = {STATUS['active']}",
                {
                    "space": readable.space.id,
                    "subject": subject,
                    "family": f"{family}/",
                    "size": len(family) + 1,
                    **labels(scope),
                },
            )
            found.update(row[0] for row in rows)
        return sorted(found)

    def citing(self, scope: Scope, turn_ids: Sequence[str]) -> list[MemoryRecord]:
        found: list[MemoryRecord] = []
        for readable in self._readable(scope):
            keys: set[int] = set()
            for start in range(0, len(turn_ids), _AT_ONCE):
                ids = {f"id{n}": pack_id(id) for n, id in enumerate(turn_ids[start:][:_AT_ONCE])}
                rows = self._db.all(
                    "SELECT memory FROM memory_source"  # noqa: S608 - names of our own making
                    f" WHERE turn_id IN ({', '.join(f':{name}' for name in ids)})"
                    " AND memory >= :low AND memory < :high",
                    {**ids, **readable.space.range()},
                )
                keys.update(row[0] for row in rows)
            if keys:
                rows = self._db.all(
                    f"SELECT {SELECTED} FROM memory AS m WHERE"  # noqa: S608
                    f" {self._dialect.within('m.key', 'keys')} AND {readable.audiences()}"
                    " ORDER BY m.key",
                    {"keys": self._array(sorted(keys)), **labels(scope)},
                )
                found += self._records(rows, readable.space, instant_of(None))
        return found


def instant_of(now: datetime | None) -> int:
    """Without a "now" nothing counts as expired but what was marked so."""
    return -(2**62) if now is None else micros(now)


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
