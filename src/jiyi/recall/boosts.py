"""Bounded boosts: what a memory's standing adds to how well it answers.

Each part is at most its weight in the settings times the score of the best answer, all of them
together about a tenth of it, so that no boost brings in what the question did not ask for. Recency
is added with the arms (`evidence`), under the same rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.recall.time_arm import holds_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jiyi.recall.candidate import Candidate
    from jiyi.recall.settings import RecallSettings
    from jiyi.recall.time_arm import Period
    from jiyi.types import MemoryRecord

_USES_HALF = 3.0  # uses at which the use boost has reached half of its bound
_UNHELPFUL = 0.5  # factor on the whole score for each report, down to the second


def boost(
    candidates: Sequence[Candidate],
    settings: RecallSettings,
    periods: Sequence[Period],
    *,
    scale: float,
) -> None:
    """Add the boosts of memories to their scores; `scale` is the score of the best answer."""
    for candidate in candidates:
        memory = candidate.stored.memory
        if memory is None:
            continue
        candidate.add("importance", scale * settings.importance * (memory.importance - 0.5))
        candidate.add("confidence", scale * settings.confidence * (memory.confidence - 1.0))
        candidate.add("use", scale * settings.use * strength(memory))
        if memory.pinned:
            candidate.add("pinned", scale * settings.pinned)
        if periods and "time" not in candidate.scores and holds_in(memory, periods):
            candidate.add("time", scale * settings.time)
        if trouble := min(max(memory.unhelpful - memory.helpful, 0), 2):
            candidate.add("unhelpful", candidate.score * (_UNHELPFUL**trouble - 1))


def strength(memory: MemoryRecord) -> float:
    """How much uses have proven a memory, from 0 to 1: half at three, never more than 1.

    What was marked unhelpful has none left, however often it was used.
    """
    if memory.unhelpful > memory.helpful:
        return 0.0
    uses = memory.use_count + memory.helpful
    return uses / (uses + _USES_HALF)
