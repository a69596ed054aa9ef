"""A statement enters the store: decided first, then written with its reason, in one transaction.

`remember`, the rules and a model's proposals all come through here, so that one fact told three
ways is one memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jiyi.encode.begin import PLANNED
from jiyi.encode.entities import names_in
from jiyi.encode.slots import SLOTS, SlotSpec, label_words
from jiyi.errors import ConflictError
from jiyi.ids import new_id
from jiyi.ports import TermWeights
from jiyi.resolve.authors import is_author
from jiyi.resolve.decide import Decision, decide
from jiyi.resolve.evidence import start_of
from jiyi.resolve.marks import marks_of, moment_marks
from jiyi.resolve.wording import contains
from jiyi.text.normalise import fingerprint
from jiyi.text.terms import date_words, term_weights
from jiyi.types import Draft, MemoryRecord, Outcome, OutcomeStatus, Scope, Slot, Status

if TYPE_CHECKING:
    from jiyi.ports import Store, Writer

T = TypeVar("T")

TermsOf = Callable[["Draft | MemoryRecord"], TermWeights]
"""How a memory is indexed: `record_terms` with a schema."""

_TRIES: Final = 3
"""Transactions per write: writers to one user's space wait for each other, so that only writers of
shared memories can meet, and seldom twice."""

_OPPOSITE: Final[Mapping[str, tuple[str, ...]]] = {
    "like": ("dislike", "讨厌"),
    "dislike": ("like", "enjoy", "喜欢", "爱好"),
}
_ERASED: Final = "this text was erased; only saying it anew brings it back"
_MERGED_TRUST: Final = frozenset({"application", "user"})


def commit(
    writer: Writer,
    scope: Scope,
    draft: Draft,
    *,
    now: datetime,
    run_id: str | None = None,
    heed_tombstones: bool = False,
    terms_of: TermsOf | None = None,
) -> Outcome:
    """Decide what becomes of a draft, and write that.

    Args:
        terms_of: how it is indexed; by default as the built-in schema says.
        heed_tombstones: skip a text that was erased. For imports and for extraction that comes
            late; what is said anew is kept.

    Raises:
        ConflictError: another writer came in between. Only possible for shared memories; roll
            back and begin the transaction again, as `atomically` does.
    """
    if heed_tombstones and writer.is_tombstoned(scope, fingerprint(draft.text)):
        return Outcome(status="skipped", reason=_ERASED)
    draft = _named(draft, scope)
    decision = decide(writer, scope, draft, now=now)
    return carry_out(writer, scope, draft, decision, now=now, run_id=run_id, terms_of=terms_of)


def carry_out(
    writer: Writer,
    scope: Scope,
    draft: Draft,
    decision: Decision,
    *,
    now: datetime,
    run_id: str | None = None,
    terms_of: TermsOf | None = None,
) -> Outcome:
    """Write what was decided about a draft."""
    draft = decision.draft or draft
    if decision.action != "merge":
        draft = _beside(writer, scope, draft, now)
    step = _Commit(writer, scope, draft, decision, now, run_id, terms_of or record_terms)
    return step.merge() if decision.action == "merge" else step.add()


def atomically(store: Store, work: Callable[[Writer], T]) -> T:
    """Run `work` in one transaction; from the start again when another writer got in between.

    Raises:
        ConflictError: it happened three times.
    """
    for _ in range(_TRIES - 1):
        try:
            with store.write() as writer:
                return work(writer)
        except ConflictError:
            continue
    with store.write() as writer:
        return work(writer)


def record_terms(
    memory: Draft | MemoryRecord, *, schema: Mapping[str, SlotSpec] = SLOTS
) -> TermWeights:
    """What a memory is found by: its text and its date in words, as a turn is; and beside them,
    without making it longer, its tags, entities, and the words of both languages that name its
    slot ("where do I live" finds 我住在北京), its marks, for deciding on later statements, and what
    it says of names."""
    when = (memory.event.at if memory.event else None) or memory.valid_from or memory.said_at
    told = term_weights(memory.text, context=[date_words(when)] if when is not None else [])
    aside = term_weights(
        " ", context=[*memory.tags, *memory.entities, *_slot_words(memory.slot, schema)]
    )
    marks = (*marks_of(memory.text, memory.slot), *moment_marks(memory.sources))
    beside = dict.fromkeys((*aside.counts, *marks), 1)
    return TermWeights({**beside, **told.counts}, told.length, *names_in(memory))


def _slot_words(slot: Slot | None, schema: Mapping[str, SlotSpec]) -> tuple[str, ...]:
    if slot is None:
        return ()
    subject = () if slot.subject == "user" else (slot.subject,)
    # A liking is not to be found as a dislike, though both fill one attribute.
    opposite = _OPPOSITE.get(slot.value, ())
    return subject + tuple(w for w in label_words(slot.attribute, schema) if w not in opposite)


@dataclass(frozen=True, slots=True)
class _Commit:
    """One decision on its way into the store."""

    writer: Writer
    scope: Scope
    draft: Draft
    decision: Decision
    now: datetime
    run_id: str | None
    terms_of: TermsOf

    def add(self) -> Outcome:
        """A new memory: current, a candidate, or (said late) history from the start."""
        decision, new = self.decision, new_id()
        kept = _dated(
            self.draft if decision.keep_slot else replace(self.draft, slot=None), self.now
        )
        start, end = start_of(kept, self.now), kept.valid_to
        status: Status = "candidate" if kept.candidate else "active"
        replaced: tuple[str, ...] = ()
        superseded_by: str | None = None
        if decision.action == "supersede":
            replaced = self.end(decision.replaced, start, by=new)
        elif decision.action == "late" and decision.target is not None:
            status, superseded_by = "superseded", decision.target.id
            end = decision.until
            self.end(decision.others, start, by=new)
        elif decision.action == "plan":
            replaced = self.end(decision.plans, start, by=new)
            self.foresee(start, by=new)
        self.writer.add_memory(
            self.scope,
            kept,
            id=new,
            fingerprint=fingerprint(kept.text),
            terms=self.terms_of(kept),
            recorded_at=self.now,
            said_at=kept.said_at or self.now,
            status=status,
            superseded_by=superseded_by,
            valid_to=end,
            reason=decision.reason,
            run_id=self.run_id,
        )
        outcome: OutcomeStatus = "superseding" if replaced else "stored"
        if status == "candidate":
            outcome = "candidate"
        return Outcome(status=outcome, memory_id=new, reason=decision.reason, replaced=replaced)

    def merge(self) -> Outcome:
        """Another source of a known memory, which may confirm it or tell more about it."""
        draft, target = self.draft, self.decision.target
        if target is None:
            raise ConflictError("a merge without a memory to merge into")
        if not is_author(target, self.scope):
            return self._echo(target)
        changes = _gains(draft, target, self.decision)
        mark = fingerprint(draft.text)
        same = self.writer.find_same(self.scope, draft, mark, now=self.now)
        if _says_more(draft, target) and same is None:
            changes["text"] = draft.text
        added = [
            self.writer.add_source(
                self.scope, target.id, source, at=self.now, reason=self.decision.reason
            )
            for source in draft.sources
        ]
        replaced: tuple[str, ...] = ()
        if changes.get("status", target.status) != "candidate":
            replaced = self.end(self.decision.others, start_of(draft, self.now), by=target.id)
        if changes:
            indexed = {name: changes[name] for name in ("text", "slot") if name in changes}
            self.writer.change_memory(
                self.scope,
                target.id,
                changes,
                at=self.now,
                action="confirmed" if "status" in changes else "merged",
                reason=self.decision.reason,
                run_id=self.run_id,
                fingerprint=mark if "text" in changes else None,
                terms=self.terms_of(replace(target, **indexed)) if indexed else None,
            )
        news = any(added) or bool(changes)
        return Outcome(
            status="superseding" if replaced else "merged",
            memory_id=target.id,
            reason=self.decision.reason if news else f"{self.decision.reason}, from this source",
            replaced=replaced,
        )

    def _echo(self, target: MemoryRecord) -> Outcome:
        """What another user shares, said again: it stays theirs, and learns only the turn."""
        for source in self.draft.sources:
            if source.turn_id is not None:
                self.writer.add_source(
                    self.scope, target.id, source, at=self.now, reason=self.decision.reason
                )
        replaced = self.end(self.decision.others, start_of(self.draft, self.now), by=target.id)
        reason = f"{self.decision.reason}: another user shares it"
        return Outcome(status="merged", memory_id=target.id, reason=reason, replaced=replaced)

    def foresee(self, start: datetime, *, by: str) -> None:
        """Give what holds now the day as its end on which the planned `by` begins."""
        target = self.decision.target
        current = () if target is None else (target, *self.decision.others)
        for record in current:
            self.writer.change_memory(
                self.scope,
                record.id,
                {"valid_to": start, "expires_at": start},
                at=self.now,
                action=PLANNED,
                reason=self.decision.reason,
                other_id=by,
                run_id=self.run_id,
            )
        if current:
            payload = {"memory": by, "ends": [record.id for record in current]}
            self.writer.enqueue(self.scope, "begin", payload, at=self.now, due=start)

    def end(
        self, records: tuple[MemoryRecord, ...], start: datetime, *, by: str
    ) -> tuple[str, ...]:
        """Mark memories as superseded by `by`, true until its start."""
        for record in records:
            until = max(record.valid_from, start)
            self.writer.change_memory(
                self.scope,
                record.id,
                {
                    "status": "superseded",
                    "superseded_by": by,
                    "valid_to": until if record.valid_to is None else min(until, record.valid_to),
                },
                at=self.now,
                action="superseded",
                reason=self.decision.reason,
                other_id=by,
                run_id=self.run_id,
            )
        return tuple(record.id for record in records)


def _gains(draft: Draft, target: MemoryRecord, decision: Decision) -> dict[str, Any]:
    """What a memory learns from being said again; absent fields clear nothing."""
    changes: dict[str, Any] = {}
    if decision.confirms:
        changes["status"] = "active"
        if target.slot is not None and not decision.keep_slot:
            changes["slot"] = None
    if target.slot is None and draft.slot is not None and decision.keep_slot:
        changes["slot"] = draft.slot
    if draft.importance > target.importance:
        changes["importance"] = draft.importance
    if draft.confidence > target.confidence:
        changes["confidence"] = draft.confidence
    if draft.pinned and not target.pinned:
        changes["pinned"] = True
    if draft.trust in _MERGED_TRUST and target.trust not in _MERGED_TRUST:
        changes["trust"] = draft.trust
    earlier = draft.valid_from or draft.said_at
    if earlier is not None and earlier < target.valid_from:
        changes["valid_from"] = earlier
    return changes


def _says_more(draft: Draft, target: MemoryRecord) -> bool:
    """Whether the new wording holds every word of the old one and more: then it is kept instead.

    A wording that differs otherwise stays in its turn; taking it would lose the old one's words.
    """
    if draft.candidate or draft.trust not in _MERGED_TRUST:
        return False
    return contains(draft.text, target.text)


def _named(draft: Draft, scope: Scope) -> Draft:
    """A shared fact about "the user" names that user: its readers are others."""
    slot = draft.slot
    if draft.visibility != "shared" or slot is None or slot.subject != "user" or not scope.user:
        return draft
    return replace(draft, slot=replace(slot, subject=scope.user))


def _beside(writer: Writer, scope: Scope, draft: Draft, now: datetime) -> Draft:
    """A shared value stands beside the one that another user shares: only its author replaces that
    one. So the place holds several then, and `conflicts` lists them."""
    slot = draft.slot
    if draft.visibility != "shared" or slot is None or slot.cardinality != "one":
        return draft
    held = writer.slot_values(scope, subject=slot.subject, attribute=slot.attribute, now=now)
    if all(r.visibility != "shared" or is_author(r, scope) for r in held):
        return draft
    return replace(draft, slot=replace(slot, cardinality="many"))


def _dated(draft: Draft, now: datetime) -> Draft:
    """The draft with its start filled in; a past whose start nobody told is held for one day."""
    start = start_of(draft, now)
    if draft.valid_to is not None and draft.valid_to <= start:
        start = draft.valid_to - timedelta(days=1)
    return replace(draft, valid_from=start, expires_at=_end_of_life(draft, now))


def _end_of_life(draft: Draft, now: datetime) -> datetime | None:
    """A fact that is known to end is live until then. One that had ended when it was told is a
    statement about the past, and stays."""
    ends = draft.valid_to
    if ends is None or ends <= now:
        return draft.expires_at
    return ends if draft.expires_at is None else min(ends, draft.expires_at)
