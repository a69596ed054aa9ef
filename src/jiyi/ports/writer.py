"""What a store takes: one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from jiyi.ports.reader import Reader
from jiyi.ports.values import Erasure, Job, JobKind, TermWeights

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from jiyi.archived import (
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
    from jiyi.types import (
        AuditEvent,
        Document,
        DocumentOutcome,
        Draft,
        Json,
        Key,
        MemoryRecord,
        Passage,
        Reply,
        Scope,
        Source,
        Status,
        Trace,
        Turn,
        UnitKey,
    )


class Writer(Reader, Protocol):
    """One atomic transaction: everything or nothing. Reads see its own writes.

    Writers to one space are serialised, so that looking first and then writing is safe.
    Every change of a memory closes its version, appends an audit event and moves the space's
    change number, so that other processes' caches notice.

    `actor` is for whom this transaction acts: its events are logged as theirs.
    """

    actor: str | None

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

    def set_names(self, scope: Scope, memory_id: str, terms: TermWeights) -> None:
        """Note what a memory names and ties together, in the place of what was noted. They follow
        from the memory: that is neither a version nor an event. Raises NotFoundError."""
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
        quotes: bool = True,
        at: datetime,
        reason: str,
        event_id: str,
    ) -> Erasure:
        """Remove content for good: rows, versions, sources, slots, index terms, vectors, traces
        and jobs. Ids stay as tombstones without content (status forgotten).

        With `cascade`, memories whose last source is one of the erased turns go too; without it
        they stay, and their source keeps its id but no longer leads to a text. With `quotes`,
        digests, summaries and derived memories that may repeat the words of an erased turn go too;
        without, for turns whose time is merely over, they stay.
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

    def erase_passages(
        self, scope: Scope, ids: Sequence[str], *, at: datetime, reason: str, event_id: str
    ) -> Erasure:
        """Erase passages for good, as `remove_documents` does whole documents. The rest of a
        document stays as it is, so that adding the same file again changes nothing; a document
        without any passage left goes too."""
        ...

    # access
    def add_access_key(self, key: Key, digest: bytes) -> None:
        """Keep a key with the digest of its secret; ConflictError when the id is taken."""
        ...

    def revoke_access_key(self, id: str, *, at: datetime) -> Key:
        """End a key for good; one that was revoked before stays as it is. NotFoundError."""
        ...

    def put_reply(self, scope: Scope, name: bytes, reply: Reply) -> None:
        """Keep a reply in the own space, in the place of a former one with this name."""
        ...

    def drop_reply(self, scope: Scope, name: bytes) -> None: ...
    def drop_replies(self, *, before: datetime) -> int:
        """Delete the replies of the whole store from before that time; returns how many."""
        ...

    def note_document(
        self,
        scope: Scope,
        id: str,
        *,
        meta: Mapping[str, Json],
        changed_at: datetime | None = None,
    ) -> None:
        """Set the `meta` of an own document, and nothing of its passages; with `changed_at`, when
        it last changed. No event is appended. Raises NotFoundError."""
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
    def unpark(self, *, now: datetime) -> int:
        """Give every parked job of the whole store its attempts back, due now. Returns how many
        there were."""
        ...

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

    def prune_events(self, scope: Scope, *, before: datetime) -> int:
        """Delete entries of the own space's audit log that are older than `before` and about no
        memory that is still there, in whatever status: histories stay whole. Returns how many."""
        ...

    def spend(self, scope: Scope, day: str, *, calls: int, tokens: int) -> None: ...
