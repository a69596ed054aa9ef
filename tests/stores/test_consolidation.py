"""A consolidation does the same on every store, and many at once do no harm."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta

import pytest
from places import Place

from jiyi import ConflictError, Memory
from jiyi.testing import FakeClock

EVERY = ("candidate", "superseded", "expired", "archived", "retracted")
TEXTS = (
    "我喜欢简洁的回答",
    "回答请简洁一点",
    "我偏好简短的回复",
    "I love tea",
    "I really enjoy tea",
)
BOAT = (
    "The boat leaked at pier 7",
    "The boat was painted green",
    "The mast broke",
    "It was mended",
)


@pytest.fixture(params=["memory_place", "file_place", "postgres_place"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


def test_a_run_and_its_undo(place: Place) -> None:
    """Merges, a summary, archiving and expiry in one run; then everything back as it was; then
    erased without a trace."""
    clock = FakeClock()
    with Memory(place.open(), embedder=None, clock=clock, background=False) as opened:
        memory = opened.scoped(tenant="acme", user="sun")
        for text in TEXTS:
            memory.remember(text)
        ids = [
            memory.remember(t, kind="episodic", tags=["boat"], agent="a").memory_id for t in BOAT
        ]
        memory.remember("a guest 客人", ttl=60)
        clock.advance(timedelta(days=100))

        def state() -> dict[str, tuple[object, ...]]:
            page = memory.list(include=EVERY, limit=100)
            made = "undone: it had been stored"
            return {m.id: (m.text, m.status, m.tier) for m in page.items if m.reason != made}

        before = state()
        report = memory.consolidate()
        assert report.failed is None
        assert Counter(report.counts) >= Counter({"merge": 2, "summarise": 1, "expire": 1})
        assert len(memory.conflicts()) == 0
        memory.undo(report.run_id)
        assert state() == before
        clock.advance(timedelta(days=1))
        for text in TEXTS[:2]:
            memory.remember(f"{text}吧")
        memory.consolidate()
        memory.forget(ids=ids[0] or "")
        assert not [m for m in memory.list(include=EVERY, limit=100).items if "leaked" in m.text]


def test_many_at_once(place: Place) -> None:
    """Writers and runs side by side: runs that meet are refused, nothing else fails, and in the end
    every source is there once."""
    store = place.open()
    told: list[str] = []
    errors: list[Exception] = []

    def live(number: int) -> None:
        memory = Memory(store, embedder=None, background=False).scoped(user="sun")
        for turn in range(3):
            text = TEXTS[(number + turn) % len(TEXTS)]
            try:
                memory.remember(text, source=f"{number}-{turn}")
                told.append(f"{number}-{turn}")
                memory.consolidate()
            except ConflictError as error:
                if "at work" not in str(error):
                    errors.append(error)

    threads = [threading.Thread(target=live, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    memory = Memory(store, embedder=None, background=False).scoped(user="sun")
    memory.consolidate()
    items = memory.list(limit=100).items
    assert len(items) == 2
    assert sorted(s.label or "" for m in items for s in m.sources) == sorted(told)
