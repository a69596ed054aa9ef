"""Summaries and lessons: what is drawn from several memories and outcomes, always citing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jiyi import Memory, MemoryRecord
from jiyi.consolidate import Policies
from jiyi.testing import FakeClock, ScriptedChatModel

BOAT = [
    ["The boat leaked at pier 7", "The boat was painted green", "The mast broke", "It was mended"],
    ["船在 7 号码头漏水了", "船刷了绿漆", "桅杆断了", "船修好了"],
]


def tell(memory: Memory, clock: FakeClock, texts: list[str], tag: str = "boat") -> list[str]:
    ids = []
    for text in texts:
        clock.advance(timedelta(days=2))
        ids.append(memory.remember(text, kind="episodic", tags=[tag]).memory_id or "")
    clock.advance(timedelta(days=60))
    return ids


def drawn(memory: Memory, field: str) -> list[MemoryRecord]:
    """Live memories that were made of others."""
    return [m for m in memory.list(limit=100).items if field in m.meta]


@pytest.mark.parametrize("texts", BOAT)
def test_a_group_that_fades_becomes_a_summary(
    memory: Memory, clock: FakeClock, texts: list[str]
) -> None:
    """Four related memories: one summary quotes and cites all of them, they are archived, and the
    question that found them finds the summary."""
    ids = tell(memory, clock, texts)
    memory.consolidate()
    (summary,) = drawn(memory, "summary_of")
    assert summary.meta["summary_of"] == ids
    assert all(text in summary.text for text in texts)
    assert len(summary.sources) == 4
    assert all(memory.get(id).status == "archived" for id in ids)
    assert memory.recall(texts[1])[0].id == summary.id
    assert memory.consolidate().steps == ()


def test_three_or_young_or_unrelated_ones_do_not(memory: Memory, clock: FakeClock) -> None:
    """More than three, fading, about one thing."""
    tell(memory, clock, BOAT[0][:3])
    tell(memory, clock, BOAT[1][:2], tag="a")
    tell(memory, clock, BOAT[1][2:], tag="b")
    for text in BOAT[0]:
        memory.remember(f"{text} again", kind="episodic", tags=["young"])
    memory.consolidate()
    assert drawn(memory, "summary_of") == []


@pytest.mark.parametrize("texts", BOAT)
def test_a_summary_goes_when_a_member_no_longer_holds(
    memory: Memory, clock: FakeClock, texts: list[str]
) -> None:
    """A corrected member: the summary is taken back and the others are live again; an erased
    member: nothing of the summary is left in the store."""
    ids = tell(memory, clock, texts)
    memory.consolidate()
    (summary,) = drawn(memory, "summary_of")
    memory.correct(ids[0], "something else 别的事")
    memory.consolidate()
    assert memory.get(summary.id).status == "retracted"
    assert all(memory.get(id).status == "active" for id in ids[1:])
    clock.advance(timedelta(days=1))
    memory.forget(ids=ids[1])
    left = memory.list(include=("archived", "retracted", "superseded"), limit=100).items
    assert not [m for m in left if texts[1] in m.text]


def test_erasing_a_merged_memory_erases_what_it_was_made_of(memory: Memory) -> None:
    """Whichever id of the fact somebody holds; the dry run says so too."""
    for forget_old in (True, False):
        old = memory.remember("我喜欢简洁的回答").memory_id or ""
        memory.remember("回答请简洁一点")
        new = memory.consolidate().steps[0].memory_id or ""
        id = old if forget_old else new
        assert len(memory.forget(ids=id, dry_run=True).memory_ids) == 3
        assert len(memory.forget(ids=id).memory_ids) == 3
        assert memory.list(include=("superseded", "archived")).items == ()


@pytest.mark.parametrize("texts", BOAT)
@pytest.mark.parametrize("honest", [True, False])
def test_a_models_summary_is_checked(
    clock: FakeClock, path: Path, texts: list[str], honest: bool
) -> None:
    """Words that the members bear out are taken; a number that they do not hold is not, and the
    summary quotes instead."""
    number = "7" if honest else "9"
    said = f"The boat leaked at pier {number} and was painted green."
    if texts is BOAT[1]:
        said = f"船在 {number} 号码头漏水，后来刷了绿漆。"
    model = ScriptedChatModel([said, "[]"], repeat_last=True)
    with Memory(path, embedder=None, clock=clock, chat_model=model, background=False) as memory:
        tell(memory, clock, texts)
        memory.consolidate(policies=Policies(merge=False))
        (summary,) = drawn(memory, "summary_of")
        assert (summary.text == said) is honest
        assert memory.stats().budget["calls"] >= 1


def test_a_dry_run_and_a_spent_budget_ask_no_model(clock: FakeClock, path: Path) -> None:
    """A plan costs nothing; and where the day's calls are used up, rules do the work."""
    model = ScriptedChatModel([])  # any call would fail the test
    with Memory(path, embedder=None, clock=clock, chat_model=model, background=False) as memory:
        ids = tell(memory, clock, BOAT[0])
        assert memory.consolidate(dry_run=True).counts["summarise"] == 1
        with memory._parts.store.write() as writer:
            writer.spend(memory.scope, clock().date().isoformat(), calls=500, tokens=9)
        memory.consolidate()
        (summary,) = drawn(memory, "summary_of")
        assert summary.meta["summary_of"] == ids
        assert summary.meta["made_by"] == "rules"


@pytest.mark.parametrize(
    ("texts", "topic"),
    [
        (["The lab is on floor 1", "The lab is on floor 2", "The lab is on floor 3"], "lab"),
        (["实验室在一楼", "实验室在二楼", "实验室在三楼"], "实验室"),
    ],
)
def test_what_is_corrected_again_and_again_is_a_lesson(
    memory: Memory, clock: FakeClock, texts: list[str], topic: str
) -> None:
    """Two corrections of one thing make a reflective memory that counts and cites them; a third
    one makes it grow; one alone is no pattern; it goes when what it quotes is erased."""
    id = memory.remember(texts[0]).memory_id or ""
    for text in texts[1:]:
        assert drawn(memory, "lesson") == []
        clock.advance(timedelta(days=1))
        id = memory.correct(id, text).memory_id or ""
        memory.consolidate()
    (lesson,) = drawn(memory, "lesson")
    assert lesson.kind == "reflective"
    assert (lesson.meta["failures"], lesson.meta["successes"]) == (2, 0)
    assert topic in lesson.text
    assert lesson.sources
    clock.advance(timedelta(days=1))
    id = memory.correct(id, texts[2] + " B").memory_id or ""
    memory.consolidate()
    (grown,) = drawn(memory, "lesson")
    assert (grown.id, grown.meta["failures"]) == (lesson.id, 3)
    memory.forget(ids=id)
    assert drawn(memory, "lesson") == []


@pytest.mark.parametrize(
    ("error", "fine"),
    [
        ("Error: connection 4711 refused by host", "42 rows"),
        ("错误：连接 4711 被拒绝", "共 42 行"),
        ('{"error": "quota exceeded for key 4711"}', '{"error": null, "rows": 42}'),
    ],
)
def test_a_tool_that_fails_again_and_again_is_a_lesson(
    memory: Memory, clock: FakeClock, error: str, fine: str
) -> None:
    """Errors that differ in numbers alone are one kind; successes are counted beside them; what
    the tool said is kept as the tool's word."""
    for n, text in enumerate((error, fine, error.replace("4711", "4712"), fine, fine)):
        memory.observe([{"role": "tool", "name": "query", "content": text}], session=str(n))
    memory.consolidate()
    (lesson,) = drawn(memory, "lesson")
    assert (lesson.meta["failures"], lesson.meta["successes"]) == (2, 3)
    assert "query" in lesson.text
    assert lesson.trust == "tool"
    assert len(lesson.sources) == 2
    memory.consolidate()
    assert len(drawn(memory, "lesson")) == 1
    memory.observe([{"role": "tool", "name": "query", "content": error}])
    clock.advance(timedelta(minutes=1))
    memory.consolidate()
    assert drawn(memory, "lesson")[0].meta["failures"] == 3


def test_insights_cite_and_invent_nothing(clock: FakeClock, path: Path) -> None:
    """With a model: an insight needs two memories that exist, and no number that they lack."""
    reply = (
        'Sure: [{"insight": "Sun works better in the morning", "cites": [1, 2]},'
        ' {"insight": "Sun runs 42 km", "cites": [1, 2]},'
        ' {"insight": "Sun is well", "cites": [3]}, {"insight": "no", "cites": [98, 99]}, 7]'
    )
    model = ScriptedChatModel([reply], repeat_last=True)
    with Memory(path, embedder=None, clock=clock, chat_model=model, background=False) as memory:
        ids = [memory.remember(f"note number {'abcdefghi'[n]} 笔记").memory_id for n in range(9)]
        report = memory.consolidate(policies=Policies(merge=False))
        (insight,) = drawn(memory, "insight_of")
        assert insight.text == "Sun works better in the morning"
        assert list(insight.meta["insight_of"]) == ids[:2]  # type: ignore[arg-type, call-overload]
        assert insight.kind == "reflective"
        memory.undo(report.run_id)
        assert drawn(memory, "insight_of") == []
        assert len(memory.list().items) == 9
