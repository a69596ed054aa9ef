"""The verbs that write: what was said, what is kept, and what is changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Unpack

from jiyi.arguments import read_flag
from jiyi.consolidate.edits import give_feedback, read_changes, update
from jiyi.consolidate.undo import undo
from jiyi.encode.commit import atomically, commit
from jiyi.encode.correction import correct
from jiyi.encode.intake import read_draft, read_drafts, read_messages, turn_terms
from jiyi.encode.reading import slot_in
from jiyi.errors import StoreUnavailableError
from jiyi.ids import parse_id
from jiyi.memory.view import SCOPE_FIELDS, View
from jiyi.text.normalise import check_text
from jiyi.types import (
    Event,
    Json,
    Kind,
    MemoryRecord,
    Outcome,
    Receipt,
    Scope,
    ScopeFields,
    Slot,
    Source,
    Trust,
    Turn,
    Visibility,
)


class Writing(View):
    """What a memory is told."""

    def observe(
        self, messages: object, *, encode: bool = True, **scope: Unpack[ScopeFields]
    ) -> Receipt:
        """Record what was said, and keep what is worth keeping.

        The turns are committed before anything else happens. Then the rules read them, so that
        what was said explicitly is in force when this returns; a chat model, if there is one,
        reads them later in the background.

        Args:
            messages: one or many, each a text (the user speaking), a mapping with `role`,
                `content` and perhaps `name`, `said_at`, `id`, `meta`, or an OpenAI or LangChain
                message. An `id` that was recorded before is skipped.
            encode: False records the turns only.

        Raises:
            InvalidInputError: naming the message and field; then nothing is recorded.
            StoreUnavailableError: the turns could not be recorded; none is. Where only reading them
                failed there is no error: the outcomes are "pending", and the queue goes on later.
        """
        where, now = self._within(scope), self._now()
        turns = read_messages(messages, scope=where, now=now)
        if not read_flag(encode, "encode"):
            turns = [replace(turn, encodable=False) for turn in turns]
        indexed = [(turn, turn_terms(turn)) for turn in turns]
        parts = self._parts
        with parts.store.write() as writer:
            new = [turn for turn, terms in indexed if writer.add_turn(turn, terms)]
            if encode:
                parts.encoder.enqueue(writer, where, new, now=now)
        known = {turn.id for turn in new}
        outcomes = [
            Outcome(status="skipped", reason=f"message id {turn.key!r} is already recorded")
            for turn in turns
            if turn.id not in known
        ]
        if encode and new:
            outcomes += self._read(new, where, now)
        if parts.schedule is not None and new:
            parts.schedule.note(where, now)
        parts.worker.wake()
        return Receipt(turn_ids=tuple(turn.id for turn in new), outcomes=tuple(outcomes))

    def _read(self, new: Sequence[Turn], scope: Scope, now: datetime) -> list[Outcome]:
        """Read recorded turns by the rules.

        They are recorded whatever happens here: where the store fails now, their job in the queue
        says what is left, and the answer that it is pending.
        """
        outcomes: list[Outcome] = []
        try:
            outcomes += self._parts.encoder.encode(self._parts.store, new, now=now)
            if any(outcome.status == "erased" for outcome in outcomes):
                self._drive_out(scope, now)
        except StoreUnavailableError as error:
            what = "erased; the files still hold it" if outcomes else "recorded; read later"
            count = 1 if outcomes else sum(turn.encodable for turn in new)
            outcomes += [Outcome(status="pending", reason=f"{what}: {error}")] * count
        return outcomes

    def remember(
        self,
        text: str,
        *,
        kind: Kind = "semantic",
        tags: Sequence[str] = (),
        importance: float = 0.5,
        confidence: float = 1.0,
        meta: Mapping[str, Json] | None = None,
        slot: Slot | Mapping[str, Any] | None = None,
        event: Event | Mapping[str, Any] | None = None,
        valid_from: datetime | str | None = None,
        valid_to: datetime | str | None = None,
        expires_at: datetime | str | None = None,
        ttl: timedelta | float | None = None,
        visibility: Visibility = "user",
        pinned: bool = False,
        said_at: datetime | str | None = None,
        source: str | Source | None = None,
        trust: Trust = "application",
        **scope: Unpack[ScopeFields],
    ) -> Receipt:
        """Keep one statement as it is given.

        The same text again adds a source instead of a second memory; a new value in a one-valued
        slot replaces the old one, which stays in the history.

        Args:
            importance, confidence: from 0 to 1.
            slot: {"attribute": …, "value": …, "subject": "user", "cardinality": "one"}.
            event: {"type": …, "at": …, "entities": […], "outcome": …}.
            ttl: seconds or a timedelta until it expires.
            source: a label for where it comes from.
            trust: whose word it is: "application", "user", "assistant" or "tool". Only that of the
                first two can bind, and replaces what they said.

        Raises:
            InvalidInputError: naming the argument; then nothing is written.
        """
        where, now = self._within(scope), self._now()
        draft = read_draft(
            text,
            now=now,
            scope=where,
            kind=kind,
            tags=tags,
            importance=importance,
            confidence=confidence,
            meta=meta,
            slot=self._parts.schema.complete(slot),
            event=event,
            valid_from=valid_from,
            valid_to=valid_to,
            expires_at=expires_at,
            ttl=ttl,
            visibility=visibility,
            pinned=pinned,
            said_at=said_at,
            source=source,
            trust=trust,
        )
        outcome = atomically(
            self._parts.store,
            lambda writer: commit(writer, where, draft, now=now, terms_of=self._parts.terms_of),
        )
        if self._parts.schedule is not None:
            self._parts.schedule.note(where, now)
        self._parts.worker.wake()
        return Receipt(outcomes=(outcome,))

    def remember_all(
        self, items: Iterable[str | Mapping[str, Any]], **scope: Unpack[ScopeFields]
    ) -> Receipt:
        """Keep many statements in one transaction: all of them, or none.

        Args:
            items: up to 1,000, each a text, or a mapping of the arguments of `remember` with
                `text` among them.

        Returns:
            A receipt with one outcome per item, in order.

        Raises:
            InvalidInputError: naming the item and argument, such as `items[3].kind`; then nothing
                is written.
        """
        where, now = self._within(scope), self._now()
        drafts = read_drafts(items, now=now, scope=where)
        outcomes = atomically(
            self._parts.store,
            lambda writer: tuple(
                commit(writer, where, draft, now=now, terms_of=self._parts.terms_of)
                for draft in drafts
            ),
        )
        if self._parts.schedule is not None:
            self._parts.schedule.note(where, now)
        self._parts.worker.wake()
        return Receipt(outcomes=outcomes)

    def correct(self, memory_id: str, text: str, **scope: Unpack[ScopeFields]) -> Receipt:
        """Replace a memory that was wrong: the old one stays in the history, superseded.

        Raises:
            NotFoundError, ConflictError: no such memory, or it is no longer live.
        """
        where, now = self._within(scope), self._now()
        id, new = parse_id(memory_id, "memory_id"), check_text(text, "text")
        slot = slot_in(new, now=now)
        outcome = atomically(
            self._parts.store,
            lambda writer: correct(
                writer, where, id, new, slot=slot, now=now, terms_of=self._parts.terms_of
            ),
        )
        self._parts.worker.wake()
        return Receipt(outcomes=(outcome,))

    def update(self, /, memory_id: str, *, text: str | None = None, **changes: Any) -> MemoryRecord:
        """Change fields of a memory; what is not named stays as it was.

        Args:
            changes: `tags`, `meta`, `importance`, `confidence`, `pinned`, `kind`, `valid_from`,
                `valid_to`, `expires_at`; and scope fields, which say whose memory it is.

        Raises:
            NotFoundError: no such memory in this scope.
            ConflictError: another live memory already says the new text.
        """
        names = SCOPE_FIELDS
        where, now = self._within({k: changes.pop(k) for k in names & changes.keys()}), self._now()
        checked = read_changes({**changes, **({} if text is None else {"text": text})}, now=now)
        with self._parts.store.write() as writer:
            id = parse_id(memory_id, "memory_id")
            record = update(writer, where, id, checked, terms_of=self._parts.terms_of, now=now)
        self._parts.worker.wake()
        return record

    def feedback(
        self, memory_id: str, *, helpful: bool, **scope: Unpack[ScopeFields]
    ) -> MemoryRecord:
        """Say whether a memory helped. An unhelpful one loses the strength its uses gave it."""
        where, now = self._within(scope), self._now()
        good, id = read_flag(helpful, "helpful"), parse_id(memory_id, "memory_id")
        with self._parts.store.write() as writer:
            return give_feedback(writer, where, id, helpful=good, now=now)

    def undo(self, id: str, **scope: Unpack[ScopeFields]) -> Receipt:
        """Take back a change: the id of an event, of a run, or of a memory (its last change).

        Raises:
            NotFoundError, ConflictError: nothing to take back; an erasure cannot be undone.
        """
        where, now = self._within(scope), self._now()
        with self._parts.store.write() as writer:
            outcomes = undo(writer, where, parse_id(id), terms_of=self._parts.terms_of, now=now)
        return Receipt(outcomes=tuple(outcomes))
