"""The filter grammar in plain Python: what every store's compiled filters must agree with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Any

from jiyi.filters import LIST_FIELDS, And, Comparison, Condition, Not, Or
from jiyi.types import MemoryRecord, Turn


class Missing(Enum):
    """A field that the unit does not have."""

    MISSING = "missing"


MISSING = Missing.MISSING
_SCOPE_FIELDS = frozenset({"agent", "session", "task", "tool"})


def matches(condition: Condition, unit: MemoryRecord | Turn) -> bool:
    """Whether `unit` passes `condition`."""
    match condition:
        case And(parts):
            return all(matches(part, unit) for part in parts)
        case Or(parts):
            return any(matches(part, unit) for part in parts)
        case Not(part):
            return not matches(part, unit)
        case Comparison(field, "ne", value):
            return not _holds("eq", field, field_of(unit, field), value)
        case Comparison(field, operator, value):
            return _holds(operator, field, field_of(unit, field), value)


def field_of(unit: MemoryRecord | Turn, field: str) -> Any:
    """The value of a filter's field: None when it is empty, MISSING when units of this sort do
    not have it, or when the meta key is absent."""
    if field.startswith("meta."):
        return unit.meta.get(field.removeprefix("meta."), MISSING)
    if field == "unit":
        return "memory" if isinstance(unit, MemoryRecord) else "turn"
    if field in _SCOPE_FIELDS:
        return getattr(unit.scope, field)
    value: Any = unit
    for name in field.split("."):
        value = getattr(value, name, MISSING)
        if value is None or value is MISSING:
            return value
    return value


def _holds(operator: str, field: str, actual: Any, value: Any) -> bool:
    if actual is MISSING:
        return False
    if field in LIST_FIELDS:
        if actual is None:
            return False
        wanted = value if operator == "in" else (value,)
        return operator in ("eq", "in", "contains") and any(_has(actual, one) for one in wanted)
    match operator:
        case "eq":
            return _equal(actual, value)
        case "in":
            return any(_equal(actual, one) for one in value)
        case "contains":
            return _contains(actual, value)
        case _:
            return _ordered(operator, actual, value)


def _contains(actual: Any, value: Any) -> bool:
    if value is None:
        return False
    if isinstance(actual, str):
        return isinstance(value, str) and value.casefold() in actual.casefold()
    return isinstance(actual, Sequence) and _has(actual, value)


def _has(entries: Sequence[Any], value: Any) -> bool:
    return any(_equal(entry, value) for entry in entries)


def _equal(actual: Any, value: Any) -> bool:
    return _type_of(actual) == _type_of(value) and bool(actual == value)


def _ordered(operator: str, actual: Any, value: Any) -> bool:
    if _type_of(actual) != _type_of(value) or _type_of(actual) in ("nothing", "other"):
        return False
    return bool(
        {
            "lt": lambda: actual < value,
            "le": lambda: actual <= value,
            "gt": lambda: actual > value,
            "ge": lambda: actual >= value,
        }[operator]()
    )


def _type_of(value: Any) -> str:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, datetime):
        return "time"
    return "nothing" if value is None else "other"
