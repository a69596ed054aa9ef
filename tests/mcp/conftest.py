"""MCP servers on stores of their own, and clients of the official SDK."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

Answer = dict[str, Any]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "agent.db"


@pytest.fixture
def command(db: Path, tmp_path: Path) -> tuple[list[str], dict[str, str]]:
    """`jiyi mcp` on the store of the test, and its environment, with no settings from outside."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JIYI_", "OPENAI_", "XDG_"))}
    env = {**kept, "JIYI_EMBEDDER": "none", "HOME": str(tmp_path)}
    start = "from jiyi.cli import main; main()"
    return [sys.executable, "-c", start, "mcp", "--db", str(db)], env


@pytest.fixture
def listening(command: tuple[list[str], dict[str, str]]) -> Iterator[Any]:
    """Start `jiyi mcp --http …`; returns its address once it answers."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*options: str) -> str:
        arguments, env = command
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen([*arguments, "--http", "--port", str(port), *options], env=env)
        started.append(process)
        for _ in range(600):
            with socket.socket() as door:
                if door.connect_ex(("127.0.0.1", port)) == 0:
                    return f"http://127.0.0.1:{port}/mcp"
            assert process.poll() is None, "the server ended"
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    yield start
    for process in started:
        process.terminate()
        assert process.wait(timeout=60) == 0, "it did not close its store"
