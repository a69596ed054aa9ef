"""Whose turn it is: the scope that a run of a LangChain agent names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from jiyi.errors import InvalidInputError

if TYPE_CHECKING:
    from jiyi.aio import AsyncMemory
    from jiyi.memory import Memory

_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "tenant": ("tenant", "tenant_id"),
    "user": ("user", "user_id"),
    "agent": ("agent", "agent_id"),
    "session": ("session", "session_id", "thread_id"),
    "task": ("task", "task_id"),
    "tool": ("tool",),
}


def scope_of(context: object, config: Mapping[str, Any] | None) -> dict[str, str]:
    """The scope fields that a run names, in its runtime context (a mapping or an object) or else in
    its `configurable`.

    `user_id` does for `user`, and so on; `thread_id` is the session where none is named. Numbers
    and UUIDs are taken as texts.

    Raises:
        InvalidInputError: a field is something else than a text.
    """
    configurable = (config or {}).get("configurable") or {}
    found = {}
    for field, names in _NAMES.items():
        value = next(
            (
                value
                for place in (context, configurable)
                for name in names
                if (value := _look(place, name)) is not None
            ),
            None,
        )
        if value is not None:
            found[field] = _text(field, value)
    return found


def memory_of(memory: Memory | AsyncMemory) -> Memory:
    """The memory itself, also behind its awaited front.

    Raises:
        InvalidInputError: it is something else.
    """
    from jiyi.memory import Memory as Whole

    inner = getattr(memory, "sync", memory)
    if not isinstance(inner, Whole):
        raise InvalidInputError(
            "memory", f"a {type(memory).__name__} is no memory", 'Pass Memory("agent.db")'
        )
    return inner


def _look(place: object, name: str) -> object:
    if place is None:
        return None
    return place.get(name) if isinstance(place, Mapping) else getattr(place, name, None)


def _text(field: str, value: object) -> str:
    if isinstance(value, (int, UUID)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return value
    raise InvalidInputError(field, f"{value!r} is not a name", "Use a text")
