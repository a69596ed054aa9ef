"""Working notes of a task: `Memory.task(…)` over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, JsonValue

from jiyi.access import Right
from jiyi.server.operations import as_json
from jiyi.server.problems import documented
from jiyi.server.service import admission_of
from jiyi.server.telemetry import span
from jiyi.session.notes import TaskNotes

router = APIRouter(prefix="/v1", tags=["notes"])
_PROBLEMS = documented(400, 401, 403, 413, 422, 429, 503)

Task = Annotated[str, Query(description="The name of the task.", examples=["T-7"])]
Name = Annotated[str | None, Query()]


class Note(BaseModel):
    """A note to set; a value of null removes it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    task: str
    name: str
    value: JsonValue
    tenant: str | None = None
    user: str | None = None
    agent: str | None = None
    session: str | None = None
    tool: str | None = None


class Ended(BaseModel):
    """How many notes the task had."""

    ended: int


_EXAMPLE = {"user": "sun", "task": "T-7", "name": "progress", "value": "96/120"}


@router.get(
    "/notes",
    operation_id="notes",
    summary="The notes of a task",
    response_model=dict[str, JsonValue],
    responses=_PROBLEMS,
    openapi_extra={"x-right": "read"},
)
def notes(request: Request, *, task: Task, tenant: Name = None, user: Name = None) -> Response:
    """All notes of a task, in the order in which they began."""
    with span("notes"):
        return as_json(_task(request, "read", task, tenant=tenant, user=user).notes())


@router.put(
    "/notes",
    operation_id="note",
    summary="Set a note of a task",
    status_code=204,
    response_class=Response,
    responses=_PROBLEMS,
    openapi_extra={"x-right": "write"},
)
def note(request: Request, asked: Annotated[Note, Body(examples=[_EXAMPLE])]) -> Response:
    """Set a note, replacing the former value; null removes it. Notes live until the task ends, are
    shown in its contexts, and are never turned into memories."""
    scope = asked.model_dump(include={"tenant", "user", "agent"}, exclude_none=True)
    with span("note"):
        _task(request, "write", asked.task, **scope).note(asked.name, asked.value)
    return Response(status_code=204)


@router.delete(
    "/notes",
    operation_id="end_task",
    summary="End a task",
    response_model=Ended,
    responses=_PROBLEMS,
    openapi_extra={"x-right": "write"},
)
def end_task(request: Request, *, task: Task, tenant: Name = None, user: Name = None) -> Response:
    """End a task: its notes are gone."""
    with span("end_task"):
        ended = _task(request, "write", task, tenant=tenant, user=user).end()
    return as_json({"ended": ended})


def _task(request: Request, right: Right, task: str, **scope: Any) -> TaskNotes:
    named = {name: value for name, value in scope.items() if value is not None}
    return admission_of(request).memory(right).task(task, **named)
