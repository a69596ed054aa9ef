"""Live before cold: a turn whose every memory was archived is no evidence of how things are now.

The turn stays what was said and can still be found; it carries its status, and what is newer, live
and answers about as well stands above it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from jiyi.recall.candidate import Candidate

ABOUT_AS_WELL: Final = 0.5
"""Share of what the cold one holds of the question from which a newer live one stands above it."""

_STEP: Final = 1e-4  # how far under the live one a cold one stands; scores are of the order of 1


def place_cold(candidates: Sequence[Candidate]) -> None:
    """Put cold turns under the best newer live unit that holds about as much of the question."""
    live = [c for c in candidates if not c.cold and c.later is None and c.cut is None]
    for candidate in candidates:
        if not candidate.cold or candidate.cut is not None:
            continue
        newer = [
            c
            for c in live
            if c.stored.passage is None
            and c.score > 0
            and c.matched >= ABOUT_AS_WELL * candidate.matched
            and _said(c) > _said(candidate)
        ]
        best = max(newer, key=lambda c: c.score, default=None)
        if best is not None and best.score <= candidate.score:
            best.add("succession", candidate.score - best.score)
            candidate.add("cold", -_STEP)


def _said(candidate: Candidate) -> datetime:
    held = candidate.stored.memory or candidate.stored.turn
    assert held is not None  # noqa: S101  # passages were left out
    return held.said_at
