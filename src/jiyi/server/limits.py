"""How much one caller may ask: a bucket of requests each, and a longest request."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from jiyi.server.problems import TooLargeError, TooManyRequestsError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MOST_CALLERS: Final = 10_000  # remembered at once; who has not asked for longest goes first


class RateLimit:
    """A bucket of `per_minute` requests for every caller, filled steadily. Thread-safe.

    It knows the callers of this process only. 0 is no bound.
    """

    def __init__(self, per_minute: int, *, seconds: Callable[[], float] = time.monotonic) -> None:
        self._size = float(per_minute)
        self._seconds = seconds
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """Count one request; TooManyRequestsError when there was one too many."""
        if self._size <= 0:
            return
        now, rate = self._seconds(), self._size / 60
        with self._lock:
            left, since = self._buckets.pop(caller, (self._size, now))
            left = min(self._size, left + (now - since) * rate)
            enough = left >= 1
            self._buckets[caller] = (left - 1 if enough else left, now)
            if len(self._buckets) > _MOST_CALLERS:
                self._buckets.popitem(last=False)
        if not enough:
            raise TooManyRequestsError(max(1, math.ceil((1 - left) / rate)))


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
