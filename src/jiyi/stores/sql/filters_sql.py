"""Filters become SQL conditions with bound parameters, with the meaning told in `jiyi.filters`.

Each comparison compiles to a condition that is made two-valued by IS TRUE, so that NOT means not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jiyi.errors import InvalidInputError
from jiyi.filters import (
    LIST_FIELDS,
    TEXT_FIELDS,
    And,
    Comparison,
    Condition,
    Not,
    Or,
    Value,
)
from jiyi.stores.sql.codec import micros, pack_id
from jiyi.types import KINDS, ROLES, STATUSES

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Dialect, JsonType

_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_WHOLE = 2**63
NEVER, ALWAYS = "1 = 0", "1 = 1"


def _names(column: str, names: tuple[str, ...]) -> str:
    whens = " ".join(f"WHEN {code} THEN '{name}'" for code, name in enumerate(names))
    return f"CASE {column} {whens} END"


# Fields of a memory as expressions over `memory m`; `:now` is the instant of reading.
MEMORY_STATUS = (
    "CASE WHEN m.status IN (0, 1) AND m.expires_at IS NOT NULL AND m.expires_at <= :now"
    " THEN 3 ELSE m.status END"
)
MEMORY_FIELDS: Mapping[str, str] = {
    "id": "m.id",
    "unit": "'memory'",
    "text": "m.text",
    "kind": _names("m.kind", KINDS),
    "status": _names(f"({MEMORY_STATUS})", STATUSES),
    "tier": "COALESCE(m.tier, 'extended')",
    "trust": "COALESCE(m.trust, 'user')",
    "visibility": (
        "CASE WHEN m.audience = '' THEN 'user' WHEN m.audience = 'shared' THEN 'shared'"
        " WHEN m.audience LIKE 'agent=%' THEN 'agent' WHEN m.audience LIKE 'task=%' THEN 'task'"
        " ELSE 'tool' END"
    ),
    "agent": "m.agent",
    "session": "m.session",
    "task": "m.task",
    "tool": "m.tool",
    "slot.subject": "m.slot_subject",
    "slot.attribute": "m.slot_attribute",
    "slot.value": "m.slot_value",
    "event.type": "m.event_type",
    "event.outcome": "m.event_outcome",
    "event.at": "m.event_at",
    "event.entities": "m.event_entities",
    "tags": "m.tags",
    "meta": "m.meta",
    "importance": "COALESCE(m.importance, 0.5)",
    "confidence": "COALESCE(m.confidence, 1.0)",
    "use_count": "COALESCE(m.use_count, 0)",
    "pinned": "COALESCE(m.pinned, 0)",
    "said_at": "COALESCE(m.said_at, m.recorded_at)",
    "recorded_at": "m.recorded_at",
    "valid_from": "COALESCE(m.valid_from, m.said_at, m.recorded_at)",
    "valid_to": "m.valid_to",
    "expires_at": "m.expires_at",
    "last_used_at": "m.last_used_at",
}
# Fields of a turn over `turn t`; what is not here a turn does not have.
TURN_FIELDS: Mapping[str, str] = {
    "id": "t.id",
    "unit": "'turn'",
    "text": "t.text",
    "role": _names("t.role", ROLES),
    "name": "t.name",
    "agent": "t.agent",
    "session": "NULLIF(t.session, '')",
    "task": "t.task",
    "tool": "t.tool",
    "meta": "t.meta",
    "said_at": "t.said_at",
    "recorded_at": "t.recorded_at",
}


class FilterCompiler:
    """Compiles conditions over one table; collects the values in `parameters`."""

    def __init__(self, fields: Mapping[str, str], dialect: Dialect) -> None:
        self._fields = fields
        self._dialect = dialect
        self.parameters: dict[str, Any] = {}

    def compile(self, condition: Condition) -> str:
        match condition:
            case And(parts):
                return self._join(" AND ", parts, empty=ALWAYS)
            case Or(parts):
                return self._join(" OR ", parts, empty=NEVER)
            case Not(part):
                return f"NOT ({self.compile(part)})"
            case Comparison(field, "ne", value):
                return f"NOT ({self._compare(field, 'eq', value)})"
            case Comparison(field, operator, value):
                return self._compare(field, operator, value)

    def _join(self, word: str, parts: tuple[Condition, ...], *, empty: str) -> str:
        if not parts:
            return empty
        if len(parts) == 1:
            return f"({self.compile(parts[0])})"
        # In halves: a chain of a thousand would be deeper than SQLite reads.
        middle = len(parts) // 2
        halves = (parts[:middle], parts[middle:])
        return word.join(f"({self._join(word, half, empty=empty)})" for half in halves)

    def _compare(self, field: str, operator: str, value: Value) -> str:
        if operator == "in":
            return self._among(field, value if isinstance(value, tuple) else (value,))
        if field.startswith("meta."):
            return f"({self._meta(field.removeprefix('meta.'), operator, value)}) IS TRUE"
        expression = self._fields.get(field)
        if expression is None:
            return NEVER
        return f"({self._column(field, expression, operator, value)}) IS TRUE"

    def _among(self, field: str, values: tuple[Value, ...]) -> str:
        """Equal to one of many values: one bound list for each of their types."""
        lists: dict[JsonType, list[Value]] = {}
        for value in values:
            lists.setdefault(_json_type(value, field), []).append(value)
        tests = [self._in_list(field, kind, members) for kind, members in lists.items()]
        return " OR ".join(f"({test}) IS TRUE" for test in tests) or NEVER

    def _in_list(self, field: str, kind: JsonType, values: list[Value]) -> str:
        if kind == "null":
            return self._compare(field, "eq", None)
        if field.startswith("meta."):
            name = self._bind(field.removeprefix("meta."))
            test = self._dialect.within("{value}", self._bind_all(values))
            return self._dialect.json_member(self._fields["meta"], name, kind, test)
        expression = self._fields.get(field)
        if expression is None:
            return NEVER
        if field in LIST_FIELDS:
            return self._dialect.has_any_entry(expression, self._bind_all(values))
        if field == "id":
            packed = [pack_id(str(value)) for value in values]
            return self._dialect.within_ids(expression, self._bind_all(packed))
        return self._dialect.within(expression, self._bind_all(values))

    def _column(self, field: str, expression: str, operator: str, value: Value) -> str:
        if field in LIST_FIELDS:
            if value is None or operator not in ("eq", "contains"):
                return NEVER
            return self._dialect.has_entry(expression, self._bind(value))
        if value is None:
            return f"{expression} IS NULL" if operator == "eq" else NEVER
        if field == "id":
            if operator == "eq":
                return f"{expression} = :{self._bind(pack_id(str(value)))}"
            expression = self._dialect.id_text(expression)
        if operator == "contains":
            return self._dialect.holds(expression, self._bind(str(value).casefold()))
        if operator == "eq":
            return f"{expression} = :{self._bind(value)}"
        if field in TEXT_FIELDS:
            expression = self._dialect.ordered(expression)
        return f"{expression} {_ORDER[operator]} :{self._bind(value)}"

    def _meta(self, key: str, operator: str, value: Value) -> str:
        meta, name = self._fields["meta"], self._bind(key)
        kind = _json_type(value, f"meta.{key}")
        if value is None:
            if operator != "eq":
                return NEVER
            return self._dialect.json_member(meta, name, "null", ALWAYS)
        bound = self._bind(value)
        if operator == "contains":
            tests = [self._dialect.json_list_has(meta, name, kind, bound)]
            if isinstance(value, str):
                folded = self._bind(value.casefold())
                test = self._dialect.holds("{value}", folded)
                tests.append(self._dialect.json_member(meta, name, "text", test))
            return " OR ".join(f"({test})" for test in tests)
        left = "{value}"
        if kind == "text" and operator != "eq":
            left = self._dialect.ordered(left)
        sign = "=" if operator == "eq" else _ORDER[operator]
        return self._dialect.json_member(meta, name, kind, f"{left} {sign} :{bound}")

    def _bind(self, value: Any) -> str:
        name = f"f{len(self.parameters)}"
        self.parameters[name] = self._bound(value)
        return name

    def _bind_all(self, values: Sequence[Any]) -> str:
        name = f"f{len(self.parameters)}"
        self.parameters[name] = self._dialect.array([self._bound(value) for value in values])
        return name

    def _bound(self, value: Any) -> Any:
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, datetime):
            return micros(value)
        if isinstance(value, float) and value.is_integer() and -_WHOLE <= value < _WHOLE:
            value = int(value)
        return self._dialect.number(value) if isinstance(value, (int, float)) else value


def _json_type(value: Value, field: str) -> JsonType:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, datetime) and not field.startswith("meta."):
        return "number"
    raise InvalidInputError("where", f"{value!r} does not fit a meta value", "Use a JSON scalar")
