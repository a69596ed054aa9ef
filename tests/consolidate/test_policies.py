"""Strength and policies as pure functions: half-lives, use, marks, and what leaves when."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiyi import InvalidInputError, MemoryRecord, Scope, Slot, Source
from jiyi.consolidate import Capacity, Every, Faded, Policies, Rare, Unconfirmed, Unused
from jiyi.consolidate.strength import HALF_LIVES, strength
from jiyi.consolidate.tiers import tier_of
from jiyi.ids import new_id
from jiyi.types import KINDS

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def record(days: float = 0, **fields: Any) -> MemoryRecord:
    """A memory that was told so many days ago."""
    told = NOW - timedelta(days=days)
    values: dict[str, Any] = {"id": new_id(), "text": "the kiln 窑炉", "kind": "semantic"}
    values |= {"status": "active", "scope": Scope(user="sun")}
    values |= {"recorded_at": told, "said_at": told, "valid_from": told}
    return MemoryRecord(**{**values, **fields})


def chosen(policy: Any, *memories: MemoryRecord) -> list[str]:
    """The ids that a policy names."""
    return [memory.id for memory, _ in policy.choose(memories, NOW)]


@pytest.mark.parametrize("kind", ["semantic", "episodic", "procedural"])
def test_half_of_the_strength_is_left_after_a_half_life(kind: str) -> None:
    """The half-life of the kind, exactly; procedural memories fade more slowly."""
    days = HALF_LIVES[kind].days  # type: ignore[index]
    assert strength(record(days, kind=kind), NOW) == pytest.approx(0.5)
    assert strength(record(0, kind=kind), NOW) == 1.0
    assert strength(record(60, kind="procedural"), NOW) > strength(record(60), NOW)


def test_use_strengthens_and_bad_marks_weaken() -> None:
    """Uses and good marks make it last longer, a recent use starts anew, a bad mark takes all of
    that away and halves what is left; a pinned one lasts longer."""
    plain = strength(record(60), NOW)
    assert strength(record(60, use_count=3), NOW) > plain
    assert strength(record(60, helpful=3), NOW) > plain
    assert strength(record(60, use_count=50), NOW) < 1
    assert strength(record(60, last_used_at=NOW), NOW) == 1.0
    assert strength(record(60, use_count=3, unhelpful=1), NOW) == pytest.approx(plain / 2)
    assert strength(record(60, unhelpful=9), NOW) == pytest.approx(plain / 4)
    assert strength(record(60, pinned=True), NOW) > plain


def test_a_memory_from_the_future_is_as_strong_as_a_new_one() -> None:
    """The clock stepped back: nothing fades by it, and nothing is archived."""
    ahead = record(-400)
    assert strength(ahead, NOW) == 1.0
    assert chosen(Unused(), ahead) == []
    assert chosen(Rare(), ahead) == []


def test_unused_for_ninety_days() -> None:
    """Out at ninety days without use; kept when used more than ten times and in good standing;
    core memories are spared unless told otherwise."""
    old, young = record(90), record(89.9)
    assert chosen(Unused(), old, young) == [old.id]
    assert chosen(Unused(), replace(old, last_used_at=NOW - timedelta(days=5))) == []
    proven = replace(old, use_count=11)
    assert chosen(Unused(), proven) == []
    assert chosen(Unused(), replace(old, use_count=10)) == [old.id]
    assert chosen(Unused(), replace(proven, unhelpful=1)) == [old.id]
    name = replace(old, slot=Slot(subject="user", attribute="name", value="Sun"))
    assert chosen(Unused(), name, replace(old, id=new_id(), importance=0.9)) == []
    assert chosen(Unused(spare_core=False), name) == [name.id]


def test_what_nobody_confirmed() -> None:
    """Out when it was not told for so long, however often it was used; told again, judged helpful
    or core, it stays."""
    policy = Unconfirmed(days=90)
    used = record(90, use_count=500, last_used_at=NOW)
    assert chosen(policy, used, record(89.9)) == [used.id]
    again = Source(id=new_id(), said_at=NOW - timedelta(days=3))
    assert chosen(policy, replace(used, sources=(again,))) == []
    assert chosen(policy, replace(used, helpful=1)) == []
    assert chosen(policy, replace(used, helpful=1, unhelpful=1)) == [used.id]
    name = replace(used, slot=Slot(subject="user", attribute="name", value="Sun"))
    assert chosen(policy, name) == []
    assert chosen(Unconfirmed(days=90, spare_core=False), name) == [name.id]
    assert chosen(policy, record(-50)) == []


def test_old_and_seldom_used() -> None:
    """Older than ninety days and used fewer than three times."""
    assert chosen(Rare(), record(91, use_count=2)) != []
    assert chosen(Rare(), record(91, use_count=3), record(89)) == []


def test_faded_by_strength_and_importance() -> None:
    """Strength times importance on the scale from 1 to 5, under 0.15."""
    dull, dear = record(120, importance=0.0), record(120, importance=1.0)
    assert chosen(Faded(), dull, dear) == [dull.id]
    assert chosen(Faded(), record(160, importance=1.0)) != []
    slow = Faded(half_lives={"semantic": timedelta(days=365)})
    assert chosen(slow, dull) == []


@pytest.mark.parametrize(
    ("by", "first"), [("lru", "unused"), ("age", "oldest"), ("importance", "dull")]
)
def test_capacity(by: str, first: str) -> None:
    """Above the limit the least recently used, the oldest or the least important leave; what is
    pinned counts but stays."""
    memories = {
        "oldest": record(50, last_used_at=NOW - timedelta(days=1), importance=0.6),
        "unused": record(40, importance=0.6),
        "dull": record(30, last_used_at=NOW - timedelta(days=2), importance=0.1),
        "pinned": record(99, importance=0.0, pinned=True),
    }
    policy = Capacity(limit=3, by=by)  # type: ignore[arg-type]
    assert chosen(policy, *memories.values()) == [memories[first].id]
    assert chosen(Capacity(limit=4), *memories.values()) == []


def test_policies_compose() -> None:
    """Any policy of the tuple archives; `Every` asks that all of its policies agree; the first
    reason is given; pinned memories stay whatever is said."""
    old, busy = record(100), record(100, use_count=5)
    both = Policies(archive=(Rare(), Unused()))
    reasons = {m.id: why for m, why in both.choose([old, busy], NOW)}
    assert "100 days old" in reasons[old.id]
    assert "unused" in reasons[busy.id]
    assert chosen(Every(Rare(), Unused()), old, busy) == [old.id]
    assert both.choose([replace(old, pinned=True)], NOW) == []


@pytest.mark.parametrize(
    ("kind", "arguments", "field"),
    [
        (Unused, {"days": -1}, "Unused.days"),
        (Unused, {"days": float("nan")}, "Unused.days"),
        (Unused, {"days": "90"}, "Unused.days"),
        (Unconfirmed, {"days": -0.5}, "Unconfirmed.days"),
        (Rare, {"fewer_than": -2}, "Rare.fewer_than"),
        (Faded, {"below": -0.1}, "Faded.below"),
        (Faded, {"half_lives": {"semantic": timedelta(days=-3)}}, "Faded.half_lives['semantic']"),
        (Faded, {"half_lives": {"semantic": 30}}, "Faded.half_lives['semantic']"),
        (Faded, {"half_lives": {"facts": timedelta(days=3)}}, "Faded.half_lives"),
        (Capacity, {"limit": -1}, "Capacity.limit"),
        (Capacity, {"limit": 5, "by": "luck"}, "Capacity.by"),
        (Policies, {"half_lives": {"episodic": timedelta(0)}}, "half_lives['episodic']"),
        (Policies, {"candidate_days": -1}, "candidate_days"),
        (Policies, {"summarise_below": 1.5}, "summarise_below"),
        (Policies, {"archive": Unused()}, "archive"),
        (Policies, {"archive": ("Unused",)}, "archive"),
        (Policies, {"most_changes": 0}, "most_changes"),
        (Policies, {"trace_days": True}, "trace_days"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    kind: Any, arguments: dict[str, Any], field: str
) -> None:
    """One clear error that names the field."""
    with pytest.raises(InvalidInputError) as error:
        kind(**arguments)
    assert error.value.field == field


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    kind=st.sampled_from(KINDS),
    half_life=st.one_of(
        st.timedeltas(max_value=timedelta(0)), st.integers(), st.floats(), st.none(), st.text()
    ),
)
def test_a_half_life_is_a_duration_above_zero(kind: Any, half_life: Any) -> None:
    """Anything else, for any kind, is refused before a store is touched."""
    for make in (Policies, Faded):
        with pytest.raises(InvalidInputError, match="positive duration"):
            make(half_lives={kind: half_life})


@pytest.mark.parametrize(
    "policy",
    [
        Unused(days=0),
        Unconfirmed(days=0),
        Rare(days=0),
        Faded(below=4),
        Capacity(limit=0),
        Every(Unused(days=0), Capacity(limit=0)),
    ],
)
def test_policies_that_archive_everything_are_refused(policy: Any) -> None:
    """What takes even a memory told a moment ago takes all; unless it is explicitly allowed."""
    with pytest.raises(InvalidInputError, match="told a moment ago"):
        Policies(archive=(Unused(), policy))
    Policies(archive=(policy,), allow_everything=True)


def test_tiers() -> None:
    """Pinned, important and profile memories are core; a bad mark ends that, but for pinned."""
    slot = Slot(subject="user", attribute="allergy", value="花生", cardinality="many")
    assert tier_of(record()) == "extended"
    for core in (record(pinned=True), record(importance=0.8), record(slot=slot)):
        assert tier_of(core) == "core"
    assert tier_of(record(importance=0.9, unhelpful=1)) == "extended"
    assert tier_of(record(slot=replace(slot, subject="小林"))) == "extended"
