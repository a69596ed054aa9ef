"""Schema changes: from every earlier schema, backed up first, resumed when interrupted."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from make_fixture import fill

from jiyi.errors import StoreError, StoreFormatError
from jiyi.ids import new_id
from jiyi.stores import sqlite_file
from jiyi.stores.sql.migrations import Migration, load_migrations
from jiyi.stores.sqlite import SqliteStore, open_sqlite
from jiyi.testing.store_suite.builders import (
    ANN,
    NOW,
    everything,
    put,
    say,
    select,
    texts,
    unit_texts,
)

FIXTURES = sorted(Path(__file__).with_name("fixtures").glob("schema_*.db.gz"))
NEWEST = load_migrations("sqlite")[-1].version

FIRST = Migration(9001, "first", ("CREATE TABLE one (a INTEGER)", "INSERT INTO one VALUES (1)"))
BROKEN = Migration(
    9002, "second", ("CREATE TABLE two (a INTEGER)", "INSERT INTO nowhere VALUES (1)")
)
SECOND = Migration(9002, "second", ("CREATE TABLE two (a INTEGER)", "INSERT INTO two VALUES (2)"))


def with_migrations(monkeypatch: pytest.MonkeyPatch, *more: Migration) -> None:
    """This program knows further migrations from now on."""
    known = (*load_migrations("sqlite"), *more)
    monkeypatch.setattr(sqlite_file, "load_migrations", lambda _: known)


def check_content(path: Path) -> None:
    """The content of `make_fixture.fill` reads and can be added to."""
    with open_sqlite(path) as store:
        assert store.check() == []
        with store.read() as reader:
            assert texts(reader, ANN, select()) == ["lives in Rome"]
            assert len(reader.memories(ANN, everything())[0]) == 2
            assert [turn.text for turn in reader.turns(ANN, session="A")] == ["I moved to Oslo"]
            assert unit_texts(reader, ANN, "oslo") == ["I moved to Oslo"]
            assert reader.permanent(ANN) == {"role": "lead"}
            assert reader.queue_counts()["pending"] == 1
        with store.write() as writer:
            put(writer, ANN, "something new")


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.name)
def test_from_every_earlier_schema(tmp_path: Path, fixture: Path) -> None:
    """A store of a former version opens with everything in it, and a backup lies beside."""
    path = tmp_path / "store.db"
    path.write_bytes(gzip.decompress(fixture.read_bytes()))
    before = int(fixture.name.removeprefix("schema_")[:4])
    check_content(path)
    with open_sqlite(path) as store:
        assert store.schema_version() == NEWEST
    backup = path.with_name(f"store.db.before-{before + 1:04d}")
    assert backup.exists() == (before < NEWEST)


def test_blocks_of_a_former_schema(tmp_path: Path) -> None:
    """Index blocks as schema 4 left them answer as before, and go on doing so when they are merged
    with new ones and when some of their units are erased."""
    path = tmp_path / "store.db"
    fixture = Path(__file__).with_name("fixtures") / "blocks_0004.db.gz"
    path.write_bytes(gzip.decompress(fixture.read_bytes()))

    def expected(count: int) -> list[str]:
        """What holds "again" or the number 8, as the fixture was written."""
        told = [f"step n{n} 第{n}步" + (" again" * (n % 11) if n % 2 else "") for n in range(300)]
        told += [f"later again n{n}" for n in range(300, count)]
        return [text for text in told if "again" in text or text.startswith("step n8 ")]

    def found(store: SqliteStore) -> list[str]:
        with store.read() as reader:
            (postings,) = reader.postings(ANN, ["again", "n8"])
            numbers, counts = postings.terms["again"]
            texts = unit_texts(reader, ANN, "again", "n8")
            assert sorted(counts) == sorted(text.count("again") for text in texts if "ag" in text)
            assert len(numbers) == sum("again" in text for text in texts)
        return texts

    with open_sqlite(path) as store:
        assert store.check() == []
        assert found(store) == expected(300)
        with store.write() as writer:
            for n in range(300, 4100):
                say(writer, ANN, f"later again n{n}")
        assert found(store) == expected(4100)
        with store.read() as reader:
            gone = reader.turns(ANN)[7]
        with store.write() as writer:
            writer.erase(ANN, turn_ids=[gone.id], at=NOW, reason="asked", event_id=new_id())
        assert found(store) == [text for text in expected(4100) if text != gone.text]
        assert store.check() == []


def test_new_stores_need_no_backup(tmp_path: Path) -> None:
    """An empty file gets the newest schema at once."""
    path = tmp_path / "store.db"
    path.touch()
    fill(path)
    check_content(path)
    assert {file.name for file in tmp_path.iterdir()} == {"store.db", "store.db-lock"}


def test_backup_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy made before a migration is whole, and is the state before it."""
    path = tmp_path / "store.db"
    fill(path)
    with_migrations(monkeypatch, FIRST)
    with open_sqlite(path) as store:
        assert store.schema_version() == 9001
    backup = tmp_path / "store.db.before-9001"
    monkeypatch.undo()
    with pytest.raises(StoreFormatError, match="Upgrade"):
        open_sqlite(path)
    with open_sqlite(backup) as store:
        assert store.schema_version() == NEWEST
    check_content(backup)


def test_interrupted_half_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A migration that fails leaves the steps before it, nothing of itself, and resumes."""
    path = tmp_path / "store.db"
    fill(path)
    with_migrations(monkeypatch, FIRST, BROKEN)
    for _ in range(2):
        with pytest.raises(StoreError):
            open_sqlite(path)
    backup = (tmp_path / "store.db.before-9001").read_bytes()
    with_migrations(monkeypatch, FIRST, SECOND)
    check_content(path)
    with open_sqlite(path) as store, store.read() as reader:
        assert reader.connection.all("SELECT a FROM one UNION SELECT a FROM two", {}) == [
            (1,),
            (2,),
        ]
        names = reader.connection.all(
            "SELECT version, name FROM schema_migration WHERE version > 9000 ORDER BY version", {}
        )
        assert names == [(9001, "first"), (9002, "second")]
    assert (tmp_path / "store.db.before-9001").read_bytes() == backup
    assert (tmp_path / "store.db.before-9002").exists()


def test_read_only_does_not_migrate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only open of an older schema says what to do and changes nothing."""
    path = tmp_path / "store.db"
    fill(path)
    with_migrations(monkeypatch, FIRST)
    before = path.read_bytes()
    with pytest.raises(StoreFormatError, match="writing"):
        open_sqlite(path, read_only=True)
    assert path.read_bytes() == before


SLOW = """
import sys
from jiyi.stores import sqlite_file
from jiyi.stores.sql.migrations import Migration, load_migrations
from jiyi.stores.sqlite import SqliteStore, open_sqlite

fill = "INSERT INTO t{n} SELECT randomblob(900) FROM memory a, memory b, memory c, memory d"
more = [
    Migration(9000 + n, f"step {n}", (f"CREATE TABLE t{n} (a)", *[fill.format(n=n)] * 20))
    for n in range(20)
]
known = (*load_migrations("sqlite"), *more)
sqlite_file.load_migrations = lambda _: known
print("go", flush=True)
store = open_sqlite(sys.argv[1])
assert store.schema_version() == 9019
with store.read() as reader:
    for n in range(20):
        assert reader.connection.one(f"SELECT COUNT(*) FROM t{n}", {}) == (320,)
print("done", flush=True)
"""


DELAYS = [0.0, 0.03, 0.1]
if os.environ.get("JIYI_SOAK"):
    DELAYS += [0.004 * n for n in range(1, 101)]


@pytest.mark.parametrize("delay_s", DELAYS)
def test_killed_half_way(tmp_path: Path, delay_s: float) -> None:
    """Killed while it migrates or copies, the next start finishes; nothing is lost."""
    path = tmp_path / "store.db"
    fill(path)
    command = [sys.executable, "-c", SLOW, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay_s)
        process.send_signal(signal.SIGKILL)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["go", "done"], done.stderr
    backup = shutil.copy(min(tmp_path.glob("store.db.before-????")), tmp_path / "copy.db")
    check_content(Path(backup))
