"""What becomes of a statement, given what is known: stored, merged, superseding, or late.

`decide` looks, `judge` decides from what was seen. Facts replace each other only inside a slot:
same subject, same attribute, one value. Everything else stays side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from jiyi.resolve.evidence import (
    Evidence,
    Look,
    comparable,
    is_older,
    is_twin,
    last_said,
    start_of,
    twins_of,
)
from jiyi.resolve.succession import names_ended, succession
from jiyi.text.normalise import fingerprint
from jiyi.types import Draft, MemoryRecord, Scope, Slot, Trust

if TYPE_CHECKING:
    from jiyi.ports import Reader

Action = Literal["store", "merge", "supersede", "late", "plan"]

# Whose word counts against whose: what a user said is not replaced by what a tool returned.
_WEIGHT: Final[dict[Trust, int]] = {
    "application": 2,
    "user": 2,
    "assistant": 1,
    "tool": 1,
    "document": 1,
    "flagged": 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to do with a draft.

    `target` is the memory merged into, replaced, or (for "late") the one that replaced what the
    draft says. `others` are further memories that end with it: for "supersede" and "merge" those
    that the draft, or the target, replaces; for "late" the one that was true before. For "plan",
    which holds from a day to come, `target` and `others` hold until then and `plans` never will.
    `until` is when a late draft's own time ends. `keep_slot` is False when the statement is kept
    without filling its slot. `draft` is the draft in its place, where what is known tells it ("my
    current favourite is …"). `confirms`: the target was a candidate and is one no longer.
    `reason` is in words, for the audit and the receipt.
    """

    action: Action
    target: MemoryRecord | None = None
    others: tuple[MemoryRecord, ...] = ()
    keep_slot: bool = True
    confirms: bool = False
    until: datetime | None = None
    plans: tuple[MemoryRecord, ...] = ()
    draft: Draft | None = None
    reason: str

    @property
    def replaced(self) -> tuple[MemoryRecord, ...]:
        """The memories that end when the decision is to supersede."""
        if self.action != "supersede" or self.target is None:
            return ()
        return (self.target, *self.others)


def decide(reader: Reader, scope: Scope, draft: Draft, *, now: datetime) -> Decision:
    """Look for what the draft may touch, and judge."""
    found = succession(reader, scope, draft)
    evidence = Look(reader, scope, found.draft, now).evidence()
    decision = judge(found.draft, evidence, now=now)
    slot = found.draft.slot
    denied = found.draft.meta.get("ends") and slot is not None and slot.cardinality == "many"
    ended = [r for r in found.ended if comparable(found.draft, scope, r)]
    decision = _with_ended(decision, found.draft, ended, now)
    # Among many values, one that ended is none.
    return replace(decision, draft=found.draft, keep_slot=decision.keep_slot and not denied)


def _with_ended(
    decision: Decision, draft: Draft, ended: Sequence[MemoryRecord], now: datetime
) -> Decision:
    """The decision with what a named change ends, beside what fills its own place."""
    if decision.action not in ("store", "supersede") or draft.candidate or not decision.keep_slot:
        return decision
    known = {r.id for r in decision.replaced}
    more = tuple(
        r
        for r in ended
        if r.id not in known
        and not is_older(draft, r, now)
        and _WEIGHT[draft.trust] >= _WEIGHT[r.trust]
    )
    if not more:
        return decision
    target, *others = (*decision.replaced, *more)
    reason = f"{_name(draft.slot)} changed: what was said later is current"
    return replace(decision, action="supersede", target=target, others=tuple(others), reason=reason)


def judge(draft: Draft, evidence: Evidence, *, now: datetime) -> Decision:
    """The decision, from values alone."""
    slot = draft.slot
    rivals = evidence.rivals if slot is not None and slot.cardinality == "one" else ()
    twins = twins_of(draft, evidence.rivals)
    target = next(iter(twins), evidence.same)
    if target is not None and _belongs_before(draft, target, rivals, now):
        target, twins = None, []
    holders = [r for r in rivals if r.status == "active" and r not in twins]
    newer = [r for r in holders if is_older(draft, r, now)]
    older = tuple(r for r in holders if r not in newer)
    weaker = any(_WEIGHT[draft.trust] < _WEIGHT[r.trust] for r in holders)

    if target is not None:
        # The target takes the slot only where the draft itself could have taken it.
        sure = not draft.candidate or _is_elsewhere(draft, target)
        free = not newer and not weaker and sure
        begins = target.valid_from > now and not _is_planned(draft, now)  # sooner than planned
        gains = free and (target.slot is None or target.status == "candidate" or begins)
        return Decision(
            action="merge",
            target=target,
            others=(older if gains else ()) + _ended_by(draft, rivals, now),
            keep_slot=free,
            confirms=sure and target.status == "candidate",
            reason=_same_reason(draft, target),
        )
    if slot is None:
        return Decision(action="store", reason="new")
    if _is_planned(draft, now) and slot.cardinality == "one" and not (weaker or newer):
        return _plan(draft, older, now)
    aside = _why_aside(draft, now, weaker=weaker)
    if aside is not None:
        return Decision(action="store", keep_slot=False, reason=aside)
    if draft.meta.get("ends") and older and not any(names_ended(draft, r) for r in older):
        reason = "new: what it ends is not what is current"
        return Decision(action="store", keep_slot=False, reason=reason)
    if draft.candidate:
        return Decision(action="store", reason="a candidate until it is confirmed")
    if newer:
        return _late(draft, rivals, now)
    if older:
        return Decision(
            action="supersede",
            target=older[0],
            others=older[1:],
            # Reasons go into the audit log, which never holds content: the values stay out.
            reason=f"{_name(slot)} changed: what was said later is current",
        )
    return Decision(action="store", reason="new")


def _why_aside(draft: Draft, now: datetime, *, weaker: bool) -> str | None:
    """Why a statement is kept without filling its slot."""
    if draft.valid_to is not None and draft.valid_to <= now:
        return "new: it was true in the past"
    if _is_planned(draft, now):
        return "new: it is not true yet"
    if weaker and not draft.candidate:
        return f"new: what {_speaker(draft)} says does not replace the user's own word"
    return None


def _is_planned(draft: Draft, now: datetime) -> bool:
    """Whether what it says holds from a day to come."""
    return draft.valid_from is not None and draft.valid_from > max(now, draft.said_at or now)


def _plan(draft: Draft, holders: Sequence[MemoryRecord], now: datetime) -> Decision:
    """A statement about a day to come: what holds now holds until then; another plan gives way."""
    if draft.candidate:
        return Decision(action="store", reason="a candidate until it is confirmed")
    current = tuple(r for r in holders if r.valid_from <= now)
    return Decision(
        action="plan",
        target=current[0] if current else None,
        others=current[1:],
        plans=tuple(r for r in holders if r.valid_from > now),
        reason=f"planned: {_name(draft.slot)} changes on its day",
    )


def _late(draft: Draft, rivals: Sequence[MemoryRecord], now: datetime) -> Decision:
    """A statement that came in after its successor: history from the start, between the value
    before it and the one after it."""
    start = start_of(draft, now)
    past = _held_at(start, rivals)
    if past is not None and is_twin(draft, past):
        return Decision(action="merge", target=past, reason=_same_reason(draft, past))
    following = min(
        (r for r in rivals if r.status == "superseded" and r.valid_from > start),
        key=lambda r: (r.valid_from, r.id),
        default=next(r for r in rivals if r.status == "active"),
    )
    ended = _ended_by(draft, rivals, now)
    if is_twin(draft, following):
        reason = _same_reason(draft, following)
        return Decision(action="merge", target=following, others=ended, reason=reason)
    around = (following,) if past is None else (past, following)
    moments = [r.valid_from for r in around]
    moments += [s.said_at for r in around for s in r.sources if s.said_at is not None]
    return Decision(
        action="late",
        target=following,
        others=ended,
        until=min((m for m in moments if m > start), default=start),
        reason=f"said before {_name(draft.slot)} changed: kept as history",
    )


def _held_at(moment: datetime, rivals: Sequence[MemoryRecord]) -> MemoryRecord | None:
    """The superseded value that held at a moment."""
    past = [
        r
        for r in rivals
        if r.status == "superseded"
        and r.valid_from <= moment
        and (r.valid_to is None or r.valid_to > moment)
    ]
    return max(past, key=lambda r: (r.valid_from, r.id), default=None)


def _ended_by(
    draft: Draft, rivals: Sequence[MemoryRecord], now: datetime
) -> tuple[MemoryRecord, ...]:
    """The past value that a late statement ends. Not one that was said again after it: that held
    on both sides."""
    start = start_of(draft, now)
    past = _held_at(start, rivals)
    if past is None or is_twin(draft, past) or last_said(past) > start:
        return ()
    return (past,)


def _is_elsewhere(draft: Draft, record: MemoryRecord) -> bool:
    """Whether the draft comes from another turn than the memory, and so confirms it."""
    turns = {s.turn_id for s in record.sources if s.turn_id is not None}
    return not any(s.turn_id in turns for s in draft.sources)


def _belongs_before(
    draft: Draft, target: MemoryRecord, rivals: Sequence[MemoryRecord], now: datetime
) -> bool:
    """Whether another value held between the draft and the target: Paris, then Rome, then Paris
    again is two stays, and a late word about the first is no source of the second."""
    if draft.slot is None or not is_older(draft, target, now):
        return False
    start = start_of(draft, now)
    return any(
        r.status == "superseded"
        and not is_twin(draft, r)
        and start < r.valid_from
        and r.valid_from < target.valid_from
        for r in rivals
    )


# --- reasons, in words ----------------------------------------------------------------------------


def _same_reason(draft: Draft, target: MemoryRecord) -> str:
    if fingerprint(draft.text) == fingerprint(target.text):
        return "already known"
    if is_twin(draft, target):
        return f"already known: {_name(draft.slot)} has this value"
    return "already known in other words"


def _name(slot: Slot | None) -> str:
    return "it" if slot is None else slot.attribute.partition("/")[0]


def _speaker(draft: Draft) -> str:
    return "flagged text" if draft.trust == "flagged" else f"the {draft.trust}"
