"""jiyi (记忆): the long-term memory of AI agents.

from jiyi import Memory

memory = Memory("agent.db")
sun = memory.scoped(user="sun")
sun.observe("以后报告里请把单位写在数值列")
print(sun.context("报告怎么写？").text)
"""

from jiyi.aio import AsyncMemory
from jiyi.archived import ExportReport, LoadReport
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
from jiyi.memory import Memory
from jiyi.types import (
    AuditEvent,
    Conflict,
    ConsolidationReport,
    ConsolidationStep,
    Context,
    Document,
    DocumentReport,
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
    Scope,
    Slot,
    Source,
    Stats,
    Trace,
    Turn,
)

__all__ = [
    "AsyncMemory",
    "AuditEvent",
    "ConfigurationError",
    "Conflict",
    "ConflictError",
    "ConsolidationReport",
    "ConsolidationStep",
    "Context",
    "Document",
    "DocumentReport",
    "EmbedderMismatchError",
    "Event",
    "ExportReport",
    "Finding",
    "ForgetReport",
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
]
