"""Which right each verb of `Memory` needs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from jiyi.types import Right

RIGHT_OF: Final[Mapping[str, Right]] = MappingProxyType(
    {
        "recall": "read",
        "context": "read",
        "profile": "read",
        "get": "read",
        "list": "read",
        "turns": "read",
        "history": "read",
        "explain": "read",
        "stats": "read",
        "conflicts": "read",
        "documents": "read",
        "entities": "read",
        "entity": "read",
        "observe": "write",
        "remember": "write",
        "remember_all": "write",
        "correct": "write",
        "update": "write",
        "feedback": "write",
        "undo": "write",
        "task": "write",
        "end_session": "write",
        "resolve_conflict": "write",
        "separate": "write",
        "consolidate": "write",
        "add_documents": "write",
        "flush": "write",
        "forget": "forget",
        "remove_documents": "forget",
        "set_permanent": "admin",
        "export": "admin",
        "load": "admin",
        "backup": "admin",
        "check": "admin",
        "repair": "admin",
        "reembed": "admin",
        "work": "admin",
    }
)
"""By name of the verb. Notes of a task are read with "read"."""

OF_THE_STORE: Final = frozenset({"backup", "check", "repair", "reembed", "work"})
"""Verbs that know no scope: only a key for every tenant may use them."""
