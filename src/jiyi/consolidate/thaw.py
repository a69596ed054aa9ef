"""Archived memories come back when they are needed exactly: by a code or number that nothing live
holds, by a question that only they answer, or because somebody asked for the archive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from jiyi.consolidate.fitting import fits, new_state
from jiyi.errors import ConflictError, StoreUnavailableError
from jiyi.ports import Selection
from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.types import Hit, Hits, Scope, Status, Support, Trace

if TYPE_CHECKING:
    from jiyi.ports import Reader, Store, Writer

ARCHIVED: Final[frozenset[Status]] = frozenset({"archived"})
MOST: Final = 3
"""Memories that one question brings back at most."""

_CODE: Final = regex(r"(?<![\w-])(?=[\w-]*\d)[A-Za-z0-9][\w-]{2,}(?:[.:/]\w+)*")

Search = Callable[[Selection], tuple[Hits, Trace]]
"""A search of memories alone."""


def thaw_for(
    store: Store,
    scope: Scope,
    query: str,
    *,
    selection: Selection,
    support: Support,
    found: Sequence[str],
    search: Search,
) -> bool:
    """Bring back what a question needs exactly; whether anything came.

    Args:
        selection: what the question was about; what looks into the past thaws nothing.
        support, found: how well the live memories answered, and the texts they answered with.
        search: looks among memories of other statuses.
    """
    if selection.as_of is not None or selection.known_at is not None:
        return False
    codes = _codes(query)
    held = fold("\n".join(found))
    missing = [code for code in codes if code not in held]
    if support == "strong" and not missing:
        return False
    cold = replace(selection, statuses=ARCHIVED)
    with store.read() as reader:
        if not _any(reader, scope, cold):
            return False
    hits, _ = search(cold)
    if missing:
        needed = [hit for hit in hits if any(code in fold(hit.text) for code in missing)]
    else:
        needed = list(hits[:1]) if hits.support == "strong" else []
    return thaw(store, scope, needed[:MOST], now=selection.now)


def thaw(store: Store, scope: Scope, hits: Sequence[Hit], *, now: datetime) -> bool:
    """Make archived memories live again; one whose text or place is taken meanwhile stays."""
    if not hits:
        return False
    try:
        with store.write() as writer:
            thawed = [_thawed(writer, scope, hit.id, now) for hit in hits]
    except (ConflictError, StoreUnavailableError):
        # Another writer took the text or the place just now, or nobody may write: a question is
        # answered all the same, from what is live.
        return False
    return any(thawed)


def _thawed(writer: Writer, scope: Scope, memory_id: str, now: datetime) -> bool:
    found, _ = writer.memories(scope, Selection(now=now, statuses=ARCHIVED, ids=(memory_id,)))
    if not found or not fits(writer, found[0].scope, new_state(found[0]), own=(), now=now):
        return False
    writer.change_memory(
        found[0].scope,
        memory_id,
        {"status": "active", "tier": "extended", "last_used_at": now},
        at=now,
        action="thawed",
        reason="it was needed again",
    )
    return True


def _any(reader: Reader, scope: Scope, selection: Selection) -> bool:
    return bool(reader.memories(scope, selection, limit=1)[0])


def _codes(query: str) -> list[str]:
    return [fold(match[0]) for match in _CODE.finditer(query)]
