"""Search terms: what is asked in one form finds what was said in another."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.text.terms import date_words, query_terms, term_weights


def finds(query: str, text: str) -> bool:
    """Whether every term of the query is in the text."""
    terms = query_terms(query)
    return bool(terms) and terms.keys() <= term_weights(text).counts.keys()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("running shoes", "She bought a new shoe and runs"),
        ("What did Alice buy?", "Alice bought a lamp"),
        ("Alice's children", "the child of alice"),
        ("when did they go", "They went home"),
        ("don’t", "I don't"),
        ("ZX-9917-Q", "the door code is zx-9917-q."),
        ("9917", "the door code is ZX-9917-Q"),
        ("P-2025-0412", "工单P-2025-0412已完成"),
        ("0412", "工单P-2025-0412已完成"),
        ("iPhone 15", "我的iPhone15坏了"),
        ("iphone", "我的iPhone15坏了"),
        ("坏了", "我的 iPhone 15 Pro 坏了"),
        ("v2.3.1", "upgrade to v2.3.1 today"),
        ("a.b@example.com", "mail A.B@example.com"),
        ("C++", "我会 C++ 和 C#"),
        ("C#", "我会 C++ 和 C#"),
        (".NET", "built on .NET"),
        ("node.js", "the Node.js server"),
        ("1000 dollars", "it cost 1,000 dollars"),
        ("北京", "我住在北京市"),
        ("用户住在哪里", "用户住在上海"),
        ("ＫＴＶ", "昨晚去ktv"),
        ("星期三", "周三开会"),
        ("礼拜天", "星期日休息"),
        ("五月八日", "5月8号生日"),
        ("8号", "8日出发"),
        ("二十一日", "21日"),
        ("二〇二三年", "2023年的事"),
        ("東京タワー", "昨日東京タワーへ行った"),
        ("서울", "서울에서"),
        ("🎂", "happy birthday 🎂!"),
        ("May 8th", "on 8 May"),
    ],
)
def test_a_query_finds_the_text(query: str, text: str) -> None:
    """Inflection, case, width, script borders, codes and dates do not hide a text."""
    assert finds(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [("C++", "I like C"), ("ZX-9917-Q", "ZX-9917-R"), ("上海", "海上"), ("v2.3.1", "v2.3.10")],
)
def test_a_code_is_not_its_neighbour(query: str, text: str) -> None:
    """Codes are also whole terms, pairs keep their order."""
    assert not finds(query, text)


@pytest.mark.parametrize(
    ("question", "word"),
    [("What is her name?", "what"), ("他什么时候去北京？", "什么"), ("where did he go", "where"),
     ("请问 他 住 哪里 吗", "吗"), ("你知道他的名字吗", "知道")],
)  # fmt: skip
def test_words_that_only_ask_are_left_out(question: str, word: str) -> None:
    """A question is searched by what it is about."""
    assert word not in query_terms(question)


def test_a_question_of_asking_words_alone_still_searches() -> None:
    """When nothing else is left, the asking words are searched for."""
    assert query_terms("知道吗")


def test_grammar_weighs_nothing() -> None:
    """Stop words and grammar characters are not indexed and not counted."""
    assert term_weights("the a of 的了吗").length == 0


def test_a_single_character_weighs_less_than_a_pair() -> None:
    """One Chinese character is part of many words."""
    terms = query_terms("咖啡")
    assert terms["咖"] < terms["咖啡"]


def test_a_repeated_term_weighs_more_but_not_in_proportion() -> None:
    """Weights grow with the root of the count."""
    assert 1 < query_terms("tea tea")["tea"] < 2


@pytest.mark.parametrize(
    "query", ["May 2023", "5月", "2023年", "周一", "Monday", "8号", "五月八日"]
)
def test_a_text_is_found_by_its_date(query: str) -> None:
    """Date words make the day of saying findable in both languages."""
    moment = datetime(2023, 5, 8, 23, 30, tzinfo=UTC)
    counts = term_weights("Hello!", context=[date_words(moment)]).counts
    assert query_terms(query).keys() <= counts.keys()


def test_context_is_indexed_with_the_text() -> None:
    """Speaker and tags find a text and count for its length."""
    plain = term_weights("likes tea")
    more = term_weights("likes tea", context=["Caroline", "偏好"])
    assert more.counts["carolin"] == 1
    assert more.counts["偏好"] == 1
    assert more.length > plain.length


def test_threads_stem_alike() -> None:
    """Many threads get the same terms as one."""
    words = [f"{stem}{end}" for stem in ("walk", "jump", "paint") for end in ("s", "ed", "ing")]
    words = [f"{word}{'x' * n}ing" for word in words for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(term_weights, words))
    assert found == [term_weights(word) for word in words]


@given(st.text(max_size=80))
def test_any_text_has_terms(text: str) -> None:
    """Nothing raises; the length is the sum of the counts; no term is empty or has white space."""
    counts, length, *_ = term_weights(text)
    assert sum(counts.values()) == length
    assert all(term and not term.isspace() and len(term) <= 64 for term in counts)
    assert all(weight > 0 for weight in query_terms(text).values())


def test_length_is_bounded() -> None:
    """The index stores lengths in 16 bits."""
    assert term_weights("tea " * 70_000).length == 65_535


def test_a_long_run_without_spaces_is_quick() -> None:
    """No pattern blows up on data that looks like one endless word."""
    for text in ("a-" * 20_000, "." * 40_000, "a1" * 20_000, "'" * 40_000, "一" * 40_000):
        assert sys.getsizeof(term_weights(text)) > 0
