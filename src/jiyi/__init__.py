"""jiyi (记忆): the long-term memory of AI agents.

from jiyi import Memory

memory = Memory("agent.db")
sun = memory.scoped(user="sun")
sun.observe("以后报告里请把单位写在数值列")
print(sun.context("报告怎么写？").text)
"""

import importlib
import typing

from jiyi.errors import (
    ConfigurationError,
    ConflictError,
    EmbedderMismatchError,
    InvalidInputError,
    JiyiError,
    ModelError,
    NotFoundError,
    StoreClosedError,
    StoreError,
    StoreFormatError,
    StoreUnavailableError,
)
from jiyi.types import (
    Alias,
    AuditEvent,
    Conflict,
    ConsolidationReport,
    ConsolidationStep,
    Context,
    Document,
    DocumentOutcome,
    DocumentReport,
    Entity,
    EntityGraph,
    Event,
    Finding,
    ForgetReport,
    History,
    Hit,
    Hits,
    MemoryRecord,
    Outcome,
    Page,
    Profile,
    ProfileField,
    Receipt,
    Relation,
    Scope,
    Slot,
    Source,
    Stats,
    Trace,
    Turn,
    Turns,
)

if typing.TYPE_CHECKING:
    from jiyi.aio import AsyncMemory
    from jiyi.archived import ExportReport, LoadReport
    from jiyi.encode.gate import Gate
    from jiyi.memory import Memory

__all__ = [
    "Alias",
    "AsyncMemory",
    "AuditEvent",
    "ConfigurationError",
    "Conflict",
    "ConflictError",
    "ConsolidationReport",
    "ConsolidationStep",
    "Context",
    "Document",
    "DocumentOutcome",
    "DocumentReport",
    "EmbedderMismatchError",
    "Entity",
    "EntityGraph",
    "Event",
    "ExportReport",
    "Finding",
    "ForgetReport",
    "Gate",
    "History",
    "Hit",
    "Hits",
    "InvalidInputError",
    "JiyiError",
    "LoadReport",
    "Memory",
    "MemoryRecord",
    "ModelError",
    "NotFoundError",
    "Outcome",
    "Page",
    "Profile",
    "ProfileField",
    "Receipt",
    "Relation",
    "Scope",
    "Slot",
    "Source",
    "Stats",
    "StoreClosedError",
    "StoreError",
    "StoreFormatError",
    "StoreUnavailableError",
    "Trace",
    "Turn",
    "Turns",
]

# All the rooms stand behind these, so they are opened when one is asked for (PEP 562).
_DOORS = {
    "AsyncMemory": "jiyi.aio",
    "ExportReport": "jiyi.archived",
    "Gate": "jiyi.encode.gate",
    "LoadReport": "jiyi.archived",
    "Memory": "jiyi.memory",
}


def __getattr__(name: str) -> typing.Any:
    if name not in _DOORS:
        raise AttributeError(f"module 'jiyi' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_DOORS[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
