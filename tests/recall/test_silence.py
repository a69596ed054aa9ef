"""When a question is met with silence: a threshold for each way of searching."""

from __future__ import annotations

import pytest

from jiyi.ports import StoredUnit
from jiyi.recall.candidate import Candidate
from jiyi.recall.intent import asks_something
from jiyi.recall.settings import RecallSettings
from jiyi.recall.support import support_of
from jiyi.types import UnitKey

SETTINGS = RecallSettings(none=0.4, none_near=0.6, unasked=0.5, weak=0.7)


def witness(backing: float) -> list[Candidate]:
    stored = StoredUnit(unit="turn", key=UnitKey(1, 1))
    return [Candidate(stored, 1.0, {"text": 1.0}, matched=backing)]


@pytest.mark.parametrize(
    ("backing", "near", "asked", "expected"),
    [
        (0.39, False, True, "none"),
        (0.41, False, True, "weak"),
        (0.41, True, True, "none"),
        (0.61, True, True, "weak"),
        (0.71, True, True, "strong"),
        (0.21, False, False, "weak"),
        (0.31, True, False, "weak"),
        (0.29, True, False, "none"),
    ],
)
def test_each_way_of_searching_has_its_threshold(
    backing: float, near: bool, asked: bool, expected: str
) -> None:
    """Scenario: nothing known. With vectors more backing is wanted than by words alone, and for
    what asks nothing less."""
    verdict, score = support_of(witness(backing), SETTINGS, near=near, asked=asked)
    assert (verdict, score) == (expected, backing)


def test_nothing_found_is_no_support() -> None:
    """An empty scope supports nothing."""
    assert support_of([], SETTINGS, near=False, asked=True) == ("none", 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "where is my bike?",
        "remind me of the code of the shed",
        "what we agreed on for Friday",
        "我的车停在哪儿",
        "帮我回忆一下上周的安排",
        "你记得我的鞋码吗",
        "Hi! Which size are my shoes?",
    ],
)
def test_what_asks_something(text: str) -> None:
    """Questions with and without a mark, and requests."""
    assert asks_something(text)


@pytest.mark.parametrize(
    "text",
    [
        "I baked bread all morning.",
        "kiln temperature chart",
        "今天终于把书架装好了",
        "We won again this week! How shall we celebrate?",
        "我们又赢了，真开心。该怎么庆祝呢？",
        "Ann: shall we go?\nBo: yes\nAnn: when does it start?",
    ],
)
def test_what_asks_nothing(text: str) -> None:
    """Remarks, also with a question after them, key words, and a piece of a conversation."""
    assert not asks_something(text)
