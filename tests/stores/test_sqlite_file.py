"""The SQLite file itself: whose it is, what is in its bytes, how it is copied and opened."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from jiyi.errors import (
    ConflictError,
    InvalidInputError,
    StoreClosedError,
    StoreFormatError,
    StoreUnavailableError,
)
from jiyi.ids import new_id
from jiyi.ports import Writer
from jiyi.stores.network_drive import network_drive
from jiyi.stores.sqlite import SqliteStore, open_sqlite, restore_sqlite
from jiyi.testing.store_suite.builders import ANN, BOB, NOW, put, say, texts
from jiyi.types import Scope


def files_of(path: Path) -> dict[str, bytes]:
    """Every file of a store and its bytes."""
    return {file.name: file.read_bytes() for file in path.parent.glob(path.name + "*")}


def write_many(store: SqliteStore) -> None:
    """More than a small disk holds, in one transaction."""
    with store.write() as writer:
        for n in range(500):
            put(writer, ANN, f"fact {n} {'x' * 500}")


def write_badly(writer: Writer) -> None:
    """A good memory, then one whose metadata cannot be stored."""
    put(writer, ANN, "fact")
    put(writer, ANN, "other", meta={"a": {1, 2}})


class TestForeignFiles:
    """A file that is not ours, or is newer than this program, is refused and left as it was."""

    @pytest.mark.parametrize(
        "content", [b"hello", b"SQLite format 3\0" + b"\0" * 84, os.urandom(8192), b"\0" * 100]
    )
    def test_no_database(self, tmp_path: Path, content: bytes) -> None:
        """Text, noise and a torn header are refused; not one byte changes."""
        path = tmp_path / "notes.txt"
        path.write_bytes(content)
        with pytest.raises(StoreFormatError, match=r"notes\.txt"):
            open_sqlite(path)
        assert files_of(path) == {"notes.txt": content}

    def test_other_database(self, tmp_path: Path) -> None:
        """A database of another program, also one in WAL mode, is refused untouched."""
        path = tmp_path / "other.db"
        db = sqlite3.connect(path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE t (a)")
        db.commit()
        db.close()
        before = files_of(path)
        with pytest.raises(StoreFormatError):
            open_sqlite(path)
        assert files_of(path) == before

    def test_newer_store(self, tmp_path: Path) -> None:
        """A store with an unknown migration is refused, and says to upgrade."""
        path = tmp_path / "store.db"
        open_sqlite(path).close()
        db = sqlite3.connect(path)
        db.execute("INSERT INTO schema_migration VALUES (9999, 'from the future')")
        db.commit()
        db.close()
        before = path.read_bytes()
        with pytest.raises(StoreFormatError, match="Upgrade"):
            open_sqlite(path)
        assert path.read_bytes() == before

    def test_places_without_a_file(self, tmp_path: Path) -> None:
        """A folder, a missing folder and a missing file to read each give one clear error."""
        with pytest.raises(StoreUnavailableError):
            open_sqlite(tmp_path)
        with pytest.raises(StoreUnavailableError, match="folder"):
            open_sqlite(tmp_path / "nowhere" / "store.db")
        with pytest.raises(StoreUnavailableError, match="no such file"):
            open_sqlite(tmp_path / "store.db", read_only=True)
        with pytest.raises(InvalidInputError):
            open_sqlite(":memory:", read_only=True)

    def test_damaged_store(self, tmp_path: Path) -> None:
        """A store with overwritten pages raises StoreFormatError, or `check` names the damage."""
        path = tmp_path / "store.db"
        with open_sqlite(path) as store, store.write() as writer:
            for n in range(200):
                put(writer, ANN, f"fact {n}")
        with path.open("r+b") as file:
            file.seek(4096 * 3)
            file.write(os.urandom(4096 * 6))
        try:
            with open_sqlite(path) as store:
                assert [finding.name for finding in store.check()] == ["damaged file"]
        except StoreFormatError:
            pass


class TestErasedBytes:
    """After `erase` and `purge` no byte of the text is in any file of the store."""

    @pytest.mark.parametrize("way", ["memories", "turns", "space", "tenant"])
    def test_every_byte(self, tmp_path: Path, way: str) -> None:
        """Texts in both languages, versions, titles, traces: gone from db, WAL and shm."""
        path = tmp_path / "store.db"
        marks = [f"zebra{n}quux" for n in range(60)] + [f"斑马{n}号机密" for n in range(60)]
        with open_sqlite(path) as store:
            # Erased and kept rows share pages, and are written one by one as in life.
            memories, turns = [], []
            for n, mark in enumerate(marks):
                with store.write() as writer:
                    turn = say(writer, ANN, f"I say {mark} {'x' * (n * 7)}", key=mark, name=mark)
                    turns.append(turn.id)
                    memory = put(
                        writer,
                        ANN,
                        f"{mark} is the word {'y' * (n * 5)}",
                        tags=(mark,),
                        meta={"word": mark},
                        entities=(mark,),
                    )
                    memories.append(memory.id)
                    put(writer, BOB, f"kept {n} {'z' * (n * 11 % 400)}")
            for id in memories:
                with store.write() as writer:
                    writer.change_memory(ANN, id, {"importance": 0.9}, at=NOW, action="update")
            with store.write() as writer:
                writer.enqueue(ANN, "extract", {"turn_ids": turns}, at=NOW, due=NOW)
                writer.set_permanent(ANN, {"plan": "gold"}, at=NOW)
            before = b"".join(files_of(path).values())
            assert all(mark.encode() in before for mark in marks)
            with store.write() as writer:
                event = {"at": NOW, "reason": "asked", "event_id": new_id()}
                if way in ("space", "tenant"):
                    scope = ANN if way == "space" else Scope(tenant="acme")
                    writer.erase_space(scope, **event)
                else:
                    writer.erase(ANN, memory_ids=memories, turn_ids=turns, **event)
            assert store.purge() == ()
            after = b"".join(files_of(path).values())
            left = [mark for mark in marks if mark.encode() in after]
            assert not left
            with store.read() as reader:
                assert len(texts(reader, BOB)) == (0 if way == "tenant" else len(marks))
            assert store.check() == []
        assert not any(mark.encode() in path.read_bytes() for mark in marks)

    def test_pending_while_a_reader_looks_back(self, tmp_path: Path) -> None:
        """A reader of an older moment holds the log; purge says so, and succeeds when it ends."""
        with open_sqlite(tmp_path / "store.db") as store:
            with store.write() as writer:
                memory = put(writer, ANN, "zebra secret")
            with store.read() as reader:
                assert texts(reader, ANN) == ["zebra secret"]
                with store.write() as writer:
                    writer.erase(
                        ANN, memory_ids=[memory.id], at=NOW, reason="asked", event_id=new_id()
                    )
                (pending,) = store.purge()
                assert "reader" in pending
            assert store.purge() == ()


class TestCopies:
    """Backups are whole, verified and restorable; restoring is seen by open handles."""

    def test_backup_and_restore(self, tmp_path: Path) -> None:
        """A backup taken during writing opens as a store and replaces one only on request."""
        path, copy = tmp_path / "store.db", tmp_path / "copy.db"
        with open_sqlite(path) as store:
            with store.write() as writer:
                put(writer, ANN, "first 第一")
            with store.write() as writer:
                put(writer, BOB, "not yet committed")
                assert store.backup(copy) == copy
            with pytest.raises(ConflictError):
                store.backup(copy)
            with store.write() as writer:
                put(writer, ANN, "second 第二")
        with open_sqlite(copy) as store, store.read() as reader:
            assert texts(reader, ANN) == ["first 第一"]
            assert texts(reader, BOB) == []
        with pytest.raises(ConflictError):
            restore_sqlite(copy, path)
        with open_sqlite(path) as store:
            restore_sqlite(copy, path, replace=True)
            with store.read() as reader:
                assert texts(reader, ANN) == ["first 第一"]
            with store.write() as writer:
                put(writer, ANN, "second 第二")
            assert store.check() == []

    def test_restore_needs_a_backup(self, tmp_path: Path) -> None:
        """A damaged or foreign backup is refused and the store stays."""
        path, noise = tmp_path / "store.db", tmp_path / "noise.db"
        noise.write_bytes(os.urandom(5000))
        with open_sqlite(path) as store:
            with store.write() as writer:
                put(writer, ANN, "fact")
            with pytest.raises(StoreFormatError):
                restore_sqlite(noise, path, replace=True)
            with store.read() as reader:
                assert texts(reader, ANN) == ["fact"]

    def test_a_killed_backup_is_cleared_away(self, tmp_path: Path) -> None:
        """The next backup to the same name deletes what killed ones left; not one that somebody
        still writes, a recent one, another name's, or a file that only looks like one."""
        old, torn, held, fresh, other, mine = (
            tmp_path / name
            for name in (
                "kept.db.00000001.part",
                "kept.db.00000002.part",
                "kept.db.00000003.part",
                "kept.db.00000004.part",
                "other.db.00000001.part",
                "kept.db.mine.part",
            )
        )
        for each in (old, held, fresh, other, mine):
            with closing(sqlite3.connect(each)) as raw:
                raw.execute("CREATE TABLE t (n)")
        torn.write_bytes(os.urandom(5000))
        for each in (old, torn, held, other, mine):
            os.utime(each, (0, 0))
        with (
            closing(sqlite3.connect(held, isolation_level=None)) as raw,
            open_sqlite(tmp_path / "store.db") as store,
        ):
            raw.execute("BEGIN")
            raw.execute("SELECT * FROM t").fetchall()
            store.backup(tmp_path / "kept.db")
        left = {each.name for each in tmp_path.glob("*.part")}
        assert left == {each.name for each in (held, fresh, other, mine)}

    def test_backup_of_memory(self, tmp_path: Path) -> None:
        """An in-memory store can be kept in a file."""
        with open_sqlite("memory://") as store:
            with store.write() as writer:
                put(writer, ANN, "fact")
            store.backup(tmp_path / "kept.db")
        with open_sqlite(tmp_path / "kept.db") as store, store.read() as reader:
            assert texts(reader, ANN) == ["fact"]


class TestTrouble:
    """Read-only files, full disks, busy writers and forks give clear errors, nothing half-done."""

    def test_read_only_open(self, tmp_path: Path) -> None:
        """A store opened read-only reads, and refuses to write."""
        path = tmp_path / "store.db"
        with open_sqlite(path) as store, store.write() as writer:
            put(writer, ANN, "fact")
        with open_sqlite(path, read_only=True) as store:
            with store.read() as reader:
                assert texts(reader, ANN) == ["fact"]
            with pytest.raises(StoreUnavailableError, match="read-only"), store.write():
                pass

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write read-only files")
    def test_read_only_file(self, tmp_path: Path) -> None:
        """A file without write permission is refused with a way out."""
        path = tmp_path / "store.db"
        open_sqlite(path).close()
        path.chmod(stat.S_IRUSR)
        with pytest.raises(StoreUnavailableError), open_sqlite(path) as store, store.write() as w:
            put(w, ANN, "fact")

    def test_full_disk(self, tmp_path: Path) -> None:
        """When no page is left the write fails whole, and the store goes on reading."""
        with open_sqlite(tmp_path / "store.db") as store:
            with store.write() as writer:
                put(writer, ANN, "first")
            with store.write() as writer:
                writer.connection.one("PRAGMA max_page_count = 60", {})
            with pytest.raises(StoreUnavailableError, match="full"):
                write_many(store)
            with store.read() as reader:
                assert texts(reader, ANN) == ["first"]
            assert store.check() == []

    def test_failed_block_leaves_nothing(self, tmp_path: Path) -> None:
        """An exception in the block rolls everything back, and the next writer goes on."""
        with open_sqlite(tmp_path / "store.db") as store:
            with pytest.raises(InvalidInputError), store.write() as writer:
                write_badly(writer)
            with store.write() as writer:
                put(writer, ANN, "fact")
            with store.read() as reader:
                assert texts(reader, ANN) == ["fact"]

    def test_busy_writer_times_out(self, tmp_path: Path) -> None:
        """A writer that waits longer than the timeout gets an error that says what to do."""
        path = tmp_path / "store.db"
        with open_sqlite(path) as one, open_sqlite(path, timeout_s=0.1) as other:
            with one.write() as writer:
                put(writer, ANN, "fact")
                with pytest.raises(StoreUnavailableError, match="timeout_s"), other.write():
                    pass
            with other.write() as writer:
                put(writer, BOB, "fact")

    @pytest.mark.parametrize("target", ["store.db", ":memory:"])
    def test_reading_inside_writing(self, tmp_path: Path, target: str) -> None:
        """A thread that writes may read; a file shows it what is committed."""
        path = target if target == ":memory:" else tmp_path / target
        with open_sqlite(path) as store, store.write() as writer:
            put(writer, ANN, "fact")
            with store.read() as reader:
                assert texts(reader, ANN) == (["fact"] if target == ":memory:" else [])

    @pytest.mark.parametrize("by", ["nothing", "another store"])
    def test_file_that_goes_away(self, tmp_path: Path, by: str) -> None:
        """What is removed or replaced while it is open is neither read nor written: that would be
        lost without a word. Nothing is made in its place, and it can be put back."""
        path, aside, other = (tmp_path / name for name in ("store.db", "aside.db", "other.db"))
        with open_sqlite(other) as store, store.write() as writer:
            put(writer, ANN, "someone else's fact")
        with open_sqlite(path) as store:
            with store.write() as writer:
                put(writer, ANN, "fact")
            path.rename(aside)
            if by == "another store":
                other.rename(path)
            for use in (store.read, store.write):
                with pytest.raises(StoreUnavailableError, match="removed or replaced"), use():
                    pass
            with pytest.raises(StoreUnavailableError, match="removed or replaced"):
                store.purge()
            with pytest.raises(StoreUnavailableError, match="removed or replaced"):
                store.backup(tmp_path / "backup.db")
            assert path.exists() == (by == "another store")
            aside.rename(path)
            with store.read() as reader:
                assert texts(reader, ANN) == ["fact"]

    def test_another_working_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A relative path means the same file when the program goes to another folder."""
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path)
        with open_sqlite("store.db") as store:
            monkeypatch.chdir(tmp_path / "elsewhere")
            with store.write() as writer:
                put(writer, ANN, "fact")
            with store.read() as one, store.read() as two:
                assert texts(one, ANN) == texts(two, ANN) == ["fact"]
            assert list((tmp_path / "elsewhere").iterdir()) == []

    def test_network_drives(self, tmp_path: Path) -> None:
        """A path on a network mount is recognised by the longest mount point."""
        mounts = (
            "/dev/sda / ext4 rw 0 0\n"
            f"server:/x {tmp_path}/far\\040away nfs4 rw 0 0\n"
            f"tmpfs {tmp_path}/far\\040away/near tmpfs rw 0 0\n"
        )
        assert network_drive(tmp_path / "far away" / "a.db", mounts) == "nfs4"
        assert network_drive(tmp_path / "far away" / "near" / "a.db", mounts) is None
        assert network_drive(tmp_path / "a.db", mounts) is None
        assert network_drive(tmp_path / "a.db") is None

    def test_first_come_first_served(self, tmp_path: Path) -> None:
        """Writers on threads are served in the order in which they asked."""
        served: list[int] = []
        with open_sqlite(tmp_path / "store.db") as store:

            def work(n: int) -> None:
                with store.write():
                    served.append(n)

            threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
            with store.write():
                for n, thread in enumerate(threads, start=1):
                    thread.start()
                    while store.waiting_writers < n:
                        pass
            for thread in threads:
                thread.join()
        assert served == list(range(8))

    def test_fork(self, tmp_path: Path) -> None:
        """A forked child reads and writes the file on connections of its own."""
        with open_sqlite(tmp_path / "store.db") as store:
            with store.write() as writer:
                put(writer, ANN, "parent")
            child = os.fork()
            if child == 0:
                with store.write() as writer:
                    put(writer, ANN, "child")
                os._exit(0)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            with store.write() as writer:
                put(writer, ANN, "parent again")
            with store.read() as reader:
                assert texts(reader, ANN) == ["parent again", "child", "parent"]

    def test_fork_of_memory(self) -> None:
        """An in-memory store does not cross a fork: the child is told."""
        with open_sqlite(":memory:") as store:
            child = os.fork()
            if child == 0:
                try:
                    with store.read():
                        os._exit(1)
                except StoreClosedError:
                    os._exit(0)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


class TestCheck:
    """`check` is quiet on a sound store, names what is wrong, and `repair` removes orphans."""

    def test_orphans(self, tmp_path: Path) -> None:
        """Rows without their owner are found, counted and removed."""
        with open_sqlite(tmp_path / "store.db") as store:
            with store.write() as writer:
                put(writer, ANN, "fact")
                put(writer, ANN, "other")
            assert store.check() == []
            with store.write() as writer:
                writer.connection.run("DELETE FROM memory WHERE text = 'fact'", {})
                writer.connection.run("DELETE FROM text_tail", {})
            found = {finding.name: finding.count for finding in store.check()}
            assert found == {"orphan sources": 1, "stale text index": 1}
            assert store.repair() == {"orphan sources": 1}
