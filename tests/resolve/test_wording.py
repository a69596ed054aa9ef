"""When two wordings are one statement, and when they are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.resolve.wording import (
    contains,
    is_negative,
    narrower_topic,
    same_topic,
    statement_key,
    topic_key,
    value_key,
)

SAME = [
    ("I like tea.", "The user really likes tea"),
    ("I'm allergic to peanuts", "User is allergic to peanuts"),
    ("I don't eat pork", "The user does not eat pork!"),
    ("We can't deploy on Fridays", "we cannot deploy on fridays"),
    ("我很喜欢喝茶", "用户喜欢喝茶。"),
    ("我的猫叫团子", "用户的猫叫团子"),
    ("我也对花生过敏呢", "本人对花生过敏"),
    ("我的 iPhone 15 Pro 坏了", "我的iPhone 15 Pro坏了！"),
    ("ＶＰＮ 要连公司的", "vpn要连公司"),
]
DIFFERENT = [
    ("I worked there for 5 years", "I worked there for 6 years"),
    ("I like tea", "I do not like tea"),
    ("I like tea", "I like green tea"),
    ("I was a nurse", "I am a nurse"),
    ("Ann manages Bob", "Bob manages Ann"),
    ("I use C", "I use C++"),
    ("My sister lives in Rome", "My brother lives in Rome"),
    ("Room A-12 is booked", "Room A-13 is booked"),
    ("I can swim", "I can't swim"),
    ("我喜欢茶", "我不喜欢茶"),
    ("我每天跑5公里", "我每天跑6公里"),
    ("我要买车", "我买了车"),
    ("我会游泳", "我不会游泳"),
    ("张三是李四的老板", "李四是张三的老板"),
    ("我喜欢花茶", "我喜欢茶花"),
    ("我妈妈在上海", "我爸爸在上海"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_statement(one: str, other: str) -> None:
    """Articles, intensifiers, particles, contractions and I/the user make no difference."""
    assert statement_key(one) == statement_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_statements(one: str, other: str) -> None:
    """Numbers, negation, names, tense, order and any content word do."""
    assert statement_key(one) != statement_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deploy on Fridays", "friday deploys"),
        ("spicy food", "the spicy foods"),
        ("eating fish", "fish"),
        ("喝咖啡", "咖啡"),
        ("吃辣", "辣"),
        ("红色的按钮", "红色按钮"),
    ],
)
def test_one_topic(one: str, other: str) -> None:
    """Topics that differ in wording only are one topic."""
    assert same_topic(one, other)
    assert same_topic(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("coffee", "iced coffee"),
        ("flights to Paris", "flights from Paris"),
        ("花茶", "茶花"),
        ("咖啡", "冰咖啡"),
        ("红色", "红色按钮"),
        ("tea", "coffee"),
        ("", "tea"),
        ("", ""),
    ],
)
def test_two_topics(one: str, other: str) -> None:
    """A qualifier, a direction or the order of characters makes another topic."""
    assert not same_topic(one, other)


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        ("升级", "自动升级", True),
        ("updates", "automatic updates", True),
        ("deploys", "friday deploys", True),
        ("红色", "红色按钮", False),
        ("update", "update notes", False),
        ("报告", "写报告", True),
        ("tea", "tea", False),
        ("茶", "绿茶", False),
        ("", "升级", False),
    ],
)
def test_narrower(wide: str, narrow: str, expected: bool) -> None:
    """A topic is narrower when it only qualifies the same thing."""
    assert narrower_topic(wide, narrow) is expected
    assert narrower_topic(narrow, wide) is expected


@pytest.mark.parametrize(
    ("longer", "shorter", "expected"),
    [
        ("I live in Berlin with my cat", "I live in Berlin", True),
        ("用户对花生严重过敏", "我对花生过敏", True),
        ("I like tea and coffee", "I like tea", False),
        ("我喜欢茶和咖啡", "我喜欢茶", False),
        ("I don't like tea", "I like tea", False),
        ("I ran 5 km today", "I ran today", False),
        ("I like tea", "I like tea", False),
        ("我不吃肉", "我吃肉", False),
    ],
)
def test_contains(longer: str, shorter: str, expected: bool) -> None:
    """More detail is the same fact; a second thing, a "not" or a number is another."""
    assert contains(longer, shorter) is expected


@pytest.mark.parametrize(
    ("text", "negative"),
    [
        ("never deploy on Friday", True),
        ("Don't use tabs", True),
        ("以后不要自动升级", True),
        ("别发邮件", True),
        ("有新版直接升级", False),
        ("always use tabs", False),
        ("notes are kept", False),
        ("我特别喜欢爬山", False),
        ("不过我也可以", False),
        ("没错，用中文", False),
        ("我不过敏", True),
        ("别的我不要", True),
    ],
)
def test_negative(text: str, negative: bool) -> None:
    """Bans and denials are told from permissions in both languages."""
    assert is_negative(text) is negative


def test_values() -> None:
    """Spaces, hyphens and case do not make another value; letters and digits do."""
    assert value_key("Vue 3") == value_key("vue3") == value_key("VUE-3")
    assert value_key("Vue 3") != value_key("Vue 2")
    assert value_key("C++") != value_key("C")
    assert value_key("。") == "。"


ENGLISH = "like hate tea coffee Rome Berlin works at Acme Initech with Ann Bob 5 6 not never"
CHINESE = "我 喜欢 讨厌 不 茶 咖啡 住在 北京 上海 在 工作 张三 李四 三年 五年"
WORDS = st.sampled_from([*ENGLISH.split(), *CHINESE.split()])
SENTENCES = st.lists(WORDS, min_size=2, max_size=8).map(" ".join)


@given(SENTENCES, SENTENCES)
def test_equal_keys_have_equal_content(one: str, other: str) -> None:
    """Over random sentences: what is one statement has the same content words in order."""
    if statement_key(one) == statement_key(other):
        assert "".join(one.split()).casefold() == "".join(other.split()).casefold()


@given(SENTENCES)
def test_keys_are_stable(text: str) -> None:
    """Case, width and a closing mark never change a key."""
    assert statement_key(text) == statement_key(text.upper() + "。") or "I" in text
    assert same_topic(text, text) or not topic_key(text)
