"""The filter grammar: one small language with the same meaning on every store.

    {"kind": "semantic", "meta.priority": {"ge": 2}, "or": [{…}, {…}], "not": {…},
     "said_at": {"ge": "2026-01-01", "lt": "2026-02-01"}}

Fields of one mapping are joined by AND. A plain value means `eq`, a list means `in`. A field that a
unit does not have (the kind of a turn, an absent meta key) equals nothing: it fails every operator
except `ne`, which it passes. For `tags` and `event.entities`, `eq` and `contains` ask whether one
entry is equal, `in` whether any is. `contains` on a text asks for a substring, case folded. None
equals an empty field (`valid_to` of what has no known end) and a stored null of `meta`.
Comparisons between different types (a text with a number) are false. Numbers compare exactly: a
float is the number that it stands for, so that 2**53 + 1 is not float(2**53).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite
from typing import Any, Literal, TypeAlias

from jiyi.errors import InvalidInputError
from jiyi.ids import to_utc

Operator = Literal["eq", "ne", "lt", "le", "gt", "ge", "in", "contains"]
Value: TypeAlias = "bool | int | float | str | datetime | tuple[Value, ...] | None"

OPERATORS: frozenset[str] = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "in", "contains"})
TEXT_FIELDS = frozenset(
    {
        *("id", "unit", "text", "kind", "status", "tier", "role", "name", "trust", "visibility"),
        *("agent", "session", "task", "tool", "slot.subject", "slot.attribute", "slot.value"),
        *("event.type", "event.outcome"),
    }
)
NUMBER_FIELDS = frozenset({"importance", "confidence", "use_count"})
TIME_FIELDS = frozenset(
    {
        *("said_at", "recorded_at", "valid_from", "valid_to", "expires_at", "last_used_at"),
        "event.at",
    }
)
FLAG_FIELDS = frozenset({"pinned"})
LIST_FIELDS = frozenset({"tags", "event.entities"})
FIELDS = TEXT_FIELDS | NUMBER_FIELDS | TIME_FIELDS | FLAG_FIELDS | LIST_FIELDS

MAX_DEPTH = 20  # deeper than any filter a person writes, shallower than a stack can hold
MAX_CONDITIONS = 1_000  # comparisons in one filter; a list of values counts as one, however long
_WHOLE = 2**63  # whole numbers lie in [-2**63, 2**63), as every store holds them


@dataclass(frozen=True, slots=True)
class Comparison:
    """`field operator value`. For "in" the value is a tuple; times are aware UTC datetimes."""

    field: str
    operator: Operator
    value: Value


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: Condition


Condition: TypeAlias = "Comparison | And | Or | Not"


def parse_filter(where: Mapping[str, Any] | None, *, now: datetime) -> Condition | None:
    """Read a filter.

    Args:
        where: the filter as people write it, or None.
        now: an aware datetime; naive times in the filter are read in its zone.

    Raises:
        InvalidInputError: an unknown field or operator, a value of the wrong type or one that no
            store holds (NaN, NUL), or more than 1,000 conditions.
    """
    if where is None:
        return None
    condition = _parse_mapping(where, now, depth=0)
    if _size(condition) > MAX_CONDITIONS:
        raise _error(
            f"more than {MAX_CONDITIONS:,} conditions",
            "Where one field has many values, give them as one list",
        )
    return condition


def _size(condition: Condition) -> int:
    match condition:
        case And(parts) | Or(parts):
            return sum(map(_size, parts)) or 1
        case Not(part):
            return _size(part)
        case _:
            return 1


def _parse_mapping(where: object, now: datetime, depth: int) -> Condition:
    if not isinstance(where, Mapping):
        raise _error(f"expected a mapping, got {type(where).__name__}")
    if depth > MAX_DEPTH:
        raise _error(f"nested deeper than {MAX_DEPTH} levels")
    parts = tuple(_parse_entry(key, value, now, depth) for key, value in where.items())
    return parts[0] if len(parts) == 1 else And(parts)


def _parse_entry(key: object, value: object, now: datetime, depth: int) -> Condition:
    if key in ("and", "or"):
        if not isinstance(value, Sequence) or isinstance(value, str) or not value:
            raise _error(f"{key!r} needs a non-empty list of filters")
        parts = tuple(_parse_mapping(part, now, depth + 1) for part in value)
        return And(parts) if key == "and" else Or(parts)
    if key == "not":
        return Not(_parse_mapping(value, now, depth + 1))
    if isinstance(key, str) and (flaw := _flaw(key)):
        raise _error(f"the field {key!r} holds {flaw}")
    if not isinstance(key, str) or not (key in FIELDS or _is_meta(key)):
        raise _error(f"unknown field {key!r}", f"Known: {', '.join(sorted(FIELDS))}, meta.<key>")
    if isinstance(value, Mapping):
        if not value:
            raise _error(f"{key!r} has an empty set of operators")
        parts = tuple(_comparison(key, op, operand, now) for op, operand in value.items())
        return parts[0] if len(parts) == 1 else And(parts)
    if isinstance(value, (list, tuple, set, frozenset)):
        return _comparison(key, "in", value, now)
    return _comparison(key, "eq", value, now)


def _comparison(field: str, operator: object, value: object, now: datetime) -> Comparison:
    if operator not in OPERATORS:
        raise _error(f"unknown operator {operator!r} on {field!r}", f"Known: {_known_operators()}")
    if operator == "in":
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise _error(f"'in' on {field!r} needs a list")
        return Comparison(field, "in", tuple(_value(field, part, now) for part in value))
    if operator == "contains" and not (
        field in LIST_FIELDS or field in TEXT_FIELDS or _is_meta(field)
    ):
        raise _error(f"'contains' does not apply to {field!r}", "It needs a text or a list")
    return Comparison(field, operator, _value(field, value, now))  # type: ignore[arg-type]


def _value(field: str, value: object, now: datetime) -> Value:
    if field in TIME_FIELDS:
        return _time(field, value, now)
    if value is None or isinstance(value, bool):
        allowed = value is None or field in FLAG_FIELDS or _is_meta(field)
    elif isinstance(value, (int, float)):
        allowed = field in NUMBER_FIELDS or _is_meta(field)
    elif isinstance(value, datetime):
        allowed = False
    else:
        allowed = isinstance(value, str) and (
            field in TEXT_FIELDS or field in LIST_FIELDS or _is_meta(field)
        )
    if not allowed:
        raise _error(f"{value!r} is not a value for {field!r}")
    if flaw := _flaw(value):
        raise _error(f"a value for {field!r} holds {flaw}")
    return value  # type: ignore[return-value]


def _flaw(value: object) -> str | None:
    """What no store can hold, in words."""
    if isinstance(value, str):
        if "\0" in value:
            return "a NUL character"
        return "a lone surrogate" if any("\ud800" <= c <= "\udfff" for c in value) else None
    if isinstance(value, float) and not isfinite(value):
        return "no finite number"
    if isinstance(value, int) and not -_WHOLE <= value < _WHOLE:
        return "a whole number beyond 64 bits"
    return None


def _time(field: str, value: object, now: datetime) -> datetime | None:
    if value is None:
        return None
    try:
        if isinstance(value, datetime):
            return to_utc(value, now)
        if isinstance(value, date):
            return to_utc(datetime(value.year, value.month, value.day), now)  # noqa: DTZ001
        if isinstance(value, str):
            return to_utc(datetime.fromisoformat(value), now)
    except (ValueError, OverflowError):
        pass
    raise _error(f"{value!r} is not a time for {field!r}", "Use ISO 8601, such as 2026-03-05")


def _is_meta(field: str) -> bool:
    return field.startswith("meta.") and len(field) > len("meta.")


def _known_operators() -> str:
    return ", ".join(sorted(OPERATORS))


def _error(
    problem: str, hint: str = "See the filter grammar in docs/filters.md"
) -> InvalidInputError:
    return InvalidInputError("where", problem, hint)
