"""The verbs that read: recall, context, profile, lists, and the back door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from jiyi.arguments import read_budget, read_flag, read_limit, read_number, read_time
from jiyi.consolidate.edits import find
from jiyi.consolidate.histories import history_of
from jiyi.consolidate.thaw import thaw, thaw_for
from jiyi.errors import NotFoundError
from jiyi.ids import parse_id
from jiyi.memory.view import View
from jiyi.ports import Capability
from jiyi.recall.profile import read_profile
from jiyi.recall.request import read_selection, read_units
from jiyi.session.keeper import Shown
from jiyi.text.normalise import check_text
from jiyi.types import (
    Context,
    History,
    Hits,
    Kind,
    MemoryRecord,
    Page,
    Profile,
    Scope,
    ScopeFields,
    Stats,
    Status,
    Trace,
    Turns,
    Unit,
)

if TYPE_CHECKING:
    from jiyi.ports import Selection


class Reading(View):
    """What a memory is asked."""

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
        text, wanted = check_text(query, "query"), read_units(units)
        selection = read_selection(
            now=now,
            where=where,
            kinds=kinds,
            include=include,
            as_of=read_time(as_of, "as_of", now),
            known_at=read_time(known_at, "known_at", now),
        )
        ask = partial(
            self._parts.recaller.recall,
            scoped,
            text,
            limit=read_limit(limit),
            now=now,
            session=scoped.session,
            neighbours=read_number(neighbours, "neighbours", 0, 10),
            rerank=read_flag(rerank, "rerank"),
        )
        hits, trace = ask(selection=selection, units=wanted)
        if "memory" in wanted and self._thaw(scoped, text, selection, hits, ask):
            hits, trace = ask(selection=selection, units=wanted)
        self._parts.journal.add(trace)
        return hits

    def _thaw(
        self,
        scope: Scope,
        text: str,
        selection: Selection,
        hits: Hits,
        ask: Callable[..., tuple[Hits, Trace]],
    ) -> bool:
        """Bring archived memories back that this question needs; whether any came."""
        store, now = self._parts.store, selection.now
        if "archived" in selection.statuses:
            asked_for = [hit for hit in hits[:1] if hit.status == "archived"]
            return hits.support == "strong" and thaw(store, scope, asked_for, now=now)
        return thaw_for(
            store,
            scope,
            text,
            selection=selection,
            support=hits.support,
            found=[hit.text for hit in hits],
            search=lambda cold: ask(selection=cold, units=("memory",)),
        )

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
        text, selection = check_text(query, "query"), read_selection(now=now)
        shown = self._shown(where, now)
        build = partial(
            self._parts.contexts.build,
            where,
            text,
            session=where.session,
            recent=shown.recent,
            summary=shown.summary,
            budget=read_budget(budget),
            identity=None if identity is None else check_text(identity, "identity"),
            rules=tuple(check_text(rule, f"rules[{n}]") for n, rule in enumerate(rules)),
            now=now,
        )
        context, trace = build()
        thawed = thaw_for(
            self._parts.store,
            where,
            text,
            selection=selection,
            support=context.support,
            found=[context.text],
            search=lambda cold: self._parts.recaller.recall(
                where, text, limit=5, now=now, selection=cold, units=("memory",)
            ),
        )
        if thawed:
            context, trace = build()
        self._parts.journal.add(trace)
        return context

    def _shown(self, scope: Scope, now: datetime) -> Shown:
        store, session = self._parts.store, scope.session
        if session is None:
            return Shown((), None)
        writable = Capability.READ_ONLY not in store.capabilities
        return self._parts.sessions.show(store, scope, session, now=now, writable=writable)

    def profile(self, **scope: Unpack[ScopeFields]) -> Profile:
        """The exact view of a user: what the application set, and the live slots of the user."""
        where = self._within(scope)
        with self._parts.store.read() as reader:
            return read_profile(
                reader, where, now=self._now(), group_of=self._parts.schema.group_of
            )

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

    def turns(
        self, *, limit: int = 100, cursor: str | None = None, **scope: Unpack[ScopeFields]
    ) -> Turns:
        """The newest turns in the order they were said; with `session`, of that session.

        Args:
            limit: at most so many, 1 to 1,000.
            cursor: from the page before: the turns that were said before those.
        """
        where = self._within(scope)
        with self._parts.store.read() as reader:
            newest, before = reader.turns_page(
                where, limit=read_limit(limit), cursor=cursor, session=where.session
            )
            total = reader.count_turns(where, session=where.session)
        return Turns(items=tuple(reversed(newest)), total=total, cursor=before)

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
        trace = parts.journal.find(where, wanted) or trace
        if trace is None:
            raise NotFoundError("trace", trace_id)
        return trace

    def stats(self, **scope: Unpack[ScopeFields]) -> Stats:
        """What this scope holds, and the health of the store behind it."""
        where, parts = self._within(scope), self._parts
        parts.encoder.settle(parts.store)
        with parts.store.read() as reader:
            counts = reader.counts(where, now=self._now())
            return Stats(
                turns=counts.pop("turns", 0),
                documents=counts.pop("documents", 0),
                memories={key.removeprefix("memories."): n for key, n in counts.items()},
                queue=reader.queue_counts(where),
                vectors=reader.vector_models(where),
                bytes_on_disk=parts.store.bytes_on_disk(),
                embedder=parts.embedder.name if parts.embedder is not None else None,
                schema_version=parts.store.schema_version(),
                budget=reader.spent(where, self._now().date().isoformat()),
            )
