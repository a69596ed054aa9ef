"""Whose state it is, whether it still holds, and whose words it is told in: each as a kind."""

from __future__ import annotations

import pytest
from spoken import facts, read, table

from jiyi.encode.rules import Erase
from jiyi.types import Draft


def told(draft: Draft) -> str:
    """subject.attribute=value; with ! and what ends, where a state is said to end."""
    slot = draft.slot
    assert slot is not None
    if draft.meta.get("ends"):
        return f"{slot.subject}.{slot.attribute}!{draft.meta['replaces']}"
    return f"{slot.subject}.{slot.attribute}={slot.value}"


@pytest.mark.parametrize(
    ("said", "expected"), [(*row, "")[:2] for row in table("kinds.tsv")], ids=str
)
def test_kind_is_understood(said: str, expected: str) -> None:
    """Exactly the states that are told of exactly the one who is spoken of, and nothing else:
    states of others, ends and denials, stages that are over, dictated text, corrections."""
    found = [told(draft) for draft in facts(*said.split(" || ")) if draft.slot is not None]
    assert found == [part for part in expected.split(";") if part]


@pytest.mark.parametrize(("said", "topic"), [(*row, "")[:2] for row in table("forgetting.tsv")])
def test_forgetting_by_question_is_understood(said: str, topic: str) -> None:
    """ "Forget where I live" erases by the slot's words; "don't forget" erases nothing."""
    topics = [c.topic for c in read(said).commands if isinstance(c, Erase)]
    assert topics == ([topic] if topic else [])


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("我住在重庆 || 其实我不住重庆，我记错了，是绵阳", "我住在绵阳"),
        ("其实我不在西门子上班，说错了，是博世", "我不在西门子上班，是博世"),
        ("I live in Porto || I don't live in Porto, my mistake, it is Braga", "I live in Braga"),
        (
            "I don't work at Bosch, I misspoke, it's Siemens",
            "I don't work at Bosch, it's Siemens",
        ),
    ],
)
def test_correction_of_what_was_denied_stands_alone(said: str, text: str) -> None:
    """It is told in the words that told the wrong value, or else beside the denial: "it's Braga"
    alone says nothing."""
    assert [draft.text for draft in facts(*said.split(" || "))] == [text]
