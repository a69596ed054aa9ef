"""The verbs that look after the store as a whole."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel

from jiyi.errors import JiyiError
from jiyi.formats.plain import to_plain
from jiyi.memory import Memory
from jiyi.server.derive import model_of
from jiyi.server.operations import as_json
from jiyi.server.problems import documented, problem_of
from jiyi.server.service import admission_of
from jiyi.server.telemetry import span
from jiyi.types import Finding

router = APIRouter(prefix="/v1", tags=["upkeep"])
_PROBLEMS = documented(401, 403, 409, 429, 502, 503)
_ADMIN = {"x-right": "admin"}
_LINES = "application/x-ndjson"


class Repaired(BaseModel):
    """Rows that were deleted, by the name of the finding."""

    rows: dict[str, int]


@router.post(
    "/flush",
    operation_id="flush",
    summary="Finish the background work that is due",
    status_code=204,
    response_class=Response,
    responses=_PROBLEMS,
    openapi_extra={"x-right": "write"},
)
def flush(request: Request) -> Response:
    """Finish the background work that is due now, and write what is buffered."""
    view = admission_of(request).memory("write")
    with span("flush"):
        view.flush()
    return Response(status_code=204)


@router.get(
    "/check",
    operation_id="check",
    summary="Look for damage in the whole store",
    response_model=list[model_of(Finding)],  # type: ignore[misc]
    responses=_PROBLEMS,
    openapi_extra=_ADMIN,
)
def check(request: Request) -> Response:
    """Look for damage: integrity, orphans, stale indexes, stuck work. Reads everything, changes
    nothing; empty when all is well."""
    memory = admission_of(request).whole_store()
    with span("check"):
        return as_json(to_plain(memory.check()))


@router.post(
    "/repair",
    operation_id="repair",
    summary="Delete rows whose owner is gone",
    response_model=Repaired,
    responses=_PROBLEMS,
    openapi_extra=_ADMIN,
)
def repair(request: Request) -> Response:
    """Delete rows whose owner is gone, and drive erased bytes out of the files."""
    memory = admission_of(request).whole_store()
    with span("repair"):
        return as_json({"rows": to_plain(memory.repair())})


@router.post(
    "/reembed",
    operation_id="reembed",
    summary="Make vectors with the server's embedder",
    response_class=StreamingResponse,
    responses={
        200: {"content": {_LINES: {"schema": {"type": "string"}}}, "description": "Progress."},
        **_PROBLEMS,
    },
    openapi_extra=_ADMIN,
)
def reembed(request: Request) -> Response:
    """Make vectors for all that has none, then drop those of other embedders. Answers with JSON
    lines: `{"vectors": 512}` now and then, and at the end `{"made": 900}` or a problem."""
    return StreamingResponse(_progress(admission_of(request).whole_store()), media_type=_LINES)


def _progress(memory: Memory) -> Iterator[bytes]:
    told: queue.SimpleQueue[dict[str, object] | None] = queue.SimpleQueue()

    def work() -> None:
        try:
            with span("reembed"):
                told.put({"made": memory.reembed(lambda done: told.put({"vectors": done}))})
        except JiyiError as error:
            told.put(problem_of(error)[0].model_dump(exclude_none=True))
        finally:
            told.put(None)

    threading.Thread(target=work, name="jiyi-reembed", daemon=True).start()
    while (line := told.get()) is not None:
        yield json.dumps(line).encode() + b"\n"
