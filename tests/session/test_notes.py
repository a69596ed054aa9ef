"""Working notes of a task."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from said import START

from jiyi.errors import InvalidInputError
from jiyi.session.notes import MAX_NOTES, NOTE_BYTES, TaskNotes
from jiyi.stores.sqlite import open_sqlite
from jiyi.types import Scope

SUN = Scope(user="sun")


@pytest.fixture
def store() -> Iterator:
    with closing(open_sqlite(":memory:")) as opened:
        yield opened


def task(store, name="T-7", scope=SUN):
    return TaskNotes(store, scope, name, now=lambda: START)


def test_they_live_until_the_task_ends(store):
    """Notes are set, replaced, removed and read back in order, in either language; the end of
    the task takes them all, and no other task's or user's."""
    notes = task(store)
    notes.note("进度", "96/120")
    notes.note("intent", {"deploy": ["api", "网站"]})
    notes.note("进度", "97/120")
    notes.note("gone", 1)
    notes.note("gone", None)
    task(store, "T-8").note("进度", "1/2")
    task(store, scope=Scope(user="bob")).note("进度", "bob")
    assert list(notes.notes().items()) == [
        ("进度", "97/120"),
        ("intent", {"deploy": ["api", "网站"]}),
    ]
    assert notes.end() == 2
    assert notes.notes() == {}
    assert notes.end() == 0
    assert task(store, "T-8").notes() == {"进度": "1/2"}


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "\ud800", "x" * 1001, None, 7])
def test_names_are_checked(store, name):
    """A note and a task without a usable name are refused by name, and nothing is written."""
    with pytest.raises(InvalidInputError, match="name"):
        task(store).note(name, 1)
    if name != "  ":
        with pytest.raises(InvalidInputError, match="task"):
            task(store, name)
    assert task(store).notes() == {}


@pytest.mark.parametrize("value", [object(), float("nan"), {1}, "长" * NOTE_BYTES])
def test_values_are_small_json(store, value):
    """Anything but JSON, or too much of it, is refused by name."""
    with pytest.raises(InvalidInputError, match="value"):
        task(store).note("n", value)
    assert task(store).notes() == {}


def test_there_is_an_end_to_notes(store):
    """A task that notes without end is stopped; what is there can still be changed and removed."""
    notes = task(store)
    with store.write() as writer:
        for number in range(MAX_NOTES):
            writer.set_note(SUN, "T-7", f"n{number}", number, at=START)
    with pytest.raises(InvalidInputError, match=str(MAX_NOTES)):
        notes.note("one more", 1)
    notes.note("n0", "changed")
    notes.note("n1", None)
    notes.note("one more", 1)
    assert len(notes.notes()) == MAX_NOTES
