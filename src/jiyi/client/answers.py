"""What came back: a value, or one of our errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from jiyi.errors import (
    AccessError,
    ConfigurationError,
    ConflictError,
    InvalidInputError,
    JiyiError,
    ModelError,
    NotFoundError,
    StoreUnavailableError,
)

if TYPE_CHECKING:
    import httpx

_PREFIX: Final = "urn:jiyi:problem:"
_NOT_FOUND: Final = re.compile(r"no (?P<what>.+?) (?:'(?P<id>.*)'|yet) in this scope")
_SIMPLE: Final[dict[str, Callable[[str], JiyiError]]] = {
    "conflict": ConflictError,
    "configuration": ConfigurationError,
    "embedder-mismatch": ConflictError,
    "model": ModelError,
}


def value_of(response: httpx.Response) -> Any:
    """The JSON of an answer; None where there is none.

    Raises:
        JiyiError: the error that the server met, as `Memory` would have raised it.
    """
    if response.is_success:
        return response.json() if response.content else None
    raise error_of(response)


def error_of(response: httpx.Response) -> JiyiError:
    """The error that a problem tells of."""
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        return StoreUnavailableError(f"the server answered {response.status_code}")
    name = str(problem.get("type", "")).removeprefix(_PREFIX)
    detail = str(problem.get("detail") or problem.get("title") or response.status_code)
    if response.status_code in (401, 403):
        return AccessError(detail, known=response.status_code == 403)
    if name == "not-found":
        found = _NOT_FOUND.match(detail)
        if found is None:
            return NotFoundError("such thing", "")
        return NotFoundError(found["what"], found["id"])
    if response.status_code in (400, 404, 405, 413, 422):
        hint = str(problem.get("hint") or "See the server's /openapi.json")
        return InvalidInputError(str(problem.get("field") or "request"), detail, hint)
    if name in _SIMPLE:
        return _SIMPLE[name](detail)
    return StoreUnavailableError(detail)
