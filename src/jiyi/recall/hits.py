"""From a candidate to the hit that the caller sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.types import Hit, Source

if TYPE_CHECKING:
    from jiyi.ports import Reader, Selection, StoredUnit
    from jiyi.recall.candidate import Candidate
    from jiyi.types import Scope, Trust, Turn


def to_hit(
    reader: Reader, scope: Scope, candidate: Candidate, selection: Selection, neighbours: int
) -> Hit:
    """The candidate as the caller sees it, with up to `neighbours` turns on each side of a turn."""
    stored, scores = candidate.stored, dict(candidate.scores)
    if stored.memory is not None:
        record = stored.memory
        return Hit(
            unit=stored.unit,
            id=record.id,
            text=record.text,
            score=candidate.score,
            scores=scores,
            scope=record.scope,
            recorded_at=record.recorded_at,
            kind=record.kind,
            status=record.status,
            said_at=record.said_at,
            valid_from=record.valid_from,
            valid_to=record.valid_to,
            superseded_by=record.superseded_by,
            later=candidate.later,
            sources=record.sources,
            tags=record.tags,
            meta=record.meta,
            trust=record.trust,
            flags=record.flags,
            importance=record.importance,
        )
    if stored.passage is not None:
        return _passage_hit(candidate, stored)
    turn = stored.turn
    assert turn is not None  # noqa: S101
    return Hit(
        unit=stored.unit,
        id=turn.id,
        text=candidate.text,
        score=candidate.score,
        scores=scores,
        scope=turn.scope,
        recorded_at=turn.recorded_at,
        status="archived" if candidate.cold else None,
        role=turn.role,
        name=turn.name,
        said_at=turn.said_at,
        later=candidate.later,
        neighbours=_around(reader, scope, stored, selection, neighbours),
        meta=turn.meta,
        trust=_trust(turn),
    )


def _passage_hit(candidate: Candidate, stored: StoredUnit) -> Hit:
    """A passage, citing its document by title and headings."""
    passage, document = stored.passage, stored.document
    assert passage is not None  # noqa: S101
    assert document is not None  # noqa: S101  # a passage comes with it
    places = dict.fromkeys((document.title, *passage.heading))
    return Hit(
        unit=stored.unit,
        id=passage.id,
        text=passage.text,
        score=candidate.score,
        scores=dict(candidate.scores),
        scope=document.scope,
        recorded_at=document.changed_at,
        name=document.title,
        sources=(Source(id=document.id, span=passage.span, label=" › ".join(places)),),
        meta=passage.meta,
        trust="document",
        flags=passage.flags,
    )


def _around(
    reader: Reader, scope: Scope, stored: StoredUnit, selection: Selection, count: int
) -> tuple[Turn, ...]:
    """The turns of the same session before and after, in order of saying."""
    before, after = stored.previous, stored.next
    earlier: list[Turn] = []
    later: list[Turn] = []
    for _ in range(count):
        keys = [key for key in (before, after) if key is not None]
        found = reader.units(scope, keys, selection) if keys else {}
        left = found.get(before) if before is not None else None
        right = found.get(after) if after is not None else None
        before = left.previous if left is not None else None
        after = right.next if right is not None else None
        if left is not None and left.turn is not None:
            earlier.insert(0, left.turn)
        if right is not None and right.turn is not None:
            later.append(right.turn)
    return (*earlier, *later)


def _trust(turn: Turn) -> Trust:
    return turn.role if turn.role in ("user", "assistant", "tool") else "application"
