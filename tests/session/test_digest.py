"""What an ended session leaves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from said import START, said

from jiyi.session.digest import digest
from jiyi.session.summary import EMPTY, extend
from jiyi.testing import ScriptedChatModel

NOW = START + timedelta(hours=2)

ZH = said(
    ("user", "帮我预约张医生的牙科门诊"),
    ("assistant", "周四上午和下午都有号，编号 D-88。"),
    ("user", "定在上午吧，就这个。"),
)
EN = said(
    ("user", "I need a birthday cake for Maya, with no nuts."),
    ("assistant", "Chocolate or lemon? It costs 40 euros."),
    ("user", "Let's go with lemon."),
)


@pytest.mark.parametrize(
    ("turns", "needles", "outcome"),
    [
        (ZH, ["张医生", "D-88", "2026-03-05"], "上午"),
        (EN, ["Maya", "no nuts", "2026-03-05"], "lemon"),
    ],
)
def test_it_says_when_and_what(turns, needles, outcome):
    """The digest is one episodic draft with date, points, outcome and the turns it cites, in the
    language of the session."""
    made = digest("A", turns, now=NOW)
    assert made is not None
    draft = made.draft
    assert draft.kind == "episodic"
    for needle in needles:
        assert needle in draft.text
    assert draft.event is not None
    assert outcome in (draft.event.outcome or "")
    assert set(made.cites) <= {turn.id for turn in turns}
    assert [(source.session, source.turn_id) for source in draft.sources] == [("A", None)]
    assert draft.valid_from == turns[0].said_at


def test_it_builds_on_the_summary():
    """Points of turns that were summarised before are in the digest, though only the new turns
    are read again."""
    summary = extend(EMPTY, ZH[:2])
    made = digest("A", ZH, now=NOW, summary=summary)
    assert made is not None
    assert "张医生" in made.draft.text
    assert "上午" in made.draft.text


def test_small_talk_leaves_nothing():
    """A session of greetings leaves no digest."""
    turns = said(("user", "你好"), ("assistant", "Hello! How can I help?"), ("user", "thanks!"))
    assert digest("A", turns, now=NOW) is None
    assert digest("A", [], now=NOW) is None


def test_a_model_may_write_it():
    """The model's points become the digest, which says who wrote it."""
    model = ScriptedChatModel(['{"points": [{"kind": "decision", "text": "Lemon cake for Maya"}]}'])
    made = digest("A", EN, now=NOW, chat_model=model)
    assert made is not None
    assert "Lemon cake for Maya" in made.draft.text
    assert made.draft.meta["by"] == "scripted"
