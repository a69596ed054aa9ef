"""A piece of a conversation as the question: what counts as one, and what it changes."""

from __future__ import annotations

import pytest

from jiyi.recall.pasted import lines_of, settings_for
from jiyi.recall.question import weighted_terms
from jiyi.recall.settings import RecallSettings

SETTINGS = RecallSettings()


@pytest.mark.parametrize(
    "text",
    [
        "Ann: the kiln is cold\nBo: since when?\nAnn: since Monday",
        "小安：窑凉了\n\n助手：什么时候凉的？\n小安：周一 the kiln",
    ],
)
def test_a_dialogue_of_three_lines(text: str) -> None:
    """Empty lines do not count; the vector of the whole weighs less than that of a question."""
    assert len(lines_of(text)) == 3
    changed = settings_for(text, SETTINGS)
    assert changed.vector == SETTINGS.vector * SETTINGS.line_vector < SETTINGS.vector


@pytest.mark.parametrize(
    "text", ["Where is the kiln?", "窑在哪儿？\n在院子里吗？", "kiln\n\n\nshed"]
)
def test_fewer_lines_are_a_question(text: str) -> None:
    """One line or two change nothing."""
    assert not lines_of(text)
    assert settings_for(text, SETTINGS) is SETTINGS


def test_the_last_line_leads() -> None:
    """The same word weighs more the nearer it stands to the end, and never less than the floor."""
    lines = ["walnut", *(f"word{n}" for n in range(20)), "chestnut"]
    weights = weighted_terms("\n".join(lines), SETTINGS)
    assert weights["chestnut"] == 1.0
    assert weights["walnut"] == SETTINGS.line_floor
