"""What makes a SQLite file ours: its header, its schema, its copies."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING
from urllib.parse import quote

from jiyi.errors import ConflictError, StoreFormatError, StoreUnavailableError
from jiyi.stores import open_files
from jiyi.stores.sql.migrations import (
    applied,
    apply,
    create_table,
    load_migrations,
    refuse_newer,
)
from jiyi.stores.sqlite_connection import SqliteConnection, driver_errors

if TYPE_CHECKING:
    from jiyi.stores.sql.migrations import Migration

APPLICATION_ID = 0x6A697969  # "jiyi"
_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_AT = 68
_HEADER_BYTES = 100
_KEY_BYTES = 32
_RESTORE_TIMEOUT_S = 30.0
_ABANDONED_S = 600.0  # since the last write to a copy that nobody has locked
_COPY = re.compile(r"\.before-[0-9]{4}(?:(?:\.[0-9a-f]{8})?\.part)?")


def check_header(path: Path, *, read_only: bool) -> None:
    """Refuse a file that is not ours before anything is written; a missing or empty one is new.

    The header is read as bytes, because opening a foreign database may already write beside it.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        if read_only:
            raise StoreUnavailableError(f"{path}: there is no such file to read") from None
        if not path.absolute().parent.is_dir():
            raise StoreUnavailableError(
                f"{path}: its folder does not exist. Make it first"
            ) from None
        return
    except OSError as exc:
        raise StoreUnavailableError(f"{path} cannot be opened: {exc.strerror}") from exc
    if not header and not read_only:
        return
    if path.with_name(path.name + "-journal").exists():
        return  # its making was interrupted: SQLite rolls it back, and the schema is looked at
    at = _APPLICATION_ID_AT
    ours = header[at : at + 4] == APPLICATION_ID.to_bytes(4, "big")
    if not header.startswith(_MAGIC) or not ours:
        raise StoreFormatError(
            f"{path} is not a jiyi store. Choose another path. Nothing was changed"
        )


def prepare(db: SqliteConnection, path: Path | None, *, read_only: bool) -> bytes:
    """Make or migrate the schema. Returns the store's key."""
    known = load_migrations("sqlite")
    where = str(path) if path else "the store"
    if _is_empty(db):
        if read_only:
            raise StoreFormatError(f"{where} is empty. Nothing was changed")
        _create(db, known, in_memory=path is None)
    else:
        application_id = db.one("PRAGMA application_id", {})
        if application_id != (APPLICATION_ID,):
            raise StoreFormatError(
                f"{where} is not a jiyi store. Choose another path. Nothing was changed"
            )
        refuse_newer(applied(db), known, where)
        _migrate(db, path, known, read_only=read_only)
    row = db.one("SELECT value FROM meta WHERE name = 'key'", {})
    if row is None:
        raise StoreFormatError(f"{where} has lost its key. Restore a backup")
    return bytes(row[0])


def _is_empty(db: SqliteConnection) -> bool:
    return db.one("SELECT 1 FROM sqlite_master LIMIT 1", {}) is None


def _create(db: SqliteConnection, known: tuple[Migration, ...], *, in_memory: bool) -> None:
    with driver_errors(db.what):
        # Must come before the first table; it lets purge() give pages back.
        db.raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
        # In one transaction, under the old journal, so that the header is in the file at once.
        db.raw.execute("BEGIN IMMEDIATE")
        try:
            db.raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.run("CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL)", {})
            db.run("INSERT INTO meta VALUES ('key', :key)", {"key": os.urandom(_KEY_BYTES)})
            create_table(db)
            for migration in known:
                apply(db, migration)
            db.raw.execute("COMMIT")
        except BaseException:
            if db.raw.in_transaction:
                db.raw.execute("ROLLBACK")
            raise
        if not in_memory:
            db.raw.execute("PRAGMA journal_mode = WAL").fetchone()


def _migrate(
    db: SqliteConnection, path: Path | None, known: tuple[Migration, ...], *, read_only: bool
) -> None:
    version = applied(db)
    waiting = [migration for migration in known if migration.version > version]
    if read_only:
        if waiting:
            raise StoreFormatError(
                f"{db.what} has schema version {version}; this program needs"
                f" {known[-1].version}. Open it once for writing to migrate it"
            )
        return
    with driver_errors(db.what):
        db.raw.execute("PRAGMA journal_mode = WAL").fetchone()
    if waiting and path is not None:
        copy = path.with_name(f"{path.name}.before-{waiting[0].version:04d}")
        if not copy.exists():  # one from an interrupted run is complete: it is renamed last
            copy_database(db, copy)
    for migration in waiting:
        with driver_errors(db.what):
            db.raw.execute("BEGIN IMMEDIATE")
            try:
                apply(db, migration)
                db.raw.execute("COMMIT")
            except BaseException:
                if db.raw.in_transaction:
                    db.raw.execute("ROLLBACK")
                raise


def drop_backups(db: SqliteConnection, path: Path) -> tuple[str, ...]:
    """Delete what migrations copied, for it still holds what is erased; what stays, with why.

    The way back is given up only for a store that is whole.
    """
    copies = sorted(each for each in path.parent.iterdir() if _is_copy(each.name, path.name))
    if not copies:
        return ()
    with driver_errors(db.what):
        whole = db.raw.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    left = []
    for copy in copies:
        if not whole:
            left.append(f"{copy} still holds it, and stays because the store is damaged")
            continue
        try:
            copy.unlink(missing_ok=True)
        except OSError as exc:
            left.append(f"{copy} still holds it, and cannot be deleted: {exc.strerror}")
    return tuple(left)


def _is_copy(name: str, store: str) -> bool:
    """Whether a file is a copy that a migration made, or a part of one that was interrupted."""
    return name.startswith(f"{store}.before-") and bool(_COPY.fullmatch(name[len(store) :]))


def copy_database(db: SqliteConnection, target: Path) -> None:
    """Copy a database that may be in use, verify the copy, and only then give it its name.

    Raises:
        ConflictError: another copy got that name meanwhile.
    """
    _drop_parts(target)
    # Each copy has a part of its own: two may be made at once.
    part = target.with_name(f"{target.name}.{token_hex(4)}.part")
    try:
        with driver_errors(str(target)):
            copy = sqlite3.connect(part, isolation_level=None)
            try:
                db.raw.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE").fetchone()
                verify(copy, target)
            finally:
                copy.close()
        try:
            os.link(part, target)
        except FileExistsError:
            raise ConflictError(f"{target} exists already. Choose another name") from None
        except OSError:  # a file system without links
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _drop_parts(target: Path) -> None:
    """Delete what copies to this name left behind when they were killed."""
    name = re.compile(re.escape(target.name) + r"\.[0-9a-f]{8}\.part")
    for part in [each for each in target.parent.iterdir() if name.fullmatch(each.name)]:
        with suppress(OSError):  # it went away, or it is not ours to delete
            if time.time() - part.stat().st_mtime > _ABANDONED_S and not _in_use(part):
                part.unlink()


def _in_use(part: Path) -> bool:
    """Whether somebody writes or verifies a copy. Looking takes back a write that was cut off."""
    try:
        with closing(sqlite3.connect(part, timeout=0.0, isolation_level=None)) as raw:
            raw.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:  # it never became a database
        return False
    return False


def verify(raw: sqlite3.Connection, what: Path) -> None:
    """Raise StoreFormatError unless the database is whole."""
    problems = [row[0] for row in raw.execute("PRAGMA integrity_check(10)") if row[0] != "ok"]
    if problems:
        raise StoreFormatError(f"{what} is damaged: {'; '.join(problems)}")


def log_size(path: Path) -> int:
    """The size of the write-ahead log in bytes; 0 when there is none."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size
    except FileNotFoundError:
        return 0


def restore_file(backup: Path, target: Path, *, replace: bool) -> None:
    """Put a backup in the place of a store. See `restore_sqlite`."""
    if target.exists() and not replace:
        raise ConflictError(f"{target} exists. Say so if the backup is to replace it")
    if not open_files.is_open(backup):
        check_header(backup, read_only=True)
    with driver_errors(str(backup)):
        source = sqlite3.connect(f"file:{quote(str(backup.absolute()))}?mode=ro", uri=True)
        try:
            verify(source, backup)
            refuse_newer(
                applied(SqliteConnection(source, str(backup))),
                load_migrations("sqlite"),
                str(backup),
            )
            _copy_into(source, target)
        finally:
            source.close()


def _copy_into(source: sqlite3.Connection, target: Path) -> None:
    """Copy over a store that others may have open: they see the change as one transaction."""
    with driver_errors(str(target)):
        fresh = not target.exists()
        into = sqlite3.connect(target, isolation_level=None, timeout=_RESTORE_TIMEOUT_S)
        try:
            if fresh:
                into.execute("PRAGMA auto_vacuum = INCREMENTAL")
            source.backup(into)
            into.execute("PRAGMA journal_mode = WAL").fetchone()
            # Caches in other processes compare these numbers; no earlier state had them.
            into.execute("UPDATE space SET erased = erased + :much", {"much": time.time_ns()})
        finally:
            into.close()
