"""Parts of contexts for tests: hits, turns, records with few words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from jiyi.recall.context import ContextParts
from jiyi.types import Hit, Hits, MemoryRecord, Scope, Slot, Turn

NOW = datetime(2026, 12, 10, 12, 0, tzinfo=UTC)
SCOPE = Scope(user="sun")
_ids = count(1)


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def hit(text: str, *, unit: str = "memory", days: float = 30, **fields: Any) -> Hit:
    said_at = days_ago(days)
    values = {
        "unit": unit,
        "id": f"h{next(_ids)}",
        "text": text,
        "score": 1.0,
        "scores": {},
        "scope": SCOPE,
        "recorded_at": said_at,
        "said_at": said_at,
        "role": "user" if unit == "turn" else None,
        "kind": "semantic" if unit == "memory" else None,
        "status": "active" if unit == "memory" else None,
        "valid_from": said_at if unit == "memory" else None,
    } | fields
    return Hit(**values)


def turn(text: str, role: str = "user", *, days: float = 0.01, **fields: Any) -> Turn:
    said_at = days_ago(days)
    values = {
        "id": f"t{next(_ids)}",
        "role": role,
        "text": text,
        "said_at": said_at,
        "recorded_at": said_at,
        "scope": SCOPE,
    } | fields
    return Turn(**values)


def record(text: str, *, days: float = 30, slot: Slot | None = None, **fields: Any) -> MemoryRecord:
    said_at = days_ago(days)
    values = {
        "id": f"m{next(_ids)}",
        "text": text,
        "kind": "semantic",
        "status": "active",
        "scope": SCOPE,
        "recorded_at": said_at,
        "said_at": said_at,
        "valid_from": said_at,
        "slot": slot,
    } | fields
    return MemoryRecord(**values)


def preference(topic: str, value: str, text: str, **fields: Any) -> MemoryRecord:
    slot = Slot(subject="user", attribute=f"preference/{topic}", value=value)
    return record(text, slot=slot, **fields)


def parts(query: str, *hits: Hit, support: str = "strong", **fields: Any) -> ContextParts:
    return ContextParts(query=query, hits=Hits(hits, "trace-1", support), **fields)
