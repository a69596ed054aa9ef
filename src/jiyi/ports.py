"""What the adapters must do: stores, embedders, chat models, rerankers.

Policy sits above these ports (what is a duplicate, what supersedes what, what a question means),
storage below them. Every port is synchronous and thread-safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from jiyi.archived import (
        Archived,
        ArchivedDigest,
        ArchivedDocument,
        ArchivedEvent,
        ArchivedField,
        ArchivedMemory,
        ArchivedNote,
        ArchivedSession,
        ArchivedTombstones,
        Restored,
    )
    from jiyi.filters import Condition
    from jiyi.types import (
        AuditEvent,
        Document,
        DocumentOutcome,
        Draft,
        Finding,
        Json,
        MemoryRecord,
        Passage,
        Scope,
        Source,
        Status,
        Trace,
        Turn,
        Unit,
        UnitKey,
        Version,
    )


# --- values of the store port ---------------------------------------------------------------


class Capability(Enum):
    """Named differences between stores; flows ask for these, never for a store's name."""

    MANY_PROCESSES = "several processes may write at once"
    PHYSICAL_ERASE = "erased bytes are gone from the files when erase() has returned"
    ONLINE_BACKUP = "backup() copies a store that is in use: see Copyable"
    SELF_CHECK = "check() looks for damage and repair() mends: see Checkable"
    READ_ONLY = "it was opened for reading only: write() is refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which memories or turns are meant. Fields combine with AND; None narrows nothing.

    `statuses` applies to memories. `as_of` keeps what was true in the world at that instant:
    valid_from <= as_of < valid_to, and not expired then; statuses active, superseded and expired
    then count alike. `known_at` reads every memory as it stood in the store at that instant.
    `now` is the clock's time: what expired before it is not live. `keys` are unit keys.
    """

    now: datetime
    statuses: frozenset[Status] = frozenset({"active"})
    where: Condition | None = None
    ids: tuple[str, ...] | None = None
    keys: tuple[UnitKey, ...] | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None


class TermWeights(NamedTuple):
    """The terms of one text: how often each occurs, and the length that BM25 divides by."""

    counts: Mapping[str, int]
    length: int


@dataclass(frozen=True, slots=True)
class Postings:
    """What one space's text index says about some terms.

    `size` is one more than the highest unit number in the space; arrays indexed by unit number
    have that length. `lengths[number]` is the unit's length in terms, 0 where the number holds no
    indexed text. `terms` maps each asked term to (numbers ascending int32, counts float32); terms
    nobody used are absent. `count` is the number of indexed units, `mean_length` their mean.
    """

    space: int
    size: int
    count: int
    mean_length: float
    lengths: npt.NDArray[np.uint16]
    terms: Mapping[str, tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]]


class UnitCode(IntEnum):
    """What a number of a space holds, in one byte (see `Layout.kinds`)."""

    NOTHING = 0
    MEMORY = 1
    USER_TURN = 2
    ASSISTANT_TURN = 3
    OTHER_TURN = 4
    DOCUMENT = 5


@dataclass(frozen=True, slots=True)
class Layout:
    """What a space holds, by unit number; pieces of a long turn count as turns of their session.

    Arrays of length `size`, which is at least that of the same snapshot's postings. `kinds` are
    values of `UnitCode` (a number erased since may still be named). `sessions[number]` is any
    number that the turns of one session, and nothing else, share; -1 for all that is no turn.
    `said` are microseconds since the epoch, UTC: said_at of turns and memories. Read-only.
    """

    space: int
    size: int
    kinds: npt.NDArray[np.uint8]
    sessions: npt.NDArray[np.int32]
    said: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """The vectors of one space: `matrix` of shape (n, dimension) float32 unit length, row i
    belonging to unit `numbers[i]` (int32, ascending). Read-only; shared between callers."""

    space: int
    numbers: npt.NDArray[np.int32]
    matrix: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredUnit:
    """A memory, a turn or a passage with its place in the store.

    A long turn is indexed in pieces: `piece` is the half-open character range of the piece that
    was asked for, and `key` the key of the whole unit. `previous` and `next` are the keys of the
    neighbouring turns of the same session. `later` is the id of the live memory that replaced
    what this turn says, when every memory drawn from it has been replaced or retracted.
    A `passage` comes with its `document`.
    """

    unit: Unit
    key: UnitKey
    memory: MemoryRecord | None = None
    turn: Turn | None = None
    passage: Passage | None = None
    document: Document | None = None
    piece: tuple[int, int] | None = None
    previous: UnitKey | None = None
    next: UnitKey | None = None
    later: str | None = None
    stale: bool = False


JobKind = Literal[
    "extract", "read", "embed", "checkpoint", "digest", "consolidate", "consolidating"
]
"""extract: turns for the rules; read: turns for a chat model; consolidating: a claim, no work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of background work. `attempt` counts from 1 while leased."""

    id: int
    kind: JobKind
    scope: Scope
    payload: Mapping[str, Json]
    attempt: int
    created_at: datetime
    error: str | None = None


DERIVED = ("summary_of", "lesson", "insight_of")
"""Fields of `meta` that mark a memory as made out of others by consolidation: it may repeat their
words, and so goes when one of its members or cited turns is erased (audit actions "summarised in"
and "drawn into" link a member to it)."""


class Erasure(NamedTuple):
    """What `Writer.erase` removed: ids and rows by kind."""

    memory_ids: tuple[str, ...]
    turn_ids: tuple[str, ...]
    counts: Mapping[str, int]


# --- the store --------------------------------------------------------------------------------


class Reader(Protocol):
    """A consistent snapshot. Every method sees only what `scope` may read.

    A scope reads its own space (its tenant and user) and, in its tenant's common space, memories
    with visibility "shared". Within the own space a memory with visibility agent, task or tool is
    read only by a scope with the same agent, task or tool. Turns of the own space are all read.
    """

    # memories and turns
    def memories(
        self,
        scope: Scope,
        selection: Selection,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order: Literal["newest", "oldest"] = "newest",
    ) -> tuple[list[MemoryRecord], str | None]:
        """Memories in order of recording, and the cursor of the next page (None at the end).

        Raises InvalidInputError("cursor", …) for a cursor that is not from this list.
        """
        ...

    def count_memories(self, scope: Scope, selection: Selection) -> int: ...

    def units(
        self, scope: Scope, keys: Sequence[UnitKey], selection: Selection
    ) -> dict[UnitKey, StoredUnit]:
        """The units behind index keys that pass the selection; `selection.keys` is ignored.

        Keys of pieces come back with the whole unit and its `piece`. Turns pass `statuses`
        always, `where` by the fields they have, and `as_of`/`known_at` by said_at/recorded_at.
        """
        ...

    def turns(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        ids: Sequence[str] | None = None,
        limit: int | None = None,
        order: Literal["newest", "oldest"] = "oldest",
        said_before: datetime | None = None,
    ) -> list[Turn]:
        """Turns of the own space; `session` None means every session. Order of saying."""
        ...

    def turn_key(self, scope: Scope, turn_id: str) -> UnitKey | None: ...

    # decisions need to look first
    def find_same(
        self, scope: Scope, draft: Draft, fingerprint: bytes, *, now: datetime | None = None
    ) -> MemoryRecord | None:
        """The live memory with this fingerprint and the draft's audience (see `audience`).

        With `now`, one that has expired by then is not live; without it, the caller looks.
        """
        ...

    def slot_values(
        self,
        scope: Scope,
        *,
        subject: str,
        attribute: str | None = None,
        family: str | None = None,
        statuses: frozenset[Status] = frozenset({"active"}),
        now: datetime | None = None,
    ) -> list[MemoryRecord]:
        """Memories that fill a slot of `subject`: this attribute exactly, or every attribute of a
        family (`preference` matches `preference/…`), or all. Newest first. With `now`, what has
        expired by then counts as expired; without it, the caller looks."""
        ...

    def citing(self, scope: Scope, turn_ids: Sequence[str]) -> list[MemoryRecord]:
        """Memories in any status but forgotten that cite one of these turns."""
        ...

    def is_tombstoned(self, scope: Scope, fingerprint: bytes) -> bool:
        """Whether text with this fingerprint was erased (blocks imports and late extraction)."""
        ...

    # profile, history, audit, traces
    def permanent(self, scope: Scope) -> dict[str, Json]: ...
    def versions(self, scope: Scope, memory_id: str) -> list[Version]:
        """Every state of a memory, oldest first; empty when it is not in this scope."""
        ...

    def events(
        self,
        scope: Scope,
        *,
        memory_id: str | None = None,
        run_id: str | None = None,
        event_id: str | None = None,
        other_id: str | None = None,
        limit: int = 1000,
    ) -> list[AuditEvent]:
        """The audit log of the scope's own space, oldest first: the newest `limit` events.

        `other_id` finds the changes that were made in favour of a memory, such as supersessions.
        """
        ...

    def trace(self, scope: Scope, trace_id: str | None) -> Trace | None:
        """A stored trace, or the newest one for None: of this agent, or of no agent."""
        ...

    def erasures(self, scope: Scope) -> int:
        """How many erasures the readable spaces have seen; it only grows."""
        ...

    # short-term memory
    def session_summary(self, scope: Scope, session: str) -> str | None:
        """What `set_session_summary` kept for a session of the own space, or None."""
        ...

    def tasks(self, scope: Scope) -> list[str]:
        """The tasks of the own space that have notes, by name."""
        ...

    def notes(self, scope: Scope, task: str) -> dict[str, Json]:
        """The working notes of a task of the own space, in the order in which they began."""
        ...

    # upkeep
    def space_memories(
        self, scope: Scope, *, statuses: frozenset[Status], now: datetime
    ) -> list[MemoryRecord]:
        """Every memory of the own space with one of these statuses, whomever of the user's agents
        it is for; in order of recording. What has expired by `now` counts as expired."""
        ...

    def recent_events(
        self,
        scope: Scope,
        *,
        actions: frozenset[str],
        after: str | None = None,
        limit: int = 1000,
    ) -> list[AuditEvent]:
        """Events of the own space with one of these actions, written after the event with id
        `after`: in the order of writing, whatever the clock said; the newest `limit` of them."""
        ...

    # the indexes
    def postings(self, scope: Scope, terms: Sequence[str]) -> list[Postings]:
        """One entry per readable space that holds indexed text."""
        ...

    def layout(self, scope: Scope) -> list[Layout]:
        """One entry per readable space that `postings` would give, in the same order.

        Numbers never change their meaning, so a store keeps these arrays in memory and only reads
        what was added since.
        """
        ...

    def vectors(self, scope: Scope, model: str) -> list[VectorBlock]:
        """One entry per readable space with vectors of this model (cached, kept current)."""
        ...

    def vector_models(self, scope: Scope | None = None) -> dict[str, int]:
        """How many vectors each embedder name has, in the scope or in the whole store."""
        ...

    def unembedded(self, model: str, *, limit: int) -> list[tuple[Scope, UnitKey, str]]:
        """Units of the whole store without a vector of `model`: (scope, key, text to embed).

        The text of a turn whose speaker has a name begins with it: "Ann: I moved to Lyon".
        """
        ...

    # documents
    def documents(
        self, scope: Scope, *, collection: str | None = None, ids: Sequence[str] | None = None
    ) -> list[Document]:
        """The documents a scope reads: those of its own space, and those shared in the tenant's
        common space; in the order of adding. Their passages are units like turns: found by
        `postings`, named by `layout` (said at 0), read by `units`, which pass `statuses` always and
        `as_of` and `known_at` by when the document last changed."""
        ...

    # numbers
    def queue_counts(self, scope: Scope | None = None) -> dict[str, int]:
        """Jobs by state: pending, leased, parked."""
        ...

    def parked(self, scope: Scope) -> list[Job]: ...
    def counts(self, scope: Scope, *, now: datetime | None = None) -> dict[str, int]:
        """Rows by kind: "turns", "memories.<status>" for each status present, and "documents" where
        there are any. What has expired by `now` counts as expired."""
        ...

    # archives
    def spaces(self) -> list[Scope]:
        """The tenant and user of every space, in order; a tenant's common space comes first."""
        ...

    def dump(self, scope: Scope, *, author: str | None = None) -> Iterator[Archived]:
        """Everything that the own space keeps, whomever of the user's agents it is for, in an
        order in which `restore…` can take it; read in parts, and only while the snapshot lasts.

        With `author`, what this user shares in the common space `scope`, and nothing else.
        """
        ...

    def spent(self, scope: Scope, day: str) -> dict[str, int]:
        """Model calls and tokens of the scope on a day (ISO date): {"calls": …, "tokens": …}."""
        ...


class Writer(Reader, Protocol):
    """One atomic transaction: everything or nothing. Reads see its own writes.

    Writers to one space are serialised, so that looking first and then writing is safe.
    Every change of a memory closes its version, appends an audit event and moves the space's
    change number, so that other processes' caches notice.
    """

    def add_turn(self, turn: Turn, terms: Sequence[tuple[tuple[int, int], TermWeights]]) -> bool:
        """Append a turn, indexed in pieces [(character range, terms), …] (usually one).

        False, and nothing written, when its scope already has the idempotency key.
        """
        ...

    def set_encodable(self, scope: Scope, turn_ids: Sequence[str], value: bool) -> None: ...

    def add_memory(
        self,
        scope: Scope,
        draft: Draft,
        *,
        id: str,
        fingerprint: bytes,
        terms: TermWeights,
        recorded_at: datetime,
        said_at: datetime,
        status: Status = "active",
        superseded_by: str | None = None,
        valid_to: datetime | None = None,
        reason: str | None = None,
        run_id: str | None = None,
    ) -> MemoryRecord:
        """Store a new memory with its sources, slot and entities, indexed by `terms`.

        A live memory with the same fingerprint and audience, or a live value in the same
        one-valued slot, raises ConflictError: look first, and change the old one first.
        """
        ...

    def change_memory(
        self,
        scope: Scope,
        memory_id: str,
        changes: Mapping[str, Any],
        *,
        at: datetime,
        action: str,
        reason: str | None = None,
        other_id: str | None = None,
        run_id: str | None = None,
        fingerprint: bytes | None = None,
        terms: TermWeights | None = None,
    ) -> MemoryRecord:
        """Set fields of a memory (names of MemoryRecord) and keep the former state as a version.

        A change of `text` needs its new `fingerprint` and `terms`. Raises NotFoundError.
        """
        ...

    def add_source(
        self,
        scope: Scope,
        memory_id: str,
        source: Source,
        *,
        at: datetime,
        reason: str | None = None,
    ) -> bool:
        """Add a source; False when this source (or its turn and span) is already there."""
        ...

    def erase(
        self,
        scope: Scope,
        *,
        memory_ids: Sequence[str] = (),
        turn_ids: Sequence[str] = (),
        fingerprints: Iterable[bytes] = (),
        cascade: bool = True,
        at: datetime,
        reason: str,
        event_id: str,
    ) -> Erasure:
        """Remove content for good: rows, versions, sources, slots, index terms, vectors, traces
        and jobs. Ids stay as tombstones without content (status forgotten).

        With `cascade`, memories whose last source is one of the erased turns go too; without it
        they stay, and their source keeps its id but no longer leads to a text.
        """
        ...

    def erase_space(self, scope: Scope, *, at: datetime, reason: str, event_id: str) -> Erasure:
        """`erase` for everything of a user; without a user, of a whole tenant; without either, of
        the common space, except what named users share there."""
        ...

    def set_permanent(self, scope: Scope, values: Mapping[str, Json], *, at: datetime) -> None:
        """Set permanent profile fields; None removes a field."""
        ...

    # short-term memory: neither versioned nor audited, and moving no change number
    def set_session_summary(
        self,
        scope: Scope,
        session: str,
        summary: str | None,
        *,
        cites: Sequence[str] = (),
        at: datetime,
    ) -> None:
        """Keep the summary of a session, replacing the former one; None removes it.

        `cites` are the turns it quotes; the summary goes with them, as a digest does (see
        `end_session`).
        """
        ...

    def end_session(
        self,
        scope: Scope,
        session: str,
        *,
        at: datetime,
        digest: str | None = None,
        cites: Sequence[str] = (),
    ) -> None:
        """Note that a session ended, and the memory that it left.

        `cites` are the turns that the digest quotes: when one of them is erased, or kept by an
        erasure but marked as not to be encoded, the digest is erased too. It does not name them
        as its sources, so that erasing a digest erases no turns.
        """
        ...

    def set_note(self, scope: Scope, task: str, name: str, value: Json, *, at: datetime) -> None:
        """Set a working note of a task; None removes it."""
        ...

    def end_task(self, scope: Scope, task: str) -> int:
        """Remove the notes of a task. Returns how many there were."""
        ...

    def add_event(self, scope: Scope, event: AuditEvent) -> None: ...
    def save_traces(self, traces: Sequence[Trace]) -> None:
        """Keep traces, but none that was made before an erasure (`Trace.erasures`)."""
        ...

    def add_uses(self, uses: Mapping[tuple[Scope, str], int], *, at: datetime) -> None:
        """Count uses of memories; no version, no change number: a use is not a change.

        Ids that are not memories of the scope are passed over.
        """
        ...

    def add_vectors(
        self, model: str, vectors: Sequence[tuple[UnitKey, npt.NDArray[np.float32]]]
    ) -> None:
        """Store vectors of shape (dimension,); keys that no longer exist are passed over."""
        ...

    # archives: merged by id; taking a value twice changes nothing
    def restore_turn(
        self, turn: Turn, terms: Sequence[tuple[tuple[int, int], TermWeights]]
    ) -> Restored:
        """`add_turn` with its id; "blocked" when the turn was erased here."""
        ...

    def restore_memory(
        self,
        kept: ArchivedMemory,
        indexed: Sequence[tuple[bytes, TermWeights]],
        *,
        at: datetime,
    ) -> Restored:
        """Write a memory with its states and sources as they are; no event is appended.

        A memory that is here in an earlier state takes over the later ones; one with another
        history stays as it is here ("differs"). "blocked" when it, or one of its texts, was erased
        here. What expired by `at` gives way.

        Args:
            indexed: the fingerprint and index terms of each state's text.

        Raises:
            ConflictError: another live memory says the same, or holds the same slot; then nothing
                was written of this one.
        """
        ...

    def restore(
        self,
        kept: ArchivedEvent
        | ArchivedDigest
        | ArchivedField
        | ArchivedSession
        | ArchivedNote
        | ArchivedTombstones,
    ) -> Restored:
        """Write anything else; of a field, session or note the one set later stays. An event of a
        memory that is not here is "blocked"."""
        ...

    def restore_document(self, kept: ArchivedDocument, terms: Sequence[TermWeights]) -> Restored:
        """Write a document with its ids, indexed by the terms of each passage. Of two states the
        one changed later stays; "blocked" when it was removed here."""
        ...

    def drop_vectors(self, model: str, *, limit: int) -> int:
        """Delete up to `limit` vectors of an embedder; returns how many went."""
        ...

    # documents
    def put_document(
        self, document: Document, passages: Sequence[tuple[Passage, TermWeights]]
    ) -> DocumentOutcome:
        """Add a document, or erase the passages of the one with its author, collection and name
        and put these in their place; that one keeps its id. "unchanged" when the digest and the
        visibility are the same: then nothing is written. Shared documents lie in the tenant's
        common space."""
        ...

    def remove_documents(
        self, scope: Scope, ids: Sequence[str], *, at: datetime, reason: str, event_id: str
    ) -> Erasure:
        """Erase documents for good, with their passages, index terms, vectors and the traces that
        name them. What others share, and ids that are not there, are passed over."""
        ...

    # the queue
    def enqueue(
        self,
        scope: Scope,
        kind: JobKind,
        payload: Mapping[str, Json],
        *,
        at: datetime,
        due: datetime,
    ) -> int: ...

    def lease(
        self, kinds: Sequence[JobKind], *, now: datetime, until: datetime, limit: int = 1
    ) -> list[Job]:
        """Take due jobs that nobody holds, or whose lease ran out; oldest first."""
        ...

    def finish(self, job_ids: Sequence[int]) -> None: ...
    def retry(self, job_id: int, *, error: str, due: datetime) -> None:
        """Give a leased job back for another attempt."""
        ...

    def park(self, job_id: int, *, error: str) -> None: ...
    def enqueue_once(
        self,
        scope: Scope,
        kind: JobKind,
        payload: Mapping[str, Json],
        *,
        at: datetime,
        due: datetime,
    ) -> int | None:
        """`enqueue`, unless a job of this kind waits in the scope's own space; then None."""
        ...

    def claim(self, scope: Scope, kind: JobKind, *, now: datetime, until: datetime) -> int | None:
        """Take what only one may do at a time in the scope's own space, until `finish`.

        None when somebody holds it. A claim counts as abandoned after `until`, and also when it
        lies further ahead of `now` than this one would: then the clock has jumped back since.
        """
        ...

    def prune_traces(self, scope: Scope, *, before: datetime) -> int:
        """Delete the traces of the own space older than `before`; returns how many."""
        ...

    def spend(self, scope: Scope, day: str, *, calls: int, tokens: int) -> None: ...


class Store(Protocol):
    """Where truth lives. Indexes are caches that can be rebuilt from it."""

    capabilities: frozenset[Capability]

    def read(self) -> AbstractContextManager[Reader]: ...
    def write(self) -> AbstractContextManager[Writer]:
        """A transaction: commits when the block ends, rolls back when it raises.

        Waits for other writers, fairly; StoreUnavailableError after the store's timeout.
        """
        ...

    def schema_version(self) -> int: ...
    def bytes_on_disk(self) -> int | None: ...
    def purge(self) -> tuple[str, ...]:
        """Drive erased bytes out of the files (checkpoint, vacuum). Returns what is pending."""
        ...

    def close(self) -> None: ...


class Copyable(Protocol):
    """A store with Capability.ONLINE_BACKUP. What cannot be copied here has a server that can."""

    def backup(self, path: str | os.PathLike[str]) -> Path:
        """Copy the store, also while it is in use, and verify the copy.

        Raises ConflictError when there is a file at `path`.
        """
        ...


class Checkable(Protocol):
    """A store with Capability.SELF_CHECK."""

    def check(self) -> list[Finding]:
        """Look for damage; reads everything, changes nothing. Empty when all is well."""
        ...

    def repair(self) -> dict[str, int]:
        """Delete rows whose owner is gone. Returns rows by the name of the finding."""
        ...


# --- models ---------------------------------------------------------------------------------------


class Embedder(Protocol):
    """Texts become vectors: float32, unit length, shape (n, dimension) or (dimension,).

    `name` identifies model, version and prefixes: vectors of different names never mix. An embedder
    may have `centre`, the mean vector of texts in general, shape (dimension,): a squeezed model is
    told apart from noise by it while a scope is small.
    """

    name: str
    dimension: int

    def embed_documents(self, texts: list[str]) -> Any: ...
    def embed_query(self, text: str) -> Any: ...


class ChatModel(Protocol):
    """A chat model. `complete` returns the reply's text; `schema` is a JSON schema to aim for.

    Raises ModelError, with `retryable` set for overload, time-outs and lost connections.
    """

    name: str

    def complete(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any] | None = None
    ) -> str: ...


class Reranker(Protocol):
    """Scores how well texts answer a question: array of shape (n,), higher is better.

    NaN drops a text as irrelevant.
    """

    name: str

    def rerank(self, query: str, texts: Sequence[str]) -> Any: ...


def audience(draft_visibility: str, scope: Scope) -> str:
    """Whom a memory is for, as one string: uniqueness holds within an audience.

    "" for every agent of the user, "agent=x", "task=x", "tool=x", or "shared".
    """
    if draft_visibility == "user":
        return ""
    if draft_visibility == "shared":
        return "shared"
    return f"{draft_visibility}={getattr(scope, draft_visibility)}"
