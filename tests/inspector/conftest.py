"""The inspector around a memory: in process, and as a server that a browser can reach."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="the extra server is not installed")
uvicorn = pytest.importorskip("uvicorn", reason="the extra server is not installed")

from story import START, tell  # noqa: E402 - after what it needs

from jiyi import Memory  # noqa: E402
from jiyi.access import Keyring  # noqa: E402
from jiyi.inspector import inspector_app  # noqa: E402
from jiyi.testing import FakeClock  # noqa: E402


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(START)


@pytest.fixture
def memory(tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory(tmp_path / "agent.db", embedder=None, background=False, clock=clock) as memory:
        yield memory


class Site:
    """A running inspector: its address, and the memory behind it."""

    def __init__(self, address: str, memory: Memory, keyring: Keyring) -> None:
        self.address = address
        self.memory = memory
        self.keyring = keyring


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Site]]:
    """Start an inspector on a memory of its own."""
    running: list[tuple[Any, threading.Thread, Memory]] = []

    def run() -> Site:
        clock = FakeClock(START)
        path = tmp_path_factory.mktemp("site") / "agent.db"
        memory = Memory(path, embedder=None, background=False, clock=clock)
        tell(memory, clock)
        keyring = Keyring(memory, open_without_keys=True)
        door = socket.socket()
        door.bind(("127.0.0.1", 0))
        server = uvicorn.Server(
            uvicorn.Config(inspector_app(memory, keyring), log_level="warning", lifespan="off")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        running.append((server, thread, memory))
        return Site(f"http://127.0.0.1:{door.getsockname()[1]}", memory, keyring)

    yield run
    for server, thread, memory in running:
        server.should_exit = True
        thread.join(10)
        memory.close()


# Not for the session: while Playwright is open its event loop runs, and no other test of this
# process could run one.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium. Where it is missing: skipped on a laptop, failed in CI."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        program = None
    if program is None:
        missing = "no Chromium: install Debian's package chromium, and playwright from pip"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    expect.set_options(timeout=20_000)  # a busy machine is no fault of the pages
    with sync_playwright() as playwright:
        # No sandbox: as root, and in containers, Chromium does not start with one.
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()
