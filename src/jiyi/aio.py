"""`AsyncMemory`: the same verbs, awaited. The work itself runs in a thread (see `_in_thread`)."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar, Unpack, cast

import anyio.to_thread

from jiyi.memory import Memory
from jiyi.session.notes import TaskNotes
from jiyi.types import Scope, ScopeFields

P = ParamSpec("P")
S_co = TypeVar("S_co", covariant=True)
R = TypeVar("R")


class _Front(Protocol[S_co]):
    """An awaited front of something synchronous."""

    @property
    def sync(self) -> S_co: ...


def _in_thread(
    method: Callable[Concatenate[S_co, P], R],
) -> Callable[Concatenate[Any, P], Awaitable[R]]:
    """The one place where an awaited verb crosses into a thread."""

    @functools.wraps(method)
    async def verb(self: _Front[S_co], *args: P.args, **kwargs: P.kwargs) -> R:
        call = functools.partial(method, self.sync, *args, **kwargs)
        return await anyio.to_thread.run_sync(call)

    return cast("Callable[Concatenate[Any, P], Awaitable[R]]", verb)


class AsyncTaskNotes:
    """The working notes of a task, awaited."""

    def __init__(self, notes: TaskNotes) -> None:
        self.sync = notes
        self.task = notes.task

    note = _in_thread(TaskNotes.note)
    notes = _in_thread(TaskNotes.notes)
    end = _in_thread(TaskNotes.end)


class AsyncMemory:
    """A `Memory` for asyncio and trio: `AsyncMemory("agent.db")`, or around an open memory."""

    def __init__(self, target: Any, **options: Any) -> None:
        """Takes a `Memory`, or what `Memory` takes. Opening a file blocks for milliseconds."""
        self.sync = target if isinstance(target, Memory) else Memory(target, **options)

    def scoped(self, **scope: Unpack[ScopeFields]) -> AsyncMemory:
        """A view of the same memory with these scope fields filled in."""
        return type(self)(self.sync.scoped(**scope))

    def on_behalf(self, actor: str | None, allow: Callable[[Scope], Scope]) -> AsyncMemory:
        """A view for somebody else: see `Memory.on_behalf`."""
        return type(self)(self.sync.on_behalf(actor, allow))

    @property
    def scope(self) -> Scope:
        """The scope that this view fills in."""
        return self.sync.scope

    def task(self, name: str, **scope: Unpack[ScopeFields]) -> AsyncTaskNotes:
        """The working notes of a task, awaited."""
        return AsyncTaskNotes(self.sync.task(name, **scope))

    observe = _in_thread(Memory.observe)
    remember = _in_thread(Memory.remember)
    set_permanent = _in_thread(Memory.set_permanent)
    correct = _in_thread(Memory.correct)
    update = _in_thread(Memory.update)
    feedback = _in_thread(Memory.feedback)
    undo = _in_thread(Memory.undo)
    forget = _in_thread(Memory.forget)
    end_session = _in_thread(Memory.end_session)
    consolidate = _in_thread(Memory.consolidate)
    conflicts = _in_thread(Memory.conflicts)
    resolve_conflict = _in_thread(Memory.resolve_conflict)
    recall = _in_thread(Memory.recall)
    context = _in_thread(Memory.context)
    profile = _in_thread(Memory.profile)
    entities = _in_thread(Memory.entities)
    entity = _in_thread(Memory.entity)
    separate = _in_thread(Memory.separate)
    get = _in_thread(Memory.get)
    list = _in_thread(Memory.list)
    turns = _in_thread(Memory.turns)
    history = _in_thread(Memory.history)
    explain = _in_thread(Memory.explain)
    stats = _in_thread(Memory.stats)
    export = _in_thread(Memory.export)
    load = _in_thread(Memory.load)
    backup = _in_thread(Memory.backup)
    check = _in_thread(Memory.check)
    repair = _in_thread(Memory.repair)
    reembed = _in_thread(Memory.reembed)
    work = _in_thread(Memory.work)
    remember_all = _in_thread(Memory.remember_all)
    add_documents = _in_thread(Memory.add_documents)
    documents = _in_thread(Memory.documents)
    remove_documents = _in_thread(Memory.remove_documents)
    flush = _in_thread(Memory.flush)
    close = _in_thread(Memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
