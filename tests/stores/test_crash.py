"""A process killed at any moment loses nothing it acknowledged and leaves nothing half-done."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from places import PostgresPlace

from jiyi.ports import Selection, Store
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing.store_suite.builders import ANN, NOW, everything, unit_texts

KILLS = 300 if os.environ.get("JIYI_SOAK") else 5
WRITER = Path(__file__).with_name("crash_writer.py")


@dataclass
class Told:
    """What the killed processes acknowledged, all of them together."""

    turns: set[str] = field(default_factory=set)
    memories: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    marks: list[str] = field(default_factory=list)
    jobs: set[int] = field(default_factory=set)

    def hear(self, line: str) -> None:
        """Take note of one line; a line cut by the kill says nothing."""
        if not line.endswith("\n"):
            return
        said = json.loads(line)
        match said.get("did") or said.get("will"):
            case "add":
                self.turns.add(said["turn"])
                self.memories.add(said["memory"])
                self.marks.append(said["mark"])
            case "batch":
                self.memories.update(said["memories"])
            case "erase":
                self.memories.difference_update(said["memories"])
                (self.erased if "did" in said else self.open).update(said["memories"])
            case "work":
                self.jobs.add(said["job"])


def run_and_kill(target: str, seed: int, told: Told) -> None:
    """Start a writer, let it write for a while, kill it, and read all that it said."""
    chance = random.Random(seed)
    command = [sys.executable, str(WRITER), target, str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"did": "open"}
        time.sleep(chance.uniform(0.0, 0.8))
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            told.hear(line)


def check(store: Store, told: Told) -> None:
    """Everything acknowledged is there, everything else is whole or absent."""
    with store.read() as reader:
        turns = {turn.id: turn for turn in reader.turns(ANN)}
        assert told.turns <= turns.keys()
        records, _ = reader.memories(ANN, everything())
        present = {record.id for record in records if record.status == "active"}
        assert told.memories <= present
        assert not told.erased & present
        texts = [record.text for record in records]
        # A turn and its memory came in one transaction.
        for turn in turns.values():
            mark = turn.text.split()[1]
            assert mark in told.marks or any(mark in text for text in texts)
        for mark in random.Random(1).sample(told.marks, min(20, len(told.marks))):
            assert f"turn {mark} 第一" in unit_texts(reader, ANN, mark)
        done = [text for text in texts if text.startswith("work of job")]
        assert len(done) == len(set(done)), "a job was done twice"
        assert {f"work of job {job}" for job in told.jobs} <= set(done)
        counts = reader.queue_counts()
        assert counts["parked"] == 0
        assert len(turns) == len(done) + counts["pending"] + counts["leased"]


def test_kill_at_any_moment(tmp_path: Path) -> None:
    """Killed again and again on the same file: turns, batches, erasures, jobs, checkpoints."""
    path = tmp_path / "store.db"
    told = Told()
    for seed in range(KILLS):
        run_and_kill(str(path), seed, told)
        with open_sqlite(path) as store:
            assert store.check() == []
            check(store, told)
    with open_sqlite(path) as store, store.read() as reader:
        assert reader.count_memories(ANN, Selection(now=NOW)) >= len(told.memories)


def test_kill_at_any_moment_on_postgres(postgres_place: PostgresPlace) -> None:
    """The same on PostgreSQL, where the server ends what a dead process had begun."""
    store = postgres_place.open()
    told = Told()
    for seed in range(KILLS):
        run_and_kill(f"{postgres_place.url}&schema={postgres_place.schema}", seed, told)
        check(store, told)
    with store.read() as reader:
        assert reader.count_memories(ANN, Selection(now=NOW)) >= len(told.memories)
