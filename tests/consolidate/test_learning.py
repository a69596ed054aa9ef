"""Learning from use: what helps rises, what harms falls, within bounds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jiyi import Memory
from jiyi.consolidate import Faded, Policies
from jiyi.testing import FakeClock

TWO = [
    ("Kilns cool down overnight with the door shut", "Kilns cool down overnight in the open yard"),
    ("窑炉要关着门过夜降温", "窑炉要在院子里过夜降温"),
]


@pytest.mark.parametrize("texts", TWO)
def test_what_helps_rises_and_what_harms_falls(
    memory: Memory, clock: FakeClock, texts: tuple[str, str]
) -> None:
    """Two answers alike: whichever was marked helpful stands first, the unhelpful one falls; and
    the harmful one fades out of the live memory long before the helpful one does."""
    question = "kilns overnight 窑炉过夜"
    for good in (0, 1):
        user = f"u{good}"
        ids = [memory.remember(text, user=user).memory_id or "" for text in texts]
        memory.feedback(ids[good], helpful=True, user=user)
        memory.feedback(ids[1 - good], helpful=False, user=user)
        assert memory.recall(question, user=user)[0].id == ids[good]
        start, clock_days = clock(), 0
        gone: dict[str, int] = {}
        while len(gone) < 2 and clock_days < 400:
            clock_days += 20
            clock.set(start + timedelta(days=clock_days))
            memory.consolidate(policies=Policies(archive=(Faded(),)), user=user)
            for id in ids:
                if memory.get(id, user=user).status == "archived":
                    gone.setdefault(id, clock_days)
        assert gone[ids[1 - good]] < gone[ids[good]]


def test_no_mark_brings_in_what_was_not_asked(memory: Memory) -> None:
    """However often it helped, a memory about something else does not answer."""
    other = memory.remember("The canary is fed at dawn 金丝雀天亮喂食").memory_id or ""
    asked = memory.remember("The kiln fires at noon 窑炉中午点火").memory_id or ""
    for _ in range(30):
        memory.feedback(other, helpful=True)
    assert memory.recall("when does the kiln fire")[0].id == asked
    assert memory.recall("窑炉什么时候点火")[0].id == asked


@pytest.mark.parametrize("texts", TWO)
def test_an_explanation_shows_what_the_marks_did(memory: Memory, texts: tuple[str, str]) -> None:
    """The trace names what marks add and take away, before and after, and the ranks that follow;
    what they add is bounded however often somebody clicks."""
    question = "kilns overnight 窑炉过夜"
    helpful, harmful = (memory.remember(text).memory_id or "" for text in texts)

    def standing() -> dict[str, tuple[int, float, float]]:
        memory.recall(question)
        return {
            c.id: (c.rank or 99, c.scores.get("use", 0.0), c.scores.get("unhelpful", 0.0))
            for c in memory.explain().candidates
        }

    before = standing()
    assert all(use == bad == 0 for _, use, bad in before.values())
    memory.feedback(helpful, helpful=True)
    memory.feedback(harmful, helpful=False)
    after = standing()
    assert after[helpful][0] < after[harmful][0]
    assert after[helpful][1] > 0 > after[harmful][2]
    for _ in range(40):
        memory.feedback(helpful, helpful=True)
    most = max(sum(c.scores.values()) for c in memory.explain().candidates)
    assert after[helpful][1] < standing()[helpful][1] < 0.1 * most
