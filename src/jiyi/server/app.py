"""The application: routes, what surrounds them, and its description."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from fastapi import Depends, FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.concurrency import run_in_threadpool
from starlette.middleware.cors import CORSMiddleware

from jiyi.access import EVERYWHERE, Keyring, is_loopback
from jiyi.errors import StoreError
from jiyi.server import archives, chat, health, keys, notes, upkeep
from jiyi.server.envelope import Doorman, Envelope
from jiyi.server.limits import RateLimit, SizeLimit
from jiyi.server.metrics import Metrics
from jiyi.server.operations import REPLAYED
from jiyi.server.passage import add_inspector, add_mcp
from jiyi.server.problems import Problem, handle_problems
from jiyi.server.readiness import Readiness
from jiyi.server.service import Service, admit
from jiyi.server.verbs import verbs_router
from jiyi.settings import ServerSettings

if TYPE_CHECKING:
    from pathlib import Path

    from jiyi.memory import Memory

logger = logging.getLogger("jiyi.server")

_ABOUT: Final = """\
The long-term memory of AI agents. Every verb of the Python class `Memory` stands under `/v1`, with
the same arguments and the same values; `/openai/v1` is a chat endpoint that remembers.

**Keys.** `Authorization: Bearer jiyi_…`. On this machine, and as long as no key was made, none is
needed. `x-right` says which right an operation takes.

**Scope.** `tenant`, `user`, `agent`, `session`, `task` and `tool` say whose memory it is. What a
key is bound to is filled in; anything else is refused.

**Errors** are problem details (RFC 9457), with `field` and `hint` where input does not fit.
"""
_AT_ONCE: Final = 8
"""Requests that one process works on at once; the others wait their turn. Recall is work for the
processor: more threads only take it from each other, and open connections that nobody keeps."""

_EXPOSED: Final = ["X-Request-Id", "Retry-After", REPLAYED, chat.STATE]


def create_app(
    memory: Memory,
    settings: ServerSettings | None = None,
    *,
    closes: bool = False,
    rates: Path | None = None,
) -> FastAPI:
    """The application around an open memory; it works in the whole store, whatever the scope of
    `memory`.

    At `app.state.service` stand its parts, such as the keyring.

    Args:
        settings: as `jiyi serve` reads them; `host` says whether the door may stand open.
        closes: whether the memory is closed with the application, which gives back the work that
            it had begun.
        rates: the file in which several processes count their callers' requests together.
    """
    settings = ServerSettings() if settings is None else settings
    memory = memory.scoped(**EVERYWHERE)
    keyring = Keyring(memory, open_without_keys=is_loopback(settings.host))
    readiness = Readiness(memory)
    metrics = Metrics(readiness, shared=settings.processes > 1)
    service = Service(
        memory=memory,
        keyring=keyring,
        settings=settings,
        limit=RateLimit(settings.requests_per_minute, shared=rates),
        metrics=metrics,
        readiness=readiness,
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = _AT_ONCE
        async with AsyncExitStack() as stack:
            for part in app.state.parts:
                await stack.enter_async_context(part(app))
            try:
                yield
            finally:
                service.limit.close()
                if closes:
                    await run_in_threadpool(_close, memory)

    app = FastAPI(
        title="jiyi 记忆",
        version=version("jiyi"),
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.service = service
    app.state.parts = [chat.upstream]
    handle_problems(app)
    # Of these, the last one is the outermost.
    app.add_middleware(
        SizeLimit,
        limit=settings.max_body_bytes,
        larger={archives.LOAD: settings.max_archive_bytes},
    )
    app.add_middleware(Doorman, origins=settings.cors_origins, is_open=keyring.is_open)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=_EXPOSED,
        )
    app.add_middleware(Envelope, metrics=metrics)
    for router in (
        verbs_router(),
        notes.router,
        archives.router,
        upkeep.router,
        keys.router,
    ):
        app.include_router(router, dependencies=[Depends(admit)])
    app.include_router(chat.router)
    app.include_router(health.router)
    add_mcp(app)
    add_inspector(app)
    app.openapi = lambda: _describe(app)  # type: ignore[method-assign]
    return app


def _close(memory: Memory) -> None:
    """Close a memory at the end, when nobody is left to tell but the log."""
    try:
        memory.close()
    except StoreError as error:
        logger.warning("the store could not be closed properly: %s", error)


def _describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description, with what FastAPI does not know: keys and problems."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
        )
        parts = schema.setdefault("components", {})
        parts["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        parts.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
        for path in schema["paths"].values():
            for operation in path.values():
                if "x-right" in operation:
                    operation["security"] = [{"key": []}, {}]
        app.openapi_schema = schema
    return app.openapi_schema
