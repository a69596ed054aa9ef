"""Current before stale: what has been replaced ranks under what replaced it, whatever its words.

A unit has been replaced when it is a superseded memory (returned on request), a verbatim turn whose
facts were superseded, or an older statement that a newer one repeats but for a detail. A turn that
says more than one thing has been replaced for the questions that its superseded part answers.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from jiyi.ports import StoredUnit
from jiyi.recall.candidate import Candidate
from jiyi.recall.cold import place_cold
from jiyi.text.terms import term_weights
from jiyi.types import UnitKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from jiyi.ports import Reader, Selection
    from jiyi.recall.settings import RecallSettings
    from jiyi.types import MemoryRecord, Scope

_STEP = 1e-4  # how far under its successor a replaced unit stands; scores are of the order of 1
_STATEMENT = 300  # characters: longer texts say more than one thing, and replace nothing as a whole
_REPLACED = frozenset({"superseded", "retracted"})
_COLD = frozenset({"archived", "expired"})
_SAME_MATCH = 0.15  # twins hold about the same share of the question


def place_replaced(
    reader: Reader,
    scope: Scope,
    candidates: list[Candidate],
    selection: Selection,
    terms: Mapping[str, float],
) -> None:
    """Mark replaced units, bring in their successors, and put each under its successor.

    The successor takes the place that the replaced unit earned: the question was about this fact.
    A turn all of whose facts were taken back has no successor, and leaves. In the past (`as_of`,
    `known_at`) nothing that the selection lets through was replaced yet. `terms` are the weighted
    terms of the question.
    """
    if selection.as_of is not None or selection.known_at is not None:
        return
    for candidate in candidates:
        stored = candidate.stored
        if stored.memory is not None:
            candidate.later = stored.memory.superseded_by
        elif stored.stale:
            candidate.later = stored.later
            candidate.cut = None if stored.later else "taken back"
    _mark_outdated(reader, scope, candidates, terms)
    known = {c.id: c for c in candidates}
    missing = {c.later for c in candidates if c.later is not None} - known.keys()
    for successor in _read(reader, scope, sorted(missing), selection):
        known[successor.id] = successor
        candidates.append(successor)
    chains = defaultdict(list)
    for candidate in candidates:
        if candidate.later in known:
            chains[_last(candidate, known).id].append(candidate)
    for id, replaced in chains.items():
        _order(known[id], replaced)
    place_cold(candidates)


def _mark_outdated(
    reader: Reader, scope: Scope, candidates: Sequence[Candidate], terms: Mapping[str, float]
) -> None:
    """Mark turns of which the part that meets the question was superseded or taken back."""
    mixed = {
        c.id: c
        for c in candidates
        if c.stored.turn is not None and c.stored.cited and not c.stored.stale and not c.cut
    }
    parts: dict[str, list[tuple[tuple[int, int], MemoryRecord]]] = defaultdict(list)
    standing: dict[str, set[str]] = defaultdict(set)
    for record in reader.citing(scope, list(mixed)) if mixed else ():
        for source in record.sources:
            if source.turn_id not in mixed:
                continue
            standing[source.turn_id].add(record.status)
            if source.span is not None:
                parts[source.turn_id].append((source.span, record))
    for id, statuses in standing.items():
        left = statuses - _REPLACED
        mixed[id].cold = bool(left) and left <= _COLD
    for id, told in parts.items():
        if all(record.status not in _REPLACED for _, record in told):
            continue
        text = mixed[id].stored.turn.text  # type: ignore[union-attr]
        old = [(span, r) for span, r in told if r.status in _REPLACED]
        met = [(_meets(text[slice(*span)], terms), r) for span, r in old]
        rest = _meets(_without(text, [span for span, _ in old]), terms)
        best, record = max(met, key=lambda pair: pair[0])
        if best >= rest:
            mixed[id].later = record.superseded_by
            mixed[id].cut = None if record.superseded_by else "taken back"


def _meets(text: str, terms: Mapping[str, float]) -> float:
    """The weight of the question's terms that a text holds."""
    held = term_weights(text).counts
    return sum(weight for term, weight in terms.items() if term in held)


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}\n{text[end:]}"
    return text


def place_twins(candidates: Sequence[Candidate], settings: RecallSettings) -> None:
    """Put an older turn under a newer one of the same speaker that repeats most of it.

    "The head of X is A", later "the head of X is B": a list of facts without slots still tells the
    newer from the older. Two texts are twins when the shorter shares `settings.twins` of its terms
    with the other. Memories are left alone: whether one replaces another was decided when they
    were written. Only the best candidates are compared.
    """
    near = [
        c
        for c in candidates
        if c.stored.turn is not None and c.cut is None and len(c.text) <= _STATEMENT
    ]
    oldest_first = sorted((_said(c), i) for i, c in enumerate(near[: settings.twin_pool]))
    statements = [_Statement(near[i]) for _, i in oldest_first]
    for place, older in enumerate(statements):
        # The newest twin decides: what lies between is replaced by it as well.
        for newer in reversed(statements[place + 1 :]):
            if newer.may_replace(older) and newer.overlap(older) >= settings.twins:
                _order(newer.candidate, [older.candidate])
                break


class _Statement:
    """A short text among the best candidates, with what makes it a twin of another."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.length = len(candidate.text)
        turn = candidate.stored.turn
        self.speaker = None if turn is None else (turn.role, turn.name)
        self._terms: frozenset[str] | None = None

    @property
    def terms(self) -> frozenset[str]:
        if self._terms is None:
            self._terms = frozenset(term_weights(self.candidate.text).counts)
        return self._terms

    def may_replace(self, older: _Statement) -> bool:
        """What is cheap to know before the words are compared."""
        return (
            abs(self.candidate.matched - older.candidate.matched) < _SAME_MATCH
            and 0.5 < self.length / older.length < 2
            and self.speaker == older.speaker
        )

    def overlap(self, other: _Statement) -> float:
        """Share of the terms of the shorter text that the other holds as well, from 0 to 1."""
        shorter = min(len(self.terms), len(other.terms))
        return len(self.terms & other.terms) / (shorter or 1)


def _order(successor: Candidate, replaced: list[Candidate]) -> None:
    best = max(c.score for c in replaced)
    if best >= successor.score:
        successor.add("succession", best + _STEP - successor.score)
    ceiling = successor.score
    for candidate in sorted(replaced, key=_said, reverse=True):
        ceiling = min(candidate.score, ceiling - _STEP)
        candidate.add("succession", ceiling - candidate.score)


def _last(candidate: Candidate, known: dict[str, Candidate]) -> Candidate:
    seen = {candidate.id}
    while candidate.later in known and candidate.later not in seen:
        seen.add(candidate.later)
        candidate = known[candidate.later]
    return candidate


def _read(
    reader: Reader, scope: Scope, ids: Sequence[str], selection: Selection
) -> list[Candidate]:
    if not ids:
        return []
    records, _ = reader.memories(scope, replace(selection, ids=tuple(ids)))
    return [
        Candidate(
            stored=StoredUnit(unit="memory", key=UnitKey(-1, -1), memory=record),
            score=0.0,
            scores={},
        )
        for record in records
    ]


def _said(candidate: Candidate) -> tuple[datetime, int]:
    stored = candidate.stored
    held = stored.memory or stored.turn
    assert held is not None  # noqa: S101  # a stored unit holds one of the two
    return held.said_at, stored.key.number
