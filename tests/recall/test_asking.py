"""Which turns state nothing, in both languages."""

from __future__ import annotations

import pytest

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
    ],
)
def test_a_statement_before_the_question_is_stated(text: str) -> None:
    """Who asks for help says first what the matter is: that is worth finding."""
    assert not states_nothing(text)
