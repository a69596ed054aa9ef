"""Ordered, named, transactional changes of the schema, kept as SQL files beside this module."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from jiyi.errors import StoreFormatError

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Connection

_TABLE = """
CREATE TABLE IF NOT EXISTS schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its number, its name, and its statements in order."""

    version: int
    name: str
    statements: tuple[str, ...]


def load_migrations(folder: str) -> tuple[Migration, ...]:
    """The migrations of `stores/sql/<folder>`, files named like `0001_initial.sql`.

    A statement ends with a semicolon at the end of a line.
    """
    found = []
    for entry in files("jiyi.stores.sql").joinpath(folder).iterdir():
        if entry.name.endswith(".sql"):
            number, _, name = entry.name.removesuffix(".sql").partition("_")
            found.append(Migration(int(number), name, _statements(entry.read_text("utf-8"))))
    return tuple(sorted(found, key=lambda migration: migration.version))


def _statements(script: str) -> tuple[str, ...]:
    lines = [line for line in script.splitlines() if not line.lstrip().startswith("--")]
    parts = "\n".join(lines).split(";\n")
    return tuple(text for part in parts if (text := part.strip().rstrip(";").strip()))


def applied(db: Connection) -> int:
    """The number of the newest migration that the store has; 0 for an empty one."""
    row = db.one("SELECT MAX(version) FROM schema_migration", {})
    return int(row[0] or 0) if row else 0


def create_table(db: Connection) -> None:
    """Make the list of applied migrations, in an empty store."""
    db.run(_TABLE, {})


def apply(db: Connection, migration: Migration) -> None:
    """Run one migration and note it, inside the caller's transaction."""
    for statement in migration.statements:
        db.run(statement, {})
    db.run(
        "INSERT INTO schema_migration (version, name) VALUES (:version, :name)",
        {"version": migration.version, "name": migration.name},
    )


def refuse_newer(version: int, known: tuple[Migration, ...], where: str) -> None:
    """Raise StoreFormatError when a store has migrations this program does not know."""
    newest = known[-1].version
    if version > newest:
        raise StoreFormatError(
            f"{where} has schema version {version}; this program knows up to {newest}."
            " Upgrade jiyi to open it. Nothing was changed"
        )
