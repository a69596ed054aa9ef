"""An open SQLite store: connections, transactions, fair turns, and what a fork may not share."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Self
from urllib.parse import quote

from jiyi.errors import StoreClosedError, StoreUnavailableError
from jiyi.ports import Capability
from jiyi.stores import open_files
from jiyi.stores.network_drive import network_drive
from jiyi.stores.process_gate import ProcessGate
from jiyi.stores.sql.hashing import TermHash
from jiyi.stores.sql.layout import LayoutCache
from jiyi.stores.sql.migrations import applied
from jiyi.stores.sql.session import StoreState
from jiyi.stores.sql.tails import Tails
from jiyi.stores.sql.transactions import SqlReader, SqlWriter
from jiyi.stores.sql.vector_cache import VectorCache
from jiyi.stores.sqlite_connection import (
    SqliteConnection,
    SqliteDialect,
    driver_errors,
    is_busy,
    translate,
)
from jiyi.stores.sqlite_file import check_header, prepare
from jiyi.stores.writer_lock import FairLock

logger = logging.getLogger("jiyi")

Synchronous = Literal["full", "normal"]
_KEPT_READERS = 8
_CACHED_STATEMENTS = 256
_CACHE_KIB = 8192  # holds the inner pages and the growing ends of all indexes at 100,000 memories
_BEGIN_POLL_S = 0.0001
_open_stores: weakref.WeakSet[SqliteHandle] = weakref.WeakSet()
# Connections of the parent process: a child must neither use nor close them.
_left_behind: list[object] = []


class SqliteHandle:
    """An open store: its connections, its transactions, its place in a process."""

    def __init__(
        self, path: Path | None, *, timeout_s: float, synchronous: Synchronous, read_only: bool
    ) -> None:
        # The same file also when the program changes its folder.
        self.path = path if path is None else path.absolute()
        self.read_only = read_only
        self._timeout_s = timeout_s
        self._synchronous = synchronous
        self._what = str(path) if path else "the in-memory store"
        self._dialect = SqliteDialect()
        self._closed = False
        self._identity: open_files.Identity | None = None
        self._reset()
        capabilities = {
            Capability.PHYSICAL_ERASE,
            Capability.ONLINE_BACKUP,
            Capability.SELF_CHECK,
        }
        if read_only:
            capabilities.add(Capability.READ_ONLY)
        if path is not None:
            capabilities.add(Capability.MANY_PROCESSES)
        self.capabilities = frozenset(capabilities)
        if path is not None:
            self._look_at_file(path)
        with self._first_turn(), open_files.opening():
            db = self._connection() if path is None else self._connect()
            try:
                key = prepare(db, path, read_only=read_only)
                self._version = applied(db)
            except BaseException:
                db.raw.close()
                raise
            if path is not None:
                self._readers.append(db)
                self._identity = open_files.identity_of(path)
                open_files.enter(self._identity)
        self._state = StoreState(TermHash(key), key, VectorCache(), LayoutCache())
        _open_stores.add(self)

    def _reset(self) -> None:
        """Locks and connections of this process; nothing is shared with another."""
        self._lock = FairLock()
        self._pool_lock = threading.Lock()
        self._readers: list[SqliteConnection] = []
        self._writer: SqliteConnection | None = None
        self._only: SqliteConnection | None = None
        self._turn = threading.RLock()  # of the one connection of an in-memory store
        self._gate = None if self.path is None else ProcessGate(side_file(self.path))

    # --- transactions ---------------------------------------------------------------------------

    @contextmanager
    def read(self) -> Iterator[SqlReader]:
        """A consistent snapshot, for as long as the block runs."""
        if self.path is None:
            with self._alone() as db:
                yield SqlReader(db, self._dialect, self._state)
            return
        db = self._take_reader()
        try:
            with driver_errors(self._what):
                db.raw.execute("BEGIN")
            yield SqlReader(db, self._dialect, self._state)
        finally:
            self._give_reader(db)

    @contextmanager
    def write(self) -> Iterator[SqlWriter]:
        """A transaction: commits when the block ends, rolls back when it raises."""
        self._check_open()
        if self.read_only:
            raise StoreUnavailableError(f"{self._what} was opened read-only. Open it for writing")
        with self._alone() if self.path is None else self._in_turn() as db:
            writer = SqlWriter(db, self._dialect, self._state)
            try:
                yield writer
                writer.flush()
                with driver_errors(self._what):
                    db.raw.execute("COMMIT")
                writer.committed()
            except BaseException:
                self._roll_back(db)
                raise

    @contextmanager
    def _in_turn(self) -> Iterator[SqliteConnection]:
        """The writing connection of a file in a transaction, when this thread's turn has come."""
        deadline = time.monotonic() + self._timeout_s
        with self._writing() as db:
            self._begin_fairly(db, deadline)
            yield db

    def _begin_fairly(self, db: SqliteConnection, deadline: float) -> None:
        """Begin to write, after the other processes that came before."""
        with self._at_gate(deadline):
            self._begin_immediate(db, deadline)

    @contextmanager
    def _at_gate(self, deadline: float) -> Iterator[None]:
        """Inside it nobody else, in any process, may begin to write."""
        assert self._gate is not None  # noqa: S101 - a store with a path has a gate
        if not self._gate.acquire(deadline):
            raise self._too_busy()
        try:
            yield
        finally:
            self._gate.release()

    def _begin_immediate(self, db: SqliteConnection, deadline: float) -> None:
        """Poll for SQLite's write lock; the gate makes this process the only one of ours to do so,
        so a short pause is fair and a long one is not needed."""
        while True:
            try:
                db.raw.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as exc:
                if not is_busy(exc):
                    raise translate(exc, self._what) from exc
                if time.monotonic() >= deadline:
                    raise self._too_busy() from exc
                time.sleep(_BEGIN_POLL_S)
            else:
                return

    def _roll_back(self, db: SqliteConnection) -> None:
        # A full disk or a damaged page may have ended the transaction already.
        if db.raw.in_transaction:
            with driver_errors(self._what):
                db.raw.execute("ROLLBACK")

    @contextmanager
    def _alone(self) -> Iterator[SqliteConnection]:
        """The one connection of an in-memory store in a transaction: threads take turns on it, and
        what a thread opens inside its own transaction is part of that."""
        with self._turn:
            db = self._connection()
            if db.raw.in_transaction:
                yield db
                return
            with driver_errors(self._what):
                db.raw.execute("BEGIN IMMEDIATE")
            try:
                yield db
            finally:
                self._roll_back(db)

    # --- connections ----------------------------------------------------------------------------

    def _look_at_file(self, path: Path) -> None:
        """Refuse what is not ours before anything is made beside it."""
        with open_files.opening():
            if open_files.is_open(path):  # reading the header here would drop locks on it
                return
            check_header(path, read_only=self.read_only)
        if kind := network_drive(path):
            logger.warning(
                "%s lies on a network drive (%s), where SQLite may lose data. Keep it on a local"
                " disk, or use PostgreSQL",
                path,
                kind,
            )

    @contextmanager
    def _first_turn(self) -> Iterator[None]:
        """One process at a time looks at a file and brings its schema up to date."""
        if self._gate is None or self.read_only:
            yield
            return
        if not self._gate.acquire(time.monotonic() + self._timeout_s):
            self._gate.close()
            raise self._too_busy()
        try:
            yield
        except BaseException:
            self._gate.close()
            raise
        self._gate.release()

    def _connection(self) -> SqliteConnection:
        self._check_open()
        if self._only is None:
            if hasattr(self, "_state"):
                raise StoreClosedError  # in a forked child: memory does not cross over
            self._only = self._connect()
        return self._only

    def _connect(self) -> SqliteConnection:
        """A new connection. It waits while another repairs the log or removes it, as the first and
        the last connection of all do."""
        with driver_errors(self._what):
            if self.path is None:
                raw = sqlite3.connect(
                    ":memory:",
                    isolation_level=None,
                    check_same_thread=False,
                    cached_statements=_CACHED_STATEMENTS,
                )
            else:
                mode = "ro" if self.read_only else "rwc"
                raw = sqlite3.connect(
                    f"file:{quote(str(self.path))}?mode={mode}",
                    uri=True,
                    isolation_level=None,
                    check_same_thread=False,
                    timeout=self._timeout_s,
                    cached_statements=_CACHED_STATEMENTS,
                )
            try:
                raw.execute("PRAGMA secure_delete = ON")
                raw.execute("PRAGMA temp_store = MEMORY")
                raw.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
                raw.execute(f"PRAGMA synchronous = {self._synchronous.upper()}")
            except BaseException:
                raw.close()
                raise
        return SqliteConnection(raw, self._what)

    def _connect_writer(self) -> SqliteConnection:
        """A connection that begins to write by asking often (`_begin_immediate`): SQLite's own
        pauses are long. Nothing that may find the file busy is done on it in any other way."""
        db = self._connect()
        with driver_errors(self._what):
            db.raw.execute("PRAGMA busy_timeout = 0").fetchone()
        return db

    def _take_reader(self) -> SqliteConnection:
        self._check_open()
        with self._pool_lock:
            if self._readers:
                return self._readers.pop()
        return self._connect()

    def _give_reader(self, db: SqliteConnection) -> None:
        self._roll_back(db)
        with self._pool_lock:
            if not self._closed and len(self._readers) < _KEPT_READERS:
                self._readers.append(db)
                return
        db.raw.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError
        # What is written into a file that was removed or replaced would be lost without a word.
        if self.path is not None and open_files.identity_of(self.path) != self._identity:
            raise StoreUnavailableError(
                f"{self._what}: its file was removed or replaced while it was open. Put it back, or"
                " open it anew (`jiyi restore` replaces a store that is in use)"
            )

    def _too_busy(self) -> StoreUnavailableError:
        return StoreUnavailableError(
            f"{self._what}: other writers held it for {self._timeout_s:g} seconds. Try again, or"
            " raise timeout_s"
        )

    def _after_fork(self) -> None:
        """In a child: leave the parent's connections alone and start with fresh ones."""
        _left_behind.extend((self._readers, self._writer, self._only))
        gate = self._gate
        self._reset()
        if gate is not None:
            gate.close()
        open_files.enter(self._identity)
        self._state.vector_cache = VectorCache()
        self._state.layout_cache = LayoutCache()
        self._state.tails = Tails()

    @contextmanager
    def _writing(self) -> Iterator[SqliteConnection]:
        """The writing connection, with the other writers of this process in line."""
        self._check_open()
        if not self._lock.acquire(self._timeout_s):
            raise self._too_busy()
        try:
            self._check_open()
            if self._writer is None:
                self._writer = self._connect_writer()
            yield self._writer
        finally:
            self._lock.release()

    def close(self) -> None:
        """Close every connection; what was committed stays. Closing twice is fine."""
        if self._closed:
            return
        in_time = self._lock.acquire(self._timeout_s)
        try:
            self._closed = True
            with self._pool_lock:
                connections = [*self._readers, self._writer, self._only]
                self._readers.clear()
            with open_files.opening():
                for db in connections:
                    if db is not None:
                        db.raw.close()
                open_files.leave(self._identity)
            self._writer = self._only = None
            if self._gate is not None:
                self._gate.close()
            self._state.vector_cache.clear()
            self._state.layout_cache.clear()
            self._state.tails.clear()
            self._state.term_hash.forget()
        finally:
            if in_time:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def side_file(path: Path) -> Path:
    """The file beside a store that its writers lock. It stays empty."""
    return path.with_name(path.name + "-lock")


def _after_fork_in_child() -> None:
    open_files.after_fork()
    for store in list(_open_stores):
        store._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
