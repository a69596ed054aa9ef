"""Where each verb of `Memory` stands under /v1, with an example of its use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, JsonValue

from jiyi.errors import InvalidInputError
from jiyi.server.derive import SCOPE_FIELDS, input_of
from jiyi.server.operations import Operation, add_operation, read_where
from jiyi.types import Event, Kind, Slot, Status


class Message(BaseModel):
    """One message, as OpenAI writes it, with `said_at` and `id` of ours beside. A message whose
    `id` was recorded before is skipped."""

    model_config = ConfigDict(extra="allow")

    role: str
    content: JsonValue = None
    name: str | None = None
    said_at: str | None = None
    id: str | None = None
    meta: dict[str, JsonValue] | None = None


class DocumentText(BaseModel):
    """A document as text. Files stay where they are: send what is in them."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str
    title: str | None = None
    id: str | None = None
    meta: dict[str, JsonValue] | None = None
    markdown: bool | None = None


_SLOT: Final = input_of(Slot, subject="user", cardinality="one")
_EVENT: Final = input_of(Event)
_STATUSES: Final = (list[Status] | None, None)
_WHO: Final = {"user": "sun"}


def _documents(arguments: dict[str, Any]) -> dict[str, Any]:
    """Documents as texts only: a path would read the server's own files."""
    given = arguments["documents"]
    items = given if isinstance(given, list) else [given]
    kept = [{k: v for k, v in item.items() if v is not None} for item in items]
    return arguments | {"documents": kept}


def _fields(arguments: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = arguments["fields"]
    for name in fields:
        if name in SCOPE_FIELDS:
            raise InvalidInputError(f"fields.{name}", "it is part of the scope", "Use another name")
    return fields


_CHANGES: Final[Mapping[str, Any]] = {
    "text": (str | None, None),
    "tags": (list[str] | None, None),
    "meta": (dict[str, JsonValue] | None, None),
    "importance": (float | None, None),
    "confidence": (float | None, None),
    "pinned": (bool | None, None),
    "kind": (Kind | None, None),
    "valid_from": (str | None, None),
    "valid_to": (str | None, None),
    "expires_at": (str | None, None),
}

OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        verb="observe",
        method="POST",
        path="/turns",
        tag="writing",
        given={"messages": (str | Message | list[str | Message], ...)},
        example={
            **_WHO,
            "session": "A",
            "messages": [{"role": "user", "content": "我搬到杭州了", "id": "m-17"}],
        },
        kept=True,
    ),
    Operation(
        verb="remember",
        method="POST",
        path="/memories",
        tag="writing",
        given={"slot": (_SLOT | None, None), "event": (_EVENT | None, None)},
        example={**_WHO, "text": "Reports must show units", "tags": ["format"], "importance": 0.9},
        kept=True,
    ),
    Operation(
        verb="remember_all",
        method="POST",
        path="/memories/batch",
        tag="writing",
        given={"items": (list[str | dict[str, JsonValue]], ...)},
        example={**_WHO, "items": ["Allergic to nuts", {"text": "对花生过敏", "pinned": True}]},
        kept=True,
    ),
    Operation(
        verb="list",
        method="GET",
        path="/memories",
        tag="reading",
        given={"where": (str | None, None), "include": _STATUSES},
        adapt=read_where,
    ),
    Operation(verb="get", method="GET", path="/memories/{memory_id}", tag="reading"),
    Operation(
        verb="update",
        method="PATCH",
        path="/memories/{memory_id}",
        tag="writing",
        given=_CHANGES,
        example={**_WHO, "importance": 1.0, "pinned": True},
    ),
    Operation(verb="history", method="GET", path="/memories/{memory_id}/history", tag="reading"),
    Operation(
        verb="correct",
        method="POST",
        path="/memories/{memory_id}/correct",
        tag="writing",
        example={**_WHO, "text": "The meeting is at ten"},
        kept=True,
    ),
    Operation(
        verb="feedback",
        method="POST",
        path="/memories/{memory_id}/feedback",
        tag="writing",
        example={**_WHO, "helpful": True},
    ),
    Operation(
        verb="undo",
        method="POST",
        path="/undo",
        tag="writing",
        example={**_WHO, "id": "0199c0de-0000-7000-8000-000000000001"},
        kept=True,
    ),
    Operation(
        verb="recall",
        method="POST",
        path="/recall",
        tag="reading",
        given={"where": (dict[str, JsonValue] | None, None)},
        example={**_WHO, "query": "表格要什么样子？", "limit": 5},
    ),
    Operation(
        verb="context",
        method="POST",
        path="/context",
        tag="reading",
        example={**_WHO, "session": "B", "query": "P-2025-0412 怎么样", "budget": 2000},
    ),
    Operation(verb="turns", method="GET", path="/turns", tag="reading"),
    Operation(verb="explain", method="GET", path="/traces", tag="reading"),
    Operation(verb="stats", method="GET", path="/stats", tag="reading"),
    Operation(verb="profile", method="GET", path="/profile", tag="keeping"),
    Operation(
        verb="set_permanent",
        method="PATCH",
        path="/profile",
        tag="keeping",
        given={"fields": (dict[str, JsonValue], ...)},
        adapt=_fields,
        example={**_WHO, "fields": {"role": "technician", "id": 7}},
    ),
    Operation(
        verb="end_session",
        method="POST",
        path="/sessions/end",
        tag="keeping",
        example={**_WHO, "session": "A"},
        kept=True,
    ),
    Operation(
        verb="forget",
        method="POST",
        path="/forget",
        tag="keeping",
        example={**_WHO, "query": "P-2025-0412", "dry_run": True},
        kept=True,
    ),
    Operation(
        verb="consolidate",
        method="POST",
        path="/consolidate",
        tag="upkeep",
        leave=("policies",),
        example={**_WHO, "dry_run": True},
        kept=True,
    ),
    Operation(verb="conflicts", method="GET", path="/conflicts", tag="upkeep"),
    Operation(
        verb="resolve_conflict",
        method="POST",
        path="/conflicts/resolve",
        tag="upkeep",
        example={
            **_WHO,
            "keep": "0199c0de-0000-7000-8000-000000000001",
            "other": "0199c0de-0000-7000-8000-000000000002",
        },
        kept=True,
    ),
    Operation(verb="entities", method="GET", path="/entities", tag="entities"),
    Operation(verb="entity", method="GET", path="/entity", tag="entities"),
    Operation(
        verb="separate",
        method="POST",
        path="/entities/separate",
        tag="entities",
        example={**_WHO, "name": "李雷", "other": "小李"},
        kept=True,
    ),
    Operation(
        verb="add_documents",
        method="POST",
        path="/documents",
        tag="documents",
        given={"documents": (DocumentText | list[DocumentText], ...)},
        adapt=_documents,
        example={
            "collection": "manual",
            "documents": [{"title": "Lamp", "text": "# Setup\n\nPlug it in.", "markdown": True}],
        },
    ),
    Operation(verb="documents", method="GET", path="/documents", tag="documents"),
    Operation(
        verb="remove_documents",
        method="POST",
        path="/documents/remove",
        tag="documents",
        example={"collection": "manual"},
        kept=True,
    ),
)


def verbs_router() -> APIRouter:
    """The routes of all these operations."""
    router = APIRouter(prefix="/v1")
    for operation in OPERATIONS:
        add_operation(router, operation)
    return router
