"""Archives, vectors and the worker from the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from command_line import Jiyi

from jiyi import Memory
from jiyi.ids import system_clock
from jiyi.registry import register
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing import HashEmbedder
from jiyi.types import Scope, Turn


def test_export_and_load(jiyi: Jiyi, tmp_path: Path) -> None:
    """One user's archive goes into another store; twice changes nothing; the reports say so."""
    archive, other = str(tmp_path / "a.jsonl"), str(tmp_path / "other.db")
    jiyi("add", "我对花生过敏", "-u", "小王")
    jiyi("add", "Bees like borage", "-u", "ann")
    assert "1 memory" in jiyi("export", archive, "-u", "小王").out
    assert "new: 1 memory" in jiyi("load", archive, "--db", other).out
    again = jiyi("load", archive, "--db", other, "--json").json
    assert again["known"]["memory"] == 1
    assert again["added"] == {}
    assert "花生" in jiyi("recall", "花生", "-u", "小王", "--db", other).out
    assert jiyi("list", "-u", "ann", "--db", other, "--json").json["total"] == 0


def test_export_of_all(jiyi: Jiyi, tmp_path: Path) -> None:
    """Without a user only the common space goes, and it says so; --all takes everybody."""
    archive = str(tmp_path / "a.jsonl")
    jiyi("add", "Bees like borage", "-u", "ann")
    none = jiyi("export", archive)
    assert "--all" in none.err
    assert "Bees" not in Path(archive).read_text("utf-8")
    jiyi("export", archive, "--all")
    assert "Bees" in Path(archive).read_text("utf-8")


def test_what_is_no_archive(jiyi: Jiyi, tmp_path: Path, db: Path) -> None:
    """A damaged archive, another file, and a store in the place of a file: one line each."""
    archive = tmp_path / "a.jsonl"
    jiyi("add", "Bees like borage", "-u", "ann")
    jiyi("export", str(archive), "--all")
    archive.write_bytes(archive.read_bytes()[:-5])
    for arguments in (
        ("load", str(archive)),
        ("load", str(db)),
        ("load", str(tmp_path / "nowhere")),
        ("export", str(db), "--all"),
    ):
        failed = jiyi(*arguments)
        assert failed.code == 1, arguments
        assert failed.err.count("\n") == 1
    assert jiyi("list", "-u", "ann", "--json").json["total"] == 1


def test_another_embedder(jiyi: Jiyi, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor names both embedders and the command; that command changes over."""
    register("embedders", "one", lambda _: HashEmbedder(dimension=8))
    register("embedders", "two", lambda _: HashEmbedder(dimension=16))
    monkeypatch.setenv("JIYI_EMBEDDER", "one")
    jiyi("add", "蜜蜂喜欢琉璃苣", "-u", "ann")
    monkeypatch.setenv("JIYI_EMBEDDER", "two")
    first = jiyi("recall", "琉璃苣", "-u", "ann")
    assert "蜜蜂" in first.out
    (finding,) = (f for f in jiyi("doctor", "-u", "ann", "--json").json if f["what"] == "vectors")
    assert "jiyi reembed" in finding["remedy"]
    assert jiyi("reembed", "--json").json["made"] == 1
    assert jiyi("reembed", "--json").json["made"] == 0
    with Memory(db, embedder=None) as memory:
        assert memory.stats(user="ann").vectors == {HashEmbedder(dimension=16).name: 1}
    monkeypatch.setenv("JIYI_EMBEDDER", "none")
    assert "no embedder" in jiyi("reembed").err


def test_a_statement_per_line(jiyi: Jiyi) -> None:
    """With --lines each line of standard input is a statement with the same options."""
    told = "住在北京\n\nlikes green tea\n"
    jiyi("add", "-", "--lines", "--tag", "x", "-u", "ann", stdin=told)
    items = jiyi("list", "-u", "ann", "--json").json["items"]
    assert sorted(item["text"] for item in items) == ["likes green tea", "住在北京"]
    assert {tuple(item["tags"]) for item in items} == {("x",)}
    assert jiyi("add", "text", "--lines", "-u", "ann").code == 2


def leave_work(db: Path) -> None:
    """A turn whose process died before it was read."""
    now = system_clock()
    turn = Turn(
        id="0190f3a1-7c1e-7000-8000-000000000000",
        role="user",
        text="I live in Oslo.",
        said_at=now,
        recorded_at=now,
        scope=Scope(user="ann"),
    )
    with open_sqlite(db) as store, store.write() as writer:
        writer.add_turn(turn, [])
        early = datetime(2026, 1, 1, tzinfo=UTC)
        writer.enqueue(turn.scope, "extract", {"turns": [turn.id]}, at=early, due=early)


@pytest.mark.skipif(not hasattr(signal, "SIGTERM"), reason="needs signals")
def test_worker_process(db: Path) -> None:
    """A worker does what others left behind, and ends cleanly when it is told to."""
    leave_work(db)
    environment = {
        **os.environ,
        "JIYI_DB": str(db),
        "JIYI_EMBEDDER": "none",
        "HOME": str(db.parent),
    }
    command = [sys.executable, "-c", "from jiyi.cli import main; main()", "worker", "--json"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        with Memory(db, embedder=None, background=False) as memory:
            deadline = time.monotonic() + 30
            while memory.stats(user="ann").queue["pending"] and time.monotonic() < deadline:
                time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert '"done": 1' in out
    with Memory(db, embedder=None, background=False) as memory:
        assert memory.profile(user="ann").get("residence") == "Oslo"
        assert memory.stats(user="ann").queue == {"pending": 0, "leased": 0, "parked": 0}
