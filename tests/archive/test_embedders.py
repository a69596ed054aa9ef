"""Another embedder, one that comes later, and processes with and without one on one file (30)."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from jiyi import ConfigurationError, Memory, ModelError
from jiyi.testing import FakeClock, HashEmbedder

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SMALL, LARGE = HashEmbedder(8), HashEmbedder(16)


def opened(path: Path, embedder: Any) -> Memory:
    clock = FakeClock(NOW)
    return Memory(path, embedder=embedder, clock=clock, background=False).scoped(user="u")


def vectors(memory: Memory) -> dict[str, int]:
    return dict(memory.stats().vectors)


def test_opened_with_another_embedder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Opening says which embedder made the vectors, which one is here, and what to do; words are
    found meanwhile, old and new; the change-over makes all anew, drops the old, and then the
    meaning is searched again."""
    path = tmp_path / "a.db"
    with opened(path, SMALL) as memory:
        memory.remember_all(["likes green tea", "住在北京"])
        memory.flush()
        assert vectors(memory) == {"hash-8": 2}
    caplog.set_level(logging.WARNING, "jiyi")
    with opened(path, LARGE) as memory:
        (said,) = [record.getMessage() for record in caplog.records]
        assert all(word in said for word in ("hash-8", "hash-16", "jiyi reembed"))
        memory.remember("works in Lyon")
        memory.flush()
        assert vectors(memory) == {"hash-8": 2}
        for asked in ("green tea", "北京", "Lyon"):
            hits = memory.recall(asked)
            assert hits
            assert memory.explain(hits.trace_id).arms.get("vector", 0) == 0
        steps: list[int] = []
        assert memory.reembed(steps.append) == 3
        assert steps == [3]
        assert vectors(memory) == {"hash-16": 3}
        assert memory.reembed() == 0
        assert memory.explain(memory.recall("tea").trace_id).arms.get("vector", 0) > 0
    caplog.clear()
    with opened(path, LARGE):
        assert not caplog.records


class Failing(HashEmbedder):
    """Makes so many vectors and fails then."""

    def __init__(self, calls: int) -> None:
        super().__init__(16)
        self.calls = calls

    def embed_documents(self, texts: list[str]) -> npt.NDArray[np.float32]:
        self.calls -= 1
        if self.calls < 0:
            raise ModelError("the embedder is gone", retryable=True)
        return super().embed_documents(texts)


def test_an_interrupted_change_over_goes_on(tmp_path: Path) -> None:
    """A change-over that fails in the middle keeps what it made, and the old vectors until all are
    new; the next one makes only the rest."""
    path = tmp_path / "a.db"
    with opened(path, SMALL) as memory:
        memory.remember_all([f"fact {n} 事实" for n in range(70)])
        memory.flush()
    with opened(path, Failing(1)) as memory:
        with pytest.raises(ModelError):
            memory.reembed()
        assert vectors(memory) == {"hash-8": 70, "hash-16": 32}
    with opened(path, LARGE) as memory:
        assert memory.reembed() == 38
        assert vectors(memory) == {"hash-16": 70}


def test_an_embedder_that_comes_later(tmp_path: Path) -> None:
    """What was written without an embedder gets vectors when one is there: turns and memories."""
    path = tmp_path / "a.db"
    with opened(path, None) as memory:
        memory.observe("我对花生过敏。")
        with pytest.raises(ConfigurationError, match="no embedder"):
            memory.reembed()
        units = memory.stats()
    with opened(path, SMALL) as memory:
        memory.flush()
        assert vectors(memory) == {"hash-8": units.turns + sum(units.memories.values())}


def test_with_and_without_on_one_file(tmp_path: Path) -> None:
    """One process embeds, another does not: both write and find everything; what the one without
    writes gets its vectors from the other."""
    path = tmp_path / "a.db"
    with opened(path, SMALL) as one, opened(path, None) as other:
        one.remember("likes green tea")
        other.remember("lives in Oslo")
        one.flush()
        other.remember("住在罗马")
        assert one.recall("罗马")[0].text == "住在罗马"
        assert other.recall("green tea")
        one.flush()
        assert vectors(one) == {"hash-8": 3}
        with opened(path, LARGE) as third:  # stands back until it is told to take over
            third.flush()
            assert vectors(third) == {"hash-8": 3}
            third.reembed()
        one.remember("a fourth")
        one.flush()
        assert vectors(one) == {"hash-16": 3}
        assert one.recall("fourth")
