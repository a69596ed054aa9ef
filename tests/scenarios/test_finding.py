"""Scenarios 15, 16, 18, 35, 40, 43: what was said is found, and nothing is invented."""

from __future__ import annotations

import random

import pytest

from jiyi import Memory


@pytest.mark.parametrize(
    ("said", "questions"),
    [
        ("我住在北京", ["用户住在哪里", "北京", "我住哪儿"]),
        ("我在杨凌试验站负责油菜表型采集", ["杨凌", "油菜", "用户在哪里工作"]),
        ("I live in Norwich", ["where does the user live", "Norwich", "where do I live?"]),
        ("我的 iPhone 15 Pro 坏了", ["iPhone 15", "坏了", "手机 iPhone"]),
        ("The Makita DTD153 drill needs a new chuck", ["DTD153", "drill chuck", "makita"]),
        ("服务器 web-03 的内存只有 2GB", ["web-03", "2GB", "服务器内存"]),
    ],
)
def test_what_was_said_is_found_in_its_own_language(
    memory: Memory, said: str, questions: list[str]
) -> None:
    """Scenarios 15, 16: Chinese, English and mixed text, by whole words and by parts."""
    memory.observe(said)
    for question in questions:
        hits = memory.recall(question)
        assert hits, question
        assert set(hits[0].text) <= set(said), question


CODES = ["ZX-9917-Q", "P-2025-0412", "INV/2024/0099", "b7f3-00e1", "RM-4471"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("code", CODES)
def test_a_rare_code_is_found_among_many(memory: Memory, code: str, language: str) -> None:
    """Scenario 18: one code among 500 unrelated memories comes first."""
    rng = random.Random(code)
    things = {
        "en": ["door", "invoice", "lamp", "garden", "meeting", "report", "bread", "river"],
        "zh": ["门锁", "发票", "台灯", "花园", "会议", "报告", "面包", "河流"],
    }[language]
    for n in range(500):
        a, b = rng.sample(things, 2)
        memory.remember(f"The {a} near the {b} has note {n}" if language == "en"
                        else f"{a}旁边的{b}有第{n}条备注")  # fmt: skip
    wanted = f"The door code is {code}" if language == "en" else f"大门的编号是{code}"
    memory.remember(wanted)
    for question in (code, f"what is {code}?", f"{code} 是什么"):
        assert memory.recall(question)[0].text == wanted


@pytest.mark.parametrize(
    "question",
    [
        "what is the boiling point of xenon?",
        "氙气的沸点是多少",
        "who won the chess final?",
        "谁赢了决赛",
    ],
)
def test_nothing_known_is_said(memory: Memory, question: str) -> None:
    """Scenario 35: a question nothing supports gets an empty result and says so."""
    memory.observe("I live in Norwich and my dog is called Pepper")
    memory.observe("我住在北京，养了一只叫小黑的狗")
    hits = memory.recall(question)
    assert len(hits) == 0
    assert hits.support == "none"


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("I recommend plan B because it is cheaper", "which plan did you recommend"),
        ("我建议选方案乙，因为更便宜", "你建议的方案"),
    ],
)
def test_what_the_assistant_said_is_found_as_the_assistants(
    memory: Memory, reply: str, question: str
) -> None:
    """Scenario 40: the assistant's words are attributed to the assistant."""
    memory.observe([
        {"role": "user", "content": "which plan? 选哪个方案？"},
        {"role": "assistant", "content": reply},
    ])  # fmt: skip
    hit = next(h for h in memory.recall(question) if h.text in reply)
    assert hit.role == "assistant" or hit.trust == "assistant"


@pytest.mark.parametrize(
    ("said", "task"),
    [
        ("I hate the colour red", "design a button for the landing page"),
        ("I'm allergic to peanuts", "plan a dinner for Friday"),
        ("Always answer in metric units", "how tall is the tower"),
        ("我讨厌红色", "设计一个登录按钮"),
        ("我对花生过敏", "帮我安排周五的晚饭"),
        ("服务器只有 2GB 内存，不要装太重的东西", "写一个部署脚本"),
    ],
)
def test_a_standing_constraint_reaches_the_prompt_without_a_shared_word(
    memory: Memory, said: str, task: str
) -> None:
    """Scenario 43: similar is not useful; constraints are there whatever the task."""
    memory.observe(said, session="a")
    for n in range(30):
        memory.observe(f"the weather note {n} was fine 天气记录{n}", session="b")
    text = memory.context(task, session="c", budget=800).text
    assert said in text or any(part in text for part in said.split("，"))


@pytest.mark.parametrize("name", ["老周", "周老师", "老王", "Maybury", "Mr Mayhew"])
def test_a_name_that_nobody_said_finds_nothing(memory: Memory, name: str) -> None:
    """Characters and words that stand in every date (周, May) are no support for a name."""
    for text in ("我住在汉中", "今天下午开会", "项目进展顺利", "I like tea", "the week went well"):
        memory.observe(text)
    assert not memory.recall(name)


@pytest.mark.parametrize(
    ("last", "question"),
    [
        ("The spare key is under the blue pot.", "where is the spare key"),
        ("备用钥匙在蓝色花盆下面。", "备用钥匙在哪"),
    ],
)
def test_the_last_sentence_of_a_very_long_message_is_found(
    memory: Memory, last: str, question: str
) -> None:
    """Scenario 14: 120,000 characters are kept whole and searched in pieces."""
    text = ("The weather is fine today. 今天天气不错。" * 4000)[: 120_000 - len(last)] + last
    memory.observe(text, session="s")
    assert memory.turns(session="s")[0].text == text
    assert last in memory.recall(question)[0].text
