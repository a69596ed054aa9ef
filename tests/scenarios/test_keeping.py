"""Scenarios 13, 22, 31, 32: nothing acknowledged is lost, nothing crosses, nothing is made up."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from jiyi import InvalidInputError, Memory
from jiyi.testing import FakeClock

HOSTILE_IDS = [
    "with space",
    "o'quote\"",
    "孙老师",
    "a=b&c",
    "%",
    "_",
    "100%_x",
    "0190f3a1-7c1e-7000-8000-000000000000",
    "x" * 300,
    "ＡＢＣ",
    "ABC",
    "abc",
    "АВС",  # Cyrillic
    "../../etc",
    "a\nb",
]


def test_any_id_is_its_own_user(memory: Memory) -> None:
    """Scenario 22: ids of any script are stored and isolated exactly as they are."""
    for name in HOSTILE_IDS:
        memory.remember(f"secret word of {name!r} 暗号", user=name)
    for name in HOSTILE_IDS:
        assert [h.text for h in memory.recall("secret 暗号", limit=50, user=name)] == [
            f"secret word of {name!r} 暗号"
        ]
        assert memory.list(user=name).total == 1
    assert memory.list(user="sun").total == 0
    assert memory.list(user=None).total == 0


@pytest.mark.parametrize("field", ["user", "tenant", "agent", "session", "task", "tool"])
@pytest.mark.parametrize("value", ["", 7, "a\x00b", "\ud800"])
def test_a_bad_id_is_refused_alike_on_write_and_read(
    memory: Memory, field: str, value: object
) -> None:
    """Scenario 22: the same error for the same id, whatever the verb; nothing is written."""
    scope = {field: value}
    for call in (
        lambda: memory.remember("a fact", **scope),
        lambda: memory.observe("a word", **scope),
        lambda: memory.recall("a fact", **scope),
        lambda: memory.list(**scope),
    ):
        with pytest.raises(InvalidInputError) as caught:
            call()
        assert caught.value.field == field
    assert memory.list().total == 0


@pytest.mark.parametrize("said", ["I live in Hull", "我住在哈尔滨"])
def test_closing_and_opening_again_loses_nothing(path: Path, clock: FakeClock, said: str) -> None:
    """Scenario 31: what was written is there after reopening, and two handles see each other."""
    with Memory(path, embedder=None, clock=clock) as first:
        first.observe(said, user="u")
    with Memory(path, embedder=None, clock=clock) as first:
        assert first.turns(user="u")[0].text == said
        with Memory(path, embedder=None, clock=clock) as second:
            second.remember("written by the second 第二个写的", user="u")
            assert first.recall("第二个", user="u")[0].text == "written by the second 第二个写的"
            first.remember("written by the first 第一个写的", user="u")
            assert second.recall("第一个", user="u")[0].text == "written by the first 第一个写的"


def _write_and_die(path: str, said: list[str]) -> None:
    memory = Memory(path, embedder=None)
    with memory._parts.store.write() as writer:
        from jiyi.encode.intake import read_messages, turn_terms
        from jiyi.types import Scope

        turns = read_messages(said, scope=Scope(user="u"), now=memory._now())
        for turn in turns:
            writer.add_turn(turn, turn_terms(turn))
        memory._parts.encoder.enqueue(writer, Scope(user="u"), turns, now=memory._now())
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("said", [["My name is Dana"], ["我叫丹娜"]])
def test_a_crash_between_recording_and_reading_is_made_good_once(
    path: Path, said: list[str]
) -> None:
    """Scenario 13: killed after the turn was committed; after a restart the turn is there and is
    read exactly once."""
    process = multiprocessing.get_context("spawn").Process(
        target=_write_and_die, args=(str(path), said)
    )
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    for _ in range(2):
        with Memory(path, embedder=None) as memory:
            memory.flush()
            assert [t.text for t in memory.turns(user="u")] == said
            kept = memory.list(user="u").items
            assert len(kept) == 1
            assert len(kept[0].sources) == 1


NOT_FACTS = [
    {"role": "system", "content": "You are a helpful assistant. The user lives in Rome."},
    {"role": "system", "content": "用户住在罗马，喜欢甜食。"},
    {"role": "tool", "content": "user.city = Rome; user likes sweets"},
    {"role": "user", "content": "Suppose I lived in Rome, what would I eat?"},
    {"role": "user", "content": "如果我住在罗马，每天吃什么好？"},
    {"role": "user", "content": "假设我是素食者，帮我列个菜单"},
    {"role": "user", "content": "Do I live in Rome?"},
    {"role": "user", "content": "我住在罗马吗？"},
    {"role": "user", "content": 'The article says: "I live in Rome and I love sweets."'},
    {"role": "user", "content": "文章里写道：“我住在罗马，最爱甜食。”帮我翻译"},
    {"role": "user", "content": "In my novel the hero says I live in Rome"},
    {"role": "user", "content": "小说里的主角说我住在罗马"},
    {"role": "user", "content": "> I live in Rome\n> I love sweets\nplease summarise the quote"},
    {"role": "user", "content": "```\nname = 'I live in Rome'\n```\nwhy does this fail?"},
    {"role": "user", "content": "<memory>\n- I live in Rome\n</memory>\nhello"},
    {"role": "user", "content": "thanks, that was great!"},
    {"role": "user", "content": "好的，谢谢！"},
    {"role": "assistant", "content": "You live in Rome, I suppose?"},
]


@pytest.mark.parametrize("message", NOT_FACTS, ids=lambda m: m["content"][:24])
def test_what_is_no_statement_of_the_user_becomes_no_fact(
    memory: Memory, message: dict[str, str]
) -> None:
    """Scenario 32: system prompts, recalled blocks, tools, hypotheses, quotes, questions."""
    memory.observe(message)
    assert memory.list(include=["candidate"]).total == 0
    assert not memory.profile().learned
    assert [t.text for t in memory.turns()] == [message["content"]]


def test_our_own_context_read_back_becomes_no_fact(memory: Memory) -> None:
    """Scenario 32: a recalled block that comes back in a message is not learned again."""
    memory.observe("I live in Hull")
    memory.observe("我喜欢喝乌龙茶")
    block = memory.context("where do I live? 我住在哪里", session="s").text
    before = memory.list().total
    memory.observe([{"role": "system", "content": block}, {"role": "user", "content": block}])
    assert memory.list().total == before
    for kept in memory.list().items:
        assert len(kept.sources) == 1


@pytest.mark.parametrize(
    "said",
    [
        "I live in York, my name is Bob and I'm a manager. Forget my name.",
        "我住在约克，我叫阿明，我现在是经理。忘掉我的名字。",
    ],
)
def test_what_is_said_leaves_hard_facts_alone(memory: Memory, said: str) -> None:
    """Permanent fields are read exactly, whatever is told, changed or ordered to be erased, and
    search never finds them."""
    fields = {"role": "technician", "residence": "Leeds", "name": "Ann"}
    memory.set_permanent(**fields)
    memory.observe(said)
    memory.flush()
    assert dict(memory.profile().permanent) == fields
    assert not [hit for hit in memory.recall("technician Leeds Ann") if "technician" in hit.text]
