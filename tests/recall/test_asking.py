"""Which turns state nothing, in both languages."""

from __future__ import annotations

import pytest

from jiyi import Memory
from jiyi.recall.asking import states_nothing


@pytest.mark.parametrize(
    "text",
    [
        "where do I live?",
        "By the way, where did I park?",
        "Do you know where I live, or should I tell you?",
        "If I lived in Rome, what would I eat?",
        "我住在哪里来着？",
        "对了，我的车停哪儿了？",
        "你还记得我住在哪儿吗，我忘了？",
        "如果我住在三亚就好了",
        "顺便问一下，几点开门呢",
        "Forget my old address.",
        "please delete what I told you about the flat",
        "忘掉我的体重",
        "把我住哪儿删掉吧",
        "I don't know where your keys are.",
        "Sorry, I have no record of your shoe size. Could you tell me?",
        "You haven't told me your blood type.",
        "抱歉，我没有关于你鞋码的记录。你能告诉我吗？",
        "我不知道你的血型。",
        "你还没有告诉过我你的生日。",
    ],
)
def test_what_only_asks_or_supposes_states_nothing(text: str) -> None:
    """Questions, with an opening or a second question before them, and what is supposed."""
    assert states_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "I have moved to Lyon, can you help me find a dentist?",
        "My build takes fourteen minutes since Monday, how can I make it faster?",
        "What's up? I moved to Rome.",
        "我刚搬到昆明，能推荐一家牙医吗？",
        "我们的发布推迟到周五了，我该先通知谁？",
        "I live in Oslo.",
        "I forgot my umbrella in the tram.",
        "I don't know why, but I prefer the old editor.",
        "I'm not sure about red, I like dark blue better.",
        "Remove the sugar from the recipe, I am diabetic.",
        "我忘了带伞，停在办公室门口了。",
        "我不知道为什么，反正我更喜欢老版本。",
        "我没有车，平时骑自行车上班。",
    ],
)
def test_a_statement_before_the_question_is_stated(text: str) -> None:
    """Who asks for help says first what the matter is: that is worth finding."""
    assert not states_nothing(text)


ASKED = {
    "en": (
        *("Where is my bike?", "Do you know where I left my bike?"),
        *("I don't know where your bike is.", "Forget my bike."),
    ),
    "zh": (
        *("我的自行车在哪儿？", "你知道我的自行车放哪儿了吗？"),
        *("我不知道你的自行车在哪儿。", "忘掉我的自行车。"),
    ),
}


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "Where is my bike?"), ("zh", "我的自行车在哪？"), ("en", "where did I leave the bike")],
)
def test_a_question_asked_before_is_no_answer(language: str, question: str) -> None:
    """What was asked, refused or ordered to be forgotten, once or often, makes nothing known; a
    word about it does."""
    with Memory(":memory:", embedder=None, background=False) as memory:
        view = memory.scoped(user="u", session="s")
        for text in ("I like tea.", "我每天跑步。", *ASKED[language]):
            role = "assistant" if text.startswith(("I don't know", "我不知道")) else "user"
            view.observe({"role": role, "content": text})
        assert view.recall(question).support == "none"
        answer = {"en": "My bike is in the cellar.", "zh": "我的自行车在地下室。"}[language]
        view.observe(answer)
        hits = view.recall(question)
        assert hits.support != "none"
        assert hits[0].text.rstrip("。.") == answer.rstrip("。.")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [("What do you feed the parrot?", "Mostly walnuts"), ("你喂鹦鹉吃什么？", "主要是核桃")],
)
def test_a_question_that_was_answered_leads_to_the_answer(asked: str, answer: str) -> None:
    """The answer needs no word of the question when it follows it."""
    with Memory(":memory:", embedder=None, background=False) as memory:
        view = memory.scoped(user="u", session="s")
        for role, text in (("assistant", asked), ("user", answer)):
            view.observe({"role": role, "content": text}, encode=False)
        hits = view.recall(asked)
        assert hits.support == "strong"
        assert answer in [hit.text for hit in hits]
