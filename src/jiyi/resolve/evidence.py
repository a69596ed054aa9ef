"""What a statement may touch in the store: the same statement, and what fills its slot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from jiyi.ports import Selection, audience
from jiyi.resolve.authors import is_author
from jiyi.resolve.marks import TOGETHER, is_moment, marks_of, moment_marks, slot_mark
from jiyi.resolve.wording import contains, is_negative, narrower_topic, statement_key, value_key
from jiyi.text.normalise import fingerprint
from jiyi.types import Draft, MemoryRecord, Scope, Slot, Source, Status, UnitKey

if TYPE_CHECKING:
    from jiyi.ports import Reader

LIVE: Final[frozenset[Status]] = frozenset({"active", "candidate"})
CHAIN: Final[frozenset[Status]] = frozenset({"active", "candidate", "superseded"})

_RECENT: Final = 8
"""How many memories of the moment are compared with what a tool, or the rules, wrote just now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known that a draft may touch; all of the draft's audience.

    `same` says the same text, or the same in other words; the same text may be another user's who
    shares it. `rivals` fill the draft's slot, or one
    that differs in wording only: active, candidate and superseded ones.
    """

    same: MemoryRecord | None = None
    rivals: tuple[MemoryRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """One look into the store on behalf of a draft."""

    reader: Reader
    scope: Scope
    draft: Draft
    now: datetime

    def evidence(self) -> Evidence:
        """What the draft may touch."""
        draft = self.draft
        marks, moments = marks_of(draft.text, draft.slot), moment_marks(draft.sources, across=True)
        places = self._places((*marks, *moments))
        marked = self._memories(places, marks, LIVE)
        rivals = self._rivals(marked, LIVE)
        if any(is_older(draft, rival, self.now) for rival in rivals):
            # It comes late: only then does it matter what was true before.
            marked = self._memories(places, marks, CHAIN)
            rivals = self._rivals(marked, CHAIN)
        same = self.reader.find_same(self.scope, draft, fingerprint(draft.text), now=self.now)
        if same is None and not twins_of(draft, rivals):
            same = _reworded(draft, marked)
            if same is None:
                same = self._told_together(self._memories(places, moments, LIVE))
        return Evidence(same=same, rivals=tuple(rivals))

    def _places(self, marks: Sequence[str]) -> dict[str, list[UnitKey]]:
        """Where each mark is found; of those of a moment the newest."""
        places: dict[str, list[UnitKey]] = {}
        for postings in self.reader.postings(self.scope, marks):
            for mark, (numbers, _) in postings.terms.items():
                found = numbers[-_RECENT:] if is_moment(mark) else numbers
                keys = [UnitKey(postings.space, number) for number in found.tolist()]
                places.setdefault(mark, []).extend(keys)
        return places

    def _memories(
        self,
        places: Mapping[str, Sequence[UnitKey]],
        marks: Sequence[str],
        statuses: frozenset[Status],
    ) -> list[MemoryRecord]:
        """The comparable memories with one of these marks."""
        keys = [key for mark in marks for key in places.get(mark, ())]
        if not keys:
            return []
        selection = Selection(now=self.now, statuses=statuses)
        found = [u.memory for u in self.reader.units(self.scope, keys, selection).values()]
        return [m for m in found if m is not None and comparable(self.draft, self.scope, m)]

    def _rivals(
        self, marked: Sequence[MemoryRecord], statuses: frozenset[Status]
    ) -> list[MemoryRecord]:
        """What fills the draft's slot, under whatever wording of its topic."""
        draft, slot = self.draft, self.draft.slot
        if slot is None:
            return []
        found = [r for r in marked if _same_place(slot, r.slot)]
        if slot_mark(slot) is None:
            found += self.reader.slot_values(
                self.scope, subject=slot.subject, attribute=slot.attribute, statuses=statuses
            )
        elif slot.attribute.startswith("instruction/"):
            known = {r.id for r in found}
            found += [r for r in self._akin(slot) if r.id not in known and _lifts(draft, r)]
        return [
            r
            for r in found
            if comparable(draft, self.scope, r)
            and (r.expires_at is None or r.expires_at > self.now)
        ]

    def _akin(self, slot: Slot) -> list[MemoryRecord]:
        """Instructions about a wider or narrower topic."""
        topic = slot.attribute.partition("/")[2]
        held = self.reader.slot_attributes(self.scope, subject=slot.subject, family="instruction")
        return [
            record
            for attribute in held
            if narrower_topic(topic, attribute.partition("/")[2])
            for record in self.reader.slot_values(
                self.scope, subject=slot.subject, attribute=attribute
            )
        ]

    def _told_together(self, near: Sequence[MemoryRecord]) -> MemoryRecord | None:
        """A live memory drawn from the same words as the draft, more or less fully: by the agent's
        tool and by extraction, or by the rules and by a model. `near` came in just now."""
        draft = self.draft
        turns = [s.turn_id for s in draft.sources if s.turn_id is not None]
        cited = self.reader.citing(self.scope, turns) if turns else []
        alike = (
            record
            for record in (*cited, *near)
            if record.status in LIVE
            and comparable(draft, self.scope, record)
            and any(_same_words(a, b) for a in draft.sources for b in record.sources)
            and (contains(draft.text, record.text) or contains(record.text, draft.text))
            and _agree(draft.slot, record.slot)
        )
        return next(alike, None)


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
    # Of what users share, too: each changes their own.
    return is_author(record, scope)


def twins_of(draft: Draft, rivals: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """Live memories that fill the draft's slot with the draft's value."""
    return [r for r in rivals if r.status in LIVE and is_twin(draft, r)]


def is_twin(draft: Draft, record: MemoryRecord) -> bool:
    if draft.slot is None or record.slot is None:
        return False
    if value_key(draft.slot.value) != value_key(record.slot.value):
        return False
    return record.slot.attribute == draft.slot.attribute or _same_place(draft.slot, record.slot)


def is_older(draft: Draft, record: MemoryRecord, now: datetime) -> bool:
    """Whether what the draft says comes before what the memory says.

    What was said last is current, however far back it reaches ("I have lived here since 2010").
    An application that states when a fact became true means that instead.
    """
    if draft.trust == "application" and draft.valid_from is not None:
        return draft.valid_from < record.valid_from
    return (draft.said_at or now) < last_said(record)


def _same_place(slot: Slot, other: Slot | None) -> bool:
    mark = slot_mark(slot)
    return mark is not None and other is not None and mark == slot_mark(other)


def _lifts(draft: Draft, record: MemoryRecord) -> bool:
    """Whether an instruction undoes one about a wider or narrower topic: 不要自动升级, later
    有新版直接升级. Not so for likes: who likes coffee may well dislike iced coffee."""
    return is_negative(draft.text) != is_negative(record.text)


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
    return abs(one.said_at - other.said_at) <= TOGETHER


def _agree(one: Slot | None, other: Slot | None) -> bool:
    return one is None or other is None or value_key(one.value) == value_key(other.value)
