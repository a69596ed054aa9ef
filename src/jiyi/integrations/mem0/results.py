"""What Mem0's verbs return: memories and the rows of a history."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from jiyi.integrations.mem0.arguments import IDS, UPDATED_AT
from jiyi.types import History, Hit, MemoryRecord, Scope, Version

# Kept in a memory's meta, and shown beside its metadata.
PROMOTED: Final = ("actor_id", "role", "expiration_date")


def item(found: MemoryRecord | Hit, owner: Scope | None = None) -> dict[str, Any]:
    """A memory as Mem0 returns it."""
    meta = dict(found.meta)
    created = _iso(found.recorded_at)
    scope = owner or found.scope
    shown: dict[str, Any] = {
        "id": found.id,
        "memory": found.text,
        "hash": hashlib.md5(found.text.encode(), usedforsecurity=False).hexdigest(),
        "metadata": None,
        "created_at": created,
        "updated_at": meta.pop(UPDATED_AT, created),
    }
    for name, field in IDS.items():
        if (value := getattr(scope, field)) is not None:
            shown[name] = value
    shown.update((name, meta.pop(name)) for name in PROMOTED if name in meta)
    if meta:
        shown["metadata"] = meta
    return shown


def owner_of(record: MemoryRecord) -> dict[str, Any]:
    """The scope field that says whose a memory is."""
    return {} if record.scope.user is None else {"user": record.scope.user}


def changes(history: History) -> list[dict[str, Any]]:
    """The rows of Mem0's history, oldest first. What was erased has no text any more."""
    rows: list[dict[str, Any]] = []
    before: MemoryRecord | None = None
    for version in history.versions:
        rows += _change(history.memory_id, version, before)
        before = version.record
    rows += [
        _row(history.memory_id, event.id, "DELETE", at=event.at)
        for event in history.events
        if event.action == "erase"
    ]
    return rows


def _change(id: str, version: Version, before: MemoryRecord | None) -> Iterable[dict[str, Any]]:
    record, at = version.record, version.known_from
    row_id = f"{id}/{at.timestamp()}"
    if before is None:
        return [_row(id, row_id, "ADD", at=at, new=record)]
    if record.status != before.status and before.status == "active":
        return [_row(id, row_id, "DELETE", at=at, old=before)]
    same = (record.text, record.meta, record.expires_at)
    if same != (before.text, before.meta, before.expires_at):
        return [_row(id, row_id, "UPDATE", at=at, old=before, new=record)]
    return []


def _row(
    id: str,
    row_id: str,
    event: str,
    *,
    at: datetime,
    old: MemoryRecord | None = None,
    new: MemoryRecord | None = None,
) -> dict[str, Any]:
    known = new or old
    meta = {} if known is None else known.meta
    return {
        "id": row_id,
        "memory_id": id,
        "old_memory": None if old is None else old.text,
        "new_memory": None if new is None else new.text,
        "event": event,
        "created_at": _iso(at if known is None else known.recorded_at),
        "updated_at": _iso(at),
        "is_deleted": event == "DELETE",
        "actor_id": meta.get("actor_id"),
        "role": meta.get("role"),
    }


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
