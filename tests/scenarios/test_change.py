"""Scenarios 3, 4, 5, 8, 9, 10, 45: what changed is current at once, and the past stays the past."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock

# (what was said first, what was said later, a question, what the answer holds, what it must not)
CHANGES = [
    ("I love Chinese food", "I hate Chinese food", "Chinese food?", "hate", "love"),
    ("I really like camping", "I don't like camping any more", "camping", "don't", "really"),
    ("我喜欢吃川菜", "我讨厌吃川菜", "我喜欢川菜吗", "讨厌", "喜欢吃"),
    ("我爱喝咖啡", "我不喝咖啡了", "喝咖啡", "不喝", "爱喝"),
    ("My name is Alice", "Call me Bob from now on", "what is my name", "Bob", "Alice"),
    ("I live in Lisbon", "I moved to Porto last week", "where do I live", "Porto", "Lisbon"),
    ("I work at Initech", "I now work at Globex", "where do I work", "Globex", "Initech"),
    ("我叫小明", "以后叫我阿明吧", "我叫什么名字", "阿明", "小明"),
    ("我住在北京", "我搬到上海了", "我住在哪里", "上海", "北京"),
    ("前端用 Vue 2", "前端已经升级到 Vue 3 了", "前端用什么 Vue", "Vue 3", "Vue 2"),
    ("My favourite colour is green", "my current favourite colour is blue",
     "favourite colour", "blue", "green"),
    ("我最喜欢的颜色是绿色", "我现在最喜欢的颜色是蓝色", "最喜欢的颜色", "蓝色", "绿色"),
    ("Let's use Docker for deployment", "scratch that, use Podman for deployment",
     "what do we use for deployment", "Podman", "Docker"),
    ("部署用 Docker", "算了，部署还是用 PM2", "部署用什么", "PM2", "Docker"),
    ("不要自动升级", "有新版直接升级", "升级", "直接升级", "不要自动"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "later", "question", "current", "past"), CHANGES)
def test_the_later_word_holds_on_the_very_next_turn(
    memory: Memory, clock: FakeClock, first: str, later: str, question: str, current: str, past: str
) -> None:
    """Scenarios 3, 4, 5, 45: among memories only the current one is found; never both, never none.
    A verbatim turn that says the old thing stands below the new one and is marked."""
    memory.observe(first, session="a")
    clock.advance(timedelta(days=3))
    memory.observe(later, session="b")
    hits = memory.recall(question, limit=10)
    found = [h.text for h in hits if h.unit == "memory"]
    assert any(current in text for text in found), found
    assert not any(past in text and current not in text for text in found), found
    turns = [h for h in hits if h.unit == "turn" and h.text == first]
    for turn in turns:
        assert turn.later is not None
        assert hits.items.index(turn) > min(
            place for place, h in enumerate(hits) if current in h.text
        )


@pytest.mark.parametrize(("first", "later", "question", "current", "past"), CHANGES)
def test_the_history_keeps_both(
    memory: Memory, clock: FakeClock, first: str, later: str, question: str, current: str, past: str
) -> None:
    """The replaced memory stays, marked superseded, with a pointer, a reason and its end."""
    memory.observe(first)
    clock.advance(timedelta(days=3))
    memory.observe(later)
    old = [m for m in memory.list(include="superseded").items if m.status == "superseded"]
    assert [past in m.text for m in old] == [True]
    assert old[0].superseded_by is not None
    assert old[0].reason
    assert old[0].valid_to is not None
    chain = memory.history(old[0].id).chain
    assert [m.status for m in chain] == ["superseded", "active"]
    assert current in chain[-1].text


@pytest.mark.parametrize(
    ("said", "question", "then", "now"),
    [
        (["I drink tea", "I stopped drinking tea", "I drink coffee now"], "drink", "tea", "coffee"),
        (["我平时喝茶", "我不喝茶了", "我现在喝咖啡"], "喝什么", "茶", "咖啡"),
    ],
)
def test_what_was_true_then_and_what_is_true_now(
    memory: Memory, clock: FakeClock, said: list[str], question: str, then: str, now: str
) -> None:
    """Scenario 8: now coffee; as of day one tea."""
    day_one = clock()
    for text in said:
        memory.observe(text)
        clock.advance(timedelta(days=1))
    current = [h.text for h in memory.recall(question) if h.unit == "memory"]
    assert any(now in text for text in current)
    assert not any(text == said[0] for text in current)
    past = [h.text for h in memory.recall(question, as_of=day_one) if h.unit == "memory"]
    assert past == [said[0]]
    assert then in past[0]


@pytest.mark.parametrize(
    ("early", "late", "question"),
    [
        ("I live in Oslo", "I live in Bergen", "where do I live"),
        ("我住在成都", "我住在重庆", "我住在哪里"),
    ],
)
def test_message_time_decides_whatever_the_order_of_arrival(
    memory: Memory, clock: FakeClock, early: str, late: str, question: str
) -> None:
    """Scenario 9: an older message that arrives late does not replace a newer one."""
    old, new = clock() - timedelta(days=30), clock() - timedelta(days=2)
    memory.observe({"role": "user", "content": late, "said_at": new})
    memory.observe({"role": "user", "content": early, "said_at": old})
    found = [h.text for h in memory.recall(question) if h.unit == "memory"]
    assert found == [late]
    then = memory.recall(question, as_of=old + timedelta(days=1))
    assert [h.text for h in then if h.unit == "memory"] == [early]


@pytest.mark.parametrize(
    ("text", "question"),
    [("The gate code is 4471", "gate code"), ("大门密码提示是 4471 号", "大门提示")],
)
def test_an_ended_fact_is_absent(
    memory: Memory, clock: FakeClock, text: str, question: str
) -> None:
    """Scenario 10: after valid_to or expires_at a fact is no answer, without any filter."""
    memory.remember(text, valid_to=clock() + timedelta(days=1))
    memory.remember(text + " (B)", ttl=timedelta(hours=2))
    assert len(memory.recall(question)) == 2
    clock.advance(timedelta(hours=3))
    assert [h.text for h in memory.recall(question)] == [text]
    clock.advance(timedelta(days=1))
    assert not memory.recall(question)
    assert memory.recall(question).support == "none"


@pytest.mark.parametrize(
    ("said", "later", "about_old", "about_rest", "current", "rest"),
    [
        ("Give weights in grams from now on. I live in Leeds.", "I moved to Bristol last weekend",
         "where do I live?", "how should weights be given?", "Bristol", "grams"),
        ("我住在汉中。以后每个数值都要带单位。", "我上周末搬到安康了",
         "我住在哪里", "数值要带单位吗", "安康", "单位"),
        ("I'm allergic to pollen and I work at Initech.", "I now work at Globex",
         "where do I work?", "what am I allergic to?", "Globex", "pollen"),
    ],
)  # fmt: skip
def test_a_turn_that_says_two_things_is_stale_for_one_of_them(
    memory: Memory, clock: FakeClock, said: str, later: str, about_old: str, about_rest: str,
    current: str, rest: str,
) -> None:  # fmt: skip
    """A turn that holds a replaced fact and a live one never outranks the successor where the
    question is about the replaced fact, and still answers for the other."""
    memory.observe(said, session="a")
    clock.advance(timedelta(days=2))
    memory.observe(later, session="b")
    hits = memory.recall(about_old)
    assert current in hits[0].text
    assert all(h.later is not None for h in hits if h.unit == "turn" and h.text == said)
    assert rest in memory.recall(about_rest)[0].text
