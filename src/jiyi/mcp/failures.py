"""Our errors, said so that a model can act on them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ToolError

from jiyi.errors import (
    AccessError,
    InvalidInputError,
    JiyiError,
    NotFoundError,
    StoreUnavailableError,
)

P = ParamSpec("P")
R = TypeVar("R")


def telling(tool: Callable[P, R]) -> Callable[P, R]:
    """A tool whose errors reach the model as what to do next, not as a crash."""

    @functools.wraps(tool)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return tool(*args, **kwargs)
        except JiyiError as error:
            raise ToolError(_advice(error)) from error

    return call


def _advice(error: JiyiError) -> str:
    if isinstance(error, InvalidInputError):
        return str(error)  # names the argument and the way out already
    if isinstance(error, AccessError):
        return f"{error}. Do not try again; whoever runs this memory can give another key"
    if isinstance(error, NotFoundError):
        return f"{error}. Take an id from recall or history; what was forgotten has none"
    if isinstance(error, StoreUnavailableError):
        return f"the memory cannot be reached now: {error}. Go on without it and tell the user"
    return str(error)
