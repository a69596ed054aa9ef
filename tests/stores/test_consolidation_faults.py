"""What goes wrong with a consolidation, on every store: a step that fails, runs that meet, a clock
that jumps. Nothing is lost, nothing is half done, and what was done can be undone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from places import Place

from jiyi import ConflictError, Memory
from jiyi.consolidate import Capacity, Policies, Unused
from jiyi.consolidate.apply import Writing
from jiyi.consolidate.steps import Step
from jiyi.testing import FakeClock
from jiyi.types import MemoryRecord, Status

EVERY: tuple[Status, ...] = ("candidate", "superseded", "expired", "archived", "retracted")
MADE = "undone: it had been stored"
TOLD = (
    *("I love tea", "I really enjoy tea", "我喜欢简洁的回答", "回答请简洁一点", "The mast broke"),
    *("The kiln fires at noon", "窑炉中午点火", "Please keep answers concise", "棚子是绿的"),
)
BOAT = (
    "The boat leaked 船漏水了",
    "The boat was painted",
    "The mast broke",
    "It was mended 修好了",
)


@pytest.fixture(params=["memory_place", "file_place", "postgres_place"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture
def memory(place: Place, clock: FakeClock) -> Iterator[Memory]:
    with Memory(place.open(), embedder=None, clock=clock, background=False) as opened:
        yield opened.scoped(tenant="acme", user="sun")


def state(memory: Memory) -> dict[str, tuple[object, ...]]:
    """Everything about the memories that a run may change."""
    return {
        m.id: (m.text, m.status, m.tier, m.valid_to, m.superseded_by, m.tags, m.use_count)
        for m in memory.list(include=EVERY, limit=1000).items
        if m.reason != MADE
    }


def fill(memory: Memory, clock: FakeClock) -> None:
    """Something to merge, to sum up, to expire and to archive."""
    for text in TOLD:
        memory.remember(text)
    for text in BOAT:
        memory.remember(text, kind="episodic", tags=["boat"])
    memory.remember("a guest 客人", ttl=60)
    clock.advance(timedelta(days=100))


@pytest.mark.parametrize("error", [ConflictError("taken meanwhile"), OSError("disk full")])
def test_whichever_step_fails_all_stays_as_it_was(
    memory: Memory, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Scenario 42, for each place in a run where a step can fail: every row, version and event is
    as before, no claim is left behind, and the run that follows does all of it."""
    fill(memory, clock)
    before = state(memory)
    events = {id: memory.history(id).events for id in before}
    carry_out, left = Writing._carry_out, [0]

    def fail(self: Writing, step: Step) -> str | None:
        left[0] -= 1
        if left[0] < 0:
            raise error
        return carry_out(self, step)

    planned = len(memory.consolidate(dry_run=True).steps)
    assert planned >= 4
    with monkeypatch.context() as patched:
        patched.setattr(Writing, "_carry_out", fail)
        for place in range(planned):
            left[0] = place
            if isinstance(error, ConflictError):
                assert memory.consolidate().failed is not None
            else:
                with pytest.raises(OSError, match="disk full"):
                    memory.consolidate()
            assert state(memory) == before
            assert {id: memory.history(id).events for id in before} == events
    done = memory.consolidate()
    assert len(done.steps) == planned
    memory.undo(done.run_id)
    assert state(memory) == before


class Meddling:
    """A policy that lets somebody else at the memory while a run makes its plan."""

    def __init__(self, memory: Memory, changed: str) -> None:
        self.memory, self.changed, self.refused = memory, changed, 0

    def choose(
        self, memories: Sequence[MemoryRecord], now: datetime
    ) -> Iterator[tuple[MemoryRecord, str]]:
        if now.year < 2020:
            return  # the check of policies
        try:
            self.memory.consolidate(policies=Policies(archive=()))
        except ConflictError:
            self.refused += 1
        self.memory.update(self.changed, importance=0.7)
        for memory in memories:
            yield memory, "all of it"


def test_runs_that_overlap_and_changes_in_between(memory: Memory, clock: FakeClock) -> None:
    """A second run in the middle of a first is refused and changes nothing; a memory that somebody
    changed meanwhile is left alone, the others are not; and the first is undone whole."""
    fill(memory, clock)
    changed = next(m.id for m in memory.list().items if "kiln" in m.text)
    policy = Meddling(memory, changed)
    report = memory.consolidate(policies=Policies(archive=(policy,), merge=False))
    assert report.failed is None
    assert policy.refused == 1
    assert memory.get(changed).status == "active"
    assert memory.get(changed).importance == 0.7
    assert report.counts["archive"] > 3
    memory.undo(report.run_id)
    assert len(memory.list(limit=100).items) == len(TOLD) + len(BOAT) - 1


@pytest.mark.parametrize("seed", range(3))
def test_however_the_clock_jumps(memory: Memory, clock: FakeClock, seed: int) -> None:
    """Tellings and runs under a clock that jumps by days and years in both directions: no source
    is lost, no run fails, and undoing a run brings back what was before it."""
    chance = random.Random(seed)
    policies = Policies(archive=(Unused(days=60), Capacity(limit=6)))
    told: set[str] = set()
    for _ in range(4):
        for text in chance.sample(TOLD, 3):
            label = f"{len(told)}"
            memory.remember(text, source=label)
            told.add(label)
        clock.advance(timedelta(days=chance.choice((-4000, -90, -1, 0, 1, 45, 100, 4000))))
        memory.flush()
        before = state(memory)
        report = memory.consolidate(policies=policies)
        assert report.failed is None
        everything = memory.list(include=("active", *EVERY), limit=1000).items
        assert told <= {s.label for m in everything for s in m.sources}
        if seed % 2 or not report.steps:
            memory.undo(report.run_id)
            assert state(memory) == before


def test_the_inbox_is_the_same(memory: Memory, clock: FakeClock) -> None:
    """Contradictions by sign, number and place, among others' words in both languages; what is
    episodic, expired or over is none."""
    for text in (
        "The ferry leaves at 7",
        "The ferry leaves at 8",
        "服务器在机房",
        "服务器不在机房",
    ):
        memory.remember(text)
        memory.remember(f"{text} 另说", kind="episodic")
        clock.advance(timedelta(hours=1))
    for n, agent in enumerate((None, "a")):
        slot = {"attribute": "meeting room", "value": f"B{n}"}
        scope = {} if agent is None else {"agent": agent, "visibility": "agent"}
        memory.remember(f"Meet in room B{n}", slot=slot, **scope)  # type: ignore[arg-type]
        clock.advance(timedelta(hours=1))
    memory.remember("The ferry leaves at 9", ttl=5)
    memory.remember("服务器在不在机房不知道", valid_to=clock() + timedelta(seconds=5))
    clock.advance(timedelta(minutes=1))
    assert [(c.first.text, c.second.text) for c in memory.conflicts()] == [
        ("Meet in room B0", "Meet in room B1"),
        ("服务器在机房", "服务器不在机房"),
        ("The ferry leaves at 7", "The ferry leaves at 8"),
    ]
