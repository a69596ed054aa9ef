"""The arguments of Mem0's verbs: ids, filters, messages, dates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from jiyi.errors import InvalidInputError
from jiyi.types import Hit, MemoryRecord

IDS: Final[Mapping[str, str]] = {"user_id": "user", "agent_id": "agent", "run_id": "session"}
"""Mem0's ids, and the scope field that each is."""

_OPERATORS: Final[Mapping[str, str]] = {
    **{name: name for name in ("eq", "ne", "gt", "lt", "in", "contains")},
    "gte": "ge",
    "lte": "le",
    "icontains": "contains",
}
_FIELDS: Final[Mapping[str, str]] = {
    "agent_id": "agent",
    "run_id": "session",
    "created_at": "recorded_at",
    "memory": "text",
    "data": "text",
}
UPDATED_AT: Final = "updated_at"
"""The key in a memory's meta that says when it was last changed through this facade."""


@dataclass(frozen=True, slots=True)
class Request:
    """Whose memories are asked for, and which of them."""

    scope: Mapping[str, str]
    where: Mapping[str, Any]
    run: str | None

    def in_run(self, found: MemoryRecord | Hit) -> bool:
        """Whether it was said in the run; a fact told in two runs is one memory of both."""
        sessions = {found.scope.session, *(source.session for source in found.sources)}
        return self.run is None or self.run in sessions


def read_ids(values: Mapping[str, Any]) -> dict[str, str]:
    """The ids among `values`, trimmed; numbers become texts.

    Raises:
        InvalidInputError: none is there, or one is empty or holds white space.
    """
    found = {name: _id(name, values[name]) for name in IDS if values.get(name) is not None}
    if not found:
        raise InvalidInputError(
            "filters",
            "must contain at least one of: user_id, agent_id, run_id",
            "Example: filters={'user_id': 'u1'}",
        )
    return found


def scope_fields(ids: Mapping[str, str]) -> dict[str, str]:
    """The ids as scope fields."""
    return {IDS[name]: value for name, value in ids.items()}


def read_request(filters: Mapping[str, Any] | None) -> Request:
    """What a filter asks for.

    Raises:
        InvalidInputError: no id in it, an unknown operator, or a user below AND, OR or NOT.
    """
    given = dict(filters or {})
    ids = read_ids(given)
    rest = {name: value for name, value in given.items() if name not in IDS}
    agent = [("agent_id", ids["agent_id"])] if "agent_id" in ids else []
    where = _conditions(dict([*rest.items(), *agent]))
    scope = {"user": ids["user_id"]} if "user_id" in ids else {}
    return Request(scope, where, ids.get("run_id"))


def _conditions(filters: Mapping[str, Any]) -> dict[str, Any]:
    parts = [part for name, value in filters.items() if (part := _condition(name, value))]
    return {"and": parts} if parts else {}


def _condition(name: str, value: Any) -> dict[str, Any]:
    if name in ("AND", "OR", "NOT"):
        if not isinstance(value, list) or not value:
            raise InvalidInputError(
                "filters", f"{name} needs a list of conditions", f'Use {{"{name}": [{{…}}]}}'
            )
        parts = [_conditions(part) for part in value]
        if name == "NOT":
            return {"not": {"or": parts}}
        return {name.lower(): parts}
    if name == "user_id":
        raise InvalidInputError(
            "filters", "user_id below AND, OR or NOT", "Users are apart: name one at the top"
        )
    field = _FIELDS.get(name, f"meta.{name}")
    if value == "*":  # as with Mem0's own default store, no condition
        return {}
    if not isinstance(value, Mapping):
        return {field: value}
    return {"and": [_compared(field, operator, operand) for operator, operand in value.items()]}


def _compared(field: str, operator: str, operand: Any) -> dict[str, Any]:
    if operator == "nin":
        return {"not": {field: {"in": operand}}}
    if operator not in _OPERATORS:
        raise InvalidInputError(
            "filters",
            f"unsupported operator {operator!r}",
            f"Known: {', '.join([*_OPERATORS, 'nin'])}",
        )
    return {field: {_OPERATORS[operator]: operand}}


def _id(name: str, value: Any) -> str:
    text = str(value).strip()
    if not text or any(c.isspace() for c in text):
        raise InvalidInputError(name, f"{value!r} is no identifier", "Use one without spaces")
    return text


def read_messages(messages: Any) -> list[dict[str, Any]]:
    """A text, a message or a list of messages as a list of messages."""
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    if isinstance(messages, Mapping):
        return [dict(messages)]
    if not isinstance(messages, list):
        raise InvalidInputError(
            "messages", f"they are a {type(messages).__name__}", "Use str, dict, or list[dict]"
        )
    return [dict(m) if isinstance(m, Mapping) else m for m in messages]


def text_of(content: Any) -> str:
    """The text of a message's content, which may be parts."""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        return "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def read_expiration(value: Any) -> tuple[str | None, datetime | None]:
    """A date as Mem0 writes it, and the instant after it. The memory is there on that day."""
    if value is None:
        return None, None
    day = value
    if isinstance(value, str):
        try:
            day = date.fromisoformat(value)
        except ValueError:
            raise _not_a_date(value) from None
    if isinstance(day, datetime):
        day = day.date()
    if not isinstance(day, date):
        raise _not_a_date(value)
    return day.isoformat(), datetime.combine(day, time(), UTC) + timedelta(days=1)


def _not_a_date(value: Any) -> InvalidInputError:
    return InvalidInputError("expiration_date", f"{value!r} is no date", "Use YYYY-MM-DD")


def raw_facts(messages: list[dict[str, Any]], meta: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Messages as they are, each a memory; those without a role or text, and system ones, not."""
    facts = []
    for message in messages:
        role = message.get("role") if isinstance(message, Mapping) else None
        text = text_of(message.get("content")) if isinstance(message, Mapping) else ""
        if role is None or role == "system" or not text.strip():
            continue
        own = {"role": role, **({"actor_id": name} if (name := message.get("name")) else {})}
        trust = "assistant" if role == "assistant" else "application"
        facts.append({"text": text, "meta": {**meta, **own}, "trust": trust})
    return facts


def read_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """Metadata cannot move a memory to another owner."""
    return {k: v for k, v in (metadata or {}).items() if k not in (*IDS, "actor_id", UPDATED_AT)}


def refuse_unknown(unknown: Mapping[str, Any], verb: str) -> None:
    if ids := [name for name in unknown if name in IDS]:
        raise InvalidInputError(
            ids[0], f"not an argument of {verb}()", f"Use filters={{{ids[0]!r}: '...'}} instead"
        )
    if unknown:
        raise InvalidInputError(next(iter(unknown)), f"not an argument of {verb}()", "See its help")


def read_count(top_k: Any) -> int:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 0:
        raise InvalidInputError("top_k", f"{top_k!r} is no count", "Use a whole number from 0")
    return top_k


def read_moment(value: Any) -> Any:
    """Seconds since 1970 as a datetime; anything else as it is."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return datetime.fromtimestamp(value, UTC)
    return value
