"""A `Selection` as SQL: conditions over `memory m` (or its past) and over `turn t`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jiyi.stores.sql.codec import micros, pack_id, unit_of
from jiyi.stores.sql.filters_sql import (
    MEMORY_FIELDS,
    MEMORY_STATUS,
    NEVER,
    TURN_FIELDS,
    FilterCompiler,
)
from jiyi.stores.sql.records import COLUMNS, STATUS

if TYPE_CHECKING:
    from jiyi.ports import Selection
    from jiyi.stores.sql.connection import Dialect
    from jiyi.types import Status

MARKED = "(m.pinned = 1 OR m.importance >= 0.8)"
"""Pinned, or of `ports.IMPORTANT` importance: as in the index `memory_marked`, which only then is
used."""

_WAS_TRUE: frozenset[Status] = frozenset({"active", "superseded", "expired"})


@dataclass(frozen=True, slots=True)
class Chosen:
    """Where to select from, on what condition, and when "now" is (microseconds)."""

    table: str
    condition: str
    parameters: dict[str, Any]
    now: int


def _as_it_stood() -> str:
    names = ", ".join(COLUMNS)
    return (
        f"(SELECT {names} FROM memory WHERE COALESCE(known_from, recorded_at) <= :known_at"  # noqa: S608 - constant names
        f" UNION ALL SELECT {names} FROM memory_past"
        " WHERE COALESCE(known_from, recorded_at) <= :known_at AND known_to > :known_at) AS m"
    )


_PAST = _as_it_stood()


def choose_memories(selection: Selection, dialect: Dialect) -> Chosen:
    """Memories that pass the selection, visibility aside."""
    table = "memory AS m"
    now = micros(selection.now)
    parameters: dict[str, Any] = {}
    if selection.known_at is not None:
        table = _PAST
        now = parameters["known_at"] = micros(selection.known_at)
    parameters["now"] = now
    conditions = [_statuses(selection)]
    if selection.as_of is not None:
        parameters["as_of"] = micros(selection.as_of)
        conditions.append(
            f"{MEMORY_FIELDS['valid_from']} <= :as_of"
            " AND (m.valid_to IS NULL OR m.valid_to > :as_of)"
            " AND (m.expires_at IS NULL OR m.expires_at > :as_of)"
        )
    if selection.ids is not None:
        parameters["ids"] = dialect.array([pack_id(id) for id in selection.ids])
        conditions.append(dialect.within_ids("m.id", "ids"))
    if selection.keys is not None:
        parameters["unit_keys"] = dialect.array([unit_of(key) for key in selection.keys])
        conditions.append(dialect.within("COALESCE(m.unit, m.key)", "unit_keys"))
    if selection.marked:
        conditions.append(MARKED)
    if selection.where is not None:
        compiler = FilterCompiler(MEMORY_FIELDS, dialect)
        conditions.append(f"({compiler.compile(selection.where)})")
        parameters |= compiler.parameters
    return Chosen(table, " AND ".join(conditions), parameters, now)


def _statuses(selection: Selection) -> str:
    statuses = selection.statuses
    if selection.as_of is not None and statuses & _WAS_TRUE:
        statuses = statuses | _WAS_TRUE
    codes = ", ".join(str(code) for code in sorted(STATUS[status] for status in statuses))
    return f"({MEMORY_STATUS}) IN ({codes})" if codes else NEVER


def choose_turns(selection: Selection, dialect: Dialect) -> Chosen:
    """Turns that pass the selection: any status, `as_of` and `known_at` by their times."""
    parameters: dict[str, Any] = {"now": micros(selection.now)}
    conditions = []
    if selection.as_of is not None:
        parameters["as_of"] = micros(selection.as_of)
        conditions.append("t.said_at <= :as_of")
    if selection.known_at is not None:
        parameters["known_at"] = micros(selection.known_at)
        conditions.append("t.recorded_at <= :known_at")
    if selection.ids is not None:
        parameters["ids"] = dialect.array([pack_id(id) for id in selection.ids])
        conditions.append(dialect.within_ids("t.id", "ids"))
    if selection.where is not None:
        compiler = FilterCompiler(TURN_FIELDS, dialect)
        conditions.append(f"({compiler.compile(selection.where)})")
        parameters |= compiler.parameters
    return Chosen("turn AS t", " AND ".join(conditions) or "1 = 1", parameters, parameters["now"])
