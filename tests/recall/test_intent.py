"""What a question asks for besides its topic, in both languages, and what only looks like it."""

from __future__ import annotations

import pytest

from jiyi.recall.intent import asks_for_assistant, asks_for_recent, without_the_user
from jiyi.recall.question import weighted_terms
from jiyi.recall.settings import RecallSettings


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what did you suggest for the roof?", True),
        ("You told me about a tile, which one?", True),
        ("remind me of your advice on paint", True),
        ("what did the assistant recommend", True),
        ("你上次推荐的瓦片是哪种", True),
        ("你给我列的清单", True),
        ("助手建议用什么漆", True),
        ("what did Ann suggest for the roof?", False),
        ("which tile do you think fits", False),
        ("小王推荐的瓦片", False),
        ("你好，屋顶用什么瓦", False),
    ],
)
def test_the_assistants_words(question: str, asked: bool) -> None:
    """Only the assistant's own earlier words lift the assistant's turns."""
    assert asks_for_assistant(question) is asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("where am I currently parked", True),
        ("what did we settle last time?", True),
        ("我最近在读什么书", True),
        ("现在用哪个账号", True),
        ("when did I first read Dune", False),
        ("我第一次读沙丘是什么时候", False),
    ],
)
def test_now_and_last_time(question: str, asked: bool) -> None:
    """Newness is evidence only where the question is about now or about last time."""
    assert asks_for_recent(question) is asked


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("where does the user live", "where does live"),
        ("用户住在哪里", "住在哪里"),
        ("the user's cat", "cat"),
        ("用户", "用户"),
    ],
)
def test_whose_memory_it_is(question: str, rest: str) -> None:
    """The word for the one whose memory is asked is not searched for, unless it is all there is."""
    assert without_the_user(question).split() == rest.split()


def test_lines_further_back_weigh_less() -> None:
    """Of a pasted conversation the last line has full weight; two lines are one question."""
    settings = RecallSettings(line_decay=0.5, line_floor=0.2)
    weights = weighted_terms("anchors\nbuoys\ncleats\ndinghies", settings)
    assert weights == {"dinghi": 1.0, "cleat": 0.5, "buoy": 0.25, "anchor": 0.2}
    assert set(weighted_terms("anchors\nbuoys", settings).values()) == {1.0}
