"""Full disks, read-only places and stopped processes: one clear error, nothing half-written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jiyi import ConflictError, InvalidInputError, Memory, StoreUnavailableError
from jiyi.formats.archive import read_archive
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing import FakeClock, ScriptedChatModel

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

# A limit on the size of files fails as a full disk does: in the middle of a write.
FULL = """
import resource, sys
from jiyi import JiyiError, Memory

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

def attempt(name, action):
    try:
        action()
    except JiyiError as error:
        print(name, type(error).__name__, flush=True)

folder = sys.argv[1]
memory = Memory(folder + "/agent.db", embedder=None, background=False).scoped(user="u")

def fill():
    for n in range(2000):
        text = f"fact {n} 号 " + "word " * 60
        print("kept", memory.remember(text).memory_id, flush=True)

memory.remember("the first")
memory.export(folder + "/a.jsonl")
limit(400_000)
attempt("write", fill)
print("found", memory.recall("the first")[0].text, flush=True)
limit(20_000)
attempt("export", lambda: memory.export(folder + "/a.jsonl"))
attempt("backup", lambda: memory.backup(folder + "/copy.db"))
attempt("close", memory.close)
"""


def test_full_disk(tmp_path: Path) -> None:
    """Writing, export, backup and closing each say what is wrong; reading goes on; afterwards all
    that was acknowledged is there, the former archive is whole, and no part of a file is left."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    kept = [line.split()[1] for line in said if line.startswith("kept")]
    assert kept
    assert [line for line in said if not line.startswith("kept")] == [
        "write StoreUnavailableError",
        "found the first",
        "export StoreUnavailableError",
        "backup StoreUnavailableError",
        "close StoreUnavailableError",
    ]
    assert len(list(read_archive(tmp_path / "a.jsonl"))) == 2
    assert not list(tmp_path.glob("*.part"))
    assert not (tmp_path / "copy.db").exists()
    with Memory(tmp_path / "agent.db", embedder=None) as memory:
        assert memory.check() == ()
        u = memory.scoped(user="u")
        assert u.list().total == len(kept) + 1
        for id in kept:
            u.get(id)
        u.remember("there is room again")


def test_read_only(tmp_path: Path) -> None:
    """Opened for reading only: every reading verb works and explains itself, every writing one is
    refused, and nothing that waits in memory fails when it is closed."""
    path = tmp_path / "agent.db"
    with Memory(path, embedder=None) as memory:
        memory.observe("我住在北京。", user="u", session="A")
        kept = memory.remember("likes tea", user="u").memory_id
    assert kept is not None
    before = path.read_bytes()
    with Memory(path, embedder=None, read_only=True) as memory:
        u = memory.scoped(user="u", session="A")
        hits = u.recall("tea")
        assert hits[0].id == kept
        assert u.explain(hits.trace_id).query == "tea"
        assert u.explain().id == hits.trace_id
        assert "北京" in u.context("我住在哪里").text
        assert u.profile().get("residence") is not None
        assert u.history(kept).versions
        assert len(u.turns()) == 1
        u.export(tmp_path / "a.jsonl")
        assert memory.check() == ()
        memory.flush()
        for refused in (
            lambda: u.remember("x y"),
            lambda: u.observe("x y"),
            lambda: u.update(kept, text="x y"),
            lambda: u.forget(ids=kept),
            lambda: u.set_permanent(role="x"),
            lambda: u.load(tmp_path / "a.jsonl"),
            memory.repair,
        ):
            with pytest.raises(StoreUnavailableError, match="read-only"):
                refused()
    assert path.read_bytes() == before
    with pytest.raises(StoreUnavailableError, match="no such file"):
        Memory(tmp_path / "nowhere.db", embedder=None, read_only=True)
    with pytest.raises(InvalidInputError):
        Memory(":memory:", embedder=None, read_only=True)
    with open_sqlite(path) as store, pytest.raises(InvalidInputError):
        Memory(store, embedder=None, read_only=True)
    with open_sqlite(path, read_only=True) as store, Memory(store, embedder=None) as memory:
        assert memory.recall("tea", user="u")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_folder_without_permission(tmp_path: Path) -> None:
    """A folder that may not be written gives one clear error for store, export and backup."""
    with Memory(tmp_path / "agent.db", embedder=None) as memory:
        memory.remember("x y", user="u")
        shut = tmp_path / "shut"
        shut.mkdir()
        shut.chmod(stat.S_IRUSR | stat.S_IXUSR)
        for refused in (
            lambda: memory.export(shut / "a.jsonl", user="u"),
            lambda: memory.backup(shut / "copy.db"),
            lambda: Memory(shut / "new.db", embedder=None),
        ):
            with pytest.raises(StoreUnavailableError):
                refused()


def test_a_network_drive_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Opening a store on a network drive logs one warning that names the drive and the way out; a
    local one logs none."""
    with Memory(tmp_path / "local.db", embedder=None):
        assert not caplog.records
    monkeypatch.setattr("jiyi.stores.sqlite_handle.network_drive", lambda _: "nfs4")
    with Memory(tmp_path / "far.db", embedder=None):
        (said,) = [record.getMessage() for record in caplog.records]
    assert all(word in said for word in ("far.db", "nfs4", "PostgreSQL"))


class SlowModel(ScriptedChatModel):
    """Answers when it is let."""

    def __init__(self) -> None:
        super().__init__(["[]"])
        self.asked, self.let = threading.Event(), threading.Event()

    def complete(self, *args: object, **options: object) -> str:
        self.asked.set()
        self.let.wait(30)
        return "[]"


def test_a_stopped_worker_gives_its_job_back(tmp_path: Path) -> None:
    """A job that is still in hand when the patience of `stop` ends can be taken by another worker
    at once, long before its lease would have run out."""
    clock, model = FakeClock(NOW), SlowModel()
    with Memory(
        tmp_path / "a.db", embedder=None, chat_model=model, clock=clock, background=False
    ) as memory:
        memory.observe("I live in Oslo.", user="u")
        clock.advance(timedelta(minutes=5))
        stop = threading.Event()
        thread = threading.Thread(target=memory.work, args=(stop,))
        thread.start()
        assert model.asked.wait(20)
        assert memory.stats(user="u").queue["leased"] == 1
        memory._parts.worker.stop(timeout_s=0.05)
        assert memory.stats(user="u").queue == {"pending": 1, "leased": 0, "parked": 0}
        model.let.set()
        thread.join(20)
        assert not thread.is_alive()


LOAD = """
import sys
from jiyi import Memory
with Memory(sys.argv[1], embedder=None, background=False) as memory:
    memory.load(sys.argv[2], progress=lambda done: print(done, flush=True))
"""


@pytest.mark.parametrize("steps", [1, 3])
def test_a_killed_load_is_begun_again(tmp_path: Path, steps: int) -> None:
    """Killed after some transactions, a second load brings the rest, and nothing twice."""
    with Memory(tmp_path / "a.db", embedder=None, background=False) as memory:
        memory.remember_all([f"fact number {n} 事实" for n in range(600)], user="u")
        memory.export(tmp_path / "a.jsonl", everything=True)
    target, archive = str(tmp_path / "b.db"), str(tmp_path / "a.jsonl")
    command = [sys.executable, "-c", LOAD, target, archive]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(steps):
            process.stdout.readline()
        process.kill()
    with Memory(target, embedder=None, background=False) as memory:
        assert memory.list(user="u").total >= 200 * steps
        memory.load(archive)
        memory.export(tmp_path / "b.jsonl", everything=True)
        assert memory.check() == ()
    assert list(read_archive(tmp_path / "b.jsonl")) == list(read_archive(archive))


def test_two_backups_and_exports_to_one_name(tmp_path: Path) -> None:
    """Each writes a part of its own: of many backups at once exactly one gets the name and the
    others are told so; of many exports the last one stands; what is there is whole."""
    path, copy, archive = (tmp_path / name for name in ("agent.db", "copy.db", "a.jsonl"))
    with Memory(path, embedder=None, background=False) as memory:
        memory.scoped(user="u").remember_all([f"fact {n} 事实" for n in range(300)])
        start = threading.Barrier(6)

        def back_up() -> bool:
            start.wait()
            try:
                memory.backup(copy)
            except ConflictError:
                return False
            return True

        def export() -> bool:
            start.wait()
            memory.export(archive, everything=True)
            return True

        with ThreadPoolExecutor(6) as pool:
            backups = [pool.submit(back_up) for _ in range(3)]
            exports = [pool.submit(export) for _ in range(3)]
        assert sum(each.result() for each in backups) == 1
        assert all(each.result() for each in exports)
    assert sorted(p.name for p in tmp_path.iterdir() if not p.name.startswith("agent")) == [
        "a.jsonl",
        "copy.db",
    ]
    assert len(list(read_archive(archive))) > 300
    with Memory(copy, embedder=None) as restored:
        assert restored.check() == ()
        assert restored.scoped(user="u").list().total == 300
