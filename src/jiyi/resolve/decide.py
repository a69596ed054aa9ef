"""What becomes of a statement, given what is known: stored, merged, superseding, or late.

`decide` looks, `judge` decides from what was seen. Facts replace each other only inside a slot:
same subject, same attribute, one value. Everything else stays side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from jiyi.ports import Selection, audience
from jiyi.resolve.marks import marks_of, slot_mark
from jiyi.resolve.wording import (
    contains,
    is_negative,
    narrower_topic,
    statement_key,
    value_key,
)
from jiyi.text.normalise import fingerprint
from jiyi.types import Draft, MemoryRecord, Scope, Slot, Source, Status, Trust, UnitKey

if TYPE_CHECKING:
    from jiyi.ports import Reader

Action = Literal["store", "merge", "supersede", "late"]

LIVE: Final[frozenset[Status]] = frozenset({"active", "candidate"})
CHAIN: Final[frozenset[Status]] = frozenset({"active", "candidate", "superseded"})

# Whose word counts against whose: what a user said is not replaced by what a tool returned.
_WEIGHT: Final[dict[Trust, int]] = {
    "application": 2,
    "user": 2,
    "assistant": 1,
    "tool": 1,
    "document": 1,
    "flagged": 0,
}
_TOGETHER: Final = timedelta(minutes=10)
"""A tool's write and the message it was made from lie this close."""
_RECENT: Final = 8
"""How many of the newest memories are compared with what a tool, or the rules, wrote just now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to do with a draft.

    `target` is the memory merged into, replaced, or (for "late") the one that replaced what the
    draft says. `others` are further memories that the draft (for "merge": the target) replaces;
    for "late", the one that was true before. `keep_slot` is False when the statement is kept
    without filling its slot. `confirms`: the target was a
    candidate and is one no longer. `reason` is in words, for the audit and the receipt.
    """

    action: Action
    target: MemoryRecord | None = None
    others: tuple[MemoryRecord, ...] = ()
    keep_slot: bool = True
    confirms: bool = False
    reason: str

    @property
    def replaced(self) -> tuple[MemoryRecord, ...]:
        """The memories that end when the decision is to supersede."""
        if self.action != "supersede" or self.target is None:
            return ()
        return (self.target, *self.others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known that a draft may touch; all of the draft's audience.

    `same` says the same text, or the same in other words. `rivals` fill the draft's slot, or one
    that differs in wording only: active, candidate and superseded ones.
    """

    same: MemoryRecord | None = None
    rivals: tuple[MemoryRecord, ...] = ()


def decide(reader: Reader, scope: Scope, draft: Draft, *, now: datetime) -> Decision:
    """Look for what the draft may touch, and judge."""
    marked = _marked(reader, scope, draft, now)
    rivals = tuple(_rivals(reader, scope, draft, marked, now))
    same = reader.find_same(scope, draft, fingerprint(draft.text))
    if same is None and not _twins(draft, rivals):
        same = _reworded(draft, marked) or _told_together(reader, scope, draft, now)
    return judge(draft, Evidence(same=same, rivals=rivals), now=now)


def judge(draft: Draft, evidence: Evidence, *, now: datetime) -> Decision:
    """The decision, from values alone."""
    slot = draft.slot
    rivals = evidence.rivals if slot is not None and slot.cardinality == "one" else ()
    twins = _twins(draft, evidence.rivals)
    target = next(iter(twins), evidence.same)
    if target is not None and _belongs_before(draft, target, rivals, now):
        target, twins = None, []
    holders = [r for r in rivals if r.status == "active" and r not in twins]
    newer = [r for r in holders if _is_older(draft, r, now)]
    older = tuple(r for r in holders if r not in newer)
    weaker = any(_WEIGHT[draft.trust] < _WEIGHT[r.trust] for r in holders)

    if target is not None:
        # The target takes the slot only where the draft itself could have taken it.
        sure = not draft.candidate or _is_elsewhere(draft, target)
        free = not newer and not weaker and sure
        gains = free and (target.slot is None or target.status == "candidate")
        return Decision(
            action="merge",
            target=target,
            others=older if gains else (),
            keep_slot=free,
            confirms=sure and target.status == "candidate",
            reason=_same_reason(draft, target),
        )
    if slot is None:
        return Decision(action="store", reason="new")
    aside = _why_aside(draft, now, weaker=weaker)
    if aside is not None:
        return Decision(action="store", keep_slot=False, reason=aside)
    if draft.candidate:
        return Decision(action="store", reason="a candidate until it is confirmed")
    if newer:
        return _late(draft, newer, rivals, now)
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
    if draft.valid_from is not None and draft.valid_from > max(now, draft.said_at or now):
        return "new: it is not true yet"
    if weaker and not draft.candidate:
        return f"new: what {_speaker(draft)} says does not replace the user's own word"
    return None


def _late(
    draft: Draft, newer: Sequence[MemoryRecord], rivals: Sequence[MemoryRecord], now: datetime
) -> Decision:
    """A statement that came in after its successor: history from the start."""
    past = _belongs_to_past(draft, rivals, now)
    if past is not None and _is_twin(draft, past):
        return Decision(action="merge", target=past, reason=_same_reason(draft, past))
    return Decision(
        action="late",
        target=min(newer, key=lambda r: (r.valid_from, r.id)),
        others=(past,) if past is not None else (),
        reason=f"said before {_name(draft.slot)} changed: kept as history",
    )


def start_of(draft: Draft, now: datetime) -> datetime:
    """When the draft became true: as stated, else when it was said."""
    return draft.valid_from or draft.said_at or now


def last_said(record: MemoryRecord) -> datetime:
    """When the memory was said last, over all its sources."""
    return max([record.said_at, *(s.said_at for s in record.sources if s.said_at is not None)])


def comparable(draft: Draft, scope: Scope, record: MemoryRecord) -> bool:
    """Whether a memory has the audience of the draft, so that one may stand for the other."""
    if audience(record.visibility, record.scope) != audience(draft.visibility, scope):
        return False
    if record.scope.tenant != scope.tenant:
        return False
    return draft.visibility == "shared" or record.scope.user == scope.user


# --- looking ------------------------------------------------------------------------------------


def _marked(reader: Reader, scope: Scope, draft: Draft, now: datetime) -> list[MemoryRecord]:
    """Memories that share a mark with the draft: its statement, or its slot's topic."""
    keys: list[UnitKey] = []
    for postings in reader.postings(scope, marks_of(draft.text, draft.slot)):
        for numbers, _ in postings.terms.values():
            keys += [UnitKey(postings.space, number) for number in numbers.tolist()]
    if not keys:
        return []
    units = reader.units(scope, keys, Selection(now=now, statuses=CHAIN))
    return [
        unit.memory
        for unit in units.values()
        if unit.memory is not None and comparable(draft, scope, unit.memory)
    ]


def _rivals(
    reader: Reader, scope: Scope, draft: Draft, marked: Sequence[MemoryRecord], now: datetime
) -> list[MemoryRecord]:
    """What fills the draft's slot, under whatever wording of its topic."""
    slot = draft.slot
    if slot is None:
        return []
    found = [r for r in marked if _same_place(slot, r.slot)]
    if slot_mark(slot) is None:
        found += reader.slot_values(
            scope, subject=slot.subject, attribute=slot.attribute, statuses=CHAIN
        )
    elif slot.attribute.startswith("instruction/"):
        known = {r.id for r in found}
        others = reader.slot_values(scope, subject=slot.subject, family="instruction")
        found += [r for r in others if r.id not in known and _lifts(draft, slot, r)]
    return [
        r
        for r in found
        if comparable(draft, scope, r) and (r.expires_at is None or r.expires_at > now)
    ]


def _same_place(slot: Slot, other: Slot | None) -> bool:
    mark = slot_mark(slot)
    return mark is not None and other is not None and mark == slot_mark(other)


def _lifts(draft: Draft, slot: Slot, record: MemoryRecord) -> bool:
    """Whether an instruction undoes one about a wider or narrower topic: 不要自动升级, later
    有新版直接升级. Not so for likes: who likes coffee may well dislike iced coffee."""
    return (
        record.slot is not None
        and is_negative(draft.text) != is_negative(record.text)
        and narrower_topic(_topic(slot), _topic(record.slot))
    )


def _reworded(draft: Draft, marked: Sequence[MemoryRecord]) -> MemoryRecord | None:
    """A live memory that says the same in other words (see `statement_key`)."""
    key = statement_key(draft.text)
    same = [
        record
        for record in marked
        if record.status in LIVE
        and statement_key(record.text) == key
        and _agree(draft.slot, record.slot)
    ]
    return min(same, key=lambda r: r.id, default=None)


def _told_together(
    reader: Reader, scope: Scope, draft: Draft, now: datetime
) -> MemoryRecord | None:
    """A live memory drawn from the same words as the draft, more or less fully: by the agent's
    tool and by extraction, or by the rules and by a model."""
    turns = [s.turn_id for s in draft.sources if s.turn_id is not None]
    near = reader.citing(scope, turns) if turns else []
    if any(source.session is not None for source in draft.sources):
        recent, _ = reader.memories(scope, Selection(now=now, statuses=LIVE), limit=_RECENT)
        near = [*near, *recent]
    alike = (
        record
        for record in near
        if record.status in LIVE
        and comparable(draft, scope, record)
        and any(_same_words(mine, theirs) for mine in draft.sources for theirs in record.sources)
        and (contains(draft.text, record.text) or contains(record.text, draft.text))
        and _agree(draft.slot, record.slot)
    )
    return next(alike, None)


def _same_words(one: Source, other: Source) -> bool:
    if one.turn_id is not None and other.turn_id is not None:
        if one.turn_id != other.turn_id:
            return False
        if one.span is None or other.span is None:
            return True
        return one.span[0] < other.span[1] and other.span[0] < one.span[1]
    # Two direct writes are two statements, however close.
    if one.turn_id == other.turn_id or one.session is None or one.session != other.session:
        return False
    if one.said_at is None or other.said_at is None:
        return False
    return abs(one.said_at - other.said_at) <= _TOGETHER


def _agree(one: Slot | None, other: Slot | None) -> bool:
    return one is None or other is None or value_key(one.value) == value_key(other.value)


def _is_elsewhere(draft: Draft, record: MemoryRecord) -> bool:
    """Whether the draft comes from another turn than the memory, and so confirms it."""
    turns = {s.turn_id for s in record.sources if s.turn_id is not None}
    return not any(s.turn_id in turns for s in draft.sources)


# --- judging ------------------------------------------------------------------------------------


def _twins(draft: Draft, rivals: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """Live memories that fill the draft's slot with the draft's value."""
    return [r for r in rivals if r.status in LIVE and _is_twin(draft, r)]


def _is_twin(draft: Draft, record: MemoryRecord) -> bool:
    if draft.slot is None or record.slot is None:
        return False
    if value_key(draft.slot.value) != value_key(record.slot.value):
        return False
    return record.slot.attribute == draft.slot.attribute or _same_place(draft.slot, record.slot)


def _topic(slot: Slot) -> str:
    return slot.attribute.partition("/")[2]


def _is_older(draft: Draft, record: MemoryRecord, now: datetime) -> bool:
    """Whether what the draft says comes before what the memory says.

    What was said last is current, however far back it reaches ("I have lived here since 2010").
    An application that states when a fact became true means that instead.
    """
    if draft.trust == "application" and draft.valid_from is not None:
        return draft.valid_from < record.valid_from
    return (draft.said_at or now) < last_said(record)


def _belongs_to_past(
    draft: Draft, rivals: Sequence[MemoryRecord], now: datetime
) -> MemoryRecord | None:
    """The superseded value that held when the draft became true."""
    start = start_of(draft, now)
    past = [
        r
        for r in rivals
        if r.status == "superseded"
        and r.valid_from <= start
        and (r.valid_to is None or r.valid_to > start)
    ]
    return max(past, key=lambda r: (r.valid_from, r.id), default=None)


def _belongs_before(
    draft: Draft, target: MemoryRecord, rivals: Sequence[MemoryRecord], now: datetime
) -> bool:
    """Whether another value held between the draft and the target: Paris, then Rome, then Paris
    again is two stays, and a late word about the first is no source of the second."""
    if draft.slot is None or not _is_older(draft, target, now):
        return False
    start = start_of(draft, now)
    return any(
        r.status == "superseded"
        and not _is_twin(draft, r)
        and start < r.valid_from
        and r.valid_from < target.valid_from
        for r in rivals
    )


# --- reasons, in words ----------------------------------------------------------------------------


def _same_reason(draft: Draft, target: MemoryRecord) -> str:
    if fingerprint(draft.text) == fingerprint(target.text):
        return "already known"
    if _is_twin(draft, target):
        return f"already known: {_name(draft.slot)} has this value"
    return "already known in other words"


def _name(slot: Slot | None) -> str:
    return "it" if slot is None else slot.attribute.partition("/")[0]


def _speaker(draft: Draft) -> str:
    return "flagged text" if draft.trust == "flagged" else f"the {draft.trust}"
