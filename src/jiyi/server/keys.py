"""Access keys over HTTP, for who looks after the whole store."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from jiyi.formats.plain import to_plain
from jiyi.server.derive import model_of
from jiyi.server.operations import as_json
from jiyi.server.problems import documented
from jiyi.server.service import admission_of, service_of
from jiyi.types import Key, Right

router = APIRouter(prefix="/v1", tags=["keys"])
_PROBLEMS = documented(400, 401, 403, 404, 413, 422, 429, 503)
_EXTRA: dict[str, Any] = {"x-right": "admin"}
_KEY = model_of(Key)


class NewKey(BaseModel):
    """A key to make. See docs/server.md for what each limit means."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    rights: list[Right] = Field(default=["read", "write"])
    tenant: str | None = None
    every_tenant: bool = False
    users: list[str] | None = None
    agents: list[str] | None = None
    expires_at: str | None = None


class MadeKey(BaseModel):
    """A new key with its token, which is never shown again."""

    key: _KEY  # type: ignore[valid-type]
    token: str


@router.get(
    "/keys",
    operation_id="list_keys",
    summary="Every key that was ever made",
    response_model=list[_KEY],  # type: ignore[valid-type]
    responses=_PROBLEMS,
    openapi_extra=_EXTRA,
)
def list_keys(request: Request) -> Response:
    """Every key that was ever made, without secrets. It takes a key for every tenant."""
    admission_of(request).whole_store()
    return as_json(to_plain(service_of(request).keyring.list()))


@router.post(
    "/keys",
    operation_id="create_key",
    summary="Make a key",
    status_code=201,
    response_model=MadeKey,
    responses=_PROBLEMS,
    openapi_extra=_EXTRA,
)
def create_key(
    request: Request,
    asked: Annotated[
        NewKey, Body(examples=[{"name": "the web shop", "rights": ["read"], "users": ["sun"]}])
    ],
) -> Response:
    """Make a key. The answer holds its token: nobody can see it again. It takes a key for every
    tenant, or, on this machine, that there is none yet."""
    admission_of(request).whole_store()
    made = service_of(request).keyring.create(**asked.model_dump())
    return as_json({"key": to_plain(made.key), "token": made.token}, status=201)


@router.delete(
    "/keys/{id}",
    operation_id="revoke_key",
    summary="Revoke a key",
    response_model=_KEY,
    responses=_PROBLEMS,
    openapi_extra=_EXTRA,
)
def revoke_key(
    request: Request, id: Annotated[str, Path(examples=["0199c0de-0000-7000-8000-000000000001"])]
) -> Response:
    """End a key at once and for good."""
    admission_of(request).whole_store()
    return as_json(to_plain(service_of(request).keyring.revoke(id)))
