"""What each verb sends and what it makes of the answer: values in, values out, no network here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, TypeVar, Unpack, cast

from jiyi.archived import LoadReport
from jiyi.formats.plain import from_plain, to_plain
from jiyi.types import (
    Conflict,
    ConsolidationReport,
    Context,
    Document,
    DocumentReport,
    Entity,
    EntityGraph,
    EntityKind,
    Event,
    Finding,
    ForgetReport,
    History,
    Hits,
    Json,
    Key,
    Kind,
    MemoryRecord,
    Outcome,
    Page,
    Profile,
    Receipt,
    Right,
    ScopeFields,
    Slot,
    Stats,
    Status,
    Trace,
    Trust,
    Turn,
    Unit,
    Visibility,
)

R = TypeVar("R")
When = datetime | str | None


@dataclass(frozen=True, slots=True)
class Call(Generic[R]):
    """One request, and how its answer is read. `query` and `body` hold what was said only; what
    they leave open of the scope comes from the client, unless the call is not `scoped`. With
    `once` a retry is told from a second request."""

    method: str
    path: str
    read: Callable[[Any], R]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    once: bool = False
    scoped: bool = True


def observe(
    messages: object,
    *,
    encode: bool = True,
    **scope: Unpack[ScopeFields],
) -> Call[Receipt]:
    """Record what was said: see `Memory.observe`. Messages are texts or mappings."""
    return _post("/turns", Receipt, scope, once=True, messages=messages, encode=encode)


def remember(
    text: str,
    *,
    kind: Kind = "semantic",
    tags: Sequence[str] = (),
    importance: float = 0.5,
    confidence: float = 1.0,
    meta: Mapping[str, Json] | None = None,
    slot: Slot | Mapping[str, Any] | None = None,
    event: Event | Mapping[str, Any] | None = None,
    valid_from: When = None,
    valid_to: When = None,
    expires_at: When = None,
    ttl: timedelta | float | None = None,
    visibility: Visibility = "user",
    pinned: bool = False,
    said_at: When = None,
    source: str | None = None,
    trust: Trust = "application",
    **scope: Unpack[ScopeFields],
) -> Call[Receipt]:
    """Keep one statement as it is given: see `Memory.remember`."""
    return _post(
        "/memories",
        Receipt,
        scope,
        once=True,
        text=text,
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
        ttl=ttl.total_seconds() if isinstance(ttl, timedelta) else ttl,
        visibility=visibility,
        pinned=pinned,
        said_at=said_at,
        source=source,
        trust=trust,
    )


def remember_all(
    items: Sequence[str | Mapping[str, Any]], **scope: Unpack[ScopeFields]
) -> Call[Receipt]:
    """Keep many statements in one transaction: see `Memory.remember_all`."""
    return _post("/memories/batch", Receipt, scope, once=True, items=list(items))


def correct(memory_id: str, text: str, **scope: Unpack[ScopeFields]) -> Call[Receipt]:
    """Replace a memory that was wrong: see `Memory.correct`."""
    return _post(f"/memories/{_part(memory_id)}/correct", Receipt, scope, once=True, text=text)


def update(memory_id: str, *, text: str | None = None, **changes: Any) -> Call[MemoryRecord]:
    """Change fields of a memory: see `Memory.update`."""
    body = {**changes, **({} if text is None else {"text": text})}
    return Call("PATCH", f"/memories/{_part(memory_id)}", _one(MemoryRecord), body=_plain(body))


def feedback(memory_id: str, *, helpful: bool, **scope: Unpack[ScopeFields]) -> Call[MemoryRecord]:
    """Say whether a memory helped: see `Memory.feedback`."""
    return _post(f"/memories/{_part(memory_id)}/feedback", MemoryRecord, scope, helpful=helpful)


def undo(id: str, **scope: Unpack[ScopeFields]) -> Call[Receipt]:
    """Take back a change: see `Memory.undo`."""
    return _post("/undo", Receipt, scope, once=True, id=id)


def recall(
    query: str,
    *,
    limit: int = 5,
    kinds: Kind | Sequence[Kind] | None = None,
    where: Mapping[str, Any] | None = None,
    as_of: When = None,
    known_at: When = None,
    include: Status | Sequence[Status] = (),
    units: Unit | Sequence[Unit] = ("memory", "turn", "document"),
    neighbours: int = 0,
    rerank: bool = True,
    **scope: Unpack[ScopeFields],
) -> Call[Hits]:
    """Find what matters for a question, best first: see `Memory.recall`."""
    return _post(
        "/recall",
        Hits,
        scope,
        query=query,
        limit=limit,
        kinds=kinds,
        where=where,
        as_of=as_of,
        known_at=known_at,
        include=include,
        units=units,
        neighbours=neighbours,
        rerank=rerank,
    )


def context(
    query: str,
    *,
    budget: int = 2000,
    identity: str | None = None,
    rules: Sequence[str] = (),
    **scope: Unpack[ScopeFields],
) -> Call[Context]:
    """The text for the prompt: see `Memory.context`."""
    return _post(
        "/context", Context, scope, query=query, budget=budget, identity=identity, rules=rules
    )


def profile(**scope: Unpack[ScopeFields]) -> Call[Profile]:
    """The exact view of a user: see `Memory.profile`."""
    return _get("/profile", _one(Profile), scope)


def get(memory_id: str, **scope: Unpack[ScopeFields]) -> Call[MemoryRecord]:
    """One memory in any status: see `Memory.get`."""
    return _get(f"/memories/{_part(memory_id)}", _one(MemoryRecord), scope)


def list_memories(
    *,
    where: Mapping[str, Any] | None = None,
    include: Status | Sequence[Status] = (),
    limit: int = 20,
    cursor: str | None = None,
    **scope: Unpack[ScopeFields],
) -> Call[Page]:
    """Memories, newest first: see `Memory.list`."""
    return _get(
        "/memories",
        _one(Page),
        scope,
        where=None if where is None else json.dumps(to_plain(where), ensure_ascii=False),
        include=[include] if isinstance(include, str) else list(include),
        limit=limit,
        cursor=cursor,
    )


def turns(*, limit: int = 100, **scope: Unpack[ScopeFields]) -> Call[tuple[Turn, ...]]:
    """The newest turns in the order they were said: see `Memory.turns`."""
    return _get("/turns", _many(Turn), scope, limit=limit)


def history(memory_id: str, **scope: Unpack[ScopeFields]) -> Call[History]:
    """Everything that happened to a memory: see `Memory.history`."""
    return _get(f"/memories/{_part(memory_id)}/history", _one(History), scope)


def explain(trace_id: str | None = None, **scope: Unpack[ScopeFields]) -> Call[Trace]:
    """What a recall or context searched, found, cut and injected: see `Memory.explain`."""
    return _get("/traces", _one(Trace), scope, trace_id=trace_id)


def stats(**scope: Unpack[ScopeFields]) -> Call[Stats]:
    """What this scope holds: see `Memory.stats`."""
    return _get("/stats", _one(Stats), scope)


def set_permanent(fields: Mapping[str, Json], **scope: Unpack[ScopeFields]) -> Call[Profile]:
    """Set hard facts of a user: see `Memory.set_permanent`."""
    body = {"fields": to_plain(fields), **scope}
    return Call("PATCH", "/profile", _one(Profile), body=_plain(body))


def notes(
    task: str, *, tenant: str | None = None, user: str | None = None
) -> Call[dict[str, Json]]:
    """The notes of a task: see `TaskNotes.notes`."""
    scope = {"tenant": tenant, "user": user, "task": task}
    return _get("/notes", lambda data: cast("dict[str, Json]", data), scope)


def note(
    task: str, name: str, value: Json, *, tenant: str | None = None, user: str | None = None
) -> Call[None]:
    """Set a note of a task; None removes it: see `TaskNotes.note`."""
    scope = _plain({"tenant": tenant, "user": user})
    body = {**scope, "task": task, "name": name, "value": to_plain(value)}
    return Call("PUT", "/notes", lambda _: None, body=body)


def end_task(task: str, *, tenant: str | None = None, user: str | None = None) -> Call[int]:
    """End a task, and how many notes it had: see `TaskNotes.end`."""
    query = _plain({"tenant": tenant, "user": user, "task": task})
    return Call("DELETE", "/notes", lambda data: int(data["ended"]), query=query)


def end_session(session: str, **scope: str | None) -> Call[Receipt]:
    """End a session; a digest stays: see `Memory.end_session`."""
    return _post("/sessions/end", Receipt, {**scope, "session": session}, once=True)


def forget(
    *,
    ids: str | Sequence[str] | None = None,
    query: str | None = None,
    subject: str | None = None,
    before: When = None,
    everything: bool = False,
    keep_turns: bool = False,
    dry_run: bool = False,
    confirm: bool = False,
    **scope: Unpack[ScopeFields],
) -> Call[ForgetReport]:
    """Erase for good: see `Memory.forget`."""
    return _post(
        "/forget",
        ForgetReport,
        scope,
        once=True,
        ids=ids,
        query=query,
        subject=subject,
        before=before,
        everything=everything,
        keep_turns=keep_turns,
        dry_run=dry_run,
        confirm=confirm,
    )


def consolidate(
    *, dry_run: bool = False, **scope: Unpack[ScopeFields]
) -> Call[ConsolidationReport]:
    """Keep the memories of a user in order, by the server's policies: see `Memory.consolidate`."""
    return _post("/consolidate", ConsolidationReport, scope, once=True, dry_run=dry_run)


def conflicts(*, propose: bool = False, **scope: Unpack[ScopeFields]) -> Call[tuple[Conflict, ...]]:
    """Live statements that cannot both hold: see `Memory.conflicts`."""
    return _get("/conflicts", _many(Conflict), scope, propose=propose)


def resolve_conflict(
    keep: str, other: str, *, both: bool = False, **scope: Unpack[ScopeFields]
) -> Call[Outcome]:
    """Decide a contradiction: see `Memory.resolve_conflict`."""
    return _post("/conflicts/resolve", Outcome, scope, once=True, keep=keep, other=other, both=both)


def entities(*, kind: EntityKind | None = None, **scope: Unpack[ScopeFields]) -> Call[EntityGraph]:
    """Everything that live memories name: see `Memory.entities`."""
    return _get("/entities", _one(EntityGraph), scope, kind=kind)


def entity(name: str, **scope: Unpack[ScopeFields]) -> Call[Entity]:
    """One entity by any of its names: see `Memory.entity`."""
    return _get("/entity", _one(Entity), scope, name=name)


def separate(name: str, other: str, **scope: Unpack[ScopeFields]) -> Call[Receipt]:
    """Say that two names are not one entity after all: see `Memory.separate`."""
    return _post("/entities/separate", Receipt, scope, once=True, name=name, other=other)


def add_documents(
    documents: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    collection: str = "documents",
    meta: Mapping[str, Any] | None = None,
    visibility: Literal["user", "shared"] = "user",
    **scope: Unpack[ScopeFields],
) -> Call[DocumentReport]:
    """Add documents as texts, for files lie with you, not with the server: see
    `Memory.add_documents`."""
    return _post(
        "/documents",
        DocumentReport,
        scope,
        documents=documents,
        collection=collection,
        meta=meta,
        visibility=visibility,
    )


def documents(
    *, collection: str | None = None, **scope: Unpack[ScopeFields]
) -> Call[tuple[Document, ...]]:
    """The documents that this scope reads: see `Memory.documents`."""
    return _get("/documents", _many(Document), scope, collection=collection)


def remove_documents(
    ids: str | Sequence[str] | None = None,
    *,
    collection: str | None = None,
    **scope: Unpack[ScopeFields],
) -> Call[ForgetReport]:
    """Erase documents for good: see `Memory.remove_documents`."""
    return _post(
        "/documents/remove", ForgetReport, scope, once=True, ids=ids, collection=collection
    )


def flush() -> Call[None]:
    """Finish the background work that is due: see `Memory.flush`."""
    return Call("POST", "/flush", lambda _: None)


def check() -> Call[tuple[Finding, ...]]:
    """Look for damage in the whole store: see `Memory.check`."""
    return _get("/check", _many(Finding), {})


def repair() -> Call[Mapping[str, int]]:
    """Delete rows whose owner is gone: see `Memory.repair`."""
    return Call("POST", "/repair", lambda data: cast("dict[str, int]", data["rows"]))


def keys() -> Call[tuple[Key, ...]]:
    """Every key that was ever made: see `jiyi.access.Keyring.list`."""
    return _get("/keys", _many(Key), {})


def create_key(
    name: str,
    *,
    rights: Sequence[Right] = ("read", "write"),
    tenant: str | None = None,
    every_tenant: bool = False,
    users: Sequence[str] | None = None,
    agents: Sequence[str] | None = None,
    expires_at: When = None,
) -> Call[tuple[Key, str]]:
    """Make a key; the second value is its token: see `jiyi.access.Keyring.create`."""
    body = {
        "name": name,
        "rights": rights,
        "tenant": tenant,
        "every_tenant": every_tenant,
        "users": users,
        "agents": agents,
        "expires_at": expires_at,
    }
    return Call("POST", "/keys", _made, body=_plain(body), scoped=False)


def revoke_key(id: str) -> Call[Key]:
    """End a key at once and for good: see `jiyi.access.Keyring.revoke`."""
    return Call("DELETE", f"/keys/{_part(id)}", _one(Key))


def read_load(data: Any) -> LoadReport:
    """What became of an archive."""
    return _one(LoadReport)(data)


def _made(data: Any) -> tuple[Key, str]:
    return _one(Key)(data["key"]), str(data["token"])


def _get(path: str, read: Callable[[Any], R], scope: Mapping[str, Any], /, **query: Any) -> Call[R]:
    return Call("GET", path, read, query=_plain({**query, **scope}))


def _post(
    path: str, answer: type[R], scope: Mapping[str, Any], /, *, once: bool = False, **body: Any
) -> Call[R]:
    return Call("POST", path, _one(answer), body=_plain({**body, **scope}), once=once)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """What was said, as JSON: absent and empty arguments are left to the server."""
    return {
        name: to_plain(value)
        for name, value in values.items()
        if value is not None and not (isinstance(value, tuple) and not value)
    }


def _one(kind: type[R]) -> Callable[[Any], R]:
    return lambda data: from_plain(kind, data, kind.__name__)


def _many(kind: type[R]) -> Callable[[Any], tuple[R, ...]]:
    return lambda data: tuple(from_plain(kind, each, kind.__name__) for each in data)


def _part(text: str) -> str:
    """A part of a path, whatever is in it."""
    from urllib.parse import quote

    return quote(str(text), safe="")
