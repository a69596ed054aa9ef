"""Our values as plain data for JSON: names as in Python, times as ISO 8601, nothing left out."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from typing import Any


def to_plain(value: Any) -> Any:
    """Dataclasses and mappings as dicts, sequences as lists, times as texts."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, Set)):
        return [to_plain(part) for part in value]
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return value
