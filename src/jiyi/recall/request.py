"""The arguments of `recall` and `list`, checked and turned into a selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast, get_args

from jiyi.errors import InvalidInputError
from jiyi.filters import And, Comparison, Condition, parse_filter
from jiyi.ids import to_utc
from jiyi.ports import Selection
from jiyi.types import KINDS, STATUSES, Status, Unit

UNITS: tuple[Unit, ...] = get_args(Unit)


def read_units(value: object) -> tuple[Unit, ...]:
    """Which kinds of unit to search, from one name or a list of names."""
    return cast("tuple[Unit, ...]", _read_names(value, "units", UNITS))


def read_selection(
    *,
    now: datetime,
    where: Mapping[str, Any] | None = None,
    kinds: object = None,
    include: object = (),
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> Selection:
    """What may be returned: active memories that hold now, unless the arguments say otherwise.

    Raises:
        InvalidInputError: naming the argument.
    """
    condition = parse_filter(where, now=now)
    if kinds is not None:
        wanted = _read_names(kinds, "kinds", KINDS)
        condition = _both(condition, Comparison("kind", "in", wanted))
    statuses = _read_names(include, "include", STATUSES)
    if "forgotten" in statuses:
        raise InvalidInputError("include", "what is forgotten is gone", "Leave 'forgotten' out")
    return Selection(
        now=now,
        statuses=frozenset({"active", *cast("tuple[Status, ...]", statuses)}),
        where=condition,
        as_of=None if as_of is None else to_utc(as_of, now),
        known_at=None if known_at is None else to_utc(known_at, now),
    )


def _both(first: Condition | None, second: Condition) -> Condition:
    return second if first is None else And((first, second))


def _read_names(value: object, field: str, known: tuple[str, ...]) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, Iterable):
        raise InvalidInputError(field, f"expected names, got {value!r}", f"Use {known[0]!r}")
    wanted = tuple(names)
    for name in wanted:
        if name not in known:
            raise InvalidInputError(
                field, f"unknown value {name!r}", f"Use some of: {', '.join(known)}"
            )
    return cast("tuple[str, ...]", wanted)
