"""Statements for rows that leave most of their columns at NULL.

sqlite3 takes longer to bind one None than SQLite to store it, and a row of `memory` has forty of
them. So a statement names only the columns that hold something, or that change; there are as many
statements as combinations, each made once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Connection

_MOST_STATEMENTS = 1024


def insert(db: Connection, table: str, row: Mapping[str, Any], *, or_nothing: bool = False) -> int:
    """Add a row; None stands for columns that are NULL by default. Returns how many were added,
    which is 0 when `or_nothing` met a row that is already there."""
    present = {name: value for name, value in row.items() if value is not None}
    return db.run(_insert(table, tuple(present), or_nothing), present)


def update(db: Connection, table: str, key: int, changes: Mapping[str, Any]) -> None:
    """Change columns of the row with this `key`; indexes on other columns stay untouched."""
    if changes:
        present = {name: value for name, value in changes.items() if value is not None}
        emptied = tuple(name for name in changes if name not in present)
        db.run(_update(table, tuple(present), emptied), present | {"key": key})


@lru_cache(maxsize=_MOST_STATEMENTS)
def _insert(table: str, names: tuple[str, ...], or_nothing: bool) -> str:
    values = ", ".join(f":{name}" for name in names)
    ending = " ON CONFLICT DO NOTHING" if or_nothing else ""
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values}){ending}"  # noqa: S608


@lru_cache(maxsize=_MOST_STATEMENTS)
def _update(table: str, names: tuple[str, ...], emptied: tuple[str, ...]) -> str:
    settings = [f"{name} = :{name}" for name in names] + [f"{name} = NULL" for name in emptied]
    return f"UPDATE {table} SET {', '.join(settings)} WHERE key = :key"  # noqa: S608
