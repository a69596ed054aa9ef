"""Errors as answers: problem details (RFC 9457), one shape for every one of them."""

from __future__ import annotations

import json
import logging
import traceback
from typing import TYPE_CHECKING, Any, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from jiyi.errors import (
    AccessError,
    ConfigurationError,
    ConflictError,
    EmbedderMismatchError,
    InvalidInputError,
    JiyiError,
    ModelError,
    NotFoundError,
    StoreClosedError,
    StoreError,
    StoreFormatError,
)

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request

logger = logging.getLogger("jiyi.server")

MEDIA_TYPE: Final = "application/problem+json"
_PREFIX: Final = "urn:jiyi:problem:"
_RETRY_S: Final = "5"


class Problem(BaseModel):
    """What went wrong. `type` is for programs, `detail` for people; `field` and `hint` come with
    input that does not fit, and name what to change."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    hint: str | None = None
    request_id: str | None = None


_KINDS: Final[tuple[tuple[type[JiyiError], int, str, str], ...]] = (
    (InvalidInputError, 422, "invalid-input", "A field of the request is wrong"),
    (NotFoundError, 404, "not-found", "There is no such thing in this scope"),
    (AccessError, 403, "access", "This key does not reach so far"),
    (ConflictError, 409, "conflict", "The change contradicts the present state"),
    (EmbedderMismatchError, 409, "embedder-mismatch", "The vectors come from another embedder"),
    (ConfigurationError, 409, "configuration", "This server is not set up for that"),
    (ModelError, 502, "model", "A model behind this server failed"),
    (StoreClosedError, 503, "store-closed", "The server is shutting down"),
    (StoreFormatError, 500, "store-format", "The store cannot be read"),
    (StoreError, 503, "store", "The store could not do its work"),
)

_HTTP: Final = {400: "bad-request", 404: "no-such-path", 405: "method", 413: "too-large"}
_HTTP_TITLES: Final = {
    400: "The request cannot be read",
    404: "There is no such path",
    405: "This path does not know this method",
    413: "The request is too large",
}


class TooManyRequestsError(HTTPException):
    """More was asked than is allowed; try again after `retry_s` seconds."""

    def __init__(self, retry_s: int) -> None:
        super().__init__(429, "more requests than this key may make", {"Retry-After": str(retry_s)})


class TooLargeError(HTTPException):
    """A request is longer than the server takes."""

    def __init__(self, limit: int) -> None:
        super().__init__(413, f"the request has more than {limit:,} bytes")


def answer(request: Request, problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """A problem as a response."""
    problem.request_id = getattr(request.state, "request_id", None)
    body = problem.model_dump(exclude_none=True)
    return Response(
        # What people send may hold halves of surrogate pairs: those are escaped.
        json.dumps(body, ensure_ascii=False).encode(errors="backslashreplace"),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=headers,
    )


def problem_of(error: JiyiError) -> tuple[Problem, dict[str, str]]:
    """What an error of ours says over HTTP, and the headers that go with it."""
    status, name, title = next(
        ((s, n, t) for kind, s, n, t in _KINDS if isinstance(error, kind)),
        (500, "internal", "Something went wrong"),
    )
    headers: dict[str, str] = {}
    if isinstance(error, AccessError) and not error.known:
        status, name, title = 401, "no-key", "A key is needed"
        headers["WWW-Authenticate"] = "Bearer"
    if status == 503:
        headers["Retry-After"] = _RETRY_S
    problem = Problem(type=_PREFIX + name, title=title, status=status, detail=str(error))
    if isinstance(error, InvalidInputError):
        problem.field, problem.hint, problem.detail = error.field, error.hint, error.problem
    return problem, headers


def handle_problems(app: FastAPI) -> None:
    """Let every error of an application be answered as a problem."""

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, JiyiError)  # noqa: S101 - it is registered for these
        return answer(request, *problem_of(error))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for these
        name = "too-many-requests" if error.status_code == 429 else _HTTP.get(error.status_code)
        problem = Problem(
            type=_PREFIX + (name or "http"),
            title=_HTTP_TITLES.get(error.status_code, error.detail),
            status=error.status_code,
            detail=error.detail,
        )
        if error.status_code == 400:
            problem.hint = "Send one JSON object in UTF-8"
        return answer(request, problem, dict(error.headers or {}))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101 - it is registered for these
        first = error.errors()[0]
        place = _place(first["loc"])
        hint = "See /openapi.json for what this path takes"
        if place == "body" and "json" not in request.headers.get("content-type", ""):
            # Without it the body is not read as JSON, whatever is in it.
            hint = "Send one JSON object with Content-Type: application/json"
        problem = Problem(
            type=_PREFIX + "invalid-input",
            title="A field of the request is wrong",
            status=422,
            # What was sent is not repeated: it may be anything, and logs keep answers.
            detail=str(first["msg"]),
            field=place,
            hint=hint,
        )
        return answer(request, problem)

    app.add_exception_handler(JiyiError, ours)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)


def fault(error: Exception, request_id: str) -> Problem:
    """The problem of an error that nobody foresaw, which is logged by kind and place: messages of
    foreign errors may quote what people said."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    place = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames))
    logger.error("unforeseen %s at %s", type(error).__name__, place)
    return Problem(
        type=_PREFIX + "internal",
        title="Something went wrong",
        status=500,
        detail="This is a fault of the server; its log has the rest under this request id",
        request_id=request_id,
    )


def _place(location: Any) -> str:
    """The field that a location of FastAPI's means: the first part says where it came from."""
    text = ""
    for part in location[1:]:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text or "body"


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems that an operation may answer with, for its description."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": _MEANINGS[status], "content": content} for status in statuses}


_MEANINGS: Final = {
    400: "The request cannot be read.",
    401: "A key is needed, or this one is no good.",
    403: "The key does not reach so far.",
    404: "There is no such thing in this scope.",
    409: "The change contradicts the present state.",
    413: "The request is too large.",
    422: "A field is wrong; `field` names it.",
    429: "Too many requests; try again after `Retry-After` seconds.",
    502: "A model behind the server failed.",
    503: "The store is not available; try again after `Retry-After` seconds.",
}
