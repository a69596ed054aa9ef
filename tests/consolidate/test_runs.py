"""A run: what it reports, that it can be undone, that failing leaves everything as it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jiyi import ConflictError, InvalidInputError, Memory, ModelError, NotFoundError
from jiyi.consolidate import Capacity, Policies, Unused
from jiyi.encode.commit import commit
from jiyi.testing import FakeClock, ScriptedChatModel
from jiyi.types import Draft, Status

EVERY: tuple[Status, ...] = ("candidate", "superseded", "expired", "archived", "retracted")
EVENTS = [
    "Anna's rowing boat leaked at the pier",
    "Anna's rowing boat was painted green",
    "Anna's rowing boat got a new mast",
    "Anna's rowing boat won the regatta",
]
EVENTS_ZH = ["老林的渔船漏水了", "老林的渔船刷了绿漆", "老林的渔船换了桅杆", "老林的渔船赢了比赛"]


def state(memory: Memory) -> dict[str, tuple[object, ...]]:
    """Everything about the memories that undo must bring back; what was undone is retracted."""
    return {
        m.id: (m.text, m.status, m.tier, m.valid_to, m.superseded_by, m.tags)
        for m in memory.list(include=EVERY, limit=1000).items
        if not (m.reason or "").startswith("undone: it had been stored")
    }


def fill(memory: Memory, clock: FakeClock) -> None:
    """Something for every kind of step."""
    for text in ("我喜欢简洁的回答", "回答请简洁一点"):
        memory.remember(text)
    memory.remember("My name is Sun", slot={"attribute": "name", "value": "Sun"})
    memory.remember("A guest is coming", ttl=3600)
    for texts, tag in ((EVENTS, "boat"), (EVENTS_ZH, "渔船")):
        for text in texts:
            memory.remember(text, kind="episodic", tags=[tag])
    clock.advance(timedelta(days=45))
    memory.remember("The kiln fires at noon")
    clock.advance(timedelta(days=95))


def test_a_dry_run_shows_the_plan_and_changes_nothing(memory: Memory, clock: FakeClock) -> None:
    """The same steps as the run that follows, each with a reason, and no trace of it."""
    fill(memory, clock)
    before = state(memory)
    plan = memory.consolidate(dry_run=True)
    assert plan.dry_run
    assert state(memory) == before
    done = memory.consolidate()
    assert [(s.action, s.reason, s.others) for s in plan.steps] == [
        (s.action, s.reason, s.others) for s in done.steps
    ]
    actions = {step.action for step in done.steps}
    assert {"merge", "expire", "summarise", "archive", "tier"} <= actions
    assert all(step.reason for step in done.steps)
    assert done.counts["summarise"] == 2
    assert done.seconds > 0
    assert memory.consolidate().steps == ()


def test_a_run_is_undone_whole(memory: Memory, clock: FakeClock) -> None:
    """Every change carries the run's id; undo brings each memory back as it was, and what was
    undone is not done again the next night."""
    fill(memory, clock)
    before = state(memory)
    report = memory.consolidate()
    assert state(memory) != before
    memory.undo(report.run_id)
    assert state(memory) == before
    clock.advance(timedelta(days=1))
    again = {step.action for step in memory.consolidate().steps}
    assert again.isdisjoint({"merge", "summarise", "archive"})


def test_new_rows_are_written_before_old_ones_are_marked(memory: Memory, clock: FakeClock) -> None:
    """In the audit log the merged memory is stored first, then its parts give way to it."""
    first = memory.remember("我喜欢简洁的回答").memory_id or ""
    memory.remember("回答请简洁一点")
    step = memory.consolidate().steps[0]
    stored = memory.history(step.memory_id or "").events
    marked = memory.history(first).events[-1]
    assert [event.action for event in stored] == ["store", "in force"]
    assert stored[0].id < marked.id < stored[1].id
    assert {event.run_id for event in (*stored, marked)} == {stored[0].run_id}


@pytest.mark.parametrize("texts", [EVENTS, EVENTS_ZH])
def test_a_failing_model_leaves_everything_as_it_was(
    clock: FakeClock, path: Path, texts: list[str]
) -> None:
    """Scenario 42: the model words one summary and fails at the next. Nothing is written, the run
    is reported as failed, earlier runs can still be undone, and the next night does it."""
    summary = "Anna's rowing boat leaked." if texts is EVENTS else "老林的渔船漏水了。"
    replies = [summary, ModelError("429 too many requests", retryable=True)]
    other = f"{summary} It is told again." if texts is EVENTS else f"{summary}又说了一遍。"
    model = ScriptedChatModel([*replies, summary, other, "[]"], repeat_last=True)
    with Memory(path, embedder=None, clock=clock, chat_model=model, background=False) as opened:
        memory = opened.scoped(user="sun")
        for group in range(2):
            for text in texts:
                memory.remember(f"{text} ({group})", kind="episodic", tags=[f"g{group}"])
        memory.consolidate(policies=Policies(merge=False, summarise_above=None, reflect=False))
        clock.advance(timedelta(days=60))
        before = state(memory)
        policies = Policies(merge=False)
        report = memory.consolidate(policies=policies)
        assert report.failed is not None
        assert "429" in report.failed
        assert (report.steps, report.counts) == ((), {})
        assert state(memory) == before
        assert memory.undo(report.run_id).outcomes == ()
        good = memory.consolidate(policies=policies)
        assert good.failed is None
        assert good.counts["summarise"] == 2
        memory.undo(good.run_id)
        assert state(memory) == before


def test_one_run_at_a_time(memory: Memory, clock: FakeClock) -> None:
    """A second one is refused while the first holds its claim, in this space only; a claim left
    behind by a crash runs out; and a clock that jumped back does not make it last."""
    where = replace(memory.scope, user="sun")
    memory.remember("The kiln fires at noon")
    now = clock()
    with memory._parts.store.write() as writer:
        writer.claim(where, "consolidating", now=now, until=now + timedelta(minutes=30))
    with pytest.raises(ConflictError, match="at work"):
        memory.consolidate()
    memory.consolidate(dry_run=True)
    memory.consolidate(user="else")
    clock.advance(timedelta(days=-30))
    assert memory.consolidate().failed is None
    clock.advance(timedelta(days=90))
    assert memory.consolidate().failed is None


def test_time_to_live_is_swept_to_the_second(memory: Memory, clock: FakeClock) -> None:
    """Nothing a second before, marked at the second; told again, it is a new memory."""
    id = memory.remember("the visitor badge 访客证", ttl=90).memory_id or ""
    clock.advance(timedelta(seconds=89))
    assert memory.consolidate().steps == ()
    clock.advance(timedelta(seconds=1))
    (step,) = memory.consolidate().steps
    assert (step.action, step.memory_id) == ("expire", id)
    assert memory.get(id).status == "expired"


def test_a_clock_that_jumps_back_loses_nothing(memory: Memory, clock: FakeClock) -> None:
    """Consolidated in the future, then told and consolidated in the past: nothing is archived or
    expired by it, what says the same is still merged, and undo works."""
    memory.remember("回答请简洁一点")
    memory.remember("a guest is here", ttl=timedelta(days=3))
    clock.set(datetime(2031, 1, 1, tzinfo=UTC))
    memory.consolidate(policies=Policies(archive=()))
    clock.set(datetime(2020, 1, 1, tzinfo=UTC))
    memory.remember("我喜欢简洁的回答")
    report = memory.consolidate()
    assert {step.action for step in report.steps} == {"merge"}
    memory.undo(report.run_id)
    assert len(memory.list().items) == 2


def test_candidates_are_confirmed_or_dropped(memory: Memory, clock: FakeClock) -> None:
    """One that was marked helpful is promoted; one that nothing confirmed in thirty days goes, and
    undo brings it back."""
    with memory._parts.store.write() as writer:
        for text in ("this project is probably doomed", "这个项目大概要黄了"):
            commit(writer, memory.scope, Draft(text=text, candidate=True), now=clock())
    kept, lost = memory.list(include="candidate").items
    memory.feedback(kept.id, helpful=True)
    clock.advance(timedelta(days=31))
    report = memory.consolidate()
    assert memory.get(kept.id).status == "active"
    assert memory.get(lost.id).status == "expired"
    memory.undo(report.run_id)
    assert memory.get(lost.id).status == "candidate"


def test_what_the_user_works_with_stays(memory: Memory, clock: FakeClock) -> None:
    """Uses in contexts count: what is used is not archived, what is not used is."""
    used = memory.remember("The kiln fires at noon 窑炉中午点火").memory_id or ""
    idle = memory.remember("The shed is green 棚子是绿的").memory_id or ""
    for _ in range(12):
        clock.advance(timedelta(days=8))
        memory.context("when does the kiln fire 窑炉什么时候点火")
    report = memory.consolidate()
    assert memory.get(used).status == "active"
    assert memory.get(idle).status == "archived"
    assert "unused" in next(s.reason for s in report.steps if s.memory_id == idle)


def test_a_wrong_memory_loses_its_protection(memory: Memory, clock: FakeClock) -> None:
    """Scenario 49: used again and again, then marked unhelpful: it is archived like any other."""
    ids = [memory.remember(t).memory_id or "" for t in ("The kiln fires at noon", "窑炉中午点火")]
    for _ in range(12):
        memory.context("kiln fires 窑炉点火")
    memory.flush()
    assert all(memory.get(id).use_count > 10 for id in ids)
    clock.advance(timedelta(days=91))
    memory.consolidate()
    assert all(memory.get(id).status == "active" for id in ids)
    for id in ids:
        memory.feedback(id, helpful=False)
    memory.consolidate()
    assert all(memory.get(id).status == "archived" for id in ids)


def test_policies_are_checked_and_given_once_or_per_run(clock: FakeClock, path: Path) -> None:
    """Wrong types are refused; the policies of the memory hold unless a run has its own."""
    strict = Policies(archive=(Capacity(limit=1),))
    with Memory(path, embedder=None, clock=clock, policies=strict) as memory:
        for text in ("one 一", "two 二", "three 三"):
            memory.remember(text)
        with pytest.raises(InvalidInputError):
            memory.consolidate(policies=Unused())  # type: ignore[arg-type]
        relaxed = Policies(archive=())
        assert memory.consolidate(policies=relaxed, dry_run=True).steps == ()
        assert memory.consolidate().counts == {"archive": 2}


def test_steps_are_limited_and_the_rest_is_done_next_time(memory: Memory, clock: FakeClock) -> None:
    """A long backlog is worked off in parts."""
    for n in range(7):
        memory.remember(f"note {n} 第{n}条")
    clock.advance(timedelta(days=100))
    policies = Policies(most_changes=3)
    assert [len(memory.consolidate(policies=policies).steps) for _ in range(4)] == [3, 3, 1, 0]


def test_the_schedule_is_off_unless_asked_for(clock: FakeClock, path: Path) -> None:
    """With `consolidate_every`, a job waits after the first write and runs when it is due."""
    with Memory(path, embedder=None, clock=clock, background=False) as memory:
        memory.observe("我喜欢喝花茶", user="sun")
        assert sum(memory.stats(user="sun").queue.values()) == 0
    every = timedelta(days=1)
    with Memory(
        path, embedder=None, clock=clock, background=False, consolidate_every=every
    ) as memory:
        for text in ("我喜欢简洁的回答", "回答请简洁一点"):
            memory.remember(text, user="sun")
        assert memory.stats(user="sun").queue["pending"] == 1
        memory.flush()
        assert len(memory.list(user="sun").items) == 3
        clock.advance(every)
        memory.flush()
        assert len(memory.list(user="sun").items) == 2
        assert sum(memory.stats(user="sun").queue.values()) == 0
        memory.remember("The kiln fires at noon", user="sun")
        assert memory.stats(user="sun").queue["pending"] == 1
    with pytest.raises(InvalidInputError):
        Memory(path, embedder=None, consolidate_every=timedelta(seconds=1))


def test_an_unknown_run_is_not_found(memory: Memory) -> None:
    """Undo of an id that is none."""
    memory.consolidate()
    with pytest.raises(NotFoundError):
        memory.undo("0190f3a1-7c1e-7000-8000-000000000000")


def test_the_audit_log_is_kept_as_long_as_asked(memory: Memory, clock: FakeClock) -> None:
    """Runs and erasures of before leave the log; the history of what is there stays, so that an
    old run is still undone; without a limit nothing leaves."""
    fill(memory, clock)
    gone = memory.remember("A secret 秘密").memory_id or ""
    report = memory.consolidate()
    erased = memory.forget(ids=gone).event_id or ""
    histories = {
        m.id: memory.history(m.id).events for m in memory.list(include=EVERY, limit=1000).items
    }
    clock.advance(timedelta(days=400))
    assert "prune events" not in memory.consolidate(policies=Policies(archive=())).counts
    limited = memory.consolidate(policies=Policies(archive=(), audit_days=365))
    assert limited.counts["prune events"] >= 3
    with pytest.raises(NotFoundError):
        memory.undo(erased)
    for id, events in histories.items():
        assert memory.history(id).events[: len(events)] == events
    assert memory.undo(report.run_id)
    with pytest.raises(InvalidInputError, match="audit_days"):
        Policies(audit_days=-1)


def test_turns_are_kept_as_long_as_asked(tmp_path: Path, clock: FakeClock) -> None:
    """By default every word stays. With a limit, old turns that no memory needs are erased from
    every byte, those that are cited or new stay, and what is known stays known, digests too; a
    dry run tells how many and erases none."""
    file = tmp_path / "m.db"
    with Memory(file, embedder=None, clock=clock, background=False) as memory:
        for text in ("I live in Porto", "我对芒果过敏", "The ferryboat zigzagged", "缆车晃悠悠的"):
            memory.observe(text, session="A")
        memory.observe("I have to renew my parking permit in Lisbon", session="C")
        memory.end_session("C")
        clock.advance(timedelta(days=40))
        memory.observe("The gondola wobbled 摇晃", session="B")
        known = {m.text for m in memory.list().items}
        assert len(known) == 3
        assert "erase turns" not in memory.consolidate().counts
        limited = Policies(archive=(), turn_days=30)
        assert memory.consolidate(policies=limited, dry_run=True).counts["erase turns"] == 3
        assert len(memory.turns()) == 6
        assert memory.consolidate(policies=limited).counts["erase turns"] == 3
        left = {turn.text for turn in memory.turns()}
        assert left == {"I live in Porto", "我对芒果过敏", "The gondola wobbled 摇晃"}
        assert {m.text for m in memory.list().items} == known
        assert not memory.recall("ferryboat")
        assert memory.recall("芒果过敏")
        assert "erase turns" not in memory.consolidate(policies=limited).counts
    for path in tmp_path.iterdir():
        for word in ("zigzagged", "晃悠悠"):
            assert word.encode() not in path.read_bytes()


@pytest.mark.parametrize("days", [0, 0.5, -3, float("nan"), "30"])
def test_a_limit_for_turns_that_erases_what_was_just_said(days: object) -> None:
    """A limit below a day would erase the conversation itself, and is refused."""
    with pytest.raises(InvalidInputError, match="turn_days"):
        Policies(turn_days=days)  # type: ignore[arg-type]
