"""A message of any length is read in bounded work: what is pasted costs no more for being long."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from jiyi.encode import guard
from jiyi.encode.rules import extract
from jiyi.encode.rules.drafts import Found
from jiyi.encode.rules.extraction import READ_FIRST, READ_LAST
from jiyi.encode.rules.finding import Clause
from jiyi.encode.rules.reading import Reader
from jiyi.ids import new_id
from jiyi.types import Scope, Turn

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PASTED = ("The pump in hall {n} was checked and works. ", "第{n}号车间的水泵检查过了，一切正常。")


def said(text: str) -> Turn:
    return Turn(
        id=new_id(), role="user", text=text, said_at=NOW, recorded_at=NOW, scope=Scope(user="u")
    )


def pasted(size: int, sentence: str) -> str:
    text = ""
    n = 0
    while len(text) < size:
        text += sentence.format(n=n)
        n += 1
    return text


@pytest.mark.parametrize("sentence", PASTED)
def test_the_rules_read_as_many_clauses_of_any_long_message(
    monkeypatch: pytest.MonkeyPatch, sentence: str
) -> None:
    """Clauses that the rules are asked about: no more for four times the length, and in proportion
    to it below the bound."""
    asked: list[str] = []
    real = Reader._in_clause

    def ask(self: Reader, clause: Clause) -> Iterator[Found]:
        asked.append(clause.text)
        return real(self, clause)

    monkeypatch.setattr(Reader, "_in_clause", ask)
    numbers = []
    for size in (10_000, 20_000, 50_000, 200_000):
        asked.clear()
        extract(said(pasted(size, sentence)))
        numbers.append(len(asked))
    short, double, bound, long = numbers
    assert 0 < short < double
    assert double <= 2.2 * short
    assert long <= 1.1 * bound


def test_what_is_looked_at_grows_with_the_length_and_no_faster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Quotations, of which a pasted list may hold thousands: twice as many are twice the questions
    that are asked of what stands before each, and each is asked of a few characters."""
    from jiyi.encode import foreign

    looked: list[int] = []

    class Counted:
        def __init__(self, pattern: object) -> None:
            self.pattern = pattern

        def __getattr__(self, name: str) -> object:
            return getattr(self.pattern, name)

        def search(self, text: str, *place: int) -> object:
            start, end = (*place, len(text))[:2] if place else (0, len(text))
            looked.append(end - start)
            return self.pattern.search(text, *place)  # type: ignore[attr-defined]

    for name in ("_SPEECH_BEFORE", "_ENTERED", "_ABOUT_TEXT"):
        monkeypatch.setattr(foreign, name, Counted(getattr(foreign, name)))
    totals = []
    for times in (100, 200, 400):
        looked.clear()
        guard.heard('{"id": 12, "name": "Mira"}, ' * times)
        totals.append(sum(looked))
    assert totals[0] > 0
    assert totals[1] <= 2.1 * totals[0]
    assert totals[2] <= 4.2 * totals[0]


@pytest.mark.parametrize(
    ("first", "last", "kept"),
    [
        ("I live in Porto. ", " I prefer tea to coffee.", ("Porto", "tea")),
        ("我住在汉中。", "以后请用中文回答我。", ("汉中", "中文")),
    ],
)
def test_what_stands_before_and_behind_is_read(
    first: str, last: str, kept: tuple[str, str]
) -> None:
    """What somebody says before and behind a pasted text of 100,000 characters is found, at its
    place in the message."""
    text = first + pasted(2 * (READ_FIRST + READ_LAST), PASTED[0]) + last
    found = extract(said(text)).drafts
    for word in kept:
        assert any(word in draft.text for draft in found)
