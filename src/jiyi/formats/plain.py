"""Our values as plain data for JSON, and back: the same names, times as ISO 8601."""

from __future__ import annotations

import types
from collections.abc import Mapping, Set
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from jiyi.errors import InvalidInputError

T = TypeVar("T")


def to_plain(value: Any, *, compact: bool = False) -> Any:
    """Dataclasses and mappings as dicts, sequences as lists, times as texts.

    Args:
        value: one of our values, or anything made of them.
        compact: leave out the fields that hold their default.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {
            f.name: to_plain(part, compact=compact)
            for f in fields(value)
            if (part := getattr(value, f.name)) != _default(f) or not compact
        }
    if isinstance(value, Mapping):
        return {str(key): to_plain(part, compact=compact) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(part, compact=compact) for part in value]
    if isinstance(value, Set):
        return sorted(to_plain(part, compact=compact) for part in value)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return value


def from_plain(kind: type[T], data: Any, place: str) -> T:
    """The value that `to_plain` was given, checked against the types of its fields.

    Args:
        kind: a dataclass of ours.
        data: what `to_plain` made of it, read back from JSON.
        place: what to call it in error messages, such as `memory.jsonl, line 3`.

    Raises:
        InvalidInputError: naming the field that does not fit.
    """
    if not isinstance(data, Mapping):
        raise _wrong(place, f"expected a mapping, got {type(data).__name__}")
    hints = _hints(cast("Any", kind))
    for name in data:
        if name not in hints:
            raise _wrong(f"{place}, {name}", "unknown field")
    given: dict[str, Any] = {
        name: _read(hints[name], part, f"{place}, {name}") for name, part in data.items()
    }
    for f in fields(kind):  # type: ignore[arg-type]
        if f.name not in given and _default(f) is MISSING:
            raise _wrong(f"{place}, {f.name}", "it is missing")
    return kind(**given)


def _read(kind: Any, data: Any, place: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        rest = [part for part in arguments if part is not type(None)]
        # A union of more than one thing is JSON, which is what it is.
        if len(rest) > 1 or (data is None and len(rest) < len(arguments)):
            return data
        return _read(rest[0], data, place)
    if origin is tuple:
        return _read_tuple(arguments, data, place)
    if origin is frozenset:
        return frozenset(_read_tuple((*arguments, ...), data, place))
    if origin is Literal:
        if data not in arguments:
            raise _wrong(place, f"unknown value {data!r}")
        return data
    if is_dataclass(kind):
        return from_plain(cast("type[Any]", kind), data, place)
    if origin is not None:  # the only other generic type of our fields
        return {
            key: _read(arguments[1], part, f"{place}, {key}")
            for key, part in _read_single(dict, data, place).items()
        }
    return _read_single(kind, data, place)


def _read_tuple(arguments: tuple[Any, ...], data: Any, place: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise _wrong(place, "expected a list")
    inner = arguments[:1] * len(data) if arguments[-1] is Ellipsis else arguments
    if len(inner) != len(data):
        raise _wrong(place, f"expected {len(inner)} entries")
    return tuple(_read(part, entry, place) for part, entry in zip(inner, data, strict=True))


def _read_single(kind: type, data: Any, place: str) -> Any:
    if kind is datetime:
        return _time(data, place)
    number = isinstance(data, (int, float)) and not isinstance(data, bool)
    if kind is float and number:
        return float(data)
    if not isinstance(data, kind) or (kind is int and not number):
        raise _wrong(place, f"expected {kind.__name__}, got {type(data).__name__}")
    return data


def _time(data: Any, place: str) -> datetime:
    try:
        moment = datetime.fromisoformat(data)
    except (TypeError, ValueError):
        raise _wrong(place, f"{data!r} is not a time") from None
    if moment.tzinfo is None:
        raise _wrong(place, f"{data!r} has no zone")
    return moment


def _default(f: Field[Any]) -> Any:
    return f.default_factory() if f.default_factory is not MISSING else f.default


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, localns={"Json": object})  # JSON may be anything


def _wrong(place: str, problem: str) -> InvalidInputError:
    return InvalidInputError(place, problem, "Use a file as it was written")
