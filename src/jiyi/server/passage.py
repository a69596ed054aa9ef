"""Whole applications beside the routes: MCP and the inspector, each at its paths as they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Match

from jiyi.access.headers import token_in
from jiyi.errors import AccessError, StoreError
from jiyi.server.service import Service

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

_OURS: Final = ("/v1/", "/openai/")
_ALONE: Final = ("/healthz", "/readyz", "/metrics", "/openapi.json")


class Passage(BaseRoute):
    """Hands requests whose path is `taken` on to another application, unchanged."""

    def __init__(self, path: str, app: ASGIApp, taken: Callable[[str], bool]) -> None:
        self.path = path
        self._app = app
        self._taken = taken

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether this path is for that application."""
        if scope["type"] == "http" and self._taken(scope["path"]):
            return Match.FULL, {"route": self}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it answer."""
        await self._app(scope, receive, send)


class _Limited:
    """Counts requests by key or address, for an application that admits by itself."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = token_in(Headers(scope=scope))
        caller = scope["client"][0] if scope.get("client") else "nowhere"
        if token is not None:
            # Whose key is no good, or cannot be looked up, is counted by address like anybody.
            with suppress(AccessError, StoreError):
                admission = await run_in_threadpool(self._service.keyring.admit, token)
                caller = caller if admission.key is None else admission.key.id
        self._service.limit.take(caller)
        await self._app(scope, receive, send)


def add_mcp(app: FastAPI) -> None:
    """MCP over streamable HTTP at /mcp, where the extra `mcp` is installed."""
    if find_spec("mcp") is None:
        return
    from jiyi.mcp.http import PATH, http_app

    service: Service = app.state.service
    inner = http_app(service.memory, host=service.settings.host)
    limited = _Limited(inner, service)
    app.router.routes.append(Passage(PATH, limited, lambda path: path == PATH))
    app.state.parts.append(_lifespan_of(inner))


def add_inspector(app: FastAPI) -> None:
    """The inspector at every path that is nobody else's."""
    from jiyi.inspector.app import inspector_app

    service: Service = app.state.service
    inner = _Limited(inspector_app(service.memory, service.keyring), service)
    app.router.routes.append(
        Passage("/", inner, lambda path: not f"{path}/".startswith(_OURS) and path not in _ALONE)
    )


def _lifespan_of(inner: Starlette) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def run(app: FastAPI) -> AsyncIterator[None]:
        del app
        async with inner.router.lifespan_context(inner):
            yield

    return run
