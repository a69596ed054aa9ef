"""Questions that name a slot by another of its words: found by words alone, in both languages."""

from __future__ import annotations

import pytest

from jiyi import Memory

TOLD = {
    "en": [
        *("I live in Ghent", "I work at Philips", "My number is 0421 555 718", "I weigh 70 kg"),
        *("My boss is Petra", "I'm allergic to shrimps", "The bakery sells rye bread"),
        *("I went to the market with my niece yesterday", "We deploy with Kamal"),
    ],
    "zh": [
        *("我住在宁波", "我在海尔工作", "我的电话是13700002222", "我体重70公斤"),
        *("我老板是老周", "我对虾过敏", "街角的面包店卖黑麦面包"),
        *("昨天我和侄女去了市场", "我们用Kamal部署"),
    ],
}


@pytest.fixture(scope="module")
def memories() -> dict[str, Memory]:
    opened = {}
    for language, said in TOLD.items():
        memory = Memory(":memory:", embedder=None).scoped(user="u")
        for text in said:
            memory.observe(text)
        opened[language] = memory
    return opened


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "What town do I live in now?", "Ghent"),
        ("en", "Which city am I in?", "Ghent"),
        ("en", "Where is my place?", "Ghent"),
        ("en", "which company am I with?", "Philips"),
        ("en", "What firm employs me?", "Philips"),
        ("en", "who do I work for?", "Philips"),
        ("en", "what's my telephone?", "0421"),
        ("en", "what's my cell?", "0421"),
        ("en", "who is my supervisor?", "Petra"),
        ("en", "what can't I eat?", "shrimps"),
        ("en", "how heavy am I?", "70 kg"),
        ("zh", "我在哪个城市？", "宁波"),
        ("zh", "我住哪？", "宁波"),
        ("zh", "我在哪家公司上班？", "海尔"),
        ("zh", "我的单位是哪里？", "海尔"),
        ("zh", "怎么联系我？", "137"),
        ("zh", "我的号码是多少？", "137"),
        ("zh", "我主管是谁？", "老周"),
        ("zh", "我不能吃什么？", "虾"),
        ("zh", "我多重？", "70"),
        ("zh", "我们用什么软件部署？", "Kamal"),
    ],
)
def test_a_slot_is_found_by_the_words_for_it(
    memories: dict[str, Memory], language: str, question: str, answer: str
) -> None:
    """The first hit is the memory that fills the slot, and it counts as support."""
    hits = memories[language].recall(question, limit=3)
    assert hits
    assert answer in hits[0].text
    assert hits.support == "strong"


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "which town has the best cheese?"),
        ("en", "Which city is the oldest?"),
        ("en", "Which city is the capital of Chile?"),
        ("en", "Which company makes the best bicycles?"),
        ("zh", "智利的首都是哪个城市"),
        ("zh", "哪家公司的自行车好？"),
        ("zh", "加拿大最大的城市是哪个"),
    ],
)
def test_a_word_of_a_slot_is_no_answer_by_itself(
    memories: dict[str, Memory], language: str, question: str
) -> None:
    """Where somebody lives or works says nothing about another subject that a question names."""
    assert memories[language].recall(question).support != "strong"


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "what is the smallest town?"),
        ("en", "which city is the safest to visit?"),
        ("en", "Which firm is the worst?"),
        ("en", "the most expensive city?"),
        ("zh", "哪座城市最大"),
        ("zh", "最古老的城市是哪一座？"),
        ("zh", "哪个城市更宜居"),
        ("zh", "哪家公司的待遇最好"),
        ("zh", "最好的单位是哪个"),
        ("zh", "哪家公司好？"),
    ],
)
def test_a_comparison_of_all_is_not_about_ones_own(
    memories: dict[str, Memory], language: str, question: str
) -> None:
    """One's own city or company is one of many: a question that compares all of them is not
    answered by it."""
    assert memories[language].recall(question).support != "strong"


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "what is the user's latest company?", "Philips"),
        ("en", "Which city do I live in most of the time?", "Ghent"),
        ("zh", "最近住在哪个城市", "宁波"),
        ("zh", "最后在哪家公司上班", "海尔"),
        ("zh", "我最常在哪个城市？", "宁波"),
    ],
)
def test_a_superlative_of_time_or_of_ones_own_is(
    memories: dict[str, Memory], language: str, question: str, answer: str
) -> None:
    """The latest, the last, and a question that says whose it is still find the slot."""
    hits = memories[language].recall(question, limit=3)
    assert hits
    assert answer in hits[0].text


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        ("我表哥住在兰州", "表哥在哪个城市？", "兰州"),
        ("小李在海尔上班", "小李在哪家公司？", "海尔"),
        ("我住在宁波", "住在哪个城市？", "宁波"),
        ("My niece lives in Turin", "Which town does the niece live in?", "Turin"),
        ("Greta works at Bosch", "Which company is Greta with?", "Bosch"),
    ],
)
def test_a_slot_of_whom_the_question_names_is_found(said: str, question: str, answer: str) -> None:
    """Who is asked about by name, or by nothing at all, is no other subject."""
    with Memory(":memory:", embedder=None) as memory:
        user = memory.scoped(user="u")
        user.observe(said)
        hits = user.recall(question)
        assert hits.support == "strong"
        assert answer in hits[0].text
