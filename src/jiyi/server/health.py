"""What machines ask: is it alive, can it work, and how is it doing."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from jiyi.errors import StoreError
from jiyi.server.operations import as_json
from jiyi.server.problems import answer, documented, problem_of
from jiyi.server.service import admit, service_of

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """All is well."""

    status: Literal["ok"]


@router.get("/healthz", operation_id="healthz", response_model=Health, summary="Is it alive?")
async def healthz() -> Response:
    """The process answers. It says nothing about the store."""
    return as_json({"status": "ok"})


@router.get(
    "/readyz",
    operation_id="readyz",
    response_model=Health,
    responses=documented(503),
    summary="Can it work?",
)
def readyz(request: Request) -> Response:
    """The store can be used: it answers, and its file is still the one that was opened."""
    try:
        service_of(request).readiness.jobs()
    except StoreError as error:
        problem, headers = problem_of(error)
        problem.status = 503  # also of a damaged store: nobody should be sent here
        return answer(request, problem, headers)
    return as_json({"status": "ok"})


@router.get(
    "/metrics",
    operation_id="metrics",
    summary="Numbers for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "Prometheus' text format."}},
    openapi_extra={"x-right": "admin"},
)
async def metrics(request: Request) -> Response:
    """Requests, seconds, failures, the queue. Unless `open_metrics` is set it takes a key with
    "admin"; there is no content in it."""
    service = service_of(request)
    if not service.settings.open_metrics:
        (await admit(request)).memory("admin")
    text = await run_in_threadpool(service.metrics.text)
    return Response(text, media_type=CONTENT_TYPE_LATEST)
