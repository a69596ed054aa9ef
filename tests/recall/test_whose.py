"""A question about oneself is not answered by what is known of others, nor one about others by
what one told of oneself."""

from __future__ import annotations

import pytest

from jiyi import Memory

ENGLISH = (
    "My sister Anna lives in Bremen.",
    "We moved to Kiel last month, and the boxes are still everywhere.",
    "I'm allergic to penicillin.",
    "My son Tim is allergic to nuts.",
    "I work as a paramedic.",
    "My wife works as a baker.",
    "My cat is called Miso.",
    "I drive a blue Golf.",
    "I don't eat pork.",
    "My brother lives in Ghent.",
    "My boss lives near the office.",
    "The parcel came last month, at last.",
)
CHINESE = (
    "我姐姐住在杭州。",
    "我们上个月搬到宁波了，箱子还堆得到处都是。",
    "我对青霉素过敏。",
    "我儿子小宝对花生过敏。",
    "我是急救员。",
    "我老婆是面包师。",
    "我家猫叫米粒。",
    "我开一辆蓝色高尔夫。",
    "我不吃猪肉。",
    "我弟弟住在绍兴。",
    "我老板住在公司附近。",
    "上个月的包裹总算到了。",
)


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (ENGLISH, "Where do I live?", "Kiel"),
        (ENGLISH, "which town am I living in", "Kiel"),
        (ENGLISH, "Where does my sister live?", "Bremen"),
        (ENGLISH, "Where does Anna live?", "Bremen"),
        (ENGLISH, "Who lives in Bremen?", "Bremen"),
        (ENGLISH, "What am I allergic to?", "penicillin"),
        (ENGLISH, "What is my son allergic to?", "nuts"),
        (ENGLISH, "What's my job?", "paramedic"),
        (ENGLISH, "What is my wife's job?", "baker"),
        (CHINESE, "我住哪儿？", "宁波"),
        (CHINESE, "我现在住在哪个城市", "宁波"),
        (CHINESE, "我姐姐住在哪里？", "杭州"),
        (CHINESE, "谁住在杭州？", "杭州"),
        (CHINESE, "我对什么过敏？", "青霉素"),
        (CHINESE, "小宝对什么过敏？", "花生"),
        (CHINESE, "我是做什么工作的？", "急救员"),
        (CHINESE, "我老婆做什么工作？", "面包师"),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_the_first_hit_tells_of_whom_the_question_is_about(
    told: tuple[str, ...], question: str, answer: str, order: int
) -> None:
    """Whatever was said last, and however many words another's fact shares with the question."""
    with Memory(":memory:", embedder=None, background=False) as memory:
        for text in told[::order]:
            memory.observe(text, user="u", session="s")
        assert answer in memory.recall(question, user="u")[0].text


def test_another_is_better_than_nothing() -> None:
    """Where nothing is known of who asks, the others' facts keep their place and their score."""
    with Memory(":memory:", embedder=None, background=False) as memory:
        memory.remember("My sister Anna lives in Bremen.", user="u")
        hits = memory.recall("Where do I live?", user="u")
        assert "another's" not in hits[0].scores
