"""The newer of two figures that somebody gave leads, for questions about what holds now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from memory_index import MemoryIndex

from jiyi.ports import Selection
from jiyi.recall.engine import Recaller
from jiyi.recall.updates import asks_for_figure

DAY = timedelta(days=1)
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


def first(index: MemoryIndex, question: str) -> list[str]:
    hits, _ = Recaller(index).recall(
        index.scope, question, limit=5, now=NOW, selection=Selection(now=NOW)
    )
    return [hit.text for hit in hits]


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        (
            "My choir has 24 singers in it, all of them from the choir school, isn't that fine",
            "With the two basses the choir has grown to 26 singers, so which hall is big enough?",
            "How many singers are in my choir?",
        ),
        (
            "The tram depot visit is on Tuesday, the visit is with the whole tram club",
            "They wrote that our depot visit was moved to Friday, what should I pack?",
            "When is the tram depot visit?",
        ),
        (
            "我们合唱团有二十四个人，合唱团的人都是邻居",
            "又来了两个男低音，合唱团现在有26个人了，排练室不够大",
            "我们合唱团有多少人？",
        ),
        (
            "读书会定在周二晚上，这次读书会我来主持",
            "主持人病了，读书会推迟到周五，我先告诉你",
            "读书会什么时候开？",
        ),
    ],
)
def test_the_newer_figure_leads(older: str, newer: str, question: str) -> None:
    """Scenario 4 for turns whose facts nobody extracted: two figures of one thing, in long remarks
    that have little else in common."""
    index = MemoryIndex()
    for n in range(8):
        index.turn(f"note {n}: the garden is wet 园子里很湿", said_at=NOW - (40 - n) * DAY)
    index.turn(older, said_at=NOW - 9 * DAY, session="B")
    index.turn(newer, said_at=NOW - 2 * DAY, session="C")
    assert first(index, question)[:2] == [newer, older]


@pytest.mark.parametrize(
    ("newer", "question"),
    [
        # It asks for what was.
        ("The choir has grown to 26 singers", "How many singers did my choir have at first?"),
        # Another thing.
        ("The orchestra has grown to 70 players", "How many singers are in my choir?"),
        # No other figure.
        ("The choir has now 24 singers, as before", "How many singers are in my choir?"),
    ],
)
def test_what_is_no_newer_figure_changes_nothing(newer: str, question: str) -> None:
    """The order stays that of the words."""
    index = MemoryIndex()
    older = "My choir has 24 singers, and at first my choir had them all in one row of singers"
    index.turn(older, said_at=NOW - 9 * DAY, session="B")
    index.turn(newer, said_at=NOW - 2 * DAY, session="C")
    _, trace = Recaller(index).recall(
        index.scope, question, limit=5, now=NOW, selection=Selection(now=NOW)
    )
    assert all("newer" not in candidate.scores for candidate in trace.candidates)


def test_another_speaker_replaces_nothing() -> None:
    """What Bea says of her choir is no news of Ann's."""
    index = MemoryIndex()
    index.turn("My choir has 24 singers", said_at=NOW - 9 * DAY, name="Ann")
    index.turn("My choir grew to 31 singers", said_at=NOW - 2 * DAY, name="Bea", session="B")
    _, trace = Recaller(index).recall(
        index.scope,
        "How many singers are in the choir of Ann?",
        limit=5,
        now=NOW,
        selection=Selection(now=NOW),
    )
    assert all("newer" not in candidate.scores for candidate in trace.candidates)


@pytest.mark.parametrize(
    "question",
    ["how many bikes do I own", "When is the exam?", "我的体重是多少", "会议几点开始"],
)
def test_questions_about_a_present_figure(question: str) -> None:
    """How many, how much, when: as it stands now."""
    assert asks_for_figure(question)


@pytest.mark.parametrize(
    "question",
    ["how many bikes did I own in 2019", "Who is my dentist?", "当时有多少人", "我喜欢什么颜色"],
)
def test_questions_about_something_else(question: str) -> None:
    """About the past, or no figure at all."""
    assert not asks_for_figure(question)
