"""One operation: a verb of `Memory` at a method and path, with everything derived from the verb."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Header, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel

from jiyi.access import RIGHT_OF
from jiyi.errors import InvalidInputError
from jiyi.formats.plain import to_plain
from jiyi.memory import Memory
from jiyi.server.derive import SCOPE_FIELDS, answer_of, body_of
from jiyi.server.problems import documented
from jiyi.server.replies import once
from jiyi.server.service import admission_of
from jiyi.server.telemetry import span

Adapt = Callable[[dict[str, Any]], dict[str, Any]]

_PROBLEMS: Final = (400, 401, 403, 404, 409, 413, 422, 429, 502, 503)
_KEY_HELP: Final = "A name for this request, such as a UUID: a retry within a day gets its answer."
REPLAYED: Final = "Idempotent-Replayed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """How a verb is reached.

    Attributes:
        verb: the name of a method of `Memory`.
        path: its `{parts}` are arguments of the verb.
        example: a body (or query) that shows what it is for.
        given: (type, default) of arguments whose own types do not come over a wire.
        adapt: turns what came in into the arguments of the verb.
        kept: a retry gets the first answer; only for answers without content.
    """

    verb: str
    method: str
    path: str
    tag: str
    example: Mapping[str, Any] | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    leave: tuple[str, ...] = ()
    adapt: Adapt | None = None
    kept: bool = False

    @property
    def by_query(self) -> bool:
        """Whether arguments come in the query string."""
        return self.method == "GET"

    @property
    def in_path(self) -> tuple[str, ...]:
        """The arguments that stand in the path."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))


def add_operation(router: APIRouter, operation: Operation) -> None:
    """Make the route of an operation."""
    verb = getattr(Memory, operation.verb)
    model = body_of(
        verb,
        name="".join(part.title() for part in operation.verb.split("_")) + "Request",
        leave=(*operation.leave, *operation.in_path),
        given=operation.given,
        strict=not operation.by_query,
    )
    about = inspect.getdoc(verb) or ""
    router.add_api_route(
        operation.path,
        _endpoint(operation, model),
        methods=[operation.method],
        operation_id=operation.verb,
        tags=[operation.tag],
        summary=_first_sentence(about),
        description=about.partition("\nArgs:\n")[0].partition("\nRaises:\n")[0],
        response_model=answer_of(verb),
        responses=documented(*_PROBLEMS),
        openapi_extra={"x-right": RIGHT_OF[operation.verb]},
    )


def _endpoint(operation: Operation, model: type[BaseModel]) -> Callable[..., Response]:
    def endpoint(request: Request, **given: Any) -> Response:
        key = given.pop("idempotency_key", None)
        asked: BaseModel | None = given.pop("asked")
        arguments = {} if asked is None else asked.model_dump(exclude_unset=True)
        answer, replayed = perform(request, operation, arguments | given, key)
        headers = {REPLAYED: "true"} if replayed else None
        return as_json(answer, headers=headers)

    endpoint.__name__ = operation.verb
    endpoint.__signature__ = inspect.Signature(_parameters(operation, model))  # type: ignore[attr-defined]
    return endpoint


def _parameters(operation: Operation, model: type[BaseModel]) -> list[inspect.Parameter]:
    kinds: dict[str, Any] = {"request": Request}
    kinds |= {name: Annotated[str, Path(examples=[_ID])] for name in operation.in_path}
    example = [operation.example] if operation.example else None
    if operation.by_query:
        kinds["asked"] = Annotated[model, Query()]
    elif any(part.is_required() for part in model.model_fields.values()):
        kinds["asked"] = Annotated[model, Body(examples=example)]
    else:
        kinds["asked"] = Annotated[model | None, Body(examples=example)]
    if operation.kept:
        kinds["idempotency_key"] = Annotated[str | None, Header(description=_KEY_HELP)]
    optional = {"idempotency_key"} | (
        {"asked"} if type(None) in _members(kinds["asked"]) else set()
    )
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=kind,
            default=None if name in optional else inspect.Parameter.empty,
        )
        for name, kind in kinds.items()
    ]


_ID: Final = "0199c0de-0000-7000-8000-000000000001"


def _members(kind: Any) -> tuple[Any, ...]:
    return getattr(kind.__origin__, "__args__", ())


def perform(
    request: Request, operation: Operation, arguments: dict[str, Any], key: str | None
) -> tuple[Any, bool]:
    """Call the verb for whoever asks; the answer as JSON, and whether it was given before."""
    admission = admission_of(request)
    scope = {name: arguments.pop(name) for name in SCOPE_FIELDS if name in arguments}
    if operation.adapt is not None:
        arguments = operation.adapt(arguments)
    verb, right = operation.verb, RIGHT_OF[operation.verb]
    whole = verb == "forget" and bool(arguments.get("everything"))
    if whole and admission.scope("forget", **scope).user is None:  # a tenant, or all the unnamed
        admission.memory("admin")
    view = admission.memory(right)

    def run() -> Any:
        with span(verb) as note:
            result = getattr(view, verb)(**arguments, **scope)
            note(result)
        return to_plain(result)

    if not operation.kept or key is None:
        return run(), False
    asked = [operation.verb, arguments, scope]
    return once(view, admission.scope(right, **scope), key, asked, run)


def as_json(value: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A value as a response; text in any script stays as it is."""
    content = json.dumps(value, ensure_ascii=False).encode()
    return Response(content, status_code=status, headers=headers, media_type="application/json")


def read_where(arguments: dict[str, Any]) -> dict[str, Any]:
    """A filter that came in a query string, as JSON."""
    where = arguments.get("where")
    if where is None:
        return arguments
    try:
        return arguments | {"where": json.loads(where)}
    except (ValueError, RecursionError):
        raise InvalidInputError("where", "it is not JSON", 'Send {"kind": "semantic"}') from None


def _first_sentence(text: str) -> str:
    line = text.partition("\n\n")[0].replace("\n", " ")
    return line.partition(". ")[0].partition(": ")[0].rstrip(".")
