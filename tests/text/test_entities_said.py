"""What a text says of names: that two are one, and how they hang together."""

from __future__ import annotations

import pytest

from jiyi.text.entities_aliases import find_aliases
from jiyi.text.entities_relations import find_relations

ONE = [
    ("Robert, whom everybody calls Bob, lives in Lyon.", "Robert", "Bob"),
    ("Margaret, who we all call Peggy, came too", "Margaret", "Peggy"),
    ("Our lead Tom Baker goes by TB.", "Tom Baker", "TB"),
    ("Tom Baker, also known as TB, left.", "Tom Baker", "TB"),
    ("Bob = Robert Smith", "Bob", "Robert Smith"),
    ("Liz is short for Elizabeth.", "Elizabeth", "Liz"),
    ("Bob's full name is Robert Smith", "Robert Smith", "Bob"),
    ("Karen's nickname is Kaz", "Karen", "Kaz"),
    ("Bob and Robert are the same person", "Bob", "Robert"),
    ("By Bob I mean Robert Smith", "Robert Smith", "Bob"),
    ("Everyone calls Robert Bob.", "Robert", "Bob"),
    ('Robert "Bob" Smith joined us.', "Robert Smith", "Bob"),
    ("The World Health Organization (WHO) said so.", "World Health Organization", "WHO"),
    ("Elizabeth Turner (Liz) is here", "Elizabeth Turner", "Liz"),
    ("the Sony WH-1000XM5, or XM5 for short, broke", "Sony WH-1000XM5", "XM5"),
    ("李雷（小李）负责后端。", "李雷", "小李"),
    ("我同事王芳(芳芳)请假了", "王芳", "芳芳"),
    ("小李就是李雷。", "小李", "李雷"),
    ("大家都叫李雷小李。", "李雷", "小李"),
    ("大家都管张伟叫老张", "张伟", "老张"),
    ("北京大学（简称北大）在海淀", "北京大学", "北大"),
    ("北大是北京大学的简称", "北京大学", "北大"),
    ("张三，外号老张，是我同事", "张三", "老张"),
    ("李雷的英文名是Leo", "李雷", "Leo"),
    ("小李和李雷是同一个人", "小李", "李雷"),
    ("我说的小李是李雷", "李雷", "小李"),
    ("李雷，大家都叫他小李，在北京", "李雷", "小李"),
    ("小李 = 李雷", "小李", "李雷"),
]
TWO = [
    "Anna (Berlin) is here",
    "Robert Smith (Google) gave a talk",
    "Bob and Robert are not the same person",
    "Is Bob short for Robert?",
    "Anna, Tom and Bob are the same age",
    "Anna called Tom yesterday",
    "Anna and Annabel met",
    "Robert and Rob came together",
    "My friends call me often",
    "小李不是李雷",
    "小李就是李雷吗？",
    "王芳（会计）来了",
    "上海（出差）",
    "李雷和李蕾一起来的",
    "今天就是周末",
    "别把小李和李雷搞混",
]


@pytest.mark.parametrize(("text", "one", "other"), ONE)
def test_what_is_said_to_be_one(text: str, one: str, other: str) -> None:
    """Scenario 17: two names that a text ties together are found, in both languages."""
    assert find_aliases(text) == [(one, other)]


@pytest.mark.parametrize("text", TWO)
def test_what_only_looks_alike(text: str) -> None:
    """Names that nobody says are one stay two: alike, side by side, denied or asked about."""
    assert find_aliases(text) == []


SAID = [
    ("My sister Anna works at Acme.", [(None, "sister", "Anna"), ("Anna", "employer", "Acme")]),
    ("my older brother Max", [(None, "brother", "Max")]),
    ("Karen Miller is my boss", [(None, "boss", "Karen Miller")]),
    ("My boss is Karen Miller.", [(None, "boss", "Karen Miller")]),
    ("Anna's husband Tom is a nurse", [("Anna", "husband", "Tom")]),
    ("Tom is Anna's husband", [("Anna", "husband", "Tom")]),
    ("Tom, Anna's brother, lives in Paris", [("Anna", "brother", "Tom")]),
    ("A friend of mine, Joe, runs Acme", [(None, "friend", "Joe")]),
    ("my dog is called Rex", [(None, "dog", "Rex")]),
    ("Maria is married to Tom.", [("Maria", "partner", "Tom")]),
    ("Sue: my sister Anna came", [("Sue", "sister", "Anna")]),
    ("我妹妹小红在腾讯上班。", [(None, "sister", "小红"), ("小红", "employer", "腾讯")]),
    ("我老板是王强", [(None, "boss", "王强")]),
    ("我女儿叫朵朵", [(None, "daughter", "朵朵")]),
    ("张伟是李娜的老公。", [("李娜", "husband", "张伟")]),
    ("李娜的老公张伟来了", [("李娜", "husband", "张伟")]),
    ("小李是我的好朋友", [(None, "friend", "小李")]),
    ("我和小红结婚了", [(None, "partner", "小红")]),
    ("我住在上海", [(None, "residence", "上海")]),
]


@pytest.mark.parametrize(("text", "found"), SAID)
def test_how_names_hang_together(text: str, found: list[tuple[str | None, str, str]]) -> None:
    """Kinship, work and home are read off what is said, under one label in both languages."""
    assert find_relations(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "my friend lives in Paris",
        "My sister Anna doesn't work at Acme",
        "Is Karen my boss?",
        "my ex-wife Beth",
        "我妈妈做的菜",
        "我老师说要交作业",
        "小红不是我妹妹",
        "小红是你妹妹吗？",
    ],
)
def test_what_ties_nothing(text: str) -> None:
    """Somebody without a name, a denial and a question tie nothing together."""
    assert find_relations(text) == []
