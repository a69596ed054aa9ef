"""Archives and backups as streams: what leaves or enters the store whole."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

import anyio
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from jiyi.archived import LoadReport
from jiyi.errors import AccessError
from jiyi.formats.plain import to_plain
from jiyi.memory import Memory
from jiyi.server.derive import model_of
from jiyi.server.operations import as_json
from jiyi.server.problems import documented
from jiyi.server.service import admission_of
from jiyi.server.telemetry import span
from jiyi.types import ScopeFields

LOAD: Final = "/v1/load"
_LINES: Final = "application/x-ndjson"
_BYTES: Final = "application/octet-stream"
_CHUNK: Final = 256 * 1024

Name = Annotated[str | None, Query()]

router = APIRouter(prefix="/v1", tags=["archives"])


@router.get(
    "/export",
    operation_id="export",
    summary="An archive of a user, or of everybody, as JSON lines",
    response_class=StreamingResponse,
    responses={
        200: {"content": {_LINES: {"schema": {"type": "string"}}}, "description": "The archive."},
        **documented(401, 403, 422, 429, 503),
    },
    openapi_extra={"x-right": "admin"},
)
def export(
    request: Request,
    *,
    tenant: Name = None,
    user: Name = None,
    everything: Annotated[bool, Query(description="All users of the tenant.")] = False,
) -> Response:
    """Everything that is kept of a user: turns, memories with their history, documents, the audit
    log, hard facts, sessions, notes. One state of the store, also while others write. Keys are not
    in it. With `everything` and no tenant it takes a key for every tenant."""
    view = _view(request, tenant, user, everybody=everything)

    def write(file: Path) -> None:
        with span("export"):
            view.export(file, everything=everything)

    return _send(write, _LINES, "archive.jsonl")


@router.post(
    "/load",
    operation_id="load",
    summary="Take in an archive, merged by id",
    response_model=model_of(LoadReport),
    responses=documented(401, 403, 409, 413, 422, 429, 503),
    openapi_extra={
        "x-right": "admin",
        "requestBody": {
            "required": True,
            "content": {_LINES: {"schema": {"type": "string"}}},
        },
    },
)
async def load(
    request: Request,
    *,
    tenant: Name = None,
    user: Name = None,
) -> Response:
    """Take in an archive that `export` wrote. It is checked whole before anything is written;
    loading it twice changes nothing, and what was erased here stays away. Without a tenant and a
    user it takes in whatever the archive holds, which needs a key for every tenant."""
    view = _view(request, tenant, user, everybody=True)

    def take(file: Path) -> Any:
        with span("load"):
            return to_plain(view.load(file))

    with TemporaryDirectory(prefix="jiyi-") as folder:
        file = Path(folder) / "archive.jsonl"
        async with await anyio.open_file(file, "wb") as out:
            async for part in request.stream():
                await out.write(part)
        return as_json(await run_in_threadpool(take, file))


@router.post(
    "/backup",
    operation_id="backup",
    summary="A copy of the whole store, verified",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {_BYTES: {"schema": {"type": "string", "format": "binary"}}},
            "description": "A SQLite file.",
        },
        **documented(401, 403, 409, 429, 503),
    },
    openapi_extra={"x-right": "admin"},
)
def backup(request: Request) -> Response:
    """A copy of the whole store, made while it is in use, and verified. `jiyi restore` puts it
    back. It holds the keys' digests too."""
    memory = admission_of(request).whole_store()

    def write(file: Path) -> None:
        with span("backup"):
            memory.backup(file)

    return _send(write, _BYTES, "memory.db")


def _view(request: Request, tenant: str | None, user: str | None, *, everybody: bool) -> Memory:
    """The memory of whose archive it is. What is of no tenant and no user is of everybody."""
    admission = admission_of(request)
    named: ScopeFields = {}
    if tenant is not None:
        named["tenant"] = tenant
    if user is not None:
        named["user"] = user
    scope = admission.scope("admin", **named)
    if admission.key is not None and admission.key.agents is not None:
        raise AccessError("an archive holds what is for every agent of a user", known=True)
    if everybody and scope.tenant is None and scope.user is None:
        return admission.whole_store()
    return admission.memory("admin").scoped(tenant=scope.tenant, user=scope.user)


def _send(write: Callable[[Path], None], kind: str, name: str) -> Response:
    """Write a file and send it. It is removed when it is sent, when nobody takes it any more, or
    when it could not be written."""
    with ExitStack() as stack:
        file = Path(stack.enter_context(TemporaryDirectory(prefix="jiyi-"))) / name
        write(file)
        kept = stack.pop_all()

    async def parts() -> AsyncIterator[bytes]:
        with kept:
            async with await anyio.open_file(file, "rb") as source:
                while chunk := await source.read(_CHUNK):
                    yield chunk

    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Length": str(file.stat().st_size),
    }
    return StreamingResponse(parts(), media_type=kind, headers=headers)
