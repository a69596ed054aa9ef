"""Names found by rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.text.entities import find_entities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("张老师今天没来，孙老师替课", {"张老师": "person", "孙老师": "person"}),
        ("王经理和小李去了上海", {"王经理": "person", "小李": "person", "上海": "place"}),
        ("阿明说王总要来", {"阿明": "person", "王总": "person"}),
        ("我同事王建国说要来", {"王建国": "person"}),
        ("她名叫欧阳雪，在华西医院工作", {"欧阳雪": "person", "华西医院": "organisation"}),
        ("他住在朝阳区文三路", {"朝阳区文三路": "place"}),
        ("我在浙江大学读书", {"浙江大学": "organisation"}),
        ("《三体》很好看", {"三体": "title"}),
        ("工单P-2025-0412怎么样", {"P-2025-0412": "code"}),
        ("门禁码是ZX-9917-Q", {"ZX-9917-Q": "code"}),
        ("我的 iPhone 15 Pro 坏了", {"iPhone 15 Pro": "product"}),
        ("前端用 Vue 2 写的", {"Vue 2": "product"}),
        ("I met Alice Smith on a trip to Paris", {"Alice Smith": "name", "Paris": "place"}),
        ("Then Dr. Brown came", {"Brown": "person"}),
        ("he is at Stanford University", {"Stanford University": "organisation"}),
        ("My friend Bob went to Lake Tahoe", {"Bob": "person", "Lake Tahoe": "place"}),
        ("Melanie's kids love it", {"Melanie": "name"}),
        ("mail a.b@c.cn or @jane_d", {"a.b@c.cn": "address", "@jane_d": "address"}),
        ("We use C++ and Node.js", {"C++": "product", "Node.js": "product"}),
        ("written in JavaScript", {"JavaScript": "product"}),
        ("upgrade to v2.3.1", {"v2.3.1": "code"}),
    ],
)  # fmt: skip
def test_names(text: str, expected: dict[str, str]) -> None:
    """Each kind of name, in both languages."""
    assert {m.text: m.kind for m in find_entities(text)} == expected


@pytest.mark.parametrize(
    "text",
    [
        "Dinner is ready. Great idea!", "I think Monday is fine", "HELLO THIS IS ALL LOUD",
        "in May 2023",
        "高中老师很严格", "张总是迟到", "老高了", "小时候我很小", "这条路很长，高速公路堵车",
        "互联网公司",
        "周五老师不在", "我们公司", "见到了很多人", "chapter 3", "",
    ],
)  # fmt: skip
def test_what_is_no_name(text: str) -> None:
    """Words that begin a sentence, common words with a surname in them, generic places."""
    assert find_entities(text) == []


def test_a_name_seen_elsewhere_counts_at_the_start() -> None:
    """A capitalised word that opens a sentence is a name when it also stands inside one."""
    names = [m.text for m in find_entities("Caroline went home. I like Caroline.")]
    assert names == ["Caroline", "Caroline"]


@given(
    st.text(max_size=80)
    | st.text(st.sampled_from("张李王小老师总路市公司大学ABob Dr.'-9《》@ "), max_size=40)
)
def test_spans_hold_the_names(text: str) -> None:
    """Nothing raises; spans are in order, without overlap, and hold the text."""
    end = 0
    for mention in find_entities(text):
        assert end <= mention.span[0] < mention.span[1]
        end = mention.span[1]
        assert text[slice(*mention.span)] == mention.text
