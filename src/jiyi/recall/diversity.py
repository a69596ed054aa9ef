"""Diversity: one thing takes one place among the hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jiyi.recall.candidate import Candidate
    from jiyi.recall.settings import RecallSettings


def cut_repeats(candidates: Sequence[Candidate], settings: RecallSettings) -> None:
    """Mark what another candidate already says, best first.

    A memory stands for the turns it was drawn from, and cites them. A turn stays, and its memories
    leave, only where it holds clearly more of the question (`settings.prefer_memory`), or where
    the assistant said it. Of units with the same text the best stays.
    """
    alive = [c for c in candidates if c.cut is None]
    turns = {c.id: c for c in alive if c.stored.turn is not None}
    for memory in alive:
        if memory.stored.memory is None or memory.later is not None:
            continue
        drawn_from = [turns[s.turn_id] for s in memory.stored.memory.sources if s.turn_id in turns]
        for turn in drawn_from:
            if turn.cut is not None or turn.later is not None:
                continue
            own = memory.stored.memory.trust != "assistant"
            if own and _backing(memory) >= settings.prefer_memory * _backing(turn):
                turn.cut = f"told by memory {memory.id}"
                memory.add("turn", max(0.0, turn.score - memory.score))
            elif len(memory.stored.memory.sources) == 1:
                memory.cut = f"told better by turn {turn.id}"
    seen: dict[str, Candidate] = {}
    for candidate in sorted(alive, key=lambda c: -c.score):
        if candidate.cut is None:
            first = seen.setdefault(_key(candidate.text), candidate)
            if first is not candidate:
                candidate.cut = f"same text as {first.id}"


def _backing(candidate: Candidate) -> float:
    """What the unit itself holds of the question: a turn's score also counts its neighbours."""
    return candidate.matched + max(candidate.cosine, 0.0)


def _key(text: str) -> str:
    """White space and case make no other text; cheaper than the store's own notion of sameness."""
    return " ".join(text.casefold().split())
