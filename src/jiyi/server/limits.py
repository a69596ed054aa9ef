"""How much one caller may ask: a bucket of requests each, and a longest request."""

from __future__ import annotations

import math
import sqlite3
import threading
import time
from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from jiyi.server.problems import TooLargeError, TooManyRequestsError

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_FULL_AFTER_S: Final = 60.0  # a bucket that nobody took from for so long is as good as a new one
_BUCKETS: Final = """
CREATE TABLE IF NOT EXISTS bucket (
    caller BLOB PRIMARY KEY, left REAL NOT NULL, since REAL NOT NULL
) WITHOUT ROWID
"""
_PUT: Final = "INSERT OR REPLACE INTO bucket VALUES (?, ?, ?)"


class RateLimit:
    """A bucket of `per_minute` requests for every caller, filled steadily. Thread-safe.

    Args:
        per_minute: 0 is no bound.
        shared: a file in which the processes of one address count together; None counts in this
            process alone. It holds nothing that has to outlive them.
        seconds: a clock that all these processes share.
    """

    def __init__(
        self,
        per_minute: int,
        *,
        shared: Path | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._size = float(per_minute)
        self._seconds = seconds
        self._lock = threading.Lock()
        self._swept = seconds()
        self._shared = shared
        self._db: sqlite3.Connection | None = None

    def open(self) -> sqlite3.Connection:
        """Open the buckets, and make them. Whoever starts the processes that share a file does so
        first, for two cannot make it at once; otherwise the first request does."""
        if self._db is None:
            where = ":memory:" if self._shared is None else self._shared
            self._db = sqlite3.connect(where, isolation_level=None, check_same_thread=False)
            # A process that is killed leaves the file whole; what the machine loses is not missed.
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = OFF")
            self._db.execute(_BUCKETS)
        return self._db

    def take(self, caller: str) -> None:
        """Count one request; TooManyRequestsError when there was one too many."""
        if self._size <= 0:
            return
        rate, name = self._size / 60, blake2b(caller.encode(), digest_size=16).digest()
        with self._lock:
            db = self.open()
            db.execute("BEGIN IMMEDIATE")
            now = self._seconds()
            row = db.execute("SELECT left, since FROM bucket WHERE caller = ?", (name,))
            left, since = row.fetchone() or (self._size, now)
            left = min(self._size, left + max(0.0, now - since) * rate)
            enough = left >= 1
            db.execute(_PUT, (name, left - 1 if enough else left, now))
            if now - self._swept >= _FULL_AFTER_S:
                db.execute("DELETE FROM bucket WHERE since < ?", (now - _FULL_AFTER_S,))
                self._swept = now
            db.execute("COMMIT")
        if not enough:
            raise TooManyRequestsError(max(1, math.ceil((1 - left) / rate)))

    def close(self) -> None:
        """Let go of the buckets."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None


class SizeLimit:
    """Refuses requests that are longer than allowed, before they are read whole.

    Args:
        limit: bytes; `larger` names paths that may have more.
    """

    def __init__(self, app: ASGIApp, limit: int, larger: dict[str, int]) -> None:
        self._app = app
        self._limit = limit
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._larger.get(scope["path"], self._limit)
        length = next((v for name, v in scope["headers"] if name == b"content-length"), b"0")
        announced, read = int(length) if length.isdigit() else 0, 0

        async def counted() -> Message:
            nonlocal read
            if announced > limit:
                raise TooLargeError(limit)
            message = await receive()
            if message["type"] == "http.request":
                read += len(message.get("body", b""))
                if read > limit:
                    raise TooLargeError(limit)
            return message

        await self._app(scope, counted, send)
