"""A correction: a memory was wrong, and a person says what is right."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from jiyi.encode.commit import carry_out
from jiyi.errors import ConflictError, NotFoundError
from jiyi.ids import new_id
from jiyi.ports import Selection
from jiyi.resolve.authors import require_author
from jiyi.resolve.decide import Decision, decide
from jiyi.text.normalise import fingerprint
from jiyi.types import STATUSES, Draft, MemoryRecord, Outcome, Scope, Slot, Source

if TYPE_CHECKING:
    from jiyi.encode.commit import TermsOf
    from jiyi.ports import Writer

CORRECTED = "corrected"
CORRECTABLE = frozenset({"active", "candidate", "archived"})


def correct(
    writer: Writer,
    scope: Scope,
    memory_id: str,
    text: str,
    *,
    slot: Slot | None,
    now: datetime,
    terms_of: TermsOf | None = None,
) -> Outcome:
    """Replace a memory that was wrong by what is right.

    The right one takes over its place in time, which leaves the wrong one without any: `as_of`
    never returns it, while `known_at` and the history still do.

    Args:
        slot: what the text fills when it is read by the rules; by default that of the wrong one.

    Raises:
        NotFoundError: no such memory in this scope.
        ConflictError: it is no longer live, already says this, or is shared by another user.
    """
    found, _ = writer.memories(
        scope, Selection(now=now, statuses=frozenset(STATUSES), ids=(memory_id,))
    )
    if not found:
        raise NotFoundError("memory", memory_id)
    old = found[0]
    require_author(old, scope)
    if old.status not in CORRECTABLE:
        raise ConflictError(f"memory {memory_id} is {old.status}; correct the one that is live")
    draft = _draft(old, text, slot, scope, now)
    decision = decide(writer, old.scope, draft, now=now)
    known = decision.target if decision.action == "merge" else None
    if known is not None and known.id == old.id and fingerprint(text) == fingerprint(old.text):
        raise ConflictError(f"memory {memory_id} already says this")
    if known is not None and known.id != old.id:
        decision = replace(decision, others=_without(decision.others, old, (old,)))
    else:
        others = _without(decision.replaced, old, ())
        decision = Decision(action="supersede", target=old, others=others, reason=CORRECTED)
    return carry_out(writer, old.scope, draft, decision, now=now, terms_of=terms_of)


def _without(
    others: tuple[MemoryRecord, ...], old: MemoryRecord, more: tuple[MemoryRecord, ...]
) -> tuple[MemoryRecord, ...]:
    return (*(other for other in others if other.id != old.id), *more)


def _draft(old: MemoryRecord, text: str, slot: Slot | None, scope: Scope, now: datetime) -> Draft:
    kept = None if old.slot is None else replace(old.slot, value=text)
    return Draft(
        text=text,
        kind=old.kind,
        tags=old.tags,
        importance=old.importance,
        meta=old.meta,
        slot=slot or kept,
        event=old.event,
        sources=(Source(id=new_id(), label="correction", session=scope.session, said_at=now),),
        said_at=now,
        valid_from=old.valid_from,
        expires_at=old.expires_at,
        visibility=old.visibility,
        pinned=old.pinned,
    )
