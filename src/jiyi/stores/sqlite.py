"""The SQLite store: one file, many readers, one writer at a time, on the standard library."""

from __future__ import annotations

import os
import time
from pathlib import Path

from jiyi.errors import ConflictError, InvalidInputError, StoreUnavailableError
from jiyi.stores import open_files
from jiyi.stores.process_gate import ProcessGate
from jiyi.stores.sql.health import repair_rows
from jiyi.stores.sqlite_check import check_database
from jiyi.stores.sqlite_connection import SqliteConnection, driver_errors
from jiyi.stores.sqlite_file import (
    check_header,
    copy_database,
    drop_backups,
    log_size,
    restore_file,
)
from jiyi.stores.sqlite_handle import SqliteHandle, Synchronous, side_file
from jiyi.stores.sqlite_scrub import scrub
from jiyi.types import Finding

_IN_MEMORY = frozenset({":memory:", "memory:", "memory://"})
_RESTORE_PATIENCE_S = 30.0
_PURGE_PATIENCE_S = 1.0  # how long purge() waits for readers before it says "pending"
_PURGE_POLL_S = 0.01
_HELD_BY_READER = (
    "the write-ahead log still holds erased pages, because a reader is looking at an older state;"
    " purge() again when it is done"
)
# A commit of its own makes every other connection forget the pages it remembers.
_NOTE_PURGE = """
INSERT INTO meta (name, value) VALUES ('purges', 1)
ON CONFLICT (name) DO UPDATE SET value = value + 1
"""


def open_sqlite(
    target: str | os.PathLike[str],
    *,
    timeout_s: float = 10.0,
    synchronous: Synchronous = "full",
    read_only: bool = False,
) -> SqliteStore:
    """Open a store, making the file when there is none.

    Args:
        target: a path, or ":memory:" (also "memory://") for a store without a file.
        timeout_s: how long a writer waits for others, in seconds.
        synchronous: "full" survives a power cut after every commit; "normal" may then lose the
            last commits, never consistency.
        read_only: never write; the file must exist.

    Raises:
        StoreFormatError: the file is not ours, is damaged, or comes from a newer program.
        StoreUnavailableError: it cannot be opened.
    """
    if synchronous not in ("full", "normal"):
        raise InvalidInputError("synchronous", f"{synchronous!r}", "Use 'full' or 'normal'")
    text = os.fspath(target)
    if text in _IN_MEMORY:
        if read_only:
            raise InvalidInputError("read_only", "an in-memory store starts empty", "Leave it out")
        return SqliteStore(None, timeout_s=timeout_s, synchronous=synchronous, read_only=False)
    path = Path(text)
    return SqliteStore(path, timeout_s=timeout_s, synchronous=synchronous, read_only=read_only)


class SqliteStore(SqliteHandle):
    """A store in one SQLite file, or in memory. See `jiyi.ports.Store`."""

    @property
    def waiting_writers(self) -> int:
        """How many writers of this process stand in line."""
        return self._lock.waiting

    def schema_version(self) -> int:
        """The number of the newest migration in the store."""
        return self._version

    def bytes_on_disk(self) -> int | None:
        """The size of the file and its write-ahead log; None in memory."""
        if self.path is None:
            return None
        return self.path.stat().st_size + log_size(self.path)

    def purge(self) -> tuple[str, ...]:
        """Drive erased bytes out of the file and the write-ahead log.

        Gives free pages back, empties the log, clears what SQLite left between rows, and deletes
        the copies that migrations made. Returns what is pending, which is nothing unless a reader
        is looking at an older state, or such a copy has to stay.
        """
        self._state.term_hash.forget()
        if self.path is None:
            return ()
        with self._writing() as db:
            file = open_files.descriptor(self.path)
            # A connection that has read no page yet: the others drop theirs when this one commits.
            fresh = self._connect_writer()
            try:
                left = drop_backups(db, self.path)
                if not self._empty_log(self.path, db, fresh):
                    return (_HELD_BY_READER, *left)
                with driver_errors(self._what):
                    scrub(file)
                    fresh.run(_NOTE_PURGE, {})
                    fresh.raw.execute("COMMIT")
                    db.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                with driver_errors(self._what):
                    fresh.raw.close()
        return left

    def _empty_log(self, path: Path, db: SqliteConnection, fresh: SqliteConnection) -> bool:
        """Give free pages back and empty the log; then `fresh` is in a transaction, and the file is
        the whole truth until that ends. False when a reader is in the way."""
        now = time.monotonic()
        with self._at_gate(now + self._timeout_s):
            self._begin_immediate(db, now + self._timeout_s)
            with driver_errors(self._what):
                try:
                    db.raw.execute("PRAGMA incremental_vacuum").fetchall()
                    db.raw.execute("COMMIT")
                finally:
                    self._roll_back(db)
            # No writer of ours comes through the gate now: only readers can keep the log.
            patience = time.monotonic() + _PURGE_PATIENCE_S
            while time.monotonic() < patience:
                with driver_errors(self._what):
                    busy = db.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
                if not busy:
                    self._begin_immediate(fresh, now + self._timeout_s)
                    if not log_size(path):  # else a program without our gate wrote in between
                        return True
                    self._roll_back(fresh)
                time.sleep(_PURGE_POLL_S)
        return False

    def backup(self, path: str | os.PathLike[str]) -> Path:
        """Copy the store, also while it is in use, and verify the copy.

        Erased content that a later `erase` removes stays in the copy: backups are out of reach.

        Raises:
            ConflictError: there is already a file at `path`.
            StoreUnavailableError: it cannot be written there.
        """
        target = Path(path)
        if target.exists():
            raise ConflictError(f"{target} exists already. Choose another name for the backup")
        if not target.absolute().parent.is_dir():
            raise StoreUnavailableError(f"{target}: its folder does not exist. Make it first")
        if self.path is None:
            with self._turn:
                copy_database(self._connection(), target)
            return target
        self._check_open()
        db = self._connect()
        try:
            copy_database(db, target)
        finally:
            db.raw.close()
        return target

    def check(self) -> list[Finding]:
        """Look for damage: integrity, orphans, stale indexes, stuck work. Empty when all is well.

        Reads the whole store; changes nothing.
        """
        with self.read() as reader:
            return check_database(reader.connection)

    def repair(self) -> dict[str, int]:
        """Delete the orphans that `check` finds. Returns rows by the name of the finding."""
        with self.write() as writer:
            return repair_rows(writer.connection)


def restore_sqlite(
    backup: str | os.PathLike[str], target: str | os.PathLike[str], *, replace: bool = False
) -> None:
    """Put a verified backup in the place of a store, also of one that is in use.

    Others that have the store open see the old state or the restored one, never a mixture.

    Args:
        backup: a file that `SqliteStore.backup` or a migration made.
        target: where the store is to be.
        replace: whether a store that is already there may be overwritten.

    Raises:
        ConflictError: something is there and `replace` was not given.
        StoreFormatError: the backup is not ours, is damaged, or is newer than this program.
    """
    path = Path(target)
    if path.exists() and not open_files.is_open(path):
        check_header(path, read_only=False)
    gate = ProcessGate(side_file(path))
    try:
        if not gate.acquire(time.monotonic() + _RESTORE_PATIENCE_S):
            raise StoreUnavailableError(f"{path}: other writers hold it. Try again")
        restore_file(Path(backup), path, replace=replace)
    finally:
        gate.close()
