"""What upkeep did: forgetting, consolidation, conflicts, counts and findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from jiyi.types.record import MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """What was erased, by id, and how far the erasure reaches.

    `counts` are rows by kind. `pending` says what is still on its way out, with the reason, such
    as a checkpoint that waits for a reader. `beyond` names what no erasure here can reach.
    """

    memory_ids: tuple[str, ...]
    turn_ids: tuple[str, ...]
    counts: Mapping[str, int]
    dry_run: bool
    pending: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()
    event_id: str | None = None


StepAction = Literal[
    "expire",
    "promote",
    "drop",
    "merge",
    "summarise",
    "archive",
    "thaw",
    "tier",
    "reflect",
    "retract",
    "prune",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationStep:
    """One thing that a consolidation did, or would do.

    `memory_id` is the memory that changed; for "merge", "summarise" and a new lesson it is the new
    one (None in a dry run). `others` are the memories that it replaces, cites or gave way to.
    """

    action: StepAction
    reason: str
    memory_id: str | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationReport:
    """What a consolidation did and why; `undo(run_id)` takes all of it back.

    `counts` are steps by action, and "unchanged" what was looked at and left alone. `seconds` is
    how long it took. `failed` says why nothing was done, if so.
    """

    run_id: str
    steps: tuple[ConsolidationStep, ...]
    counts: Mapping[str, int]
    seconds: float
    dry_run: bool = False
    failed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two live statements that cannot both hold, where no rule says which one does.

    `first` was said earlier. `reason` says in words what they disagree about. `proposal` is which
    one a chat model would keep, where one was asked; a person decides.
    """

    first: MemoryRecord
    second: MemoryRecord
    reason: str
    proposal: Literal["first", "second", "both"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What a scope holds, and the health of the store behind it."""

    turns: int
    memories: Mapping[str, int]
    queue: Mapping[str, int]
    vectors: Mapping[str, int]
    bytes_on_disk: int | None
    embedder: str | None
    schema_version: int
    documents: int = 0
    budget: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is wrong in a store: what, how often, and the command that repairs it."""

    name: str
    detail: str
    count: int
    repair: str
