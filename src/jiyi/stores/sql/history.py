"""What a memory was before, and what was erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.stores.sql.audit import AuditReads
from jiyi.stores.sql.codec import moment
from jiyi.stores.sql.memories import MemoryReads
from jiyi.stores.sql.records import COLUMNS, FORGOTTEN, SELECTED, decode
from jiyi.stores.sql.tombstones import TombstoneReads
from jiyi.types import Version

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Row
    from jiyi.types import Scope

_ZONE = COLUMNS.index("zone")
_KNOWN_FROM = COLUMNS.index("known_from")
_RECORDED_AT = COLUMNS.index("recorded_at")
_REASON = COLUMNS.index("reason")
_STATUS = COLUMNS.index("status")


class HistoryReads(AuditReads, MemoryReads, TombstoneReads):
    """The history side of the `Reader` port."""

    def versions(self, scope: Scope, memory_id: str) -> list[Version]:
        found = self._row_by_id(scope, memory_id)
        if found is None or found[0][_STATUS] == FORGOTTEN:
            return []
        present, readable = found
        past = self._db.all(
            f"SELECT {SELECTED}, m.known_to FROM memory_past AS m WHERE m.key = :key"  # noqa: S608
            " ORDER BY m.version",
            {"key": present[0]},
        )
        states: list[tuple[Row, int | None]] = [(row[:-1], row[-1]) for row in past]
        states.append((present, None))
        versions = []
        for row, known_to in states:
            known_from = row[_RECORDED_AT] if row[_KNOWN_FROM] is None else row[_KNOWN_FROM]
            zone = row[_ZONE]
            sources = self._sources([row[0]], known_to).get(row[0], ())
            versions.append(
                Version(
                    # As it was stored: a version does not expire while one looks at it.
                    record=decode(row, readable.space, sources, -(2**62)),
                    known_from=moment(known_from, zone),
                    known_to=None if known_to is None else moment(known_to, zone),
                    reason=row[_REASON],
                )
            )
        return versions

    def is_tombstoned(self, scope: Scope, fingerprint: bytes) -> bool:
        space = self._own_space(scope)
        return space is not None and self._is_buried(space, fingerprint)
