"""A memory on a file for the tests of contracts, without an embedder, with an injected clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agent.db"


@pytest.fixture
def memory(path: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory(path, embedder=None, clock=clock, background=False) as opened:
        yield opened


@pytest.fixture
def files(path: Path) -> object:
    """All bytes of the store: what is erased must be in none of them."""
    return lambda: b"".join(p.read_bytes() for p in sorted(path.parent.glob(path.name + "*")))
