"""`Memory`, the one object that users meet: it wires the rooms together and decides nothing.

Its verbs stand in groups: `writing`, `reading`, `keeping`, `documents`, `entities`, `upkeep` and
`archiving`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from jiyi import registry
from jiyi.consolidate.conflicts import in_conflict
from jiyi.consolidate.consolidator import Consolidator
from jiyi.consolidate.policies import Policies
from jiyi.consolidate.schedule import Schedule, consolidation_handler
from jiyi.encode.commit import record_terms
from jiyi.encode.digests import digest_handler
from jiyi.encode.encoder import Encoder
from jiyi.encode.gate import Gate, GateOf
from jiyi.encode.schema import read_schema
from jiyi.encode.slots import label_of, label_words
from jiyi.encode.vocabulary import Vocabulary
from jiyi.encode.worker import Worker
from jiyi.errors import InvalidInputError
from jiyi.ids import Clock, read_clock, system_clock
from jiyi.memory.acting import ActingStore
from jiyi.memory.archiving import Archiving
from jiyi.memory.documents import Documents
from jiyi.memory.entities import Entities
from jiyi.memory.keeping import Keeping
from jiyi.memory.reading import Reading
from jiyi.memory.upkeep import Upkeep
from jiyi.memory.view import Parts
from jiyi.memory.writing import Writing
from jiyi.ports import Capability
from jiyi.privacy.spoken import obey
from jiyi.recall.context import ContextBuilder
from jiyi.recall.engine import Recaller
from jiyi.recall.journal import Journal
from jiyi.session.keeper import SessionKeeper
from jiyi.types import Scope, ScopeFields

if TYPE_CHECKING:
    from jiyi.ports import ChatModel, Embedder, Reranker, Store

__all__ = ["Memory"]


class Memory(Writing, Reading, Keeping, Documents, Entities, Upkeep, Archiving):
    """The memory of agents on one store.

    Every verb takes the scope as keywords (`tenant`, `user`, `agent`, `session`, `task`, `tool`);
    `scoped(...)` returns a view with some of them filled in. Thread-safe. Use it as a context
    manager, or call `close()`: that writes what is still buffered.

    Args:
        target: a file path, `:memory:`, `postgresql://…`, or a store.
        embedder: "auto" takes a local one if it is installed, else words only; None is words
            only; `provider:model`, or an object with `embed_documents` and `embed_query`.
        chat_model: reads conversations more deeply in the background; never needed.
        reranker: orders the best hits again before the cut; `provider:model`, "labels" (the chat
            model says which are of use), or an object with `rerank`.
        clock: tells the time; every "now" comes from it. It returns an aware datetime.
        background: whether a thread of this process works on the queue. Without it, `flush()`
            or another process does.
        consolidate_every: how often each user's memories are consolidated in the background; None
            leaves it to `consolidate()`.
        policies: what consolidation decides by.
        profile_schema: further parts of a profile: a Pydantic model, the path of a TOML file, or a
            mapping; see `jiyi.encode.schema`.
        gate: what is worth keeping: a `Gate` with weights and thresholds of one's own, or a
            callable that gives one for a `Scope`.
        read_only: never write: verbs that would raise StoreUnavailableError, traces and uses are
            not kept, and no background work is done. The store must exist.
        store_options: what the store's adapter takes, such as `timeout_s`; `synchronous` for
            SQLite.

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
        consolidate_every: timedelta | None = None,
        policies: Policies | None = None,
        profile_schema: object = None,
        gate: Gate | GateOf | None = None,
        read_only: bool = False,
        **store_options: Any,
    ) -> None:
        read_clock(clock)
        schema = read_schema(profile_schema)
        terms_of = partial(record_terms, schema=schema.slots)
        chosen = registry.open_embedder(embedder)
        model = registry.open_chat_model(chat_model)
        ranker = registry.open_reranker(reranker, chat_model=model)
        store = _open(target, store_options, read_only=read_only)
        writable = Capability.READ_ONLY not in store.capabilities
        recaller = Recaller(
            store,
            embedder=chosen,
            reranker=ranker,
            attributes_of=Vocabulary(schema.slots).attributes_named,
            words_of=partial(label_words, schema=schema.slots),
        )
        encoder = Encoder(
            obey, batches=model is not None, gate=gate, schema=schema, terms_of=terms_of
        )
        sessions = SessionKeeper(chat_model=model)
        journal = Journal(store, writable=writable)
        chosen_policies = policies or Policies()
        consolidator = Consolidator(store, terms_of=terms_of, chat_model=model)
        worker = Worker(
            store,
            encoder,
            embedder=chosen,
            chat_model=model,
            clock=clock,
            threaded=background and writable,
            gate=gate,
            schema=schema,
            terms_of=terms_of,
            handlers={
                "digest": digest_handler(sessions, store, clock),
                "consolidate": consolidation_handler(
                    consolidator,
                    chosen_policies,
                    now=lambda: read_clock(clock),
                    before=lambda now: journal.flush(at=now),
                ),
            },
        )
        self._parts = Parts(
            store=store,
            embedder=chosen,
            clock=clock,
            encoder=encoder,
            worker=worker,
            recaller=recaller,
            contexts=ContextBuilder(
                store,
                recaller,
                label_of=partial(label_of, schema=schema.slots),
                in_conflict=in_conflict,
            ),
            sessions=sessions,
            digests_wait=model is not None,
            journal=journal,
            consolidator=consolidator,
            policies=chosen_policies,
            schema=schema,
            terms_of=terms_of,
            schedule=None if consolidate_every is None else Schedule(store, consolidate_every),
            opened=tuple(
                made
                for named, made in ((embedder, chosen), (chat_model, model), (reranker, ranker))
                if isinstance(named, str)
            ),
        )
        self._scope = Scope()
        worker.compare_embedder()
        worker.wake()

    def scoped(self, **scope: Unpack[ScopeFields]) -> Memory:
        """A view of the same memory with these scope fields filled in."""
        view = object.__new__(type(self))
        view._parts, view._allow = self._parts, self._allow
        view._scope = self._within(scope)
        return view

    def on_behalf(self, actor: str | None, allow: Callable[[Scope], Scope]) -> Memory:
        """A view for somebody else: for a service that lets others in.

        Args:
            actor: who it is; the audit log names them beside what is changed through this view.
            allow: is asked about the scope of every verb. It returns the scope to work in, or
                raises; `scoped` and scope fields cannot go past it.
        """
        view = object.__new__(type(self))
        view._parts, view._scope, view._allow = self._parts, self._scope, allow
        if actor is not None:
            store = ActingStore(self._parts.store, actor)
            consolidator = self._parts.consolidator.on(store)
            view._parts = replace(self._parts, store=store, consolidator=consolidator)
        return view

    def flush(self) -> None:
        """Finish the background work that is due, and write what is buffered."""
        if Capability.READ_ONLY in self._parts.store.capabilities:
            return
        self._parts.encoder.settle(self._parts.store)
        self._parts.worker.run_pending()
        self._parts.journal.flush(at=self._now())

    def close(self) -> None:
        """Write what is buffered, stop the worker, and close the store and the models that were
        given by name. Queued work stays queued."""
        parts = self._parts
        try:
            parts.worker.stop()
            parts.encoder.settle(parts.store)
            parts.journal.flush(at=self._now())
        finally:
            parts.store.close()
            for model in parts.opened:
                if callable(close := getattr(model, "close", None)):
                    close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _open(
    target: str | os.PathLike[str] | Store, options: dict[str, Any], *, read_only: bool
) -> Store:
    if not read_only:
        return registry.open_store(target, **options)
    if not isinstance(target, (str, os.PathLike)):
        if Capability.READ_ONLY in target.capabilities:
            return target
        raise InvalidInputError("read_only", "the store was opened for writing", "Leave it out")
    return registry.open_store(target, **options, read_only=True)
