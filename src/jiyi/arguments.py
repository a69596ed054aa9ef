"""The arguments of the public verbs: each is checked where it comes in, with one clear error that
names the argument and the way out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from math import isfinite
from typing import TypeVar, cast, get_args

from jiyi.errors import InvalidInputError
from jiyi.ids import new_id, to_utc
from jiyi.text.normalise import check_text
from jiyi.types import Cardinality, Event, Json, Scope, Slot, Source

T = TypeVar("T")

MAX_TAGS = 32
MAX_META_BYTES = 65_536  # enough for structured notes, small beside the text it describes
MAX_MESSAGE_META_BYTES = 8_388_608  # a message brings its tool calls, or a picture, to the letter
MAX_LIMIT = 1000  # a page that a caller can hold; more comes by cursor
MAX_BUDGET = 10_000_000  # tokens; above any model's window


def read_time(value: object, field: str, now: datetime) -> datetime | None:
    """An aware datetime from a datetime, a date or ISO 8601 text; naive ones are in now's zone."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInputError(
                field, f"{value!r} is not a time", "Use ISO 8601, such as 2026-03-05T14:00:00+08:00"
            ) from None
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=now.tzinfo)
    if not isinstance(value, datetime):
        raise InvalidInputError(
            field, f"expected a time, got {type(value).__name__}", "Use a datetime or ISO 8601 text"
        )
    aware = value if value.tzinfo is not None else value.replace(tzinfo=now.tzinfo)
    try:
        to_utc(aware, now)
    except OverflowError:
        raise InvalidInputError(field, f"{value} is out of range", "Use a later year") from None
    return aware


def read_duration(value: object, field: str) -> timedelta:
    """A positive duration from a timedelta or a number of seconds."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            value = timedelta(seconds=value)
        except (OverflowError, ValueError):
            raise InvalidInputError(field, f"{value!r} is too long", "Use fewer seconds") from None
    if not isinstance(value, timedelta) or value <= timedelta(0):
        raise InvalidInputError(
            field, f"{value!r} is not a positive duration", "Use seconds or a timedelta"
        )
    return value


def read_choice(value: object, field: str, choices: Sequence[T]) -> T:
    """One of `choices`."""
    for choice in choices:
        if value == choice:
            return choice
    known = ", ".join(map(str, choices))
    raise InvalidInputError(field, f"unknown value {value!r}", f"Use one of: {known}")


def read_share(value: object, field: str) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InvalidInputError(field, f"{value!r} is not a number from 0 to 1", "Use 0.0 to 1.0")
    return float(value)


def read_flag(value: object, field: str) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise InvalidInputError(field, f"{value!r} is not True or False", "Use a bool")
    return value


def read_tags(value: object, field: str = "tags") -> tuple[str, ...]:
    """Distinct, non-empty tags in their order."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInputError(field, "expected a list of texts", 'Use ["a", "b"]')
    tags = tuple(dict.fromkeys(check_text(t, f"{field}[{n}]").strip() for n, t in enumerate(value)))
    if len(tags) > MAX_TAGS:
        raise InvalidInputError(field, f"{len(tags)} tags are too many", f"Use {MAX_TAGS} at most")
    return tags


def read_meta(value: object, field: str, *, limit_bytes: int = MAX_META_BYTES) -> dict[str, Json]:
    """A mapping that JSON can hold."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInputError(field, f"expected a mapping, got {type(value).__name__}", "Use {}")
    clean = cast("dict[str, Json]", _read_json(value, field, limit_bytes))
    if (size := len(repr(clean))) > limit_bytes:
        raise InvalidInputError(
            field, f"about {size} bytes are too many", "Keep long text in the text"
        )
    return clean


def _read_json(value: object, field: str, limit_bytes: int, depth: int = 0) -> Json:
    if depth > 16:
        raise InvalidInputError(field, "nested too deeply", "Use at most 16 levels")
    if isinstance(value, Mapping):
        clean: dict[str, Json] = {}
        for key, part in value.items():
            if not isinstance(key, str):
                raise InvalidInputError(field, f"the key {key!r} is not a text", "Use text keys")
            _check_characters(key, field, limit_bytes)
            clean[key] = _read_json(part, f"{field}.{key}", limit_bytes, depth + 1)
        return clean
    if isinstance(value, (list, tuple)):
        return [
            _read_json(part, f"{field}[{n}]", limit_bytes, depth + 1)
            for n, part in enumerate(value)
        ]
    if isinstance(value, str):
        _check_characters(value, field, limit_bytes)
        return value
    if isinstance(value, float) and not isfinite(value):
        raise InvalidInputError(field, f"{value!r} is not a JSON number", "Use a finite number")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    raise InvalidInputError(field, f"{type(value).__name__} is not JSON", "Use text or numbers")


def _check_characters(text: str, field: str, limit_bytes: int) -> None:
    if text.strip():
        check_text(text, field, limit_bytes=limit_bytes)


def read_slot(value: object) -> Slot | None:
    """A slot from a Slot, or a mapping with attribute, value, and perhaps subject, cardinality."""
    if value is None or isinstance(value, Slot):
        return value
    if not isinstance(value, Mapping) or not {"attribute", "value"} <= set(value):
        raise InvalidInputError(
            "slot", "attribute and value are needed", 'Use {"attribute": "city", "value": "Xi\'an"}'
        )
    unknown = set(value) - {"subject", "attribute", "value", "cardinality"}
    if unknown:
        raise InvalidInputError("slot", f"unknown keys {sorted(unknown)}", "See Slot")
    return Slot(
        subject=check_text(value.get("subject", "user"), "slot.subject"),
        attribute=check_text(value["attribute"], "slot.attribute"),
        value=check_text(value["value"], "slot.value"),
        cardinality=read_choice(
            value.get("cardinality", "one"), "slot.cardinality", get_args(Cardinality)
        ),
    )


def read_event(value: object, now: datetime) -> Event | None:
    """An event from an Event, or a mapping with type and optionally at, entities, outcome."""
    if value is None or isinstance(value, Event):
        return value
    if not isinstance(value, Mapping) or "type" not in value:
        raise InvalidInputError("event", "a type is needed", 'Use {"type": "release", "at": …}')
    unknown = set(value) - {"type", "at", "entities", "outcome"}
    if unknown:
        raise InvalidInputError("event", f"unknown keys {sorted(unknown)}", "See Event")
    outcome = value.get("outcome")
    return Event(
        type=check_text(value["type"], "event.type"),
        at=read_time(value.get("at"), "event.at", now),
        entities=read_tags(value.get("entities", ()), "event.entities"),
        outcome=None if outcome is None else check_text(outcome, "event.outcome"),
    )


def read_source(value: object, scope: Scope, said_at: datetime) -> Source:
    """The source of a direct write: every call is one, with an id and perhaps a label."""
    if isinstance(value, Source):
        return value
    label = None if value is None else check_text(value, "source")
    return Source(id=new_id(), label=label, session=scope.session, said_at=said_at)


def read_number(value: object, field: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInputError(
            field, f"{value!r} is not a whole number", f"Use {least:,} to {most:,}"
        )
    return value


def read_limit(value: object, field: str = "limit") -> int:
    """A whole number from 1 to `MAX_LIMIT`."""
    return read_number(value, field, 1, MAX_LIMIT)


def read_budget(value: object, field: str = "budget") -> int:
    """A positive number of tokens."""
    return read_number(value, field, 1, MAX_BUDGET)
