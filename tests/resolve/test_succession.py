"""A change that names the old value takes its place, wherever that was told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 3, 2, 9, tzinfo=UTC))


@pytest.fixture
def memory(tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory(tmp_path / "a.db", embedder=None, clock=clock) as opened:
        yield opened.scoped(user="sun")


def told(memory: Memory, clock: FakeClock, *texts: str) -> dict[str, str]:
    """The profile after messages in sessions of their own, days apart."""
    for number, text in enumerate(texts):
        memory.observe(text, session=f"s{number}")
        clock.advance(timedelta(days=2))
    return {field.attribute: field.value for field in memory.profile().learned}


@pytest.mark.parametrize(
    ("said", "profile"),
    [
        (["I use QuickBooks for invoices",
          "I switched from QuickBooks to Xero for the invoices"], {"tool/invoice": "Xero"}),
        (["I use Notion for my notes", "we've moved from Notion to Obsidian"],
         {"tool/note": "Obsidian"}),
        (["记笔记我用Notion", "从Notion换成Obsidian了"], {"tool/记笔记": "Obsidian"}),
        (["做周报用的是Word", "从Word换到Confluence了"], {"tool/做周报": "Confluence"}),
        (["I use Vim", "I switched from Vim to Emacs"], {"tool/emacs": "Emacs"}),
        (["I drive a Honda Civic", "I traded my Civic for a Tesla Model 3"],
         {"vehicle": "Tesla Model 3"}),
        (["我开一辆本田思域", "我把思域换成特斯拉Model 3了"], {"vehicle": "特斯拉Model 3"}),
        (["My phone number is 555-0101", "My number changed to 555-0142"], {"phone": "555-0142"}),
        (["Our budget is 5000 dollars", "The budget went up to 6000 dollars"],
         {"detail/budget": "6000 dollars"}),
        (["The weekly meeting is on Tuesday", "Let's move the weekly meeting to Thursday"],
         {"plan/weekly meeting": "Thursday"}),
        (["我是初级工程师", "我升高级工程师了"], {"occupation": "高级工程师"}),
        (["I love tea", "I switched from tea to coffee"], {"preference/coffee": "like"}),
        (["My favourite tea is oolong", "my current favourite is jasmine"],
         {"favourite/tea": "jasmine"}),
        (["我最喜欢的水果是芒果", "我现在最喜欢的是荔枝"], {"favourite/水果": "荔枝"}),
    ],
)  # fmt: skip
def test_one_place_one_value(
    memory: Memory, clock: FakeClock, said: list[str], profile: dict[str, str]
) -> None:
    """Across sessions one live value is left, in the place of the old one, which is past."""
    assert told(memory, clock, *said) == profile
    past = memory.list(include="superseded").items
    assert [m.text for m in past if m.status == "superseded"] == said[:1]


@pytest.mark.parametrize(
    "said",
    [
        ["I use QuickBooks for payroll", "I switched from QuickBooks to Xero for the invoices"],
        ["My favourite tea is oolong", "My favourite colour is green",
         "my current favourite is jasmine"],
        ["I use Notion for my notes", "I switched from Evernote to Obsidian"],
        ["I love tea", "I switched from beer to coffee"],
    ],
)  # fmt: skip
def test_other_places_stay(memory: Memory, clock: FakeClock, said: list[str]) -> None:
    """A change says nothing of other purposes, other values, or of one of several favourites."""
    assert len(told(memory, clock, *said)) == len(said)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (["I use Notion for my notes", "I no longer use Notion"], "Notion"),
        (["记笔记我用Notion", "我不再用Notion了"], "Notion"),
    ],
)
def test_what_is_no_longer_used_ends(
    memory: Memory, clock: FakeClock, said: list[str], left: str
) -> None:
    """ "I no longer use Notion" ends what Notion was used for."""
    values = told(memory, clock, *said).values()
    assert len(values) == 1
    assert left not in values
