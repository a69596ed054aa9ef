"""A unit that recall looks at closely, with its scores and the reason it left, if it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jiyi.recall.evidence import Evidence, Gathered, best_first
from jiyi.types import CandidateTrace, UnitKey

if TYPE_CHECKING:
    from jiyi.ports import Reader, Selection, StoredUnit
    from jiyi.recall.settings import RecallSettings
    from jiyi.types import Scope

_FIRST_BATCH = 1.2  # times the pool: pieces of one turn and what is no longer valid take places


@dataclass(slots=True)
class Candidate:
    """One unit on its way to a hit. `score` is what ranks it; `scores` are its parts by name.
    `cold` is a turn of which every memory was archived."""

    stored: StoredUnit
    score: float
    scores: dict[str, float]
    matched: float = 0.0
    cosine: float = 0.0
    cut: str | None = None
    later: str | None = None
    cold: bool = False

    @property
    def id(self) -> str:
        held = self.stored.memory or self.stored.turn or self.stored.passage
        assert held is not None  # noqa: S101  # a stored unit holds one of the three
        return held.id

    @property
    def text(self) -> str:
        """The words themselves; of a long turn, the piece that was found."""
        stored = self.stored
        if stored.memory is not None:
            return stored.memory.text
        if stored.passage is not None:
            return stored.passage.text
        assert stored.turn is not None  # noqa: S101
        start, end = stored.piece or (0, len(stored.turn.text))
        return stored.turn.text[start:end]

    def add(self, name: str, value: float) -> None:
        """Add a named part to the score."""
        if value:
            self.scores[name] = round(self.scores.get(name, 0.0) + value, 6)
            self.score += value

    def trace(self, rank: int | None) -> CandidateTrace:
        return CandidateTrace(
            unit=self.stored.unit, id=self.id, scores=self.scores, rank=rank, cut=self.cut
        )


def fetch(
    reader: Reader,
    scope: Scope,
    gathered: Gathered,
    selection: Selection,
    settings: RecallSettings,
    *,
    wanted: int,
) -> list[Candidate]:
    """The best `wanted` units that pass the selection, best first.

    Reads in batches until enough have passed or nothing is left, so that what is expired,
    superseded or filtered out never shortens the answer.
    """
    found: dict[UnitKey, Candidate] = {}
    evidence = gathered.spaces
    for batch in _batches(evidence, wanted):
        keys = [UnitKey(evidence[i].space, number) for i, number in batch]
        units = reader.units(scope, keys, selection)
        for (index, number), key in zip(batch, keys, strict=True):
            stored = units.get(key)
            # Best first: a further piece of a turn that is there already adds nothing.
            if stored is None or stored.key in found:
                continue
            found[stored.key] = _candidate(stored, gathered, index, number, settings)
        if len(found) >= wanted:
            break
    return list(found.values())[:wanted]


def _batches(evidence: Sequence[Evidence], wanted: int) -> Iterator[list[tuple[int, int]]]:
    """(index of the space, unit number), best first, in growing batches."""
    start, size = 0, int(wanted * _FIRST_BATCH)
    # The first batch is nearly always enough: the rest is sorted only when it is asked for.
    for most in (size, None):
        spaces, numbers = best_first(evidence, most)
        while start < len(numbers):
            end = start + size
            yield list(zip(spaces[start:end].tolist(), numbers[start:end].tolist(), strict=True))
            start, size = min(end, len(numbers)), size * 2


def _candidate(
    stored: StoredUnit, gathered: Gathered, index: int, number: int, settings: RecallSettings
) -> Candidate:
    space, scale = gathered.spaces[index], gathered.scale
    factor = float(space.factor[number])
    candidate = Candidate(
        stored=stored,
        score=0.0,
        scores={},
        matched=float(space.matched[number]),
        cosine=float(space.cosine[number]),
    )
    candidate.add("text", float(space.text[number]) * factor)
    candidate.add("vector", settings.vector * float(space.vector[number]) * factor)
    candidate.add("time", scale * settings.time * float(space.time[number]))
    candidate.add("entity", scale * settings.entity * float(space.entity[number]))
    candidate.add("profile", scale * settings.profile * float(space.profile[number]))
    candidate.add("recency", scale * gathered.newness * float(space.recency[number]))
    return candidate
