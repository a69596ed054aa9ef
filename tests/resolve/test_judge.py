"""What becomes of a statement, from values alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.ids import new_id
from jiyi.resolve.decide import judge
from jiyi.resolve.evidence import Evidence
from jiyi.types import Draft, MemoryRecord, Scope, Slot, Source, Status, Trust

DAY = timedelta(days=1)
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
NOW = START + 30 * DAY
SUN = Scope(user="sun")


def slot(value: str, attribute: str = "residence", **fields: str) -> Slot:
    return Slot(subject="user", attribute=attribute, value=value, **fields)  # type: ignore[arg-type]


def draft(text: str, place: Slot | None = None, *, day: int = 10, **fields: object) -> Draft:
    return Draft(text=text, slot=place, said_at=START + day * DAY, **fields)  # type: ignore[arg-type]


def memory(
    text: str,
    place: Slot | None = None,
    *,
    day: int = 0,
    status: Status = "active",
    until: int | None = None,
    trust: Trust = "user",
) -> MemoryRecord:
    said = START + day * DAY
    return MemoryRecord(
        id=new_id(),
        text=text,
        kind="semantic",
        status=status,
        scope=SUN,
        recorded_at=said,
        said_at=said,
        valid_from=said,
        valid_to=None if until is None else START + until * DAY,
        slot=place,
        trust=trust,
        sources=(Source(id=new_id(), said_at=said),),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("我住在北京", "北京"), ("我搬到杭州了", "杭州")),
        (("I live in Rome", "Rome"), ("We moved to Oslo", "Oslo")),
    ],
)
def test_change(old: tuple[str, str], new: tuple[str, str]) -> None:
    """A new value in a one-valued slot replaces the old one, with a reason without content."""
    known = memory(old[0], slot(old[1]))
    decision = judge(draft(new[0], slot(new[1])), Evidence(rivals=(known,)), now=NOW)
    assert decision.action == "supersede"
    assert decision.replaced == (known,)
    assert "residence" in decision.reason
    assert old[1] not in decision.reason + new[1]
    assert new[1] not in decision.reason


@pytest.mark.parametrize("value", ["Vue 3", "vue3", "VUE 3"])
def test_same_value(value: str) -> None:
    """The same value in other words is one memory."""
    known = memory("We use Vue 3", slot("Vue 3", "tool/frontend"))
    decision = judge(
        draft("frontend is on vue3", slot(value, "tool/frontend")),
        Evidence(rivals=(known,)),
        now=NOW,
    )
    assert decision.action == "merge"
    assert decision.target is known


def test_ten_wordings_of_a_preference() -> None:
    """However a liking is put, its slot makes it one memory (scenario 34)."""
    known = memory("I like dark mode", slot("like", "preference/dark mode"))
    for text in ("dark mode please", "深色模式最好", "can't live without dark mode"):
        decision = judge(
            draft(text, slot("like", "preference/dark mode")), Evidence(rivals=(known,)), now=NOW
        )
        assert (decision.action, decision.target) == ("merge", known)


def test_late_message() -> None:
    """An older message that arrives late is history from the start (scenario 9)."""
    current = memory("I live in Oslo", slot("Oslo"), day=20)
    decision = judge(draft("I live in Rome", slot("Rome")), Evidence(rivals=(current,)), now=NOW)
    assert (decision.action, decision.target) == ("late", current)


def test_late_message_between_two_values() -> None:
    """It ends the value before it and is ended by the one after it."""
    first = memory("Rome", slot("Rome"), day=0, status="superseded", until=20)
    current = memory("Oslo", slot("Oslo"), day=20)
    decision = judge(
        draft("Bern", slot("Bern"), day=10), Evidence(rivals=(current, first)), now=NOW
    )
    assert (decision.action, decision.target, decision.others) == ("late", current, (first,))


def test_late_source_of_a_past_value() -> None:
    """A late word about a past value becomes its source."""
    past = memory("I live in Rome", slot("Rome"), day=0, status="superseded", until=20)
    current = memory("I live in Oslo", slot("Oslo"), day=20)
    decision = judge(
        draft("Rome is where I live", slot("Rome"), day=10),
        Evidence(rivals=(current, past)),
        now=NOW,
    )
    assert (decision.action, decision.target) == ("merge", past)


def test_back_again_is_a_second_stay() -> None:
    """Rome, Oslo, Rome: a late word from the first stay is no source of the second."""
    first = memory("Rome", slot("Rome"), day=0, status="superseded", until=10)
    between = memory("Oslo", slot("Oslo"), day=10, status="superseded", until=20)
    current = memory("Rome again", slot("Rome"), day=20)
    decision = judge(
        draft("in Rome", slot("Rome"), day=5),
        Evidence(rivals=(current, between, first)),
        now=NOW,
    )
    assert decision.target is first


def test_said_again_is_confirmed() -> None:
    """What was said again later is not replaced by what was said in between."""
    current = memory("I live in Rome", slot("Rome"), day=0)
    again = replace(
        current, sources=(*current.sources, Source(id=new_id(), said_at=START + 20 * DAY))
    )
    late = draft("I live in Oslo", slot("Oslo"), day=10)
    assert judge(late, Evidence(rivals=(current,)), now=NOW).action == "supersede"
    assert judge(late, Evidence(rivals=(again,)), now=NOW).action == "late"


def test_since_long_ago_said_later_wins() -> None:
    """ "I have lived in Oslo since 2010", said later, is current however far it reaches back."""
    known = memory("I live in Rome", slot("Rome"), day=0)
    late = draft("I have lived in Oslo since 2010", slot("Oslo"), valid_from=START - 5000 * DAY)
    assert judge(late, Evidence(rivals=(known,)), now=NOW).action == "supersede"


def test_application_states_the_time() -> None:
    """An application that fills in the past does not overwrite the present."""
    known = memory("I live in Rome", slot("Rome"), day=0)
    past = draft("lived in Oslo", slot("Oslo"), valid_from=START - 50 * DAY, trust="application")
    assert judge(past, Evidence(rivals=(known,)), now=NOW).action == "late"


def test_the_past_does_not_fill_the_slot() -> None:
    """What is over is kept beside the current value."""
    known = memory("I live in Rome", slot("Rome"), day=0)
    over = draft("I lived in Oslo until 2020", slot("Oslo"), valid_to=START - 2000 * DAY)
    decision = judge(over, Evidence(rivals=(known,)), now=NOW)
    assert (decision.action, decision.keep_slot) == ("store", False)


def test_the_future_waits_for_its_day() -> None:
    """What is not yet true fills its slot beside the current value, which ends then; another plan
    gives way. What somebody else says ends nothing of the user's."""
    known = memory("I live in Rome", slot("Rome"), day=0)
    plan = memory("from May I live in Bonn", slot("Bonn"), day=1)
    plan = replace(plan, valid_from=NOW + 9 * DAY)
    told = draft("下个月我搬去杭州", slot("杭州"), valid_from=NOW + 20 * DAY)
    decision = judge(told, Evidence(rivals=(known, plan)), now=NOW)
    assert (decision.action, decision.target, decision.plans) == ("plan", known, (plan,))
    assert decision.keep_slot
    other = replace(told, trust="assistant")
    decision = judge(other, Evidence(rivals=(known,)), now=NOW)
    assert (decision.action, decision.keep_slot) == ("store", False)


@pytest.mark.parametrize("trust", ["assistant", "tool", "document", "flagged"])
def test_whose_word(trust: Trust) -> None:
    """What somebody else says never replaces the user's own word (scenario 32)."""
    known = memory("I live in Rome", slot("Rome"))
    foreign = draft("The user lives in Oslo", slot("Oslo"), trust=trust)
    decision = judge(foreign, Evidence(rivals=(known,)), now=NOW)
    assert (decision.action, decision.keep_slot) == ("store", False)
    mine = draft("I live in Oslo", slot("Oslo"))
    theirs = memory("The user lives in Rome", slot("Rome"), trust=trust)
    assert judge(mine, Evidence(rivals=(theirs,)), now=NOW).action == "supersede"


def test_candidate_never_replaces() -> None:
    """A middling guess waits beside what is known."""
    known = memory("I live in Rome", slot("Rome"))
    guess = draft("Oslo might be home", slot("Oslo"), candidate=True)
    decision = judge(guess, Evidence(rivals=(known,)), now=NOW)
    assert (decision.action, decision.replaced) == ("store", ())


def test_confirmed_candidate_takes_its_slot() -> None:
    """Said again, a candidate becomes a fact and replaces what stood there."""
    known = memory("I live in Rome", slot("Rome"))
    waiting = memory("Oslo it is", slot("Oslo"), day=5, status="candidate")
    decision = judge(
        draft("I live in Oslo", slot("Oslo")), Evidence(rivals=(known, waiting)), now=NOW
    )
    assert (decision.action, decision.target, decision.others) == ("merge", waiting, (known,))


def test_slotless_twin_takes_the_slot() -> None:
    """A tool's plain write gains the slot that the rules find in the same words (47)."""
    plain = memory("I live in Oslo", day=9)
    known = memory("I live in Rome", slot("Rome"))
    decision = judge(
        draft("I live in Oslo", slot("Oslo")), Evidence(same=plain, rivals=(known,)), now=NOW
    )
    assert (decision.action, decision.target, decision.others) == ("merge", plain, (known,))
    assert decision.keep_slot


def test_many_values_add_up() -> None:
    """Allergies stand side by side; the same one again is one."""
    known = memory("allergic to nuts", slot("nuts", "allergy", cardinality="many"))
    more = draft("also to dust", slot("dust", "allergy", cardinality="many"))
    same = draft("nuts again", slot("Nuts", "allergy", cardinality="many"))
    assert judge(more, Evidence(rivals=(known,)), now=NOW).action == "store"
    assert judge(same, Evidence(rivals=(known,)), now=NOW).target is known


VALUES = st.sampled_from(["Rome", "Oslo", "Bern", "杭州"])
STATUSES = st.sampled_from(["active", "candidate", "superseded"])


@given(
    VALUES,
    st.integers(0, 40),
    st.lists(st.tuples(VALUES, st.integers(0, 40), STATUSES), max_size=4),
    st.booleans(),
)
def test_only_rivals_ever_end(
    value: str, day: int, known: list[tuple[str, int, Status]], candidate: bool
) -> None:
    """Whatever is known: only active values of the same slot end, and never the same value."""
    rivals = tuple(memory(v, slot(v), day=d, status=s) for v, d, s in known)
    decision = judge(
        draft(value, slot(value), day=day, candidate=candidate), Evidence(rivals=rivals), now=NOW
    )
    for ended in decision.replaced:
        assert ended.status == "active"
        assert ended.slot is not None
        assert ended.slot.value != value
    if candidate:
        assert decision.replaced == ()
    assert decision.reason
