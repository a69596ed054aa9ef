"""The store fails after the turns are recorded: what was said is kept, and read later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jiyi import Memory, StoreUnavailableError
from jiyi.stores import sqlite
from jiyi.stores.sql.transactions import SqlWriter
from jiyi.testing import FakeClock


class FillingDisk(sqlite.SqliteStore):
    """A store whose disk is full from the n-th transaction on, or to which nothing is purged."""

    writes_left: int | None = None
    purges = True

    @contextmanager
    def write(self) -> Iterator[SqlWriter]:
        with super().write() as writer:
            yield writer
            if self.writes_left is not None:
                if self.writes_left == 0:
                    raise StoreUnavailableError("the disk is full")
                self.writes_left -= 1

    def purge(self) -> tuple[str, ...]:
        if not self.purges:
            raise StoreUnavailableError("the disk is full")
        return super().purge()


SAID = [
    ("我住在杭州。", "杭州"),
    ("I live in Lisbon.", "Lisbon"),
    ("我现在在 Acme 上班，do remember it", "Acme"),
]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FillingDisk]:
    monkeypatch.setattr(sqlite, "SqliteStore", FillingDisk)
    opened = sqlite.open_sqlite(tmp_path / "agent.db")
    assert isinstance(opened, FillingDisk)
    yield opened
    opened.close()


@pytest.fixture
def memory(store: FillingDisk) -> Iterator[Memory]:
    clock = FakeClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
    with Memory(store, embedder=None, clock=clock, background=False) as opened:
        yield opened.scoped(user="sun", session="s1")


@pytest.mark.parametrize(("said", "known"), SAID)
def test_reading_fails(memory: Memory, store: FillingDisk, said: str, known: str) -> None:
    """The turn is recorded and its outcome pending with the reason; a flush reads it, once."""
    store.writes_left = 1
    receipt = memory.observe(said)
    assert [turn.text for turn in memory.turns()] == [said]
    assert {outcome.status for outcome in receipt.outcomes} == {"pending"}
    assert all("the disk is full" in (outcome.reason or "") for outcome in receipt.outcomes)
    assert memory.list().total == 0
    store.writes_left = None
    memory.flush()
    memory.flush()
    assert [known in item.text for item in memory.list().items] == [True]


@pytest.mark.parametrize("messages", [[said for said, _ in SAID], "hello 你好"])
def test_recording_fails(memory: Memory, store: FillingDisk, messages: Any) -> None:
    """The first transaction's failure is an error, and leaves nothing; the same call then works."""
    store.writes_left = 0
    with pytest.raises(StoreUnavailableError):
        memory.observe(messages)
    store.writes_left = None
    assert memory.turns() == ()
    memory.flush()
    assert memory.list().total == 0
    assert len(memory.observe(messages).turn_ids) == (3 if isinstance(messages, list) else 1)


@pytest.mark.parametrize("said", ["忘掉我的住址", "Please forget where I live."])
def test_purging_fails(memory: Memory, store: FillingDisk, said: str) -> None:
    """A spoken erasure holds though the files cannot be cleaned; the answer says what is left."""
    memory.observe(["我住在杭州。", "I live in Hangzhou."])
    store.purges = False
    statuses = [outcome.status for outcome in memory.observe(said).outcomes]
    if "erased" in statuses:
        assert statuses[-1] == "pending"


def test_every_later_write_fails(memory: Memory, store: FillingDisk) -> None:
    """Whichever transaction is the first to fail after the recording, `observe` returns."""
    for n, left in enumerate([1, 2, 3, 4] * 4):
        store.writes_left = left
        receipt = memory.observe([f"My dog {n} is called Rex{n}.", f"第{n}件事：我喜欢茶{n}。"])
        assert len(receipt.turn_ids) == 2
    store.writes_left = None
    memory.flush()
    assert len(memory.turns()) == 32


def test_consolidation_waits(store: FillingDisk) -> None:
    """What is remembered is answered for though the consolidation could not be queued; the next
    writing queues it."""
    clock = FakeClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
    with Memory(
        store, embedder=None, clock=clock, background=False, consolidate_every=timedelta(days=1)
    ) as memory:
        store.writes_left = 1
        assert memory.remember("likes tea", user="sun").memory_id is not None
        store.writes_left = None
        assert memory.stats(user="sun").queue["pending"] == 0
        memory.remember("likes coffee", user="sun")
        assert memory.stats(user="sun").queue["pending"] == 1
