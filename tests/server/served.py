"""A real server for every test that wants one: uvicorn in a thread, on a free port."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

import httpx
import uvicorn
from fastapi import FastAPI

from jiyi import Memory
from jiyi.access import Keyring


@dataclass(frozen=True, slots=True)
class Served:
    """A running server, and the memory behind it."""

    url: str
    memory: Memory
    app: FastAPI

    @property
    def keyring(self) -> Keyring:
        return Keyring(self.memory)

    def client(self, token: str | None = None, **options: object) -> httpx.Client:
        """A plain HTTP client, with a key if one is given."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        # Certificates, which nobody needs here, take longer to load than most of these tests.
        options = {"base_url": self.url, "timeout": 120, "verify": False, **options}
        return httpx.Client(headers=headers, **options)  # type: ignore[arg-type]


@contextmanager
def run_app(app: FastAPI) -> Iterator[str]:
    """Serve an application until the block ends; its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


Serve = Callable[..., AbstractContextManager[Served]]
"""Starts a server on a new store, with the given settings of `ServerSettings`."""
