"""Changes that a person makes to a memory: an edit, or a judgement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jiyi.arguments import (
    read_choice,
    read_flag,
    read_meta,
    read_share,
    read_tags,
    read_time,
)
from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.ports import Selection
from jiyi.text.normalise import check_text, fingerprint
from jiyi.types import KINDS, STATUSES, MemoryRecord, Scope

if TYPE_CHECKING:
    from jiyi.consolidate.undo import TermsOf
    from jiyi.ports import Reader, Writer


def find(reader: Reader, scope: Scope, memory_id: str, *, now: datetime) -> MemoryRecord:
    """A memory in any status but forgotten.

    Raises:
        NotFoundError: it is not in this scope.
    """
    known = frozenset(STATUSES) - {"forgotten"}
    selection = Selection(now=now, statuses=known, ids=(memory_id,))
    found, _ = reader.memories(scope, selection)
    if not found:
        raise NotFoundError("memory", memory_id)
    return found[0]


def update(
    writer: Writer,
    scope: Scope,
    memory_id: str,
    changes: Mapping[str, Any],
    *,
    terms_of: TermsOf,
    now: datetime,
) -> MemoryRecord:
    """Set some fields of a memory and leave the rest as it was.

    Raises:
        ConflictError: another live memory already has the new text.
    """
    old = find(writer, scope, memory_id, now=now)
    retold = "text" in changes or "tags" in changes
    ends = changes.get("valid_to")
    if ends is not None and "expires_at" not in changes:
        # Who says when a fact ends ends it: it is live until then, and no longer.
        changes = {**changes, "expires_at": max(ends, now)}
    new = replace(old, **changes)
    return writer.change_memory(
        scope,
        memory_id,
        changes,
        at=now,
        action="updated",
        reason=f"updated: {', '.join(sorted(changes))}",
        fingerprint=fingerprint(new.text) if retold else None,
        terms=terms_of(new) if retold else None,
    )


def give_feedback(
    writer: Writer, scope: Scope, memory_id: str, *, helpful: bool, now: datetime
) -> MemoryRecord:
    """Count a judgement. An unhelpful memory loses the strength that its uses had given it."""
    old = find(writer, scope, memory_id, now=now)
    changes = (
        {"helpful": old.helpful + 1}
        if helpful
        else {"unhelpful": old.unhelpful + 1, "use_count": 0}
    )
    word = "helpful" if helpful else "unhelpful"
    return writer.change_memory(
        scope, memory_id, changes, at=now, action="feedback", reason=f"marked {word}"
    )


def read_changes(changes: Mapping[str, object], *, now: datetime) -> dict[str, Any]:
    """The fields that `update` may set, each checked.

    Raises:
        InvalidInputError: naming the field.
    """
    readers: Mapping[str, Callable[[object], object]] = {
        "text": lambda value: check_text(value, "text"),
        "kind": lambda value: read_choice(value, "kind", KINDS),
        "tags": read_tags,
        "meta": lambda value: read_meta(value, "meta"),
        "importance": lambda value: read_share(value, "importance"),
        "confidence": lambda value: read_share(value, "confidence"),
        "pinned": lambda value: read_flag(value, "pinned"),
        "valid_from": lambda value: read_time(value, "valid_from", now),
        "valid_to": lambda value: read_time(value, "valid_to", now),
        "expires_at": lambda value: read_time(value, "expires_at", now),
    }
    if not changes:
        raise InvalidInputError("changes", "there is none", f"Pass some of: {', '.join(readers)}")
    for name in changes:
        if name not in readers:
            raise InvalidInputError(name, "it cannot be changed", f"Known: {', '.join(readers)}")
    if changes.get("valid_from", now) is None:
        raise InvalidInputError("valid_from", "a memory has one", "Pass a time")
    return {name: readers[name](value) for name, value in changes.items()}
