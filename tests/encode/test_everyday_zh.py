"""What people say to an assistant in the first minute, in Chinese, and what is kept of it.

Each row of `everyday_zh.tsv` is a kind, messages of one session joined by " || ", and all that is
in force afterwards, joined by ";": `subject.attribute=part of the value` (the user where no subject
is named, `|` between attributes that are as good), or `~part of the text` for what may fill any
place or none. A part that begins with ? may be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from everyday import check_places, first_minute, kept, rows_of
from spoken import table

from jiyi import Memory
from jiyi.types import MemoryRecord

rows = rows_of("everyday_zh.tsv")
SILENT = [row[0] for row in table("everyday_silent_zh.tsv")]


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with first_minute(8) as opened:
        yield opened


def tells(expected: str, record: MemoryRecord) -> bool:
    if expected.startswith("~"):
        return expected[1:] in record.text
    place, _, value = expected.partition("=")
    subject, named, attributes = place.rpartition(".")
    slot = record.slot
    if slot is None or slot.subject != (subject if named else "user") or value not in slot.value:
        return False
    return any(_fits(attribute, slot.attribute) for attribute in attributes.split("|"))


def _fits(expected: str, attribute: str) -> bool:
    family, _, topic = expected.partition("/")
    found, _, about = attribute.partition("/")
    return family == found and topic in about


def accounts_for(expected: Sequence[str], records: Sequence[MemoryRecord]) -> bool:
    """Whether every record is expected, and everything that is expected is there once."""
    if not expected:
        return not records
    first, rest = expected[0], expected[1:]
    if first.startswith("?") and accounts_for(rest, records):
        return True
    return any(
        tells(first.lstrip("?"), record)
        and accounts_for(rest, [*records[:place], *records[place + 1 :]])
        for place, record in enumerate(records)
    )


def check(memory: Memory, said: str, expected: str) -> None:
    records = kept(memory, said)
    shown = [(record.text, record.slot) for record in records]
    assert accounts_for([part for part in expected.split(";") if part], records), shown
    check_places(memory, said, records)


@pytest.mark.parametrize(("said", "expected"), rows("name", "age", "home", "contact"))
def test_who_somebody_is_and_where(memory: Memory, said: str, expected: str) -> None:
    """Names, ages, homes, numbers, however shortly they are told: each once, in its place."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("job", "school"))
def test_work_and_study(memory: Memory, said: str, expected: str) -> None:
    """Jobs, employers, bosses, degrees and exams; a new one takes the place of the old."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("family", "pets"))
def test_people_and_animals(memory: Memory, said: str, expected: str) -> None:
    """What is told of somebody close is known of them, and not of the speaker."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("health", "diet"))
def test_health_and_food(memory: Memory, said: str, expected: str) -> None:
    """Allergies, conditions, medicines, what was given up, what is eaten and not."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("hobby", "goals", "opinion", "language"))
def test_tastes_habits_aims(memory: Memory, said: str, expected: str) -> None:
    """What somebody likes, does each week, wants to reach, thinks of the world, can speak."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("vehicle", "dev", "responsible"))
def test_things_and_projects(memory: Memory, said: str, expected: str) -> None:
    """Cars and devices, what a project runs on, its conventions, who answers for what."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("style"))
def test_how_to_answer(memory: Memory, said: str, expected: str) -> None:
    """Instructions that hold from now on, with a word that says so and without."""
    check(memory, said, expected)


@pytest.mark.parametrize(
    ("said", "expected"), rows("appointments", "events", "purchase", "schedule", "price")
)
def test_days_and_sums(memory: Memory, said: str, expected: str) -> None:
    """Appointments, what happened, what was bought, opening hours, prices and limits."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("change"))
def test_changes(memory: Memory, said: str, expected: str) -> None:
    """What was said last is in force alone, with a word of change and without."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("multi"))
def test_several_facts_in_a_sentence(memory: Memory, said: str, expected: str) -> None:
    """Each fact of a long sentence is kept by itself, also between English words."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("mixed"))
def test_other_words_for_the_same_kinds(memory: Memory, said: str, expected: str) -> None:
    """The kinds above in other words than the rules were written with."""
    check(memory, said, expected)


@pytest.mark.parametrize("said", SILENT)
def test_what_is_no_fact_leaves_nothing(memory: Memory, said: str) -> None:
    """Questions, moods, moments, orders of the hour, sayings, texts to work on, near misses of the
    forms that tell facts."""
    assert [record.text for record in kept(memory, said)] == []


@pytest.mark.parametrize(
    ("said", "text", "value"),
    [
        ("我對蝦過敏", "我對蝦過敏", "蝦"),
        ("我喜歡喝烏龍茶，不喜歡咖啡", "我不喜歡咖啡", "dislike"),
        ("我養了一隻貓，叫麵麵 || 我現在住在臺北", "我現在住在臺北", "臺北"),
    ],
)
def test_traditional_characters_stay(memory: Memory, said: str, text: str, value: str) -> None:
    """What is read in simplified characters is kept in those that were written, words that were
    left out included."""
    found = [r for r in kept(memory, said) if r.text == text]
    assert [r.slot.value for r in found if r.slot is not None] == [value]


def test_traditional_request_to_forget_finds_what_was_said(memory: Memory) -> None:
    """A command in traditional characters erases words in traditional characters."""
    said = "我對蝦過敏 || 忘掉我對蝦過敏的事"
    assert [r.text for r in kept(memory, said)] == []
