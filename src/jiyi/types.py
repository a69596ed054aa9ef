"""The values that travel between the rooms: frozen, typed, without behaviour of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

Kind = Literal["semantic", "episodic", "procedural", "reflective", "working"]
Status = Literal[
    "candidate", "active", "superseded", "expired", "archived", "retracted", "forgotten"
]
Tier = Literal["core", "extended", "archive"]
Visibility = Literal["user", "agent", "task", "tool", "shared"]
Role = Literal["user", "assistant", "system", "tool"]
Unit = Literal["memory", "turn", "document"]
Cardinality = Literal["one", "many"]
Trust = Literal["application", "user", "assistant", "tool", "document", "flagged"]
OutcomeStatus = Literal[
    "stored",
    "merged",
    "superseding",
    "candidate",
    "skipped",
    "pending",
    "retracted",
    "erased",
]
Support = Literal["strong", "weak", "none"]

KINDS: tuple[Kind, ...] = ("semantic", "episodic", "procedural", "reflective", "working")
STATUSES: tuple[Status, ...] = (
    "candidate",
    "active",
    "superseded",
    "expired",
    "archived",
    "retracted",
    "forgotten",
)
VISIBILITIES: tuple[Visibility, ...] = ("user", "agent", "task", "tool", "shared")
ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool")


class ScopeFields(TypedDict, total=False):
    """The scope as keyword arguments; every verb of `Memory` takes them."""

    tenant: str | None
    user: str | None
    agent: str | None
    session: str | None
    task: str | None
    tool: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Who a memory belongs to.

    `tenant` and `user` isolate; an absent user is the tenant's common space. `agent`, `session`,
    `task` and `tool` are labels: they limit reading only through a memory's visibility.
    Each is any non-empty string in any script, taken as it is, or absent (None).
    """

    tenant: str | None = None
    user: str | None = None
    agent: str | None = None
    session: str | None = None
    task: str | None = None
    tool: str | None = None

    def as_dict(self) -> dict[str, str]:
        """The fields that are present."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}


class UnitKey(NamedTuple):
    """Where a unit lies in its store: the number of its space and its number in that space.

    A space is one (tenant, user) pair. Numbers grow in the order of writing, without gaps being
    promised, and are never shown to users.
    """

    space: int
    number: int


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one statement: `status`, the memory concerned, and why."""

    status: OutcomeStatus
    memory_id: str | None = None
    reason: str | None = None
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a write did. `memory_id` is the first memory it touched, if any."""

    turn_ids: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()

    @property
    def memory_id(self) -> str | None:
        return next((o.memory_id for o in self.outcomes if o.memory_id is not None), None)


@dataclass(frozen=True, slots=True)
class Section:
    """A passage of a text: the headings it stands under, outermost first, and its half-open range
    of characters."""

    heading: tuple[str, ...]
    start: int
    stop: int
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentText:
    """A document as it came in. `name` tells it from the others of its collection."""

    name: str
    title: str
    text: str
    sections: tuple[Section, ...]
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document that can be recalled beside memories: what it is, not its text.

    `name` is its path, or the id or title it was given; a document with the same name in the same
    collection is the same one, and `digest` says whether it still has the same content. `passages`
    counts its parts.
    """

    id: str
    name: str
    title: str
    collection: str
    scope: Scope
    added_at: datetime
    changed_at: datetime
    digest: str
    passages: int
    visibility: Literal["user", "shared"] = "user"
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a document, at `position` among its parts (from 0), with the headings above it.

    `span` is its half-open range of characters in the document. `meta` is what filters ask.
    """

    id: str
    document_id: str
    position: int
    text: str
    span: tuple[int, int]
    heading: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentOutcome:
    """What became of one document: new, its passages replaced, or the same as before."""

    status: Literal["added", "replaced", "unchanged"]
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReport:
    """What `add_documents` did, one outcome per document, in order. `pending` names what could not
    yet be driven out of the files of the passages that were replaced."""

    outcomes: tuple[DocumentOutcome, ...]
    pending: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A recalled memory, turn or document passage.

    `score` is the final ranking score (higher is better, comparable within one recall only);
    `scores` are its parts by name. `later` names the memory that replaced what this unit says.
    """

    unit: Unit
    id: str
    text: str
    score: float
    scores: Mapping[str, float]
    scope: Scope
    recorded_at: datetime
    kind: Kind | None = None
    status: Status | None = None
    role: Role | None = None
    name: str | None = None
    said_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    later: str | None = None
    sources: tuple[Source, ...] = ()
    neighbours: tuple[Turn, ...] = ()
    tags: tuple[str, ...] = ()
    meta: Mapping[str, Json] = field(default_factory=dict)
    trust: Trust = "user"
    flags: tuple[str, ...] = ()
    importance: float | None = None


@dataclass(frozen=True, slots=True)
class Hits(Sequence[Hit]):
    """The answer of a recall, best first. Empty when nothing fits.

    `support` says how well the best hit is backed by the question: "none" goes with an empty
    result. `trace_id` leads to the explanation.
    """

    items: tuple[Hit, ...]
    trace_id: str
    support: Support

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer of a context: its rendered text, its size in tokens, and what it is made of."""

    name: str
    text: str
    tokens: int
    unit_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The budgeted text for the prompt. `tokens` counts the rendered `text`."""

    text: str
    layers: tuple[Layer, ...]
    tokens: int
    budget: int
    support: Support
    trace_id: str
    recent: tuple[Turn, ...] = ()

    def messages(self) -> list[dict[str, str]]:
        """The context for a chat API: one system message, then the last turns as they were said.

        Results of tools are left out: chat APIs take them only right after the call they answer.
        """
        system = "\n\n".join(layer.text for layer in self.layers if layer.name != "recent")
        head = [{"role": "system", "content": system}] if system else []
        said = [turn for turn in self.recent if turn.role != "tool"]
        return head + [{"role": turn.role, "content": turn.text} for turn in said]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileField:
    """One field of a profile: the value, and where it comes from (None for permanent fields)."""

    attribute: str
    value: Json
    permanent: bool
    subject: str = "user"
    memory_id: str | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The exact, structured view of a user: what the application set, and what was learned."""

    permanent: Mapping[str, Json]
    learned: tuple[ProfileField, ...]

    def get(self, attribute: str) -> Json:
        """The permanent value of `attribute`, else the newest learned one, else None."""
        if attribute in self.permanent:
            return self.permanent[attribute]
        return next((f.value for f in self.learned if f.attribute == attribute), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a list: `total` counts everything that matches, `cursor` leads to the next."""

    items: tuple[MemoryRecord, ...]
    total: int
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One entry of the audit log: ids, reasons and counts, never content."""

    id: str
    at: datetime
    action: str
    memory_id: str | None = None
    other_id: str | None = None
    reason: str | None = None
    run_id: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


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
class CandidateTrace:
    """One unit that a recall looked at: its scores by arm and boost, and why it left, if it did."""

    unit: Unit
    id: str
    scores: Mapping[str, float]
    rank: int | None = None
    cut: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The back door: what one recall or context searched, found, cut and injected.

    `query` is the question as asked and `completed` what was searched for when the question
    leaned on the conversation. `latency_ms` is by stage. `injected` are the ids by layer of a
    context, `cuts` what the budget left out. `erasures` is how many erasures the readable spaces
    had seen then: a trace that is written after a later one is dropped, for it may repeat what
    was erased.
    """

    id: str
    at: datetime
    operation: Literal["recall", "context"]
    scope: Scope
    query: str
    completed: str | None
    arms: Mapping[str, int]
    candidates: tuple[CandidateTrace, ...]
    support: Support
    latency_ms: Mapping[str, float]
    injected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cuts: Mapping[str, str] = field(default_factory=dict)
    erasures: int | None = None


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
