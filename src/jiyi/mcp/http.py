"""MCP over streamable HTTP, with access keys."""

from __future__ import annotations

import json
import signal
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from starlette.datastructures import Headers

from jiyi.access import EVERYWHERE, Keyring, is_loopback
from jiyi.access.headers import scope_in, token_in
from jiyi.errors import AccessError, StoreError
from jiyi.mcp.door import Door
from jiyi.mcp.server import build_server

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Send
    from starlette.types import Scope as Connection

    from jiyi.access import Admission
    from jiyi.memory import Memory
    from jiyi.types import Right, ScopeFields

PATH: Final = "/mcp"

_caller: ContextVar[tuple[Admission, ScopeFields]] = ContextVar("caller")


def http_app(
    memory: Memory,
    *,
    host: str = "127.0.0.1",
    path: str = PATH,
    reference: bool = False,
) -> Starlette:
    """An ASGI application that serves MCP at `path`; run its lifespan when mounting it.

    Requests carry a key as `Authorization: Bearer …`; the key says whose memory it is, and where it
    leaves that open, the headers `X-Jiyi-User`, `-Tenant`, `-Agent` and `-Session` do. Each request
    stands alone, so that several processes can serve one address.

    Args:
        memory: as long as no key was made and `host` is this machine, everybody works in it, in
            its scope; with a key, in the whole store as far as the key reaches.
        host: where it will listen. Beyond this machine it needs keys.

    Raises:
        ConfigurationError: `host` is beyond this machine and there is no key, or the extra `mcp` is
            not installed.
    """
    keyring = Keyring(memory.scoped(**EVERYWHERE), open_without_keys=is_loopback(host))
    keyring.check_host(host)
    server = build_server(_door(memory), reference=reference)
    app = server.streamable_http_app(
        streamable_http_path=path, json_response=True, stateless_http=True, host=host
    )
    app.add_middleware(_KeyGate, admit=keyring.admit)
    return app


def serve(memory: Memory, *, host: str, port: int, reference: bool = False) -> None:
    """Listen until told to stop (Ctrl-C, SIGTERM).

    Raises:
        ConfigurationError: see `http_app`.
        SystemExit: it was told to by SIGTERM; whoever opened the memory closes it on the way.
    """
    app = http_app(memory, host=host, reference=reference)
    import uvicorn

    # When it is done uvicorn sends itself the signal again, which would end the process at once.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    uvicorn.run(app, host=host, port=port, log_level="warning")


def _door(memory: Memory) -> Door:
    def door(right: Right) -> Memory:
        admission, scope = _caller.get()
        return memory if admission.key is None else admission.memory(right, **scope)

    return door


class _KeyGate:
    """Lets requests in that carry a good key, and remembers whose it is while they are answered."""

    def __init__(self, app: ASGIApp, admit: Callable[[str | None], Admission]) -> None:
        self._app = app
        self._admit = admit

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        if connection["type"] != "http":
            await self._app(connection, receive, send)
            return
        headers = Headers(scope=connection)
        try:
            admission = await anyio.to_thread.run_sync(self._admit, token_in(headers))
        except AccessError as error:
            body = {"error": "invalid_token", "error_description": str(error)}
            await _answer(send, 401, body, {"www-authenticate": 'Bearer error="invalid_token"'})
            return
        except StoreError as error:
            await _answer(send, 503, _rpc_error(str(error)), {"retry-after": "5"})
            return
        if connection["method"] != "POST":
            # Without sessions there is nothing to listen to and nothing to end: an open stream
            # would only hold a connection, also against a server that is told to stop.
            why = "this server has no sessions and no streams of its own: send requests by POST"
            await _answer(send, 405, _rpc_error(why), {"allow": "POST"})
            return
        # Whatever stands around this application may log whose key it was.
        connection.setdefault("state", {})["admission"] = admission
        mark = _caller.set((admission, scope_in(headers)))
        try:
            await self._app(connection, receive, send)
        finally:
            _caller.reset(mark)


def _rpc_error(why: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": why}}


async def _answer(send: Send, status: int, body: dict[str, Any], more: dict[str, str]) -> None:
    content = json.dumps(body).encode()
    headers = {"content-type": "application/json", "content-length": str(len(content)), **more}
    start: dict[str, Any] = {
        "type": "http.response.start",
        "status": status,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    await send(start)
    await send({"type": "http.response.body", "body": content})
