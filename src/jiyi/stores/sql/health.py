"""What can be wrong inside a store, found with queries: orphans, stale indexes, stuck work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jiyi.stores.sql.codec import SPACE_BITS
from jiyi.stores.sql.packing import tail_length
from jiyi.types import Finding

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Connection

_MANY_ATTEMPTS = 5
_REPAIR, _RETRY = "jiyi doctor --repair", "jiyi worker --retry-parked"
_NUMBER = (1 << SPACE_BITS) - 1


# Rows whose owner is gone: (name, what they are, FROM and WHERE of them).
_ORPHANS = (
    (
        "orphan sources",
        "sources of memories that are not there",
        """FROM memory_source AS s WHERE NOT EXISTS
            (SELECT 1 FROM memory AS m WHERE m.key = s.memory AND m.status <> 6)""",
    ),
    (
        "orphan versions",
        "former states of memories that are not there",
        """FROM memory_past AS s WHERE NOT EXISTS
            (SELECT 1 FROM memory AS m WHERE m.key = s.key AND m.status <> 6)""",
    ),
    (
        "orphan pieces",
        "pieces of turns that are not there",
        """FROM piece AS s WHERE NOT EXISTS (SELECT 1 FROM turn AS t WHERE t.key = s.turn)""",
    ),
    (
        "orphan vectors",
        "vectors of units that are not there",
        """FROM vector AS s WHERE
            NOT EXISTS (SELECT 1 FROM memory AS m WHERE m.key = s.unit AND m.status <> 6)
            AND NOT EXISTS (SELECT 1 FROM memory AS m WHERE m.unit = s.unit AND m.status <> 6)
            AND NOT EXISTS (SELECT 1 FROM memory_past AS p WHERE p.unit = s.unit)
            AND NOT EXISTS (SELECT 1 FROM turn AS t WHERE t.key = s.unit)
            AND NOT EXISTS (SELECT 1 FROM piece AS p WHERE p.unit = s.unit)
            AND NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.unit = s.unit)""",
    ),
    (
        "orphan mentions",
        "names of memories that are not there",
        """FROM entity_mention AS s WHERE NOT EXISTS
            (SELECT 1 FROM memory AS m WHERE m.key = s.memory AND m.status <> 6)""",
    ),
    (
        "orphan relation sources",
        "relations of memories that are not there",
        """FROM relation_source AS s WHERE NOT EXISTS
            (SELECT 1 FROM memory AS m WHERE m.key = s.memory AND m.status <> 6)""",
    ),
    (
        "orphan relations",
        "relations that no memory tells",
        """FROM relation AS s WHERE NOT EXISTS
            (SELECT 1 FROM relation_source AS t WHERE t.relation = s.id)""",
    ),
    (
        "orphan names",
        "names that no memory holds",
        """FROM entity AS s WHERE s.id NOT IN (SELECT n.entity FROM entity_mention AS n)""",
    ),
    (
        "orphan passages",
        "passages of documents that are not there",
        """FROM passage AS s WHERE NOT EXISTS
            (SELECT 1 FROM document AS d WHERE d.key = s.document)""",
    ),
)
_WORK = (
    (
        "parked jobs",
        "work that failed too often and waits for a decision",
        "FROM queue WHERE parked = 1",
    ),
    (
        "failing jobs",
        f"work that was tried {_MANY_ATTEMPTS} times or more",
        f"FROM queue WHERE parked = 0 AND attempt >= {_MANY_ATTEMPTS}",
    ),
)
_UNREAD = (
    (
        "names not read",
        "memories from before names were kept, in spaces that have none",
        """FROM memory AS m WHERE m.status = 1 AND m.entities IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM entity AS e WHERE e.space = m.space)""",
    ),
)
_UNITS = """
SELECT COALESCE(m.unit, m.key) FROM memory AS m
    WHERE m.status <> 6 AND m.key >= :low AND m.key < :high
UNION SELECT t.key FROM turn AS t WHERE t.key >= :low AND t.key < :high
UNION SELECT p.unit FROM piece AS p WHERE p.unit >= :low AND p.unit < :high
UNION SELECT p.unit FROM passage AS p WHERE p.unit >= :low AND p.unit < :high
"""


def check_rows(db: Connection) -> list[Finding]:
    """Every finding, the worst first."""
    found = _check_index(db)
    for kinds, repair in (
        (_ORPHANS, _REPAIR),
        (_UNREAD, _REPAIR),
        (_WORK, f"{_REPAIR}, or {_RETRY}"),
    ):
        for name, detail, rows in kinds:
            row = db.one(f"SELECT COUNT(*) {rows}", {})
            if row and row[0]:
                found.append(Finding(name=name, detail=detail, count=row[0], repair=repair))
    return found


def repair_rows(db: Connection) -> dict[str, int]:
    """Delete what has lost its owner. Returns rows by the name of the finding."""
    return {
        name: removed for name, _, rows in _ORPHANS if (removed := db.run(f"DELETE {rows}", {}))
    }


def _check_index(db: Connection) -> list[Finding]:
    """Units that the text index does not know: they would not be found by their words."""
    missing = 0
    for space, size in db.all("SELECT id, next_number FROM space", {}):
        low = space << SPACE_BITS
        span = {"low": low, "high": low + (1 << SPACE_BITS)}
        indexed = np.zeros(size, dtype=np.bool_)
        blocks = db.all(
            "SELECT base, lengths FROM text_block WHERE space = :space", {"space": space}
        )
        for base, lengths in blocks:
            part = np.frombuffer(lengths, dtype="<u2")[: size - base]
            indexed[base : base + len(part)] |= part > 0
        tail = db.all("SELECT unit, terms FROM text_tail WHERE unit >= :low AND unit < :high", span)
        for unit, terms in tail:
            indexed[unit & _NUMBER] = tail_length(terms) > 0
        numbers = [row[0] & _NUMBER for row in db.all(_UNITS, span)]
        missing += int(np.count_nonzero(~indexed[numbers])) if numbers else 0
    if not missing:
        return []
    return [
        Finding(
            name="stale text index",
            detail="texts without a word in the index (some may hold none)",
            count=missing,
            repair="jiyi export, and jiyi load into a new store",
        )
    ]
