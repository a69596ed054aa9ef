"""What only PostgreSQL has: schemas, pools, row locks, lost connections, VACUUM."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
import psycopg
import pytest
from psycopg import sql

from jiyi import Memory
from jiyi.errors import (
    InvalidInputError,
    StoreError,
    StoreFormatError,
    StoreUnavailableError,
)
from jiyi.ids import new_id
from jiyi.ports import Capability, Store
from jiyi.stores import postgres_schema
from jiyi.stores.postgres import PostgresStore, open_postgres
from jiyi.stores.sql.migrations import Migration, load_migrations
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    fingerprint,
    later,
    put,
    residence,
    say,
    select,
    texts,
    unit_texts,
)
from jiyi.types import Draft, Scope, Source

NEWEST = load_migrations("postgres")[-1].version
WORD = f"w{new_id()[-12:]}"  # found in no other test's rows of the same server


@pytest.fixture
def schema(postgres_url: str) -> Iterator[str]:
    """The name of a schema that does not exist yet, dropped at the end."""
    name = f'test "{new_id()[-12:]}" 模式'
    yield name
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        statement = sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE")
        connection.execute(statement.format(sql.Identifier(name)))


@pytest.fixture
def store(postgres_url: str, schema: str) -> Iterator[PostgresStore]:
    with open_postgres(postgres_url, schema=schema) as store:
        yield store


def execute(url: str, statement: str, *names: str) -> list[tuple[object, ...]]:
    """Run a statement beside the store; `{}` stand for identifiers."""
    with psycopg.connect(url, autocommit=True) as connection:
        composed = sql.SQL(statement).format(*(sql.Identifier(name) for name in names))  # type: ignore[arg-type]
        cursor = connection.execute(composed)
        return cursor.fetchall() if cursor.description else []


# --- opening ---------------------------------------------------------------------------------


def test_capabilities(store: PostgresStore) -> None:
    """Many processes write; copies and physical erasure are the server's business."""
    assert store.capabilities == {Capability.MANY_PROCESSES, Capability.SELF_CHECK}
    assert store.schema_version() >= 1
    size = store.bytes_on_disk()
    assert size is not None
    assert size > 0


def test_url_may_name_the_schema(postgres_url: str, schema: str) -> None:
    """`?schema=` is ours, the rest of the query is libpq's."""
    with open_postgres(f"{postgres_url}&schema={quote(schema)}") as store:
        assert store.schema == schema
        with store.write() as writer:
            put(writer, ANN, "fact")
    with open_postgres(postgres_url, schema=schema) as store, store.read() as reader:
        assert texts(reader, ANN) == ["fact"]


@pytest.mark.parametrize(
    "url", ["mysql://x", "agent.db", "postgresql://h/d?nonsense=1", "postgresql://[half"]
)
def test_wrong_urls(url: str) -> None:
    """A URL that leads nowhere is refused by name before anything is asked of a server."""
    with pytest.raises(InvalidInputError) as caught:
        open_postgres(url)
    assert caught.value.field == "target"


def test_unreachable_server(tmp_path: Path) -> None:
    """No server: one clear error, in the server's or the driver's words."""
    with pytest.raises(StoreUnavailableError, match="PostgreSQL"):
        open_postgres(f"postgresql://x@/x?host={tmp_path}", timeout_s=1)


def test_foreign_schema(postgres_url: str, schema: str) -> None:
    """A schema with other people's tables is left alone."""
    execute(postgres_url, "CREATE SCHEMA {}", schema)
    execute(postgres_url, "CREATE TABLE {}.{} (x int)", schema, "theirs")
    with pytest.raises(StoreFormatError, match="other tables"):
        open_postgres(postgres_url, schema=schema)
    query = f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'"
    assert execute(postgres_url, query) == [("theirs",)]


def test_newer_schema(postgres_url: str, store: PostgresStore) -> None:
    """A store of a newer program is refused politely."""
    execute(
        postgres_url,
        "INSERT INTO {}.{} VALUES (9999, 'future')",
        store.schema,
        "schema_migration",
    )
    with pytest.raises(StoreFormatError, match="9999"):
        open_postgres(postgres_url, schema=store.schema)


def test_reading_only(postgres_url: str, store: PostgresStore, schema: str) -> None:
    """Opened for reading it reads, refuses to write, and makes no schema."""
    with store.write() as writer:
        put(writer, ANN, "fact")
    with open_postgres(postgres_url, schema=schema, read_only=True) as reading:
        assert Capability.READ_ONLY in reading.capabilities
        with reading.read() as reader:
            assert texts(reader, ANN) == ["fact"]
        with pytest.raises(StoreUnavailableError, match="read-only"), reading.write() as writer:
            put(writer, ANN, "another")
    missing = f"{schema} missing"
    with pytest.raises((StoreFormatError, StoreUnavailableError)):
        open_postgres(postgres_url, schema=missing, read_only=True)
    query = f"SELECT 1 FROM pg_namespace WHERE nspname = '{missing}'"
    assert execute(postgres_url, query) == []


def test_many_open_a_new_schema_at_once(postgres_url: str, schema: str) -> None:
    """One of them makes the tables; all of them work on the same store."""

    def open_and_write(n: int) -> None:
        with open_postgres(postgres_url, schema=schema) as store, store.write() as writer:
            put(writer, ANN, f"fact {n}")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(open_and_write, range(6)))
    with open_postgres(postgres_url, schema=schema) as store, store.read() as reader:
        assert len(texts(reader, ANN)) == 6
        assert len(unit_texts(reader, ANN, "fact")) == 6


def test_schemas_are_apart(postgres_url: str, store: PostgresStore) -> None:
    """Two stores of one database share nothing."""
    with open_postgres(postgres_url, schema=f"{store.schema} two") as other:
        try:
            for each, text in ((store, "one"), (other, "two")):
                with each.write() as writer:
                    put(writer, ANN, text, slot=residence(text))
            for each, text in ((store, "one"), (other, "two")):
                with each.read() as reader:
                    assert texts(reader, ANN) == [text]
        finally:
            execute(postgres_url, "DROP SCHEMA {} CASCADE", other.schema)


# --- the same answers as SQLite ------------------------------------------------------------


def test_index_agrees_with_sqlite(store: PostgresStore) -> None:
    """The same writes give the same numbers, counts and lengths: ranking cannot differ."""

    def fill(one: Store) -> None:
        for start in range(0, 600, 100):
            with one.write() as writer:
                for n in range(start, start + 100):
                    say(writer, ANN, f"word{n % 13} 词{n % 5} rare{n} " + "pad " * (n % 4))
                put(writer, ANN, f"memory word{start} 词1", at=NOW)

    with open_sqlite(":memory:") as other:
        answers = []
        for one in (store, other):
            fill(one)
            with one.read() as reader:
                (entry,) = reader.postings(ANN, ["word3", "词1", "rare77", "pad", "none"])
                answers.append(entry)
        mine, theirs = answers
        assert (mine.size, mine.count, mine.mean_length) == (
            theirs.size,
            theirs.count,
            theirs.mean_length,
        )
        np.testing.assert_array_equal(mine.lengths, theirs.lengths)
        assert mine.terms.keys() == theirs.terms.keys()
        for term, (numbers, counts) in mine.terms.items():
            np.testing.assert_array_equal(numbers, theirs.terms[term][0])
            np.testing.assert_array_equal(counts, theirs.terms[term][1])


def test_longest_names(store: PostgresStore) -> None:
    """Names of 1,000 characters do not fit an entry of an index, and work all the same."""
    # Without pattern, so that no compression makes them fit.
    name = "".join(chr(0x4E00 + (n * 7919) % 20_000) for n in range(1000))
    scope = Scope(tenant=name, user=name, agent=name, session=name, task=name, tool=name)
    with store.write() as writer:
        say(writer, scope, "hello", key=name)
        put(writer, scope, "fact", visibility="agent", slot=residence(name), run_id=name)
    with store.read() as reader:
        assert [turn.scope for turn in reader.turns(scope, session=name)] == [scope]
        assert texts(reader, scope) == ["fact"]
        assert len(reader.slot_values(scope, subject="user")) == 1
        assert len(reader.events(scope, run_id=name)) == 1


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_text_that_no_database_holds(store: PostgresStore, text: str) -> None:
    """NUL and lone surrogates: one clear error, and nothing of the transaction."""

    def write() -> None:
        with store.write() as writer:
            put(writer, ANN, "good")
            writer.set_permanent(ANN, {"role": text}, at=NOW)
            writer.set_note(ANN, "T", text, 1, at=NOW)

    with pytest.raises(InvalidInputError):
        write()
    with store.read() as reader:
        assert texts(reader, ANN) == []


# --- locks and connections --------------------------------------------------------------------


def test_looking_holds_the_space(postgres_url: str, store: PostgresStore) -> None:
    """A writer that has looked keeps other writers of the space out, and only of that space."""
    draft = Draft(text="fact", sources=(Source(id=new_id()),))
    with (
        open_postgres(postgres_url, schema=store.schema, timeout_s=0.3) as hasty,
        store.write() as writer,
    ):
        assert writer.find_same(ANN, draft, fingerprint("fact")) is None
        with pytest.raises(StoreUnavailableError, match="another writer"), hasty.write() as other:
            put(other, ANN, "fact")
        with hasty.write() as other:
            put(other, BOB, "fact")
        with hasty.read() as reader:
            assert texts(reader, ANN) == []
        put(writer, ANN, "fact")
    with store.read() as reader:
        assert texts(reader, ANN) == texts(reader, BOB) == ["fact"]


def test_workers_skip_what_others_hold(store: PostgresStore) -> None:
    """Two open transactions lease different jobs without waiting for each other."""
    with store.write() as writer:
        for n in range(2):
            writer.enqueue(ANN, "extract", {"n": n}, at=NOW, due=NOW)
    with store.write() as first:
        one = first.lease(["extract"], now=NOW, until=later(hours=1))
        with store.write() as second:
            two = second.lease(["extract"], now=NOW, until=later(hours=1))
            assert second.lease(["extract"], now=NOW, until=later(hours=1), limit=5) == []
    assert sorted(job.payload["n"] for job in (*one, *two)) == [0, 1]


def test_pool_without_a_free_connection(postgres_url: str, schema: str) -> None:
    """When all connections are in use for too long the error says so and names the option."""
    with (
        open_postgres(postgres_url, schema=schema, pool_size=1, timeout_s=0.2) as store,
        store.read(),
        pytest.raises(StoreUnavailableError, match="pool_size"),
        store.read(),
    ):
        raise AssertionError("there is only one connection")


def test_connection_lost_in_a_transaction(postgres_url: str, store: PostgresStore) -> None:
    """The caller is told, nothing is half-written, and the next transaction works."""

    def write() -> None:
        with store.write() as writer:
            put(writer, ANN, "doomed")
            _cut_connections(postgres_url)
            put(writer, ANN, "never")

    with pytest.raises(StoreUnavailableError):
        write()
    with store.write() as writer:
        put(writer, ANN, "kept")
    with store.read() as reader:
        assert texts(reader, ANN) == ["kept"]


def test_connections_lost_in_the_pool(postgres_url: str, store: PostgresStore) -> None:
    """Connections cut while nobody used them are replaced without the caller noticing."""
    barrier = threading.Barrier(4)

    def read() -> None:
        with store.read() as reader:
            reader.turns(ANN)
            barrier.wait()

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _cut_connections(postgres_url)
    for n in range(6):
        with store.write() as writer:
            put(writer, ANN, f"fact {n}")
    with store.read() as reader:
        assert len(texts(reader, ANN)) == 6


def _cut_connections(url: str) -> None:
    execute(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_child_has_connections_of_its_own(store: PostgresStore) -> None:
    """A child writes through the same object; the parent's connections go on working."""
    with store.write() as writer:
        put(writer, ANN, "parent")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with store.write() as writer:
                put(writer, ANN, "child")
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    with store.write() as writer:
        put(writer, ANN, "parent again")
    with store.read() as reader:
        assert texts(reader, ANN) == ["parent again", "child", "parent"]


# --- erasing ------------------------------------------------------------------------------------


def test_what_erasing_leaves(postgres_url: str, store: PostgresStore) -> None:
    """No row of any table holds the text when `erase` returns; VACUUM FULL clears the files.

    The claims of docs/postgresql.md.
    """
    with store.write() as writer:
        turn = say(writer, ANN, f"i live in {WORD}", meta={"k": WORD}, name=WORD, key="k1")
        source = Source(id=new_id(), turn_id=turn.id, label=WORD)
        record = put(writer, ANN, f"lives in {WORD}", slot=residence(WORD), sources=(source,))
        writer.enqueue(ANN, "extract", {"turn_ids": [turn.id]}, at=NOW, due=NOW)
        put(writer, ANN, "likes tea")
    folder = Path(parse_qs(urlsplit(postgres_url).query)["host"][0])
    execute(postgres_url, "CHECKPOINT")
    assert _files_with(folder / "base", WORD)
    with store.write() as writer:
        writer.erase(
            ANN,
            memory_ids=[record.id],
            turn_ids=[turn.id],
            at=NOW,
            reason="asked",
            event_id=new_id(),
        )
    query = f"SELECT tablename FROM pg_tables WHERE schemaname = '{store.schema}'"
    tables = [str(row[0]) for row in execute(postgres_url, query)]
    for table in tables:
        rows = execute(postgres_url, "SELECT CAST(t AS text) FROM {}.{} AS t", store.schema, table)
        assert WORD not in repr(rows), table
        assert WORD.encode().hex() not in repr(rows), table
    pending = store.purge()
    assert "VACUUM FULL" in pending[0]
    for table in tables:
        execute(postgres_url, "VACUUM FULL {}.{}", store.schema, table)
    execute(postgres_url, "CHECKPOINT")
    assert _files_with(folder / "base", WORD) == []
    with store.read() as reader:
        assert texts(reader, ANN, select()) == ["likes tea"]


def test_purge_tells_of_old_snapshots(postgres_url: str, store: PostgresStore) -> None:
    """A transaction that still looks at the old state is named as a reason to purge again."""
    with psycopg.connect(postgres_url) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT 1 FROM pg_class")
        assert any("purge() again" in line for line in store.purge())
    assert not any("purge() again" in line for line in store.purge())


def _files_with(folder: Path, word: str) -> list[Path]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path for path in files if word.encode() in path.read_bytes()]


def test_check_and_repair(postgres_url: str, store: PostgresStore) -> None:
    """A whole store has no findings; rows without an owner are found, named and removed."""
    with store.write() as writer:
        put(writer, ANN, "fact")
        say(writer, ANN, "words")
    assert store.check() == []
    execute(postgres_url, "DELETE FROM {}.memory", store.schema)
    assert [finding.name for finding in store.check()] == ["orphan sources"]
    assert store.repair() == {"orphan sources": 1}
    assert store.check() == []


# --- through the front ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "then", "query", "old", "new"),
    [
        ("我住在北京", "我搬到上海了", "用户住在哪里", "北京", "上海"),
        ("I live in Oslo", "I moved to Bergen", "where does the user live", "Oslo", "Bergen"),
    ],
)
def test_a_memory_on_postgres(
    postgres_url: str, schema: str, first: str, then: str, query: str, old: str, new: str
) -> None:
    """Said, changed, asked, forgotten and opened again: as on SQLite, in both languages."""
    target = f"{postgres_url}&schema={quote(schema)}"
    with Memory(target, embedder=None) as memory:
        view = memory.scoped(user="sun")
        view.observe(first, session="A")
        view.observe(then, session="B")
        memory.flush()
        assert view.profile().get("residence") == new
        assert new in view.recall(query)[0].text
        report = view.forget(query=old)
        assert report.memory_ids
        assert any("VACUUM" in line for line in report.pending)
    with Memory(target, embedder=None) as memory:
        texts = [hit.text for hit in memory.scoped(user="sun").recall(f"{old} {new}")]
        assert any(new in text for text in texts)
        assert not any(old in text for text in texts)


@pytest.mark.parametrize("version", range(1, NEWEST))
def test_from_every_earlier_schema(
    postgres_url: str, schema: str, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    """The tables of a former version are brought up to date; a step that breaks leaves nothing."""
    known = load_migrations("postgres")
    broken = Migration(
        known[version].version,
        "broken",
        ("CREATE TABLE two (a INTEGER)", "INSERT INTO nowhere VALUES (1)"),
    )

    def open_with(*migrations: Migration) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(postgres_schema, "load_migrations", lambda _: migrations)
            open_postgres(postgres_url, schema=schema).close()

    open_with(*known[:version])
    with pytest.raises(StoreError):
        open_with(*known[:version], broken)
    with open_postgres(postgres_url, schema=schema) as store:
        assert store.schema_version() == NEWEST
        assert store.check() == []
        with store.write() as writer:
            say(writer, ANN, "我搬到奥斯陆了")
