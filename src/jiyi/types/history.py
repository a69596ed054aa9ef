"""Pages of a listing, versions of a memory, and the audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from jiyi.types.record import MemoryRecord, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a list: `total` counts everything that matches, `cursor` leads to the next."""

    items: tuple[MemoryRecord, ...]
    total: int
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Turns(Sequence[Turn]):
    """One page of what was said, in the order of saying: the newest turns first of all, `cursor`
    leads to the page before them. `total` counts all turns.

    It compares like the tuple of its turns.
    """

    items: tuple[Turn, ...]
    total: int
    cursor: str | None

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Turn]:
        return iter(self.items)

    def __eq__(self, other: object) -> bool:
        return self.items == (other.items if isinstance(other, Turns) else other)

    def __hash__(self) -> int:
        return hash(self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One entry of the audit log: ids, reasons and counts, never content.

    `actor` is who did it, such as the id of an access key; None is the program itself.
    """

    id: str
    at: datetime
    action: str
    memory_id: str | None = None
    other_id: str | None = None
    reason: str | None = None
    run_id: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    actor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One state of a memory: how it stood from `known_from` until `known_to` (exclusive)."""

    record: MemoryRecord
    known_from: datetime
    known_to: datetime | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Everything that ever happened to a memory, oldest first.

    `chain` are the memories it replaced and was replaced by, oldest first, itself included.
    """

    memory_id: str
    versions: tuple[Version, ...]
    events: tuple[AuditEvent, ...]
    chain: tuple[MemoryRecord, ...]
