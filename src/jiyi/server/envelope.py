"""What surrounds every request: its id, its time, a line in the log; and who may not send any.

The log tells the method, the route, the status and the key, never what was said.
"""

from __future__ import annotations

import json
import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect

from jiyi.access import is_loopback
from jiyi.errors import AccessError, JiyiError
from jiyi.server.problems import MEDIA_TYPE, fault, problem_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from jiyi.server.metrics import Metrics

logger = logging.getLogger("jiyi.server")

_GOOD_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PROXY: Final = ("forwarded", "x-forwarded-for", "x-real-ip")


class Envelope:
    """Gives every request an id, measures it, and writes one line about it."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        id = given if _GOOD_ID.fullmatch(given) else uuid.uuid4().hex
        state = scope.setdefault("state", {})
        state["request_id"] = id
        begun, status = time.perf_counter(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = id
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except ClientDisconnect:
            # Nobody is there to answer. The number is nginx's, for the log and the metrics.
            status = status or 499
        except Exception as error:
            if status:
                raise
            # The outermost place: whatever it is, the caller gets an answer and the log a line.
            await _send_error(sent, error, id)
        finally:
            seconds = time.perf_counter() - begun
            method, route = scope["method"], _route(scope)
            self._metrics.requests.labels(method, route, str(status)).inc()
            self._metrics.seconds.labels(method, route).observe(seconds)
            admission = state.get("admission")
            key = None if admission is None or admission.key is None else admission.key.id
            logger.info(
                "%s %s %d",
                method,
                route,
                status,
                extra={
                    "request": {
                        "id": id,
                        "method": method,
                        "route": route,
                        "status": status,
                        "ms": round(seconds * 1000, 1),
                        "key": key,
                    }
                },
            )


def _route(scope: Scope) -> str:
    """The pattern that answered, so that ids and names stay out of logs and numbers."""
    return getattr(scope.get("route"), "path", None) or "other"


class Doorman:
    """Turns away what a browser was tricked into, and what does not come from this machine while
    the door stands open.

    A page of a foreign origin may not change anything. As long as no key is needed, requests must
    be addressed to this machine (a name that was bound to 127.0.0.1 is not), and a proxy may not
    pass them on.

    Args:
        origins: further origins whose pages may.
        is_open: whether requests without a key are let in.
    """

    def __init__(self, app: ASGIApp, origins: tuple[str, ...], is_open: Callable[[], bool]) -> None:
        self._app = app
        self._origins = origins
        self._is_open = is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            why = self._forged(scope, headers)
            if why is None and self._is_foreign(headers) and await run_in_threadpool(self._is_open):
                why = "without keys this server is for this machine alone: make one"
            if why is not None:
                await _send_error(send, AccessError(why, known=True), scope["state"]["request_id"])
                return
        await self._app(scope, receive, send)

    def _forged(self, scope: Scope, headers: Headers) -> str | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        changes = origin is not None and scope["method"] not in _SAFE
        if changes and origin not in (*self._origins, f"http://{host}", f"https://{host}"):
            return "pages of another origin may not change anything here"
        return None

    def _is_foreign(self, headers: Headers) -> bool:
        return not is_loopback(_name_of(headers.get("host", ""))) or any(
            n in headers for n in _PROXY
        )


def _name_of(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


async def _send_error(send: Send, error: Exception, request_id: str) -> None:
    """Answer with a problem where no route is there to do it."""
    if isinstance(error, JiyiError):
        problem, headers = problem_of(error)
        problem.request_id = request_id
    else:
        problem, headers = fault(error, request_id), {}
    body = json.dumps(problem.model_dump(exclude_none=True)).encode()
    named = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), **headers}
    start: Message = {
        "type": "http.response.start",
        "status": problem.status,
        "headers": [(name.lower().encode(), value.encode()) for name, value in named.items()],
    }
    await send(start)
    await send({"type": "http.response.body", "body": body})
