"""What holds from a day to come: the old value until then, the new one from then on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def sun(clock: FakeClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, clock=clock, background=False) as memory:
        yield memory.scoped(user="sun")


PLANS = [
    ("I live in Lyon", "from next month I'll live in Berlin", "residence", "Lyon", "Berlin"),
    ("I live in Lyon", "I'll live in Berlin from next month", "residence", "Lyon", "Berlin"),
    ("I live in Lyon", "Starting December 1st I'm moving to Rome", "residence", "Lyon", "Rome"),
    ("I work at Acme", "From January I'll be working at Siemens", "employer", "Acme", "Siemens"),
    ("My phone number is 555-0000", "As of next Monday my phone number is 555-1234", "phone",
     "555-0000", "555-1234"),
    ("我住在北京", "下个月起我搬到上海", "residence", "北京", "上海"),
    ("我住在北京", "我明年起住在杭州", "residence", "北京", "杭州"),
    ("我在腾讯上班", "从明年一月开始我在华为上班", "employer", "腾讯", "华为"),
    ("我的手机号是13800000000", "从下个月起，我的手机号是13800001111", "phone",
     "13800000000", "13800001111"),
]  # fmt: skip


@pytest.mark.parametrize(("now", "plan", "attribute", "old", "new"), PLANS)
def test_a_plan_fills_its_slot_when_its_day_comes(
    sun: Memory, clock: FakeClock, now: str, plan: str, attribute: str, old: str, new: str
) -> None:
    """Current stays the old value until the day; then, with nobody doing anything, the new one.
    `as_of` after the day gives the new one already before it."""
    sun.observe(now)
    clock.advance(timedelta(minutes=1))
    sun.observe(plan)
    assert sun.profile().get(attribute) == old
    records = {r.slot.value: r for r in sun.list().items if r.slot is not None}
    begins = records[new].valid_from
    assert begins > NOW
    assert records[old].valid_to == begins, "it ends on the day that was planned"
    for moment, value, other in ((NOW + DAY / 2, old, new), (begins + DAY, new, old)):
        found = {h.id for h in sun.recall(f"{old} {new}", as_of=moment, units="memory", limit=20)}
        assert records[value].id in found
        assert records[other].id not in found
    clock.advance(begins - NOW + DAY)
    assert sun.profile().get(attribute) == new
    assert [r.slot.value for r in sun.list().items if r.slot is not None] == [new]
    sun.flush()
    past = sun.get(records[old].id)
    assert (past.status, past.superseded_by) == ("superseded", records[new].id)
    assert past.valid_to == begins


def test_what_is_said_later_replaces_a_plan(sun: Memory, clock: FakeClock) -> None:
    """Another plan takes the place of the first, and a change that holds at once ends both."""
    sun.observe("我住在北京")
    clock.advance(timedelta(minutes=1))
    sun.observe("下个月起我搬到上海")
    clock.advance(timedelta(minutes=1))
    sun.observe("明年一月起我搬到广州")
    assert sun.profile().get("residence") == "北京"
    clock.advance(timedelta(days=20))
    assert sun.profile().get("residence") == "北京", "the first plan was given up"
    clock.advance(timedelta(days=30))
    assert sun.profile().get("residence") == "广州"
    sun.observe("我搬到成都了")
    assert sun.profile().get("residence") == "成都"


def test_a_plan_comes_true_early(sun: Memory, clock: FakeClock) -> None:
    """Saying that it holds now, before the day, makes it current at once."""
    sun.observe("I live in Lyon")
    clock.advance(timedelta(minutes=1))
    sun.observe("I'll live in Berlin from next month")
    clock.advance(timedelta(minutes=1))
    sun.observe("I live in Berlin now")
    assert sun.profile().get("residence") == "Berlin"
    clock.advance(timedelta(days=30))
    assert sun.profile().get("residence") == "Berlin"


def test_a_plan_is_undone(sun: Memory, clock: FakeClock) -> None:
    """Taking a plan back lets what it would have ended hold on."""
    sun.observe("I live in Lyon")
    clock.advance(timedelta(minutes=1))
    receipt = sun.observe("from next month I'll live in Berlin")
    assert receipt.memory_id is not None
    sun.undo(receipt.memory_id)
    clock.advance(timedelta(days=60))
    sun.flush()
    assert sun.profile().get("residence") == "Lyon"


def test_an_application_plans(sun: Memory, clock: FakeClock) -> None:
    """`remember` with a `valid_from` to come does the same."""
    slot = {"attribute": "employer", "value": "Acme", "subject": "user", "cardinality": "one"}
    sun.remember("works at Acme", slot=slot)
    clock.advance(timedelta(minutes=1))
    sun.remember("works at Initech", slot={**slot, "value": "Initech"}, valid_from=NOW + 10 * DAY)
    assert sun.profile().get("employer") == "Acme"
    clock.advance(11 * DAY)
    assert sun.profile().get("employer") == "Initech"
