"""An archive enters a store: value by value, in transactions of a bounded size, without a model.

Values are merged by id, so that an interrupted load is simply begun again. What only the program
above can know is decided here: how a text is indexed, and what becomes of a memory whose place is
taken by another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

from jiyi.archived import (
    Archived,
    ArchivedDigest,
    ArchivedDocument,
    ArchivedEvent,
    ArchivedMemory,
    ArchivedSession,
    ArchivedTurn,
    LoadReport,
    Restored,
)
from jiyi.encode.begin import PLANNED
from jiyi.encode.commit import TermsOf, atomically, record_terms
from jiyi.encode.documents import passage_terms
from jiyi.encode.intake import turn_terms
from jiyi.errors import ConflictError
from jiyi.ports import audience
from jiyi.text.normalise import fingerprint
from jiyi.types import Draft, MemoryRecord, Scope, Version

if TYPE_CHECKING:
    from jiyi.ports import Store, TermWeights, Writer

BATCH: Final = 200
"""Values per transaction: others who write wait for a fraction of a second."""

_SAME: Final = "a loaded memory says the same as this one"
_NEWER: Final = "a loaded memory fills the same place later"
_OLDER: Final = "a memory that was here fills the same place"
_WORK_BATCH: Final = 10  # turns per job, as a chat model reads them

Work = Literal["extract", "read"]


def restore(
    store: Store,
    values: Iterable[Archived],
    *,
    now: datetime,
    name_of: Callable[[Archived], str],
    progress: Callable[[int], None] | None = None,
    terms_of: TermsOf = record_terms,
) -> LoadReport:
    """Take the values of an archive into a store.

    Args:
        name_of: the kind under which the report counts a value.
        progress: called with the number of values after each transaction.
        terms_of: how a memory is indexed.
    """
    run = _Run(now, name_of, terms_of)
    values, done = iter(values), 0
    while batch := list(islice(values, BATCH)):
        run.note(atomically(store, lambda writer: run.take(writer, batch)))
        done += len(batch)
        if progress is not None:
            progress(done)
    run.note(atomically(store, run.settle))
    return run.report()


def scope_of(value: Archived) -> Scope:
    """Whose value it is."""
    if isinstance(value, ArchivedTurn):
        return value.turn.scope
    return value.record.scope if isinstance(value, ArchivedMemory) else value.scope


@dataclass
class _Batch:
    """What one transaction came to; noted when it has been committed."""

    results: Counter[tuple[Restored, str]] = field(default_factory=Counter)
    away: set[str] = field(default_factory=set)
    deferred: list[ArchivedMemory] = field(default_factory=list)
    waiting: dict[tuple[Scope, Work], list[str]] = field(default_factory=dict)


class _Run:
    """One load: what has been kept out so far, and what has to wait for the rest."""

    def __init__(
        self, now: datetime, name_of: Callable[[Archived], str], terms_of: TermsOf
    ) -> None:
        self._terms_of = terms_of
        self._now = now
        self._name_of = name_of
        self._results: Counter[tuple[Restored, str]] = Counter()
        self._waiting = 0
        # Ids of turns that were erased here, and of memories that are not as the archive has them.
        self._away: set[str] = set()
        self._deferred: list[ArchivedMemory] = []

    def note(self, batch: _Batch) -> None:
        self._results += batch.results
        self._waiting += sum(map(len, batch.waiting.values()))
        self._away |= batch.away
        self._deferred = batch.deferred

    def report(self) -> LoadReport:
        by: dict[Restored, dict[str, int]] = {}
        for (result, name), number in self._results.items():
            by.setdefault(result, {})[name] = number
        return LoadReport(**by, waiting=self._waiting)

    def take(self, writer: Writer, values: list[Archived]) -> _Batch:
        batch = _Batch(deferred=list(self._deferred))
        for value in values:
            # Deferred memories are settled before anything that speaks of them.
            if batch.deferred and not isinstance(value, ArchivedMemory):
                self._settle(writer, batch)
            result = self._take(writer, value, batch)
            if result is not None:
                batch.results[result, self._name_of(value)] += 1
        self._queue(writer, batch)
        return batch

    def settle(self, writer: Writer) -> _Batch:
        """What still waits when the archive has ended."""
        batch = _Batch(deferred=list(self._deferred))
        self._settle(writer, batch)
        return batch

    def _take(self, writer: Writer, value: Archived, batch: _Batch) -> Restored | None:
        away = self._away | batch.away if batch.away else self._away
        match value:
            case ArchivedTurn():
                return self._take_turn(writer, value, batch)
            case ArchivedMemory():
                return self._take_memory(writer, value, away, batch)
            case ArchivedDocument():
                terms = [passage_terms(value.document, each) for each in value.passages]
                return writer.restore_document(value, terms)
            case ArchivedEvent() if value.event.memory_id in away:
                return "blocked"
            case ArchivedDigest() if not away.isdisjoint(value.cites):
                batch.away.add(value.memory_id)
                return "blocked"
            case ArchivedSession() if not away.isdisjoint(value.cites):
                return writer.restore(replace(value, summary=None, cites=()))
            case ArchivedEvent():
                return self._take_event(writer, value)
        return writer.restore(value)

    def _take_event(self, writer: Writer, value: ArchivedEvent) -> Restored:
        """An event; one that foresees an end has work waiting for its day, whatever has become of
        the plan: the work looks."""
        result, event = writer.restore(value), value.event
        if result == "added" and event.action == PLANNED:
            payload = {"memory": event.other_id, "ends": [event.memory_id]}
            writer.enqueue(value.scope, "begin", payload, at=self._now, due=self._now)
        return result

    def _take_turn(self, writer: Writer, value: ArchivedTurn, batch: _Batch) -> Restored:
        turn = value.turn
        result = writer.restore_turn(turn, turn_terms(turn))
        if result == "blocked":
            batch.away.add(turn.id)
        elif result == "added" and turn.encodable:
            for work in value.waiting:
                batch.waiting.setdefault((turn.scope, work), []).append(turn.id)
        return result

    def _take_memory(
        self, writer: Writer, value: ArchivedMemory, away: set[str], batch: _Batch
    ) -> Restored | None:
        record = value.record
        kept = _without(value, away)
        if kept is None or record.id in away:
            batch.away.add(record.id)
            return "blocked"
        try:
            result = writer.restore_memory(kept, self._indexed(kept), at=self._now)
        except ConflictError:
            batch.deferred.append(kept)
            return None
        if result in ("blocked", "differs"):
            batch.away.add(record.id)
        return result

    def _settle(self, writer: Writer, batch: _Batch) -> None:
        """Memories whose place was taken: perhaps it is free by now, else the later one holds."""
        for kept in batch.deferred:
            try:
                result = writer.restore_memory(kept, self._indexed(kept), at=self._now)
            except ConflictError:
                result = self._make_room(writer, kept)
            batch.results[result, self._name_of(kept)] += 1
        batch.deferred.clear()

    def _indexed(self, kept: ArchivedMemory) -> list[tuple[bytes, TermWeights]]:
        """The fingerprint and index terms of each state's text."""
        return [(fingerprint(v.record.text), self._terms_of(v.record)) for v in kept.versions]

    def _make_room(self, writer: Writer, kept: ArchivedMemory) -> Restored:
        record, now = kept.record, self._now
        draft = Draft(text=record.text, visibility=record.visibility)
        if record.expires_at is not None and record.expires_at <= now:
            return self._ended(writer, kept, "expired", None, None)
        same = writer.find_same(record.scope, draft, fingerprint(record.text), now=now)
        if same is not None:
            for source in record.sources:
                writer.add_source(record.scope, same.id, source, at=now, reason=_SAME)
            return self._ended(writer, kept, "superseded", same.id, _SAME)
        rivals = _rivals(writer, record, now)
        later = next((rival for rival in rivals if rival.valid_from >= record.valid_from), None)
        if later is not None:
            return self._ended(writer, kept, "superseded", later.id, _OLDER)
        for rival in rivals:
            writer.change_memory(
                record.scope,
                rival.id,
                {
                    "status": "superseded",
                    "superseded_by": record.id,
                    "valid_to": record.valid_from,
                },
                at=now,
                action="superseded",
                reason=_NEWER,
                other_id=record.id,
            )
        return writer.restore_memory(kept, self._indexed(kept), at=now)

    def _ended(
        self,
        writer: Writer,
        kept: ArchivedMemory,
        status: Literal["expired", "superseded"],
        by: str | None,
        reason: str | None,
    ) -> Restored:
        """The memory with its history, and one more state: it is live no longer."""
        last = kept.versions[-1]
        since = max(self._now, last.known_from)
        ended = replace(
            last.record,
            status=status,
            superseded_by=by or last.record.superseded_by,
            reason=reason or last.record.reason,
        )
        states = (
            *kept.versions[:-1],
            replace(last, known_to=since),
            Version(record=ended, known_from=since, known_to=None, reason=ended.reason),
        )
        longer = replace(kept, versions=states)
        return writer.restore_memory(longer, self._indexed(longer), at=self._now)

    def _queue(self, writer: Writer, batch: _Batch) -> None:
        for (scope, work), ids in batch.waiting.items():
            for start in range(0, len(ids), _WORK_BATCH):
                payload = {"turns": ids[start : start + _WORK_BATCH]}
                writer.enqueue(scope, work, payload, at=self._now, due=self._now)


def _without(kept: ArchivedMemory, away: set[str]) -> ArchivedMemory | None:
    """The memory without sources that were erased here; None when that leaves it none."""
    last = kept.versions[-1]
    sources = last.record.sources
    left = tuple(source for source in sources if source.turn_id not in away)
    if len(left) == len(sources):
        return kept
    if not left:
        return None
    record = replace(last.record, sources=left)
    return replace(kept, versions=(*kept.versions[:-1], replace(last, record=record)))


def _rivals(writer: Writer, record: MemoryRecord, now: datetime) -> list[MemoryRecord]:
    """Live memories that hold the one-valued slot of `record`."""
    slot = record.slot
    if slot is None or slot.cardinality == "many" or record.status != "active":
        return []
    whose = audience(record.visibility, record.scope)
    return [
        other
        for other in writer.slot_values(
            record.scope, subject=slot.subject, attribute=slot.attribute, now=now
        )
        if audience(other.visibility, other.scope) == whose
        and other.valid_to is None
        and other.id != record.id
        and other.slot is not None
        and other.slot.cardinality == "one"
    ]
