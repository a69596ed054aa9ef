"""A unit that recall looks at closely, with its scores and the reason it left, if it did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jiyi.ports import UnitCode
from jiyi.recall.evidence import ARMS, Evidence, Gathered, best_first
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
    memories: int | None = None,
    linked: bool = True,
) -> list[Candidate]:
    """The best `wanted` units that pass the selection, best first; with `memories`, so many
    memories, and `wanted` others. With `linked`, turns come with the keys of their neighbours.

    Reads in batches until enough have passed or nothing is left, so that what is expired,
    superseded or filtered out never shortens the answer.
    """
    pools = [_Pool(gathered.spaces, wanted)]
    if memories is not None:
        spaces = [(e, e.kinds == UnitCode.MEMORY) for e in gathered.spaces]
        pools = [
            _Pool([e.only(mask) for e, mask in spaces], memories),
            _Pool([e.only(~mask) for e, mask in spaces], wanted),
        ]
    waiting = pools
    while waiting := [pool for pool in waiting if len(pool.found) < pool.wanted]:
        batches = [(pool, next(pool.batches, [])) for pool in waiting]
        waiting = [pool for pool, batch in batches if batch]
        keys = [
            UnitKey(gathered.spaces[i].space, number) for _, batch in batches for i, number in batch
        ]
        units = reader.units(scope, keys, selection, linked=linked) if keys else {}
        for pool, batch in batches:
            pool.take(batch, units, gathered, settings)
    found = [c for pool in pools for c in list(pool.found.values())[: pool.wanted]]
    if len(pools) > 1:
        found.sort(key=lambda c: -c.score)
    return found


class _Pool:
    """Units of which so many are wanted. `found` are those that passed, best first."""

    def __init__(self, evidence: Sequence[Evidence], wanted: int) -> None:
        self.wanted = wanted
        self.batches = _batches(evidence, wanted)
        self.found: dict[UnitKey, Candidate] = {}

    def take(
        self,
        batch: Sequence[tuple[int, int]],
        units: Mapping[UnitKey, StoredUnit],
        gathered: Gathered,
        settings: RecallSettings,
    ) -> None:
        """Make candidates of the units of a batch that were read."""
        passed: dict[int, list[tuple[int, Candidate]]] = defaultdict(list)
        for index, number in batch:
            stored = units.get(UnitKey(gathered.spaces[index].space, number))
            # Best first: a further piece of a turn that is there already adds nothing.
            if stored is not None and stored.key not in self.found:
                candidate = self.found[stored.key] = Candidate(stored=stored, score=0.0, scores={})
                passed[index].append((number, candidate))
        for index, held in passed.items():
            parts = gathered.parts(index, [number for number, _ in held], settings)
            told = zip(held, parts.tolist(), parts.round(6).tolist(), strict=True)
            for (_, candidate), (matched, cosine, *scores), (_, _, *shown) in told:
                candidate.matched, candidate.cosine, candidate.score = matched, cosine, sum(scores)
                arms = zip(ARMS, scores, shown, strict=True)
                candidate.scores = {name: rounded for name, value, rounded in arms if value}


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
