"""`Memory`, the one object that users meet: it wires the rooms together and decides nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from jiyi import registry
from jiyi.arguments import read_budget, read_flag, read_limit, read_meta, read_number, read_time
from jiyi.consolidate.edits import find, give_feedback, read_changes, update
from jiyi.consolidate.histories import history_of
from jiyi.consolidate.undo import undo
from jiyi.encode.commit import atomically, commit, record_terms
from jiyi.encode.correction import correct
from jiyi.encode.encoder import Encoder
from jiyi.encode.intake import read_draft, read_messages, turn_terms
from jiyi.encode.reading import slot_in
from jiyi.encode.worker import Worker
from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.ids import Clock, parse_id, read_clock, system_clock
from jiyi.privacy.forgetting import forget, read_request
from jiyi.privacy.spoken import obey
from jiyi.recall.context import ContextBuilder
from jiyi.recall.engine import Recaller
from jiyi.recall.journal import Journal
from jiyi.recall.profile import read_profile
from jiyi.recall.request import read_selection, read_units
from jiyi.session.keeper import SessionKeeper
from jiyi.text.normalise import check_name, check_text
from jiyi.types import (
    Context,
    Draft,
    Event,
    ForgetReport,
    History,
    Hits,
    Json,
    Kind,
    MemoryRecord,
    Outcome,
    Page,
    Profile,
    Receipt,
    Scope,
    ScopeFields,
    Slot,
    Source,
    Stats,
    Status,
    Trace,
    Turn,
    Unit,
    Visibility,
)

if TYPE_CHECKING:
    from jiyi.ports import ChatModel, Embedder, Reranker, Store


@dataclass(frozen=True, slots=True)
class _Parts:
    """What every view of one memory shares."""

    store: Store
    embedder: Embedder | None
    clock: Clock
    encoder: Encoder
    worker: Worker
    recaller: Recaller
    contexts: ContextBuilder
    journal: Journal


class Memory:
    """The memory of agents on one store.

    Every verb takes the scope as keywords (`tenant`, `user`, `agent`, `session`, `task`, `tool`);
    `scoped(...)` returns a view with some of them filled in. Thread-safe. Use it as a context
    manager, or call `close()`: that writes what is still buffered.

    Args:
        target: a file path, `:memory:`, `postgresql://…`, or a store.
        embedder: "auto" takes a local one if it is installed, else words only; None is words
            only; `provider:model`, or an object with `embed_documents` and `embed_query`.
        chat_model: reads conversations more deeply in the background; never needed.
        reranker: orders the best hits again before the cut.
        clock: tells the time; every "now" comes from it. It returns an aware datetime.
        background: whether a thread of this process works on the queue. Without it, `flush()`
            or another process does.

    Raises:
        ConfigurationError, StoreUnavailableError, StoreFormatError: the target cannot be opened.
    """

    def __init__(
        self,
        target: str | os.PathLike[str] | Store,
        *,
        embedder: str | Embedder | None = "auto",
        chat_model: str | ChatModel | None = None,
        reranker: str | Reranker | None = None,
        clock: Clock = system_clock,
        background: bool = True,
        **store_options: Any,
    ) -> None:
        read_clock(clock)
        chosen = registry.open_embedder(embedder)
        model = registry.open_chat_model(chat_model)
        ranker = registry.open_reranker(reranker)
        store = registry.open_store(target, **store_options)
        recaller = Recaller(store, embedder=chosen, reranker=ranker)
        encoder = Encoder(obey, batches=model is not None)
        worker = Worker(
            store,
            encoder,
            embedder=chosen,
            chat_model=model,
            clock=clock,
            threaded=background,
        )
        self._parts = _Parts(
            store=store,
            embedder=chosen,
            clock=clock,
            encoder=encoder,
            worker=worker,
            recaller=recaller,
            contexts=ContextBuilder(store, recaller, sessions=SessionKeeper(chat_model=model)),
            journal=Journal(store),
        )
        self._scope = Scope()
        worker.wake()

    def scoped(self, **scope: Unpack[ScopeFields]) -> Memory:
        """A view of the same memory with these scope fields filled in."""
        view = object.__new__(type(self))
        view._parts = self._parts
        view._scope = self._within(scope)
        return view

    @property
    def scope(self) -> Scope:
        """The scope that this view fills in."""
        return self._scope

    # --- writing ------------------------------------------------------------------------------

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
            outcomes += parts.encoder.encode(parts.store, new, now=now)
            if any(outcome.status == "erased" for outcome in outcomes):
                self._drive_out(where, now)
        parts.worker.wake()
        return Receipt(turn_ids=tuple(turn.id for turn in new), outcomes=tuple(outcomes))

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
            slot=slot,
            event=event,
            valid_from=valid_from,
            valid_to=valid_to,
            expires_at=expires_at,
            ttl=ttl,
            visibility=visibility,
            pinned=pinned,
            said_at=said_at,
            source=source,
        )
        return self._commit([draft], where, now)

    def set_permanent(self, /, **fields: Json) -> Profile:
        """Set hard facts of a user, by the application only: `set_permanent(role="technician")`.

        They are read exactly, come first in every context, are never found by search, and no
        conversation touches them. None removes a field. Scope fields (`user=…`) say whose.
        """
        names = ScopeFields.__optional_keys__
        where = self._within({k: v for k, v in fields.items() if k in names})
        values = read_meta({k: v for k, v in fields.items() if k not in names}, "fields")
        if not values:
            raise InvalidInputError("fields", "there is none", 'Pass some, such as role="nurse"')
        with self._parts.store.write() as writer:
            writer.set_permanent(where, values, at=self._now())
        return self.profile(**where.as_dict())

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
            lambda writer: correct(writer, where, id, new, slot=slot, now=now),
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
        names = ScopeFields.__optional_keys__
        where, now = self._within({k: changes.pop(k) for k in names & changes.keys()}), self._now()
        checked = read_changes({**changes, **({} if text is None else {"text": text})}, now=now)
        with self._parts.store.write() as writer:
            id = parse_id(memory_id, "memory_id")
            record = update(writer, where, id, checked, terms_of=record_terms, now=now)
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
            outcomes = undo(writer, where, parse_id(id), terms_of=record_terms, now=now)
        return Receipt(outcomes=tuple(outcomes))

    def forget(
        self,
        *,
        ids: str | Sequence[str] | None = None,
        query: str | None = None,
        subject: str | None = None,
        before: datetime | str | None = None,
        everything: bool = False,
        keep_turns: bool = False,
        dry_run: bool = False,
        confirm: bool = False,
        **scope: Unpack[ScopeFields],
    ) -> ForgetReport:
        """Erase for good; the receipt says what went and what no erasure can reach.

        Selectors combine with AND. Erasing a memory erases the turns it cites as well.

        Args:
            ids: memories or turns.
            query: units that hold most of these words.
            subject: what is about this entity, or fills a slot of it.
            session: (a scope field) what was said in this session.
            before: what was said earlier than this.
            everything: all of a named user; with `tenant` and `confirm=True` a whole tenant.
            keep_turns: leave the turns, marked so that nothing is drawn from them again.
            dry_run: only say what would go.

        Raises:
            NotFoundError: an id is not in this scope; then nothing is erased.
            InvalidInputError: no selector, or `everything` without a named user.
        """
        where, now = self._within(scope), self._now()
        request = read_request(
            now=now,
            ids=ids,
            query=query,
            subject=subject,
            session=scope.get("session"),
            before=read_time(before, "before", now),
            everything=read_flag(everything, "everything"),
            keep_turns=read_flag(keep_turns, "keep_turns"),
            confirm=read_flag(confirm, "confirm"),
        )
        self._parts.journal.flush(at=now)
        report = forget(self._parts.store, where, request, now=now, dry_run=dry_run)
        return report if report.dry_run else replace(report, pending=self._drive_out(where, now))

    # --- reading --------------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        *,
        limit: int = 5,
        kinds: Kind | Sequence[Kind] | None = None,
        where: Mapping[str, Any] | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include: Status | Sequence[Status] = (),
        units: Unit | Sequence[Unit] = ("memory", "turn", "document"),
        neighbours: int = 0,
        rerank: bool = True,
        **scope: Unpack[ScopeFields],
    ) -> Hits:
        """Find what matters for a question, best first; empty when nothing fits.

        No language model is called. With a `session`, a question that leans on the conversation
        ("the morning one", 要上午的) is completed from its last turns first.

        Args:
            limit: at most so many hits, 1 to 1,000.
            kinds: memories of these kinds only.
            where: a filter; see `jiyi.filters`.
            as_of: what was true at that time, instead of now.
            known_at: what had been recorded by that time.
            include: further statuses, such as "superseded" or "archived".
            units: what to search.
            neighbours: how many turns before and after a found turn come along, 0 to 10.
            rerank: whether a reranker, if there is one, orders the best hits again.
        """
        scoped, now = self._within(scope), self._now()
        hits, trace = self._parts.recaller.recall(
            scoped,
            check_text(query, "query"),
            limit=read_limit(limit),
            now=now,
            selection=read_selection(
                now=now,
                where=where,
                kinds=kinds,
                include=include,
                as_of=read_time(as_of, "as_of", now),
                known_at=read_time(known_at, "known_at", now),
            ),
            session=scoped.session,
            units=read_units(units),
            neighbours=read_number(neighbours, "neighbours", 0, 10),
            rerank=read_flag(rerank, "rerank"),
        )
        self._parts.journal.add(trace)
        return hits

    def context(
        self,
        query: str,
        *,
        budget: int = 2000,
        identity: str | None = None,
        rules: Sequence[str] = (),
        **scope: Unpack[ScopeFields],
    ) -> Context:
        """The text for the prompt: what is known that bears on the question, within a budget.

        Args:
            budget: tokens of the rendered text, at most.
            identity, rules: the agent's own, put first.
        """
        where, now = self._within(scope), self._now()
        context, trace = self._parts.contexts.build(
            where,
            check_text(query, "query"),
            session=where.session,
            budget=read_budget(budget),
            identity=None if identity is None else check_text(identity, "identity"),
            rules=tuple(check_text(rule, f"rules[{n}]") for n, rule in enumerate(rules)),
            now=now,
        )
        self._parts.journal.add(trace)
        return context

    def profile(self, **scope: Unpack[ScopeFields]) -> Profile:
        """The exact view of a user: what the application set, and the live slots of the user."""
        where = self._within(scope)
        with self._parts.store.read() as reader:
            return read_profile(reader, where)

    def get(self, memory_id: str, **scope: Unpack[ScopeFields]) -> MemoryRecord:
        """One memory in any status.

        Raises:
            NotFoundError: it is not in this scope.
        """
        where, id = self._within(scope), parse_id(memory_id, "memory_id")
        with self._parts.store.read() as reader:
            return find(reader, where, id, now=self._now())

    def list(
        self,
        *,
        where: Mapping[str, Any] | None = None,
        include: Status | Sequence[Status] = (),
        limit: int = 20,
        cursor: str | None = None,
        **scope: Unpack[ScopeFields],
    ) -> Page:
        """Memories, newest first, with the total and a cursor to the next page."""
        scoped = self._within(scope)
        selection = read_selection(now=self._now(), where=where, include=include)
        with self._parts.store.read() as reader:
            items, after = reader.memories(
                scoped, selection, limit=read_limit(limit), cursor=cursor
            )
            total = reader.count_memories(scoped, selection)
        return Page(items=tuple(items), total=total, cursor=after)

    def turns(self, *, limit: int = 100, **scope: Unpack[ScopeFields]) -> tuple[Turn, ...]:
        """The newest turns in the order they were said; with `session`, of that session."""
        where = self._within(scope)
        with self._parts.store.read() as reader:
            newest = reader.turns(
                where, session=where.session, limit=read_limit(limit), order="newest"
            )
        return tuple(reversed(newest))

    def history(self, memory_id: str, **scope: Unpack[ScopeFields]) -> History:
        """Everything that happened to a memory, and what it replaced and was replaced by."""
        where, id = self._within(scope), parse_id(memory_id, "memory_id")
        with self._parts.store.read() as reader:
            return history_of(reader, where, id, now=self._now())

    def explain(self, trace_id: str | None = None, **scope: Unpack[ScopeFields]) -> Trace:
        """What a recall or context searched, found, cut and injected; None means the last one.

        Raises:
            NotFoundError: no such trace in this scope.
        """
        where, parts = self._within(scope), self._parts
        parts.journal.flush(at=self._now())
        wanted = None if trace_id is None else parse_id(trace_id, "trace_id")
        with parts.store.read() as reader:
            trace = reader.trace(where, wanted)
        if trace is None:
            raise NotFoundError("trace", trace_id or "newest")
        return trace

    def stats(self, **scope: Unpack[ScopeFields]) -> Stats:
        """What this scope holds, and the health of the store behind it."""
        where, parts = self._within(scope), self._parts
        with parts.store.read() as reader:
            counts = reader.counts(where)
            return Stats(
                turns=counts.pop("turns", 0),
                memories={key.removeprefix("memories."): n for key, n in counts.items()},
                queue=reader.queue_counts(where),
                vectors=reader.vector_models(where),
                bytes_on_disk=parts.store.bytes_on_disk(),
                embedder=parts.embedder.name if parts.embedder is not None else None,
                schema_version=parts.store.schema_version(),
                budget=reader.spent(where, self._now().date().isoformat()),
            )

    # --- upkeep -----------------------------------------------------------------------------------

    def flush(self) -> None:
        """Finish the background work that is due, and write what is buffered."""
        self._parts.worker.run_pending()
        self._parts.journal.flush(at=self._now())

    def close(self) -> None:
        """Write what is buffered, stop the worker and close the store. Queued work stays queued."""
        self._parts.worker.stop()
        self._parts.journal.flush(at=self._now())
        self._parts.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- what every verb needs --------------------------------------------------------------------

    def _now(self) -> datetime:
        return read_clock(self._parts.clock)

    def _within(self, fields: Mapping[str, Any]) -> Scope:
        """This view's scope with `fields` filled in, each checked."""
        known = ScopeFields.__optional_keys__
        for name, value in fields.items():
            if name not in known:
                raise InvalidInputError(
                    name, "unknown argument", f"Scope fields are: {', '.join(sorted(known))}"
                )
            check_name(value, name)
        return replace(self._scope, **fields)

    def _drive_out(self, scope: Scope, now: datetime) -> tuple[str, ...]:
        """Drive erased bytes out of the files; what has to wait is tried again from the queue."""
        parts = self._parts
        parts.journal.drop(scope)
        pending = parts.store.purge()
        if pending:
            with parts.store.write() as writer:
                writer.enqueue(scope, "checkpoint", {}, at=now, due=now)
            parts.worker.wake()
        return pending

    def _commit(self, drafts: Sequence[Draft], scope: Scope, now: datetime) -> Receipt:
        outcomes = atomically(
            self._parts.store,
            lambda writer: tuple(commit(writer, scope, draft, now=now) for draft in drafts),
        )
        self._parts.worker.wake()
        return Receipt(outcomes=outcomes)
