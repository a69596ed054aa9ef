"""One request of a client, and how its answer is read: values in, values out, no network here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from jiyi.formats.plain import from_plain, to_plain

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Call(Generic[R]):
    """One request, and how its answer is read. `query` and `body` hold what was said only; what
    they leave open of the scope comes from the client, unless the call is not `scoped`. With
    `once` a retry is told from a second request."""

    method: str
    path: str
    read: Callable[[Any], R]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    once: bool = False
    scoped: bool = True


def get_call(
    path: str, read: Callable[[Any], R], scope: Mapping[str, Any], /, **query: Any
) -> Call[R]:
    return Call("GET", path, read, query=plain({**query, **scope}))


def post_call(
    path: str, answer: type[R], scope: Mapping[str, Any], /, *, once: bool = False, **body: Any
) -> Call[R]:
    return Call("POST", path, one(answer), body=plain({**body, **scope}), once=once)


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """What was said, as JSON: absent and empty arguments are left to the server."""
    return {
        name: to_plain(value)
        for name, value in values.items()
        if value is not None and not (isinstance(value, tuple) and not value)
    }


def one(kind: type[R]) -> Callable[[Any], R]:
    return lambda data: from_plain(kind, data, kind.__name__)


def many(kind: type[R]) -> Callable[[Any], tuple[R, ...]]:
    return lambda data: tuple(from_plain(kind, each, kind.__name__) for each in data)


def part(text: str) -> str:
    """A part of a path, whatever is in it."""
    return quote(str(text), safe="")
