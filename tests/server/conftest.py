"""Servers for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from served import Serve, Served, run_app

from jiyi import Memory
from jiyi.server import create_app
from jiyi.settings import ServerSettings


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    """Starts a server on a new store, with the given settings."""

    @contextmanager
    def started(*, file: bool = True, **settings: object) -> Iterator[Served]:
        target = str(tmp_path / "memory.db") if file else ":memory:"
        with Memory(target, embedder=None, background=False) as memory:
            chosen = replace(ServerSettings(), **settings)  # type: ignore[arg-type]
            app = create_app(memory, chosen)
            with run_app(app) as url:
                yield Served(url, memory, app)

    return started


@pytest.fixture
def served(serve: Serve) -> Iterator[Served]:
    """A server without keys."""
    with serve() as running:
        yield running
