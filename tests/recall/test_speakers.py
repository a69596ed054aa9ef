"""A question that names a speaker is about what they said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from memory_index import MemoryIndex

from jiyi.ports import Selection
from jiyi.recall.engine import Recaller

DAY = timedelta(days=1)
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


def speakers(index: MemoryIndex, question: str) -> list[str | None]:
    hits, _ = Recaller(index).recall(
        index.scope, question, limit=5, now=NOW, selection=Selection(now=NOW)
    )
    return [hit.name for hit in hits]


@pytest.mark.parametrize(
    ("names", "told", "echo", "question"),
    [
        (
            ("Ines Roth", "Tomo"),
            "I planted quince trees behind the mill",
            "Ines, quince trees, quince trees behind the mill, how lovely for the mill",
            "Where did Ines plant quince trees?",
        ),
        (
            ("小葵", "阿哲"),
            "我在磨坊后面种了榅桲树",
            "小葵，榅桲树好啊，磨坊后面的榅桲树真好",
            "小葵在哪里种了榅桲树",
        ),
    ],
)
def test_the_named_speaker_leads(
    names: tuple[str, str], told: str, echo: str, question: str
) -> None:
    """Scenario: two people talk of the same thing; the one whom the question names comes first,
    though the other repeats more of its words. Without a name the words decide."""
    index = MemoryIndex()
    for n in range(6):
        index.turn(f"the weather is fine 天气不错 {n}", said_at=NOW - 20 * DAY, name=names[n % 2])
    index.turn(told, said_at=NOW - 9 * DAY, name=names[0], session="B")
    index.turn(echo, said_at=NOW - 9 * DAY, name=names[1], session="C")
    assert speakers(index, question)[0] == names[0]


def test_who_is_not_named_loses_nothing() -> None:
    """A question without a name, or one that names both, leaves the order to the words."""
    index = MemoryIndex()
    index.turn("The quince tree is dying", said_at=NOW - 9 * DAY, name="Ines", session="B")
    index.turn("A quince tree needs lime", said_at=NOW - 9 * DAY, name="Tomo", session="C")
    for question in ("what about the quince tree?", "what did Ines and Tomo say of the quince?"):
        _, trace = Recaller(index).recall(
            index.scope, question, limit=5, now=NOW, selection=Selection(now=NOW)
        )
        assert all("another speaker" not in c.scores for c in trace.candidates)
