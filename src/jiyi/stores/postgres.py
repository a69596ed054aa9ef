"""The PostgreSQL store: one schema of a database, many machines, writers of one space in line.

The tables and the SQL are those of the SQLite store. Readers get one snapshot (REPEATABLE READ);
a writer holds the row of the space that it looks at or changes, so that writers of one space come
one after the other and writers of different spaces run side by side.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from jiyi.errors import InvalidInputError, StoreClosedError, StoreUnavailableError
from jiyi.ports import Capability
from jiyi.stores.postgres_connection import (
    PostgresConnection,
    PostgresDialect,
    adapt,
    case_folding,
    our_errors,
)
from jiyi.stores.postgres_schema import prepare
from jiyi.stores.sql.hashing import TermHash
from jiyi.stores.sql.health import check_rows, repair_rows
from jiyi.stores.sql.layout import LayoutCache
from jiyi.stores.sql.migrations import applied
from jiyi.stores.sql.session import StoreState
from jiyi.stores.sql.tails import Tails
from jiyi.stores.sql.transactions import SqlReader, SqlWriter
from jiyi.stores.sql.vector_cache import VectorCache
from jiyi.types import Finding

if TYPE_CHECKING:
    from types import TracebackType

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_SIZE = """
SELECT COALESCE(sum(pg_total_relation_size(c.oid)), 0)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = :schema AND c.relkind = 'r'
"""
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = :schema ORDER BY tablename"
_OLD_SNAPSHOTS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL
"""
_LEFT_IN_FILES = (
    "removed rows cannot be read any more, but their bytes may stay in table files until PostgreSQL"
    " uses the room again (VACUUM FULL rewrites the files), and in its write-ahead log"
)
_open_stores: weakref.WeakSet[PostgresStore] = weakref.WeakSet()
# Pools of the parent process: a child must neither use nor close them.
_left_behind: list[object] = []


def open_postgres(
    url: str,
    *,
    schema: str | None = None,
    timeout_s: float = 10.0,
    pool_size: int = 16,
    read_only: bool = False,
) -> PostgresStore:
    """Open a store in a schema of a database, making the schema when there is none.

    Args:
        url: `postgresql://user@host/database`, with libpq's parameters; `?schema=name` may name
            the schema too.
        schema: the schema that holds our tables and nothing else; "jiyi" by default.
        timeout_s: how long to wait for a connection, and for other writers of a space, in seconds.
        pool_size: the most connections this store opens. A thread that reads inside a write needs
            two.
        read_only: never write; the schema must be there.

    Raises:
        InvalidInputError: the URL or a parameter is wrong.
        StoreUnavailableError: the server cannot be reached.
        StoreFormatError: the schema is not ours, or comes from a newer program.
    """
    conninfo, named = _split_schema(url)
    if pool_size < 1:
        raise InvalidInputError("pool_size", f"{pool_size} connections", "Allow one or more")
    return PostgresStore(
        conninfo,
        schema=schema or named or "jiyi",
        timeout_s=timeout_s,
        pool_size=pool_size,
        read_only=read_only,
    )


class PostgresStore:
    """A store in a schema of a PostgreSQL database. See `jiyi.ports.Store`."""

    capabilities = frozenset({Capability.MANY_PROCESSES, Capability.SELF_CHECK})

    def __init__(
        self, conninfo: str, *, schema: str, timeout_s: float, pool_size: int, read_only: bool
    ) -> None:
        self.schema = schema
        self.read_only = read_only
        self.capabilities = self.capabilities | ({Capability.READ_ONLY} if read_only else set())
        self._conninfo = conninfo
        self._timeout_s = timeout_s
        self._pool_size = pool_size
        self._closed = False
        self._reach()
        self._pool = self._new_pool()
        try:
            with self._connection() as db:
                fold = case_folding(db)
                key = prepare(db, schema, read_only=read_only)
                self._version = applied(db)
        except BaseException:
            self._pool.close()
            raise
        self._dialect = PostgresDialect(fold)
        self._state = StoreState(TermHash(key), key, VectorCache(), LayoutCache())
        _open_stores.add(self)

    # --- transactions ---------------------------------------------------------------------------

    @contextmanager
    def read(self) -> Iterator[SqlReader]:
        """A consistent snapshot, for as long as the block runs."""
        with self._transaction(_READ, end="ROLLBACK") as db:
            yield SqlReader(db, self._dialect, self._state)

    @contextmanager
    def write(self) -> Iterator[SqlWriter]:
        """A transaction: commits when the block ends, rolls back when it raises."""
        if self.read_only:
            raise StoreUnavailableError(
                f"the schema {self.schema!r} was opened read-only. Open it for writing"
            )
        with self._transaction(_WRITE, end="COMMIT") as db:
            writer = SqlWriter(db, self._dialect, self._state)
            yield writer
            writer.flush()
        writer.committed()

    @contextmanager
    def _transaction(self, begin: str, *, end: str) -> Iterator[PostgresConnection]:
        with self._connection(begin) as db:
            try:
                yield db
                db.run(end, {})
            except BaseException:
                # A lost connection has rolled back by itself; the pool throws it away.
                if not db.raw.closed:
                    db.run("ROLLBACK", {})
                raise

    # --- connections ----------------------------------------------------------------------------

    def _new_pool(self) -> ConnectionPool[psycopg.Connection[Any]]:
        return ConnectionPool(
            self._conninfo,
            kwargs={"autocommit": True, "client_encoding": "UTF8"},
            configure=self._configure,
            min_size=1,
            max_size=self._pool_size,
            timeout=self._timeout_s,
            name=f"jiyi {self.schema}",
            open=False,
        )

    def _configure(self, raw: psycopg.Connection[Any]) -> None:
        adapt(raw)
        path = sql.Identifier(self.schema).as_string(raw)
        milliseconds = f"{max(1, round(self._timeout_s * 1000))}ms"
        raw.execute(
            "SELECT set_config('search_path', %s, false), set_config('lock_timeout', %s, false)",
            [path, milliseconds],
        )

    @contextmanager
    def _connection(self, first: str = "SELECT 1") -> Iterator[PostgresConnection]:
        """A connection on which `first` has been run."""
        db = self._started(first)
        try:
            yield db
        finally:
            self._pool.putconn(db.raw)

    def _started(self, first: str, *, again: bool = True) -> PostgresConnection:
        db = self._take()
        try:
            db.run(first, {})
        except BaseException as exc:
            self._pool.putconn(db.raw)
            if not (again and isinstance(exc, StoreUnavailableError)):
                raise
        else:
            return db
        # The server may have cut what lay in the pool. Nothing was asked of it yet, so another
        # one may be, after the pool has looked at all it has.
        self._pool.check()
        return self._started(first, again=False)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError

    def _take(self) -> PostgresConnection:
        self._check_open()
        try:
            self._pool.open()
            return PostgresConnection(self._pool.getconn())
        except PoolTimeout as exc:
            raise self._why_none() from exc
        except PoolClosed as exc:
            raise StoreClosedError from exc

    def _why_none(self) -> StoreUnavailableError:
        """Why no connection came: the server's own answer, or too many users of the pool."""
        self._reach()
        return StoreUnavailableError(
            f"all {self._pool_size} connections were in use for {self._timeout_s:g} seconds. Try"
            " again, or raise pool_size"
        )

    def _reach(self) -> None:
        """Raise the server's own words when it cannot be reached; a pool would only time out."""
        with our_errors():
            psycopg.connect(self._conninfo, connect_timeout=max(2, round(self._timeout_s))).close()

    def _after_fork(self) -> None:
        """In a child: leave the parent's connections alone and start with fresh ones."""
        _left_behind.append(self._pool)
        self._pool = self._new_pool()
        self._state.vector_cache = VectorCache()
        self._state.layout_cache = LayoutCache()
        self._state.tails = Tails()

    # --- the whole store ------------------------------------------------------------------------

    def schema_version(self) -> int:
        """The number of the newest migration in the store."""
        return self._version

    def bytes_on_disk(self) -> int | None:
        """The size of our tables with their indexes."""
        with self._connection() as db:
            row = db.one(_SIZE, {"schema": self.schema})
        return None if row is None else int(row[0])

    def purge(self) -> tuple[str, ...]:
        """VACUUM our tables, and say what it leaves: see `docs/postgresql.md`."""
        self._state.term_hash.forget()
        with self._connection() as db:
            for (table,) in db.all(_TABLES, {"schema": self.schema}):
                name = sql.Identifier(self.schema, table).as_string(db.raw)
                db.run(f"VACUUM {name}", {})
            row = db.one(_OLD_SNAPSHOTS, {})
        pending = [_LEFT_IN_FILES]
        if row is not None and row[0]:
            pending.append(
                f"{row[0]} other transactions look at an older state of the database, which VACUUM"
                " has to keep; purge() again when they are done"
            )
        return tuple(pending)

    def check(self) -> list[Finding]:
        """Look for damage: orphans, stale indexes, stuck work. Empty when all is well.

        Reads the whole store; changes nothing. The files are PostgreSQL's own care.
        """
        with self.read() as reader:
            return check_rows(reader.connection)

    def repair(self) -> dict[str, int]:
        """Delete the orphans that `check` finds. Returns rows by the name of the finding."""
        with self.write() as writer:
            return repair_rows(writer.connection)

    def close(self) -> None:
        """Close every connection; what was committed stays. Closing twice is fine."""
        if self._closed:
            return
        self._closed = True
        self._pool.close()
        self._state.vector_cache.clear()
        self._state.layout_cache.clear()
        self._state.tails.clear()
        self._state.term_hash.forget()

    def __enter__(self) -> PostgresStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _split_schema(url: str) -> tuple[str, str | None]:
    """The URL as libpq takes it, and the schema that its query names."""
    try:
        parts = urlsplit(url)
    except ValueError as exc:
        raise InvalidInputError("target", str(exc), "See libpq's URLs") from exc
    if parts.scheme not in ("postgresql", "postgres"):
        raise InvalidInputError("target", f"{url!r} is no PostgreSQL URL", "Use postgresql://…")
    query = parse_qsl(parts.query, keep_blank_values=True)
    named = next((value for name, value in query if name == "schema"), None)
    rest = urlencode([pair for pair in query if pair[0] != "schema"], quote_via=quote)
    conninfo = urlunsplit(parts._replace(query=rest))
    try:
        conninfo_to_dict(conninfo)
    except psycopg.ProgrammingError as exc:
        raise InvalidInputError("target", str(exc).strip(), "See libpq's URLs") from exc
    return conninfo, named


def _after_fork_in_child() -> None:
    for store in list(_open_stores):
        store._after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)
