"""What makes a schema of a PostgreSQL database ours: its tables, its key, its migrations."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from psycopg import sql

from jiyi.errors import StoreFormatError
from jiyi.stores.postgres_connection import our_errors
from jiyi.stores.sql.migrations import (
    applied,
    apply,
    create_table,
    load_migrations,
    refuse_newer,
)

if TYPE_CHECKING:
    from jiyi.stores.postgres_connection import PostgresConnection
    from jiyi.stores.sql.migrations import Migration

_KEY_BYTES = 32
_HAS_TABLE = "SELECT 1 FROM pg_tables WHERE schemaname = :schema AND tablename = :table"
_HAS_ANY = "SELECT 1 FROM pg_tables WHERE schemaname = :schema LIMIT 1"
_HAS_SCHEMA = "SELECT 1 FROM pg_namespace WHERE nspname = :schema"


def prepare(db: PostgresConnection, schema: str, *, read_only: bool) -> bytes:
    """Make or migrate the schema, one process at a time. Returns the store's key."""
    known = load_migrations("postgres")
    where = f"the schema {schema!r}"
    _check_encoding(db)
    if not _is_current(db, schema, known):
        if read_only:
            raise StoreFormatError(
                f"{where} is not there, or older than this program. Open it once for writing"
            )
        with our_errors(), db.raw.transaction():
            db.one(
                "SELECT pg_advisory_xact_lock(hashtext('jiyi'), hashtext(:schema))",
                {"schema": schema},
            )
            if not _is_current(db, schema, known):
                _bring_up_to_date(db, schema, known, where)
    row = db.one("SELECT value FROM meta WHERE name = 'key'", {})
    if row is None:
        raise StoreFormatError(f"{where} has lost its key. Restore a backup")
    return bytes(row[0])


def _check_encoding(db: PostgresConnection) -> None:
    row = db.one("SHOW server_encoding", {})
    if row != ("UTF8",):
        raise StoreFormatError(
            f"the database is encoded in {row[0] if row else 'nothing'}; we need UTF8."
            " Make another database WITH ENCODING 'UTF8'"
        )


def _is_current(db: PostgresConnection, schema: str, known: tuple[Migration, ...]) -> bool:
    if db.one(_HAS_TABLE, {"schema": schema, "table": "meta"}) is None:
        return False
    refuse_newer(applied(db), known, f"the schema {schema!r}")
    return applied(db) == known[-1].version


def _bring_up_to_date(
    db: PostgresConnection, schema: str, known: tuple[Migration, ...], where: str
) -> None:
    if db.one(_HAS_TABLE, {"schema": schema, "table": "meta"}) is None:
        if db.one(_HAS_ANY, {"schema": schema}) is not None:
            raise StoreFormatError(
                f"{where} holds other tables. Name an empty or a new one with ?schema=…"
                " Nothing was changed"
            )
        if db.one(_HAS_SCHEMA, {"schema": schema}) is None:
            db.run(f"CREATE SCHEMA {sql.Identifier(schema).as_string(db.raw)}", {})
        db.run("CREATE TABLE meta (name TEXT PRIMARY KEY, value BYTEA NOT NULL)", {})
        db.run("INSERT INTO meta VALUES ('key', :key)", {"key": os.urandom(_KEY_BYTES)})
        create_table(db)
    version = applied(db)
    for migration in known:
        if migration.version > version:
            apply(db, migration)
