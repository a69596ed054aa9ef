"""What a store shows: a consistent snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

from jiyi.ports.values import (
    Job,
    Layout,
    Mention,
    Name,
    Postings,
    Selection,
    StoredUnit,
    Tie,
    VectorBlock,
)

if TYPE_CHECKING:
    from jiyi.archived import Archived
    from jiyi.types import (
        AuditEvent,
        Document,
        Draft,
        Json,
        Key,
        MemoryRecord,
        Reply,
        Scope,
        Slot,
        Status,
        Trace,
        Turn,
        UnitKey,
        Version,
    )


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
        self,
        scope: Scope,
        keys: Sequence[UnitKey],
        selection: Selection,
        *,
        linked: bool = True,
    ) -> dict[UnitKey, StoredUnit]:
        """The units behind index keys that pass the selection; `selection.keys` is ignored.

        Without `linked` the neighbours of turns are not looked up, which takes most of the time.

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

    def turns_page(
        self, scope: Scope, *, limit: int, cursor: str | None = None, session: str | None = None
    ) -> tuple[list[Turn], str | None]:
        """The newest turns of the own space, newest first, and the cursor of the page before them
        (None at the beginning). What is said or erased meanwhile moves no page.

        Raises InvalidInputError("cursor", …) for a cursor that is not from this list.
        """
        ...

    def count_turns(self, scope: Scope, *, session: str | None = None) -> int: ...

    def uncited_turns(self, scope: Scope, *, before: datetime, limit: int) -> list[str]:
        """Ids of the own space's turns that were recorded before that time and that nothing needs:
        no memory that is live or archived cites them, and no reading of that time still waits or is
        parked. Oldest first."""
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

    def slot_attributes(self, scope: Scope, *, subject: str, family: str) -> list[str]:
        """The attributes of a family that active memories of `subject` fill, such as
        `instruction/…`: what it costs does not grow with what they say."""
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

        Asked for an event, a run or `other_id`, also of what this user shares. `other_id` finds the
        changes that were made in favour of a memory, such as supersessions.
        """
        ...

    def trace(self, scope: Scope, trace_id: str | None) -> Trace | None:
        """A stored trace, or the newest one for None: of this agent, or of no agent."""
        ...

    def traces(
        self,
        scope: Scope,
        *,
        limit: int,
        ids: Sequence[str] | None = None,
        whoever: bool = False,
    ) -> list[Trace]:
        """The newest traces of the own space, newest first: those of this agent and of no agent, or
        with `whoever` those of all, for a person who looks after them."""
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
        self,
        scope: Scope,
        *,
        statuses: frozenset[Status],
        now: datetime,
        ids: Sequence[str] | None = None,
    ) -> list[MemoryRecord]:
        """Every memory of the own space with one of these statuses, and one of these ids if they
        are given, whomever of the user's agents it is for; in order of recording. What has expired
        by `now` counts as expired."""
        ...

    def space_statements(
        self, scope: Scope, *, now: datetime
    ) -> list[tuple[str, str, Slot | None, bool]]:
        """(id, text, slot, whether it is shared) of every active memory of the own space that
        lasts: not episodic, without an end, not expired by `now`. In order of recording; far
        cheaper than whole records."""
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

    # entities: what live memories name, kept current by `TermWeights.names` and `.ties`
    def names(self, scope: Scope, keys: Sequence[str] | None = None) -> list[Name]:
        """The names that memories of the readable spaces mention: these, or all of them."""
        ...

    def mentions(
        self,
        scope: Scope,
        keys: Sequence[str] | None = None,
        *,
        now: datetime,
        limit: int | None = None,
    ) -> list[Mention]:
        """The active memories that mention these names, or any name; newest first by name.

        `limit` is per name and space. What has expired by `now` is left out.
        """
        ...

    def ties(self, scope: Scope, *, now: datetime) -> list[Tie]:
        """Every tie that an active memory says, with that memory; the newest first by tie."""
        ...

    def ties_of(
        self,
        scope: Scope,
        key: str,
        *,
        now: datetime,
        relation: str | None = None,
        limit: int,
    ) -> list[Tie]:
        """The ties of one name, each once and without its memories: those of one relation, or of
        all; at most `limit` per space and end."""
        ...

    def filling(
        self, scope: Scope, *, subject: str, attributes: Sequence[str], now: datetime, limit: int
    ) -> list[UnitKey]:
        """The units of active memories that fill one of these slots of `subject`, whatever their
        topic (`preference` means `preference/…` as well); the newest `limit` per space."""
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
        self,
        scope: Scope,
        *,
        collection: str | None = None,
        ids: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        under: str | None = None,
    ) -> list[Document]:
        """The documents a scope reads: those of its own space, and those shared in the tenant's
        common space; in the order of adding. Their passages are units like turns: found by
        `postings`, named by `layout` (said at 0), read by `units`, which pass `statuses` always and
        `as_of` and `known_at` by when the document last changed.

        Args:
            collection: of this collection only.
            ids, names: these only.
            under: of the collections that begin with this text, taken letter by letter.
        """
        ...

    # access: of the whole store, whatever the scope
    def access_key(self, id: str) -> tuple[Key, bytes] | None:
        """A key with the digest of its secret, also when it is no longer good."""
        ...

    def access_keys(self) -> list[Key]:
        """Every key that was ever made, in the order of making."""
        ...

    def reply(self, scope: Scope, name: bytes) -> Reply | None:
        """What `Writer.put_reply` kept in the own space."""
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
