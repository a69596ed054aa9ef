"""What people type to an assistant in the first minute, in English as it is typed ("im", "dont",
lower case, nicknames, Chinese names among it), and what is kept of it.

Each row of `everyday_en.tsv` is a kind, messages of one session joined by " || ", and all that is
in force afterwards, joined by ";": `subject.attribute=value`, `subject.attribute~part` (the
beginning of the attribute, and a part of its topic or value), or `~part` of the text, which may
fill any place or none. `|` stands between what is as good, `&` between parts, and ? before what may
be there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from everyday import check_places, first_minute, kept, rows_of
from spoken import table

from jiyi import Memory
from jiyi.types import MemoryRecord

rows = rows_of("everyday_en.tsv")
SILENT = [row[0] for row in table("everyday_silent_en.txt")]


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with first_minute(1) as opened:
        yield opened


def ends(record: MemoryRecord) -> bool:
    """Whether it only says that something no longer holds."""
    return record.meta.get("ends") is True


def tells(record: MemoryRecord, expected: str) -> bool:
    """Whether a record is what one alternative of a row stands for."""
    if expected.startswith("~"):
        return all(part in record.text.casefold() for part in expected[1:].casefold().split("&"))
    slot = record.slot
    if slot is None or ends(record):
        return False
    mark = min(expected.index(m) for m in "=~" if m in expected)
    subject, _, attribute = expected[:mark].casefold().partition(".")
    value = expected[mark + 1 :].casefold()
    if slot.subject.casefold() != subject:
        return False
    if expected[mark] == "=":
        family = slot.attribute.partition("/")[0]
        return attribute in (slot.attribute, family) and slot.value.casefold() == value
    place = f"{slot.attribute} {slot.value}".casefold()
    return place.startswith(attribute) and all(part in place for part in value.split("&"))


def check(memory: Memory, said: str, expected: str) -> None:
    """All that is expected is there, nothing else is in force, and each cites its place."""
    records = kept(memory, said)
    shown = [(record.text, record.slot) for record in records]
    used: set[str] = set()
    for part in filter(None, expected.split(";")):
        for other in part.lstrip("?").split("|"):
            fitting = [
                r
                for r in records
                if tells(r, other) and (other.startswith("~") or r.id not in used)
            ]
            if fitting:
                used.add(fitting[0].id)
                break
        else:
            assert part.startswith("?"), (part, shown)
    assert all(record.id in used or ends(record) for record in records), shown
    check_places(memory, said, records)


@pytest.mark.parametrize(("said", "expected"), rows("name", "age", "home", "contact"))
def test_who_somebody_is_and_where(memory: Memory, said: str, expected: str) -> None:
    """Names, nicknames, ages, homes and numbers, however shortly they are typed: each once, in its
    place."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("job", "study"))
def test_work_and_study(memory: Memory, said: str, expected: str) -> None:
    """Jobs, employers, bosses, teams, degrees and schools, several of them in one sentence."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("family", "pets"))
def test_people_and_animals(memory: Memory, said: str, expected: str) -> None:
    """What is told of somebody close is known of them, and not of the speaker."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("health", "diet"))
def test_health_and_food(memory: Memory, said: str, expected: str) -> None:
    """Allergies, conditions, medicines, what was given up, what is eaten and what is not."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("hobby", "goal", "opinion", "lang"))
def test_tastes_habits_and_aims(memory: Memory, said: str, expected: str) -> None:
    """What somebody likes, does again and again, wants to reach, believes and can speak."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("vehicle", "device", "purchase"))
def test_belongings(memory: Memory, said: str, expected: str) -> None:
    """Cars, devices and things that were bought, with or without a place of their own."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("dev", "resp"))
def test_projects_and_who_answers_for_what(memory: Memory, said: str, expected: str) -> None:
    """What a project runs on, its names and conventions, and who has charge of what."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("answers", "standing"))
def test_how_things_are_to_be_done(memory: Memory, said: str, expected: str) -> None:
    """Instructions that hold from now on, with a word that says so and without."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("plans", "past", "schedule", "price"))
def test_days_and_sums(memory: Memory, said: str, expected: str) -> None:
    """Appointments, what happened, opening hours and weekly times, prices and limits."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("change", "correct"))
def test_changes_and_corrections(memory: Memory, said: str, expected: str) -> None:
    """What was said last is in force alone, with a word of change and without: a pet that died and
    a car that was sold by their names, a job that was lost, "not Anna, Hannah"."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("back"))
def test_what_is_taken_back(memory: Memory, said: str, expected: str) -> None:
    """What is asked to be forgotten, or no longer to hold, is in force no more."""
    check(memory, said, expected)


@pytest.mark.parametrize(("said", "expected"), rows("mixed"))
def test_several_facts_among_other_words(memory: Memory, said: str, expected: str) -> None:
    """Introductions, requests and asides with several facts: each one is found."""
    check(memory, said, expected)


@pytest.mark.parametrize("said", SILENT)
def test_what_states_nothing_leaves_nothing(memory: Memory, said: str) -> None:
    """Questions, wishes, stories, quotes, small talk, the state of the hour, the text at hand and
    what happens at the screen are no facts."""
    assert kept(memory, said) == []


def test_the_tables_are_large_enough() -> None:
    """At least 400 statements and 150 messages that state nothing."""
    assert len(list(table("everyday_en.tsv"))) >= 400
    assert len(SILENT) >= 150
