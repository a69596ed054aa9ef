"""A memory in the process, without an embedder, with an injected clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 4, 6, 9, 0, tzinfo=UTC))


@pytest.fixture
def memory(clock: FakeClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, clock=clock) as opened:
        yield opened
