"""What `SqliteStore.check` looks at: SQLite's own integrity, then the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.stores.sql.health import check_rows
from jiyi.types import Finding

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Connection

_MOST_PROBLEMS = 20


def check_database(db: Connection) -> list[Finding]:
    """Every finding; damage of the file first."""
    rows = db.all(f"PRAGMA integrity_check({_MOST_PROBLEMS})", {})
    problems = [row[0] for row in rows if row[0] != "ok"]
    if problems:
        damage = Finding(
            name="damaged file",
            detail="; ".join(problems),
            count=len(problems),
            repair="jiyi restore BACKUP",
        )
        return [damage]  # the queries below would only meet the same damage again
    return check_rows(db)
