"""What nobody confirmed is still found, and no longer passes for how things are now."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jiyi import Memory, Source
from jiyi.consolidate import Policies, Unconfirmed
from jiyi.ids import new_id
from jiyi.testing import FakeClock

# (question, what was so, what is so now in other words, a mark in a context)
DRIFTS = [
    (
        "Who waters the plants in the office?",
        "Olaf waters the plants in the office.",
        "The office plants are in the hands of a firm now.",
        "[not confirmed since]",
    ),
    (
        "Where does the book club meet?",
        "The book club meets at Lena's flat.",
        "A good evening with the book club in the old mill.",
        "[not confirmed since]",
    ),
    (
        "办公室的植物谁浇水？",
        "办公室的植物由老欧浇水。",
        "办公室的植物交给一家公司打理了。",
        "[此后未再确认]",
    ),
    ("读书会在哪里聚？", "读书会在莉娜家里聚。", "读书会昨晚在旧磨坊，很开心。", "[此后未再确认]"),
]
POLICIES = Policies(archive=(Unconfirmed(days=90),), summarise_above=None)


def tell(memory: Memory, clock: FakeClock, text: str, session: str) -> str:
    """Said, and kept by the agent, which cites the turn."""
    (turn,) = memory.observe(text, session=session).turn_ids
    source = Source(id=new_id(), turn_id=turn, session=session, said_at=clock())
    return memory.remember(text, source=source, trust="user").memory_id or ""


@pytest.mark.parametrize(("question", "was", "is_now", "mark"), DRIFTS)
def test_the_newer_one_stands_first(
    memory: Memory, clock: FakeClock, question: str, was: str, is_now: str, mark: str
) -> None:
    """Before the run the old words fit better and come first; contexts kept them in use all the
    time. After it they stand below the newer ones and say that nobody confirmed them since."""
    old = tell(memory, clock, was, "A")
    for _ in range(8):
        clock.advance(timedelta(days=10))
        memory.context(question)
    new = tell(memory, clock, is_now, "B")
    clock.advance(timedelta(days=15))
    assert memory.recall(question)[0].id == old
    assert mark not in memory.context(question).text
    report = memory.consolidate(policies=POLICIES)
    assert memory.get(old).status == "archived"
    hits = memory.recall(question)
    assert hits[0].text == is_now
    assert [hit.status for hit in hits if hit.text == was] == ["archived"]
    assert mark in memory.context(question).text
    assert memory.get(new).status == "active"
    memory.undo(report.run_id)
    assert memory.recall(question)[0].id == old


@pytest.mark.parametrize(("question", "was", "is_now", "mark"), DRIFTS)
def test_what_only_the_archive_answers_is_found(
    memory: Memory, clock: FakeClock, question: str, was: str, is_now: str, mark: str
) -> None:
    """Nothing newer says anything about it: the old words still answer, first and marked; looking
    into the past they bear no mark."""
    tell(memory, clock, was, "A")
    then = clock()
    clock.advance(timedelta(days=100))
    memory.consolidate(policies=POLICIES)
    hits = memory.recall(question)
    assert (hits[0].text, hits[0].status) == (was, "archived")
    assert mark in memory.context(question).text
    assert is_now not in memory.context(question).text
    past = memory.recall(question, as_of=then + timedelta(days=1))
    assert [hit.status for hit in past if hit.unit == "turn"] in ([], [None])


@pytest.mark.parametrize("text", ["Badge code QX-4471 opens gate 9", "九号门的工牌码是 QX-4471"])
def test_what_a_question_brought_back_stays_for_a_while(
    memory: Memory, clock: FakeClock, text: str
) -> None:
    """Thawed by an exact need, it is not put away the next night; a month later it may be."""
    id = memory.remember(text).memory_id or ""
    clock.advance(timedelta(days=100))
    memory.consolidate(policies=POLICIES)
    assert memory.get(id).status == "archived"
    assert memory.recall("QX-4471")[0].id == id
    for _ in range(3):
        clock.advance(timedelta(days=1))
        memory.consolidate(policies=POLICIES)
        assert memory.get(id).status == "active"
    clock.advance(timedelta(days=30))
    memory.consolidate(policies=POLICIES)
    assert memory.get(id).status == "archived"
