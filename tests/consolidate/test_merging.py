"""Scenario 34 and F21: several wordings of one thing become one memory with all of its sources."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock, ScriptedChatModel

WORDINGS = [
    [
        "I love spicy food.",
        "I'm a big fan of spicy food",
        "I really enjoy spicy food!",
        "Spicy food is something I like a lot.",
    ],
    [
        "Please keep your answers concise",
        "I prefer short answers",
        "Answers should be concise",
        "I like brief replies",
    ],
    ["我喜欢简洁的回答", "回答请简洁一点", "我偏好简短的回复", "请用简洁的方式回答我"],
    ["我喜欢喝花茶", "我平时很爱喝花茶", "用户喜欢喝花茶", "我一直都喜欢喝花茶的"],
]


@pytest.mark.parametrize("wordings", WORDINGS)
@pytest.mark.parametrize("way", ["remember", "observe"])
def test_four_wordings_become_one_memory_with_four_sources(
    memory: Memory, clock: FakeClock, wordings: list[str], way: str
) -> None:
    """Scenario 34: whichever way they came in, one live memory is left, and it cites every wording
    that was kept."""
    for day, text in enumerate(wordings):
        clock.advance(timedelta(days=1))
        if way == "remember":
            memory.remember(text, session=str(day))
        else:
            memory.observe(text, session=str(day))
    before = {s.id for m in memory.list(include="candidate").items for s in m.sources}
    assert len(before) == 4 if way == "remember" else len(before) >= 3
    memory.consolidate()
    (kept,) = memory.list(include="candidate").items
    assert {source.id for source in kept.sources} == before
    assert kept.status == "active"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (
            "用户偏好：图中坐标轴需标单位；用户身份：李工小组成员",
            "用户身份：李工小组成员；绘图偏好：图中坐标轴需标单位（如时间: 20 s），以后都照此办理",
        ),
        (
            "Preference: axes of plots carry units; role: member of the Lee group",
            "Role: member of the Lee group; my preference: axes of plots carry units (as in 20 s)",
        ),
    ],
)
def test_of_two_near_identical_preferences_the_fuller_one_stays(
    memory: Memory, clock: FakeClock, short: str, long: str
) -> None:
    """F21: what says all of another memory and more takes its place; both sources are kept."""
    for text in (short, long):
        memory.remember(text)
        clock.advance(timedelta(hours=1))
    memory.consolidate()
    (kept,) = memory.list().items
    assert kept.text == long
    assert len(kept.sources) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like tea", "I don't like tea"),
        ("I prefer tea to coffee", "I prefer coffee to tea"),
        ("I worked at Acme for 5 years", "I worked at Acme for 6 years"),
        ("The kiln is in room 12", "The kiln is in room 21"),
        ("My sister likes chess", "I like chess"),
        ("My dog bites Tom", "Tom bites my dog"),
        ("My dog likes the cat", "The cat likes my dog"),
        ("Ann likes me", "I like Ann"),
        ("I help Ann", "Ann helps me"),
        ("小王喜欢小李", "小李喜欢小王"),
        ("小王喜欢我", "我喜欢小王"),
        ("我妈妈喜欢下棋", "我喜欢下棋的妈妈"),
        ("我帮小王搬家", "小王帮我搬家"),
        ("I used to like chess", "I like chess"),
        ("I like chess if it rains; I like darts", "I like chess"),
        ("I want a dog", "I like dogs"),
        ("我喜欢花茶", "我喜欢茶花"),
        ("我喜欢吃辣", "我不喜欢吃辣"),
        ("我想养一只猫", "我喜欢养猫"),
        ("我会游泳", "我喜欢游泳"),
        ("我妈妈喜欢下棋", "我喜欢下棋"),
        ("先备份再升级", "先升级再备份"),
        ("如果下雨，我喜欢下棋；我喜欢钓鱼", "我喜欢下棋"),
        ("从北京到上海的票", "从上海到北京的票"),
    ],
)
def test_what_differs_in_meaning_stays_apart(memory: Memory, one: str, other: str) -> None:
    """Negation, direction, numbers, conditions, tense, wish and whose liking it is keep memories
    apart, in either order of telling."""
    memory.remember(one)
    memory.remember(other)
    assert memory.consolidate().counts.get("merge") is None
    assert len(memory.list().items) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Went to the gym with Ann", "I went to the gym with Ann"),
        ("和小林去健身房", "我和小林一起去了健身房"),
    ],
)
def test_what_happened_twice_happened_twice(
    memory: Memory, clock: FakeClock, one: str, other: str
) -> None:
    """An event of another day is another event, in whatever words."""
    memory.remember(one, kind="episodic")
    clock.advance(timedelta(days=2))
    memory.remember(other, kind="episodic")
    memory.consolidate()
    assert len(memory.list().items) == 2


def test_a_merged_memory_keeps_what_its_parts_had_earned(memory: Memory, clock: FakeClock) -> None:
    """Tags, uses, marks, importance, pin and the earliest start; history leads back to the parts,
    and looking back in time finds the merged one alone."""
    start = clock()
    first = memory.remember("我喜欢简洁的回答", tags=["甲"], importance=0.4).memory_id or ""
    memory.feedback(first, helpful=True)
    clock.advance(timedelta(days=3))
    second = memory.remember("回答请简洁一点", tags=["乙"], importance=0.7, pinned=True)
    clock.advance(timedelta(days=1))
    report = memory.consolidate()
    (kept,) = memory.list().items
    assert set(kept.tags) == {"甲", "乙"}
    assert (kept.importance, kept.pinned, kept.helpful) == (0.7, True, 1)
    assert kept.valid_from == start
    assert report.steps[0].memory_id == kept.id
    assert memory.get(first).superseded_by == kept.id
    assert {m.id for m in memory.history(kept.id).chain} == {first, second.memory_id, kept.id}
    hits = memory.recall("简洁的回答", as_of=start + timedelta(days=2))
    assert [hit.id for hit in hits] == [kept.id]


def test_what_one_agent_keeps_for_itself_is_not_merged_away(memory: Memory) -> None:
    """Memories for different readers stay apart; those of one agent are consolidated too."""
    memory.remember("Please keep your answers concise", agent="a", visibility="agent")
    memory.remember("I prefer short answers", agent="a", visibility="agent")
    memory.remember("Answers should be concise")
    memory.consolidate()
    assert len(memory.list().items) == 1
    assert len(memory.list(agent="a").items) == 2


def test_a_model_finds_what_rules_do_not_see(memory: Memory, clock: FakeClock) -> None:
    """Scenario 34 with a model: pairs that share words are shown to it; where numbers or a
    negation differ its word does not count."""
    texts = ["Dinner at home is what I enjoy most", "What I enjoy most is eating dinner at home"]
    model = ScriptedChatModel(["They are: [1]"], repeat_last=True)
    with Memory(":memory:", embedder=None, clock=clock, chat_model=model, background=False) as m:
        for text in (*texts, "Dinner at home takes 2 hours", "Dinner at home takes 3 hours"):
            m.remember(text)
        m.consolidate()
        left = [memory.text for memory in m.list().items]
    assert len(left) == 3
    assert {"Dinner at home takes 2 hours", "Dinner at home takes 3 hours"} < set(left)
