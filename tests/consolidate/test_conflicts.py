"""The inbox of contradictions: what cannot both hold and no rule decides."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jiyi import ConflictError, InvalidInputError, Memory, ModelError
from jiyi.testing import FakeClock, ScriptedChatModel

PAIRS = [
    ("Deploys on Friday are allowed", "Deploys on Friday are not allowed"),
    ("The team likes the blue logo", "The team hates the blue logo"),
    ("The backup runs at 2", "The backup runs at 3"),
    ("The night bus costs 4 euros", "The night bus costs 5 euros"),
    ("Alarms in the lab are enabled", "Alarms in the lab are disabled"),
    ("周五允许发布新版本", "周五禁止发布新版本"),
    ("服务器在上海机房", "服务器不在上海机房"),
    ("小组喜欢蓝色的标志", "小组讨厌蓝色的标志"),
    ("夜班车票价是 4 元", "夜班车票价是 5 元"),
    ("实验室的报警器打开", "实验室的报警器关闭"),
]


def tell(memory: Memory, clock: FakeClock, *texts: str) -> list[str]:
    ids = []
    for text in texts:
        clock.advance(timedelta(days=1))
        ids.append(memory.remember(text).memory_id or "")
    return ids


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_contradictions_are_listed(memory: Memory, clock: FakeClock, one: str, other: str) -> None:
    """Said and denied, opposite words, another number: listed once, the earlier one first, also
    after a consolidation, which does not merge them."""
    ids = tell(memory, clock, one, other)
    memory.consolidate()
    (conflict,) = memory.conflicts()
    assert [conflict.first.id, conflict.second.id] == ids
    assert conflict.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ticket 12 is closed", "Ticket 13 is closed"),
        ("Ann likes the blue logo", "Bob hates the blue logo"),
        ("The backup runs at 2", "The restore runs at 3"),
        ("工单 12 已关闭", "工单 13 已关闭"),
        ("小王喜欢蓝色", "小李讨厌蓝色"),
        ("备份在 2 点运行", "恢复在 3 点运行"),
        ("Deploys are allowed", "Deploys are permitted on Friday"),
    ],
)
def test_what_can_both_hold_is_not_listed(
    memory: Memory, clock: FakeClock, one: str, other: str
) -> None:
    """Other things, people and numbers that are names."""
    tell(memory, clock, one, other)
    assert memory.conflicts() == ()


def test_two_values_of_one_place_between_readers(memory: Memory, clock: FakeClock) -> None:
    """One agent's own value beside everybody's: listed; two agents' own values: not."""
    slot = {"attribute": "meeting room"}
    memory.remember("Meet in B12", slot={**slot, "value": "B12"})
    for agent in ("a", "b"):
        told = {"slot": {**slot, "value": f"C-{agent}"}, "agent": agent, "visibility": "agent"}
        clock.advance(timedelta(days=1))
        memory.remember(f"Meet in C-{agent}", **told)  # type: ignore[arg-type]
    pairs = [{c.first.text, c.second.text} for c in memory.conflicts()]
    assert {"Meet in B12", "Meet in C-a"} in pairs
    assert {"Meet in C-a", "Meet in C-b"} not in pairs


@pytest.mark.parametrize(
    ("pair", "question", "mark"),
    [
        (PAIRS[0], "May we deploy on Friday?", "contradicts another memory here"),
        (PAIRS[2], "When does the backup run?", "contradicts another memory here"),
        (PAIRS[5], "周五可以发布新版本吗？", "与此处另一条记忆矛盾"),
        (PAIRS[8], "夜班车票价是多少？", "与此处另一条记忆矛盾"),
    ],
)
def test_a_context_marks_what_is_open(
    memory: Memory, clock: FakeClock, pair: tuple[str, str], question: str, mark: str
) -> None:
    """Both sides of an open contradiction are marked in a context, and neither once it is
    settled."""
    first, second = tell(memory, clock, *pair)
    assert memory.context(question).text.count(mark) == 2
    memory.resolve_conflict(first, second, both=True)
    assert mark not in memory.context(question).text


@pytest.mark.parametrize(("one", "other"), [PAIRS[0], PAIRS[5]])
def test_a_person_decides(memory: Memory, clock: FakeClock, one: str, other: str) -> None:
    """What does not hold is superseded and stays in the history; undo opens the conflict again;
    both holding closes it for good."""
    first, second = tell(memory, clock, one, other)
    outcome = memory.resolve_conflict(second, first)
    assert outcome.replaced == (first,)
    assert memory.conflicts() == ()
    assert memory.get(first).superseded_by == second
    with pytest.raises(ConflictError):
        memory.resolve_conflict(first, second)
    memory.undo(first)
    assert len(memory.conflicts()) == 1
    memory.resolve_conflict(first, second, both=True)
    assert memory.conflicts() == ()
    assert len(memory.list().items) == 2
    with pytest.raises(InvalidInputError):
        memory.resolve_conflict(first, first)


def test_a_model_proposes_and_decides_nothing(clock: FakeClock) -> None:
    """Its word stands beside each pair it names a side of; what it says otherwise is ignored."""
    model = ScriptedChatModel(['I think: ["second", "nonsense"]', ModelError("down")])
    with Memory(
        ":memory:", embedder=None, clock=clock, chat_model=model, background=False
    ) as memory:
        assert memory.conflicts(propose=True) == ()
        for one, other in PAIRS[:3]:
            tell(memory, clock, one, other)
        proposals = [c.proposal for c in memory.conflicts(propose=True)]
        assert proposals == ["second", None, None]
        assert memory.stats().budget["calls"] == 1
        assert [c.proposal for c in memory.conflicts()] == [None, None, None]
        with pytest.raises(ModelError):
            memory.conflicts(propose=True)
        assert len(memory.list().items) == 6


def test_a_later_statement_closes_it(memory: Memory, clock: FakeClock) -> None:
    """A correction of one side ends the contradiction."""
    first, _ = tell(memory, clock, *PAIRS[2])
    memory.correct(first, "The backup ran at 2 until May")
    assert memory.conflicts() == ()
