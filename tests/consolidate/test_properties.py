"""Whatever is told, in whatever order: a run is undone whole, a second run has nothing to do, and
nothing live is lost without a place where its sources went."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jiyi import Memory
from jiyi.consolidate import Capacity, Policies, Rare, Unused
from jiyi.testing import FakeClock
from jiyi.types import Status

EVERY: tuple[Status, ...] = ("candidate", "superseded", "expired", "archived", "retracted")
TEXTS = (
    *("I like tea", "I really love tea", "I don't like tea", "Please keep answers concise"),
    *("Answers should be concise", "The boat leaked", "The boat was painted", "The mast broke"),
    *("The boat sank", "我喜欢花茶", "我平时很喜欢花茶", "我不喜欢花茶", "回答请简洁", "桅杆断了"),
)
STEPS = st.one_of(
    st.tuples(
        st.just("tell"),
        st.sampled_from(TEXTS),
        st.sampled_from(("semantic", "episodic", "procedural")),
        st.sampled_from(((), ("boat",), ("tea", "boat"))),
        st.sampled_from((None, 3600.0, 9e6)),
        st.booleans(),
    ),
    st.tuples(st.just("slot"), st.sampled_from(("Lyon", "Nantes", "大连"))),
    st.tuples(st.just("mark"), st.integers(0, 20), st.booleans()),
    st.tuples(st.just("correct"), st.integers(0, 20), st.sampled_from(TEXTS)),
    st.tuples(st.just("wait"), st.sampled_from((1, 40, 100, -50))),
    st.tuples(st.just("run")),
)


def live(memory: Memory, step: tuple[Any, ...], clock: FakeClock, policies: Policies) -> None:
    """Carry out one step; a choice among memories that are not there does nothing."""
    items = memory.list(limit=100).items
    if step[0] == "tell":
        _, text, kind, tags, ttl, pinned = step
        memory.remember(text, kind=kind, tags=tags, ttl=ttl, pinned=pinned)
    elif step[0] == "slot":
        slot = {"attribute": "residence", "value": step[1]}
        memory.remember(f"Lives in {step[1]}", slot=slot)
    elif step[0] == "wait":
        clock.advance(timedelta(days=step[1]))
    elif step[0] == "run":
        memory.consolidate(policies=policies)
    elif step[1] < len(items) and step[0] == "mark":
        memory.feedback(items[step[1]].id, helpful=step[2])
    elif step[1] < len(items) and all(item.text != step[2] for item in items):
        memory.correct(items[step[1]].id, step[2])


def state(memory: Memory) -> dict[str, tuple[object, ...]]:
    """What undo must bring back; what it takes away is retracted."""
    return {
        m.id: (m.text, m.status, m.tier, m.valid_to, m.superseded_by, m.tags, m.pinned, m.meta)
        for m in memory.list(include=EVERY, limit=1000).items
        if not (m.reason or "").startswith("undone: it had been stored")
    }


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(STEPS, min_size=4, max_size=16), capacity=st.integers(3, 8))
def test_undo_is_whole_and_a_second_run_has_nothing_to_do(
    steps: list[tuple[Any, ...]], capacity: int
) -> None:
    """For any history of tellings, marks, corrections, runs and a clock that jumps about."""
    clock = FakeClock(datetime(2026, 3, 2, 9, tzinfo=UTC))
    policies = Policies(archive=(Unused(), Rare(days=60), Capacity(limit=capacity)))
    with Memory(":memory:", embedder=None, clock=clock, background=False) as opened:
        memory = opened.scoped(user="sun")
        for step in steps:
            live(memory, step, clock, policies)
        before = state(memory)
        sources = {s.id for m in memory.list(limit=1000).items for s in m.sources}
        pinned = {m.id for m in memory.list(limit=1000).items if m.pinned}
        report = memory.consolidate(policies=policies)
        assert report.failed is None
        kept = memory.list(include=("archived", "expired", "candidate", "retracted"), limit=1000)
        assert sources <= {s.id for m in kept.items for s in m.sources}
        after = {m.id: m.status for m in memory.list(include=EVERY, limit=1000).items}
        assert all(after[id] != "archived" for id in pinned)
        assert memory.consolidate(policies=policies).steps == ()
        memory.undo(report.run_id)
        assert state(memory) == before
