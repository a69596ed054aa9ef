"""What was said (a turn), what is kept of it (a memory), and what is proposed (a draft)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from jiyi.types.scope import Scope
from jiyi.types.words import Cardinality, Json, Kind, Role, Status, Tier, Trust, Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place that a fact fills: (subject, attribute), holding `value`.

    `cardinality` "one" means that a new value replaces the old one; "many" that values add up.
    An attribute may carry a topic after a slash, as in `preference/spicy food`, so that a change
    of mind about one topic leaves the others alone.
    """

    subject: str
    attribute: str
    value: str
    cardinality: Cardinality = "one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The structured side of something that happened. `at` is an aware datetime."""

    type: str
    at: datetime | None = None
    entities: tuple[str, ...] = ()
    outcome: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One place a memory was learned from.

    `span` is the half-open character range [start, end) in the text of the turn. A source
    without `turn_id` is a direct `remember` call, or an import.
    """

    id: str
    turn_id: str | None = None
    span: tuple[int, int] | None = None
    label: str | None = None
    session: str | None = None
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateScores:
    """Why the gate let a memory in: four parts and their weighted sum, each from 0 to 1."""

    completeness: float
    relevance: float
    durability: float
    emphasis: float
    total: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a conversation as it was said. Append-only.

    `said_at` is when it was said, `recorded_at` when we were told; both are aware. `name` is the
    speaker's name where the conversation gives one. `key` is the caller's idempotency key.
    """

    id: str
    role: Role
    text: str
    said_at: datetime
    recorded_at: datetime
    scope: Scope
    name: str | None = None
    key: str | None = None
    meta: Mapping[str, Json] = field(default_factory=dict)
    encodable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A statement proposed for keeping, before the rules have decided what becomes of it.

    `entities` are the names it mentions. `trust` says whose word it is. `flags` name what the
    guard noticed, such as "instruction" for text that addresses the model.
    """

    text: str
    kind: Kind = "semantic"
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float = 1.0
    meta: Mapping[str, Json] = field(default_factory=dict)
    slot: Slot | None = None
    event: Event | None = None
    entities: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    said_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    visibility: Visibility = "user"
    pinned: bool = False
    trust: Trust = "user"
    flags: tuple[str, ...] = ()
    gate: GateScores | None = None
    candidate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """One statement worth keeping, as it stands now (or as it stood, when asked with `known_at`).

    `importance` and `confidence` run from 0 to 1. It was true from `valid_from` (inclusive) until
    `valid_to` (exclusive; None means that no end is known). `recorded_at` is when this memory was
    first told to us. All times are aware.
    """

    id: str
    text: str
    kind: Kind
    status: Status
    scope: Scope
    recorded_at: datetime
    said_at: datetime
    valid_from: datetime
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    tier: Tier = "extended"
    tags: tuple[str, ...] = ()
    meta: Mapping[str, Json] = field(default_factory=dict)
    importance: float = 0.5
    confidence: float = 1.0
    slot: Slot | None = None
    event: Event | None = None
    entities: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    superseded_by: str | None = None
    reason: str | None = None
    visibility: Visibility = "user"
    pinned: bool = False
    trust: Trust = "user"
    flags: tuple[str, ...] = ()
    gate: GateScores | None = None
    use_count: int = 0
    last_used_at: datetime | None = None
    helpful: int = 0
    unhelpful: int = 0
