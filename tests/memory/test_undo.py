"""Corrections, undo and history: no change is lost, and each can be taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jiyi import ConflictError, Memory
from jiyi.testing import FakeClock


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("I live in Lyon", "I moved to Nantes", "where do I live"),
        ("我住在大连", "我搬到青岛了", "住在哪里"),
    ],
)
def test_a_supersession_can_be_undone(
    memory: Memory, clock: FakeClock, old: str, new: str, question: str
) -> None:
    """The old memory is live again, its rival yields the slot, and the history tells all of it."""
    memory.observe(old)
    clock.advance(timedelta(days=1))
    memory.observe(new)
    replaced = next(m for m in memory.list(include="superseded").items if m.status == "superseded")
    clock.advance(timedelta(days=1))
    memory.undo(replaced.id)
    live = memory.list().items
    assert [m.id for m in live] == [replaced.id]
    assert live[0].valid_to is None
    assert live[0].superseded_by is None
    assert [h.id for h in memory.recall(question) if h.unit == "memory"] == [replaced.id]
    actions = [e.action for e in memory.history(replaced.id).events]
    assert len(actions) >= 3
    assert actions[-1] == "undone"


@pytest.mark.parametrize(
    ("wrong", "right", "question"),
    [
        ("The lab is in room 12", "The lab is in room 21", "where is the lab"),
        ("实验室在十二楼", "实验室在二十一楼", "实验室在几楼"),
    ],
)
def test_a_correction_was_never_true(
    memory: Memory, clock: FakeClock, wrong: str, right: str, question: str
) -> None:
    """as_of gives the right one for the past as well; known_at and the history give the wrong."""
    start = clock()
    id = memory.remember(wrong).memory_id or ""
    clock.advance(timedelta(days=5))
    before = clock()
    clock.advance(timedelta(days=5))
    receipt = memory.correct(id, right)
    assert receipt.outcomes[0].replaced == (id,)
    assert [h.text for h in memory.recall(question)] == [right]
    assert [h.text for h in memory.recall(question, as_of=start + timedelta(days=1))] == [right]
    assert [h.text for h in memory.recall(question, known_at=before)] == [wrong]
    assert [m.text for m in memory.history(id).chain] == [wrong, right]
    with pytest.raises(ConflictError):
        memory.correct(id, right + "!!")


def test_an_edit_can_be_undone_and_is_searched_by_its_old_words_again(memory: Memory) -> None:
    """Text, tags and index go back together."""
    id = memory.remember("first wording 甲案", tags=["a"]).memory_id or ""
    memory.update(id, text="second phrasing 乙方", tags=["b"], importance=0.9)
    assert memory.recall("phrasing")
    memory.undo(id)
    restored = memory.get(id)
    assert (restored.text, restored.tags, restored.importance) == (
        "first wording 甲案",
        ("a",),
        0.5,
    )
    assert memory.recall("甲案")[0].id == id
    assert not memory.recall("phrasing")


def test_a_stored_memory_can_be_undone_but_an_erasure_cannot(memory: Memory) -> None:
    """Undoing a first write retracts it; what is erased stays erased."""
    id = memory.remember("a passing thing 一件小事").memory_id or ""
    memory.undo(id)
    assert memory.get(id).status == "retracted"
    report = memory.forget(ids=id)
    with pytest.raises(ConflictError):
        memory.undo(report.event_id or "")


@pytest.mark.parametrize("text", ["the kiln fires at noon", "窑炉中午点火"])
def test_an_unhelpful_memory_loses_its_strength(memory: Memory, text: str) -> None:
    """Scenario 49: what use had given, a bad mark takes away."""
    id = memory.remember(text).memory_id or ""
    for _ in range(5):
        memory.context(text, session="s")
    memory.flush()
    assert memory.get(id).use_count == 5
    memory.feedback(id, helpful=False)
    marked = memory.get(id)
    assert (marked.use_count, marked.unhelpful, marked.helpful) == (0, 1, 0)
    memory.feedback(id, helpful=True)
    assert memory.get(id).helpful == 1


@pytest.mark.parametrize(("value", "again"), [("Lisbon", "Porto"), ("里斯本", "波尔图")])
def test_an_expired_value_leaves_the_profile_and_frees_its_slot(
    memory: Memory, clock: FakeClock, value: str, again: str
) -> None:
    """An expired fact is in no profile and no context, and the same text can be kept anew."""
    slot = {"attribute": "residence", "value": value}
    first = memory.remember(f"home: {value}", slot=slot, ttl=timedelta(hours=1)).memory_id
    assert memory.profile().get("residence") == value
    clock.advance(timedelta(hours=2))
    assert memory.profile().get("residence") is None
    assert value not in memory.context("where is home? 家在哪", budget=500).text
    second = memory.remember(f"home: {value}", slot=slot).memory_id
    assert second != first
    assert memory.profile().get("residence") == value
    memory.remember(f"home: {again}", slot={**slot, "value": again})
    assert memory.profile().get("residence") == again
