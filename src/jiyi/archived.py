"""What an archive holds: values that one store hands out and another takes back.

Everything that people told, and what became of it, is here. What can be made again is not: index
terms and vectors; nor what only looks back: traces and the model's spending.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from jiyi.types import AuditEvent, Document, Json, MemoryRecord, Passage, Scope, Turn, Version

Restored = Literal["added", "extended", "known", "differs", "blocked"]
"""What became of one archived value: new here; here in an earlier state, and brought up to date;
here already; here with another history, which stays; or erased here before, and so kept out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedTurn:
    """A turn. `waiting` names the kinds of background work that had not read it yet."""

    turn: Turn
    waiting: tuple[Literal["extract", "read"], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDigest:
    """The turns that the digest of an ended session quotes; they are not its sources."""

    scope: Scope
    memory_id: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMemory:
    """A memory with every state it had, oldest first; an erased one is its id without content.

    The sources stand in the newest state only; `added` says when those came that the memory did
    not begin with, by the source's id.
    """

    versions: tuple[Version, ...]
    added: Mapping[str, datetime] = field(default_factory=dict)

    @property
    def record(self) -> MemoryRecord:
        """The newest state."""
        return self.versions[-1].record


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedEvent:
    """An entry of the audit log of a space."""

    scope: Scope
    event: AuditEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedField:
    """A permanent profile field."""

    scope: Scope
    name: str
    value: Json
    set_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSession:
    """A session: its summary with the turns that it quotes, and when it ended."""

    scope: Scope
    session: str
    set_at: datetime
    summary: str | None = None
    cites: tuple[str, ...] = ()
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedNote:
    """A working note of a task."""

    scope: Scope
    task: str
    name: str
    value: Json
    set_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedTombstones:
    """What was erased, as hashes under one of these keys; all in hexadecimal digits."""

    scope: Scope
    keys: tuple[str, ...]
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDocument:
    """A document with its passages, in order."""

    document: Document
    passages: tuple[Passage, ...]

    @property
    def scope(self) -> Scope:
        """Whose it is."""
        return self.document.scope


Archived = (
    ArchivedTurn
    | ArchivedDigest
    | ArchivedMemory
    | ArchivedEvent
    | ArchivedField
    | ArchivedSession
    | ArchivedNote
    | ArchivedTombstones
    | ArchivedDocument
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """What an archive holds now: values by kind, such as "turn" and "memory"."""

    path: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReport:
    """What became of the values of an archive, by kind: see `Restored`. `waiting` counts the
    turns that background work will read here, because it had not where they come from."""

    added: Mapping[str, int] = field(default_factory=dict)
    extended: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)
    differs: Mapping[str, int] = field(default_factory=dict)
    blocked: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0
