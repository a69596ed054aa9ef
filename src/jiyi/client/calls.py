"""What each verb of a scope sends, and what it makes of the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, Unpack, cast

from jiyi.client.call import Call, get_call, many, one, part, plain, post_call
from jiyi.formats.plain import to_plain
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
    ScopeFields,
    Slot,
    Stats,
    Status,
    Trace,
    Trust,
    Turns,
    Unit,
    Visibility,
)

When = datetime | str | None


def observe(
    messages: object,
    *,
    encode: bool = True,
    **scope: Unpack[ScopeFields],
) -> Call[Receipt]:
    """Record what was said: see `Memory.observe`. Messages are texts or mappings."""
    return post_call("/turns", Receipt, scope, once=True, messages=messages, encode=encode)


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
    return post_call(
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
    return post_call("/memories/batch", Receipt, scope, once=True, items=list(items))


def correct(memory_id: str, text: str, **scope: Unpack[ScopeFields]) -> Call[Receipt]:
    """Replace a memory that was wrong: see `Memory.correct`."""
    return post_call(f"/memories/{part(memory_id)}/correct", Receipt, scope, once=True, text=text)


def update(memory_id: str, *, text: str | None = None, **changes: Any) -> Call[MemoryRecord]:
    """Change fields of a memory: see `Memory.update`."""
    body = {**changes, **({} if text is None else {"text": text})}
    return Call("PATCH", f"/memories/{part(memory_id)}", one(MemoryRecord), body=plain(body))


def feedback(memory_id: str, *, helpful: bool, **scope: Unpack[ScopeFields]) -> Call[MemoryRecord]:
    """Say whether a memory helped: see `Memory.feedback`."""
    return post_call(f"/memories/{part(memory_id)}/feedback", MemoryRecord, scope, helpful=helpful)


def undo(id: str, **scope: Unpack[ScopeFields]) -> Call[Receipt]:
    """Take back a change: see `Memory.undo`."""
    return post_call("/undo", Receipt, scope, once=True, id=id)


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
    return post_call(
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
    return post_call(
        "/context", Context, scope, query=query, budget=budget, identity=identity, rules=rules
    )


def profile(**scope: Unpack[ScopeFields]) -> Call[Profile]:
    """The exact view of a user: see `Memory.profile`."""
    return get_call("/profile", one(Profile), scope)


def get(memory_id: str, **scope: Unpack[ScopeFields]) -> Call[MemoryRecord]:
    """One memory in any status: see `Memory.get`."""
    return get_call(f"/memories/{part(memory_id)}", one(MemoryRecord), scope)


def list_memories(
    *,
    where: Mapping[str, Any] | None = None,
    include: Status | Sequence[Status] = (),
    limit: int = 20,
    cursor: str | None = None,
    **scope: Unpack[ScopeFields],
) -> Call[Page]:
    """Memories, newest first: see `Memory.list`."""
    return get_call(
        "/memories",
        one(Page),
        scope,
        where=None if where is None else json.dumps(to_plain(where), ensure_ascii=False),
        include=[include] if isinstance(include, str) else list(include),
        limit=limit,
        cursor=cursor,
    )


def turns(
    *, limit: int = 100, cursor: str | None = None, **scope: Unpack[ScopeFields]
) -> Call[Turns]:
    """The newest turns in the order they were said: see `Memory.turns`."""
    return get_call("/turns", one(Turns), scope, limit=limit, cursor=cursor)


def history(memory_id: str, **scope: Unpack[ScopeFields]) -> Call[History]:
    """Everything that happened to a memory: see `Memory.history`."""
    return get_call(f"/memories/{part(memory_id)}/history", one(History), scope)


def explain(trace_id: str | None = None, **scope: Unpack[ScopeFields]) -> Call[Trace]:
    """What a recall or context searched, found, cut and injected: see `Memory.explain`."""
    return get_call("/traces", one(Trace), scope, trace_id=trace_id)


def stats(**scope: Unpack[ScopeFields]) -> Call[Stats]:
    """What this scope holds: see `Memory.stats`."""
    return get_call("/stats", one(Stats), scope)


def set_permanent(fields: Mapping[str, Json], **scope: Unpack[ScopeFields]) -> Call[Profile]:
    """Set hard facts of a user: see `Memory.set_permanent`."""
    body = {"fields": to_plain(fields), **scope}
    return Call("PATCH", "/profile", one(Profile), body=plain(body))


def notes(
    task: str, *, tenant: str | None = None, user: str | None = None
) -> Call[dict[str, Json]]:
    """The notes of a task: see `TaskNotes.notes`."""
    scope = {"tenant": tenant, "user": user, "task": task}
    return get_call("/notes", lambda data: cast("dict[str, Json]", data), scope)


def note(
    task: str, name: str, value: Json, *, tenant: str | None = None, user: str | None = None
) -> Call[None]:
    """Set a note of a task; None removes it: see `TaskNotes.note`."""
    scope = plain({"tenant": tenant, "user": user})
    body = {**scope, "task": task, "name": name, "value": to_plain(value)}
    return Call("PUT", "/notes", lambda _: None, body=body)


def end_task(task: str, *, tenant: str | None = None, user: str | None = None) -> Call[int]:
    """End a task, and how many notes it had: see `TaskNotes.end`."""
    query = plain({"tenant": tenant, "user": user, "task": task})
    return Call("DELETE", "/notes", lambda data: int(data["ended"]), query=query)


def end_session(session: str, **scope: str | None) -> Call[Receipt]:
    """End a session; a digest stays: see `Memory.end_session`."""
    return post_call("/sessions/end", Receipt, {**scope, "session": session}, once=True)


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
    return post_call(
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
    return post_call("/consolidate", ConsolidationReport, scope, once=True, dry_run=dry_run)


def conflicts(*, propose: bool = False, **scope: Unpack[ScopeFields]) -> Call[tuple[Conflict, ...]]:
    """Live statements that cannot both hold: see `Memory.conflicts`."""
    return get_call("/conflicts", many(Conflict), scope, propose=propose)


def resolve_conflict(
    keep: str, other: str, *, both: bool = False, **scope: Unpack[ScopeFields]
) -> Call[Outcome]:
    """Decide a contradiction: see `Memory.resolve_conflict`."""
    return post_call(
        "/conflicts/resolve", Outcome, scope, once=True, keep=keep, other=other, both=both
    )


def entities(*, kind: EntityKind | None = None, **scope: Unpack[ScopeFields]) -> Call[EntityGraph]:
    """Everything that live memories name: see `Memory.entities`."""
    return get_call("/entities", one(EntityGraph), scope, kind=kind)


def entity(name: str, **scope: Unpack[ScopeFields]) -> Call[Entity]:
    """One entity by any of its names: see `Memory.entity`."""
    return get_call("/entity", one(Entity), scope, name=name)


def separate(name: str, other: str, **scope: Unpack[ScopeFields]) -> Call[Receipt]:
    """Say that two names are not one entity after all: see `Memory.separate`."""
    return post_call("/entities/separate", Receipt, scope, once=True, name=name, other=other)


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
    return post_call(
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
    return get_call("/documents", many(Document), scope, collection=collection)


def remove_documents(
    ids: str | Sequence[str] | None = None,
    *,
    collection: str | None = None,
    **scope: Unpack[ScopeFields],
) -> Call[ForgetReport]:
    """Erase documents for good: see `Memory.remove_documents`."""
    return post_call(
        "/documents/remove", ForgetReport, scope, once=True, ids=ids, collection=collection
    )
