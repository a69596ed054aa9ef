"""Undo of what replaced something: whatever is named, exactly the old value is current again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiyi import ConflictError, Memory, NotFoundError
from jiyi.testing import FakeClock

Tell = Callable[[Memory, FakeClock], tuple[str, str]]

CORRECTIONS = [
    ("The lab is in room 12", "The lab is in room 21", "where is the lab"),
    ("实验室在十二楼", "实验室在二十一楼", "实验室在几楼"),
    ("Kiln 3 的密码是 tulip", "Kiln 3 的密码是 fern", "Kiln 3 密码"),
]
SLOTS = [("city", "Leeds", "York"), ("城市", "大连", "青岛"), ("team 队", "Ops 组", "Data 组")]
SPOKEN = [
    ("I live in Leeds", "I moved to York", "where do I live"),
    ("我住在大连", "我搬到青岛了", "我住在哪里"),
    ("My name is Ada", "My name is Grace now", "what is my name"),
]
WAYS = ("old", "new", "event of the old", "event of the new")


def name_it(memory: Memory, old: str, new: str, way: str) -> str:
    """The id by which the change is named."""
    if way in ("old", "new"):
        return old if way == "old" else new
    ended = memory.history(old).events
    stored = memory.history(new).events
    return ended[-1].id if way == "event of the old" else stored[0].id


def check(memory: Memory, old: str, new: str, question: str) -> None:
    """The old one alone is live and found."""
    assert [m.id for m in memory.list().items] == [old]
    assert memory.get(old).superseded_by is None
    assert memory.get(old).valid_to is None
    assert memory.get(new).status == "retracted"
    assert [h.id for h in memory.recall(question, units=("memory",))] == [old]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("wrong", "right", "question"), CORRECTIONS)
@pytest.mark.parametrize("waits", [True, False])
def test_a_correction(
    memory: Memory,
    clock: FakeClock,
    wrong: str,
    right: str,
    question: str,
    way: str,
    waits: bool,
) -> None:
    """By either memory or event, with the clock advancing or not."""
    old = memory.remember(wrong).memory_id or ""
    clock.advance(timedelta(days=1 if waits else 0))
    new = memory.correct(old, right).memory_id or ""
    memory.undo(name_it(memory, old, new, way))
    check(memory, old, new, question)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("attribute", "first", "second"), SLOTS)
def test_a_slot(
    memory: Memory, clock: FakeClock, attribute: str, first: str, second: str, way: str
) -> None:
    """A value that replaced another in its place."""
    ids = []
    for value in (first, second):
        slot = {"attribute": attribute, "value": value}
        ids.append(memory.remember(f"{attribute}: {value}", slot=slot).memory_id or "")
        clock.advance(timedelta(days=1))
    memory.undo(name_it(memory, ids[0], ids[1], way))
    check(memory, ids[0], ids[1], attribute)


@pytest.mark.parametrize("way", [*WAYS, "run"])
@pytest.mark.parametrize(("first", "second", "question"), SPOKEN)
def test_a_spoken_change(
    memory: Memory, clock: FakeClock, first: str, second: str, question: str, way: str
) -> None:
    """What the rules read; by the run as well."""
    old = memory.observe(first).memory_id or ""
    clock.advance(timedelta(days=1))
    new = memory.observe(second).memory_id or ""
    assert memory.get(old).superseded_by == new
    if way == "run":
        memory.undo(memory.history(new).events[0].run_id or "")
    else:
        memory.undo(name_it(memory, old, new, way))
    check(memory, old, new, question)


@pytest.mark.parametrize("texts", [("Room 1", "Room 2", "Room 3"), ("一号厅", "二号厅", "三号厅")])
def test_a_chain_of_corrections(
    memory: Memory, clock: FakeClock, texts: tuple[str, str, str]
) -> None:
    """The first one named: all that came after it goes. The middle one: the last goes."""
    ids = [memory.remember(texts[0]).memory_id or ""]
    for text in texts[1:]:
        clock.advance(timedelta(days=1))
        ids.append(memory.correct(ids[-1], text).memory_id or "")
    memory.undo(ids[1])
    assert [m.id for m in memory.list().items] == [ids[1]]
    memory.undo(ids[0])
    assert [m.id for m in memory.list().items] == [ids[0]]


@pytest.mark.parametrize(("wrong", "right", "question"), CORRECTIONS)
@pytest.mark.parametrize("which", [0, 1])
def test_an_undo_is_undone(
    memory: Memory, clock: FakeClock, wrong: str, right: str, question: str, which: int
) -> None:
    """Twice is as before: the right one alone is live."""
    old = memory.remember(wrong).memory_id or ""
    new = memory.correct(old, right).memory_id or ""
    for _ in range(2):
        clock.advance(timedelta(days=1))
        memory.undo((old, new)[which])
    assert [m.id for m in memory.list().items] == [new]
    assert memory.get(old).superseded_by == new
    assert [h.id for h in memory.recall(question, units=("memory",))] == [new]


@pytest.mark.parametrize("way", [*WAYS, "run"])
@pytest.mark.parametrize(("wrong", "right", "question"), CORRECTIONS)
def test_what_is_shared(
    memory: Memory, clock: FakeClock, wrong: str, right: str, question: str, way: str
) -> None:
    """A correction of a shared memory is taken back by its author, whichever id names it, and by
    nobody else."""
    ann, otto = memory.scoped(tenant="t", user="ann"), memory.scoped(tenant="t", user="otto")
    old = ann.remember(wrong, visibility="shared").memory_id or ""
    clock.advance(timedelta(days=1))
    new = ann.correct(old, right).memory_id or ""
    if way == "run":  # an undo is itself a run
        ann.undo(old)
        ann.undo(old)
        id = ann.history(old).events[-1].run_id or ""
        assert ann.get(old).superseded_by == new
    else:
        id = name_it(ann, old, new, way)
    with pytest.raises((NotFoundError, ConflictError)):
        otto.undo(id)
    assert ann.get(old).superseded_by == new
    ann.undo(id)
    if way != "run":
        check(ann, old, new, question)
    assert ann.get(old).superseded_by is None
    assert [m.id for m in ann.list().items] == [old]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    steps=st.lists(st.sampled_from(("correct", "slot", "update", "pin")), min_size=1, max_size=5),
    named=st.integers(0, 9),
    shared=st.booleans(),
    waits=st.booleans(),
)
def test_undo_of_undo_is_as_before(steps: list[str], named: int, shared: bool, waits: bool) -> None:
    """Whatever chain of changes there was and whichever memory of it is named: the second undo
    brings back exactly what stood before the first, and the third what stood after it."""
    clock = FakeClock(datetime(2026, 3, 2, 9, tzinfo=UTC))
    with Memory(":memory:", embedder=None, clock=clock, background=False) as opened:
        memory = opened.scoped(tenant="t", user="sun")
        seen_by: Any = {"visibility": "shared"} if shared else {}
        ids = [memory.remember("第 0 hall", **seen_by).memory_id or ""]
        for n, step in enumerate(steps, start=1):
            clock.advance(timedelta(days=int(waits)))
            if step == "correct":
                ids.append(memory.correct(ids[-1], f"第 {n} hall 厅").memory_id or "")
            elif step == "update":
                memory.update(ids[-1], text=f"第 {n} hall, told again 重说")
            elif step == "pin":
                memory.update(ids[-1], pinned=not memory.get(ids[-1]).pinned)
            else:
                slot = {"attribute": "hall", "value": f"{n}"}
                told = memory.remember(f"The hall is number {n} 号", slot=slot, **seen_by)
                ids.append(told.memory_id or "")

        def stands() -> dict[str, tuple[object, ...]]:
            return {
                id: (m.text, m.status, m.superseded_by, m.valid_to, m.pinned)
                for id in ids
                for m in (memory.get(id),)
            }

        states = [stands()]
        for _ in range(3):
            clock.advance(timedelta(days=int(waits)))
            memory.undo(ids[named % len(ids)])
            states.append(stands())
        assert states[0] != states[1]
        assert states[2] == states[0]
        assert states[3] == states[1]


@pytest.mark.parametrize("values", [("Lyon", "York", "Essen"), ("里昂", "约克", "埃森")])
def test_a_late_value_comes_to_its_own(memory: Memory, values: tuple[str, str, str]) -> None:
    """The newest of those that remain is current, and was from its start."""
    ids = []
    for value, said in zip(values, ("2025-01-01", "2025-06-01", "2025-03-01"), strict=True):
        slot = {"attribute": "residence", "value": value}
        told = memory.remember(f"home 家 {value}", slot=slot, said_at=f"{said}T00:00:00Z")
        ids.append(told.memory_id or "")
    first, gone, late = ids
    assert memory.get(late).superseded_by == gone
    memory.undo(gone)
    assert [m.id for m in memory.list().items] == [late]
    for moment, held in (("2025-07-01", late), ("2025-02-01", first)):
        found = memory.recall("home 家", as_of=f"{moment}T00:00:00Z", units=("memory",))
        assert [hit.id for hit in found] == [held]


@pytest.mark.parametrize("texts", [("The gate code is 11", "gate 22"), ("门禁码是 11", "门禁 22")])
def test_others_only_read_and_judge_what_is_shared(memory: Memory, texts: tuple[str, str]) -> None:
    """Change, correction, undo and decision are the author's; a judgement is everyone's."""
    ann, otto = memory.scoped(tenant="t", user="ann"), memory.scoped(tenant="t", user="otto")
    id = ann.remember(texts[0], visibility="shared").memory_id or ""
    own = otto.remember(texts[1], visibility="shared").memory_id or ""
    for attempt in (
        lambda: otto.update(id, text=texts[1] + "!"),
        lambda: otto.update(id, pinned=True),
        lambda: otto.correct(id, texts[1] + "?"),
        lambda: otto.undo(id),
        lambda: otto.resolve_conflict(own, id),
    ):
        with pytest.raises(ConflictError, match="remember your own"):
            attempt()
    assert otto.feedback(id, helpful=True).helpful == 1
    assert ann.get(id).text == texts[0]
    assert ann.correct(id, texts[1] + " ok").outcomes[0].replaced == (id,)


@pytest.mark.parametrize(("attribute", "first", "second"), SLOTS)
def test_shared_values_stand_side_by_side(
    memory: Memory, clock: FakeClock, attribute: str, first: str, second: str
) -> None:
    """Only its author replaces a shared value; and erasing a user takes all of their words."""
    ann, otto = memory.scoped(tenant="t", user="ann"), memory.scoped(tenant="t", user="otto")

    def tell(who: Memory, value: str) -> str:
        clock.advance(timedelta(days=1))
        slot = {"subject": "lab", "attribute": attribute, "value": value}
        told = who.remember(f"lab {attribute}: {value}", slot=slot, visibility="shared")
        return told.memory_id or ""

    anns, ottos = tell(ann, first), tell(otto, second)
    assert {m.id for m in ann.list().items} == {anns, ottos}
    renewed = tell(otto, f"{second} II")
    assert otto.get(ottos).superseded_by == renewed
    assert {m.id for m in ann.list().items} == {anns, renewed}
    changed = tell(ann, f"{first} II")
    assert ann.get(anns).superseded_by == changed
    otto.remember(f"lab {attribute}: {first} II", visibility="shared")
    plan = otto.forget(everything=True, dry_run=True)
    report = otto.forget(everything=True)
    assert plan.counts["memories"] == report.counts["memories"] == 2
    assert [m.id for m in ann.list().items] == [changed]
    assert {m.scope.user for m in ann.list(include=("superseded", "retracted")).items} == {"ann"}


@pytest.mark.parametrize(
    ("first", "second"), [("kiln 甲 at noon", "窑炉 乙"), ("茶室", "tea room")]
)
def test_a_clock_that_steps_back(memory: Memory, clock: FakeClock, first: str, second: str) -> None:
    """The former text stays readable at the moment it was known."""
    id = memory.remember(first).memory_id or ""
    known = clock()
    clock.advance(timedelta(days=-10))
    memory.update(id, text=second)
    clock.advance(timedelta(days=20))
    assert [m.text for m in memory.recall(first, known_at=known)] == [first]
    assert memory.get(id).text == second
    memory.undo(id)
    assert memory.get(id).text == first


@pytest.mark.parametrize("text", ["a short note", "短期便签"])
def test_counts_agree(memory: Memory, clock: FakeClock, text: str) -> None:
    """What has expired counts as that; a dry run counts what the run erases."""
    memory.remember(text, ttl=60)
    memory.remember(f"{text} lasting 长期")
    memory.remember(f"{text} private 私有", agent="a", visibility="agent")
    memory.observe(f"{text}?", encode=False)
    clock.advance(timedelta(hours=1))
    found = memory.stats().memories
    assert (found["active"], found["expired"]) == (1, 1)
    assert memory.list().total == 1
    plan = memory.forget(everything=True, dry_run=True)
    report = memory.forget(everything=True)
    assert plan.counts["memories"] == report.counts["memories"] == 3
    assert plan.counts["turns"] == report.counts["turns"] == 1
    assert set(plan.memory_ids) == set(report.memory_ids)


@pytest.mark.parametrize("values", [("Lyon", "York", "Essen"), ("里昂", "约克", "埃森")])
def test_a_repeated_value_outlives_a_late_one(memory: Memory, values: tuple[str, str, str]) -> None:
    """Of two that remain, what was said last holds; the other one stays history."""
    told = (("2025-01-01", 0), ("2025-04-01", 0), ("2025-06-01", 1), ("2025-03-01", 2))
    ids = {}
    for said, n in told:
        slot = {"attribute": "residence", "value": values[n]}
        receipt = memory.remember(
            f"home 家 {values[n]}", slot=slot, said_at=f"{said}T00:00:00Z", source=said
        )
        ids[n] = receipt.memory_id or ""
    memory.undo(ids[1])
    assert [m.id for m in memory.list().items] == [ids[0]]
    assert memory.get(ids[2]).status == "superseded"
