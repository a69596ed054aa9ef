"""Export, wipe, load: the same ids, times and history, without a model; and nothing twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from jiyi import ConflictError, InvalidInputError, Memory, StoreUnavailableError
from jiyi.archived import Archived, ArchivedMemory, ArchivedTombstones
from jiyi.encode.restoring import BATCH, restore
from jiyi.formats.archive import name_of, read_archive
from jiyi.ids import new_id
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing import FakeClock, HashEmbedder, ScriptedChatModel

CHINA = timezone(timedelta(hours=8))
BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=CHINA)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(BEGIN)


@pytest.fixture
def old(tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory(tmp_path / "old.db", embedder=HashEmbedder(), clock=clock) as memory:
        yield memory


def live_through(memory: Memory, clock: FakeClock) -> None:
    """Some of everything that a user can go through, for two users and everybody."""
    sun = memory.scoped(user="孙 “sun”", session="A")
    sun.observe([{"role": "user", "content": "我住在北京。", "id": "m1"}])
    clock.advance(timedelta(days=1))
    sun.observe("I moved to Lyon last week, and I am allergic to peanuts.")
    fact = sun.remember(
        "报告里的单位写在数值列", tags=["格式"], meta={"优先": [1, 2.5]}, pinned=True
    )
    clock.advance(timedelta(hours=1))
    assert fact.memory_id is not None
    sun.update(fact.memory_id, text="报告里的单位写在单独一列", importance=0.9)
    sun.remember("短期的事", ttl=60)
    gone = sun.remember("the door code is 4711")
    assert gone.memory_id is not None
    sun.forget(ids=gone.memory_id)
    sun.set_permanent(role="technician", user="孙 “sun”")
    sun.task("T-7").note("progress", "96/120")
    sun.remember("The kitchen closes at nine", visibility="shared")
    sun.end_session("A")
    sun.context("报告怎么写？")
    memory.scoped(user="bob").observe("I like green tea.", session="B")
    memory.remember("Nobody's own note")
    memory.flush()


def values(memory: Memory, path: Path) -> list[Archived]:
    """Everything of a store. Tombstones are compared without the keys of stores on the way."""
    memory.export(path, everything=True)
    return list(map(without_keys, read_archive(path)))


def without_keys(value: Archived) -> Archived:
    return replace(value, keys=()) if isinstance(value, ArchivedTombstones) else value


@pytest.mark.parametrize("target", ["file", "memory"])
def test_everything_comes_back(old: Memory, clock: FakeClock, tmp_path: Path, target: str) -> None:
    """Another store, another embedder, a model that must not be called: every value is equal,
    loading twice adds nothing, and recall finds what it found."""
    live_through(old, clock)
    before = values(old, tmp_path / "a.jsonl")
    where = tmp_path / "new.db" if target == "file" else ":memory:"
    model = ScriptedChatModel([])
    with Memory(
        where, embedder=HashEmbedder(dimension=16), chat_model=model, clock=clock, background=False
    ) as new:
        first = new.load(tmp_path / "a.jsonl")
        assert not first.blocked
        assert not first.differs
        assert values(new, tmp_path / "b.jsonl") == before
        second = new.load(tmp_path / "a.jsonl")
        assert second.known == first.added
        assert not second.added
        assert values(new, tmp_path / "c.jsonl") == before
        new.flush()
        assert model.calls == []
        sun = new.scoped(user="孙 “sun”")
        assert sum(sun.stats().vectors.values()) > 0
        assert sun.profile() == old.scoped(user="孙 “sun”").profile()
        for asked in ("peanuts", "单位写在哪里", "where do I live"):
            wanted = [hit.id for hit in old.scoped(user="孙 “sun”").recall(asked)]
            assert [hit.id for hit in sun.recall(asked)][:1] == wanted[:1]
        assert new.scoped(user="bob").recall("kitchen")
        assert sun.task("T-7").notes() == {"progress": "96/120"}


def test_times_and_history_are_the_same(old: Memory, clock: FakeClock, tmp_path: Path) -> None:
    """What was known at a time, and every history, is the same in the other store."""
    live_through(old, clock)
    old.export(tmp_path / "a.jsonl", everything=True)
    with Memory(tmp_path / "new.db", embedder=None, clock=clock) as new:
        new.load(tmp_path / "a.jsonl")
        for moment in (BEGIN + timedelta(hours=1), BEGIN + timedelta(days=1, minutes=30)):
            found = [
                [hit.text for hit in m.recall("报告 单位 北京", user="孙 “sun”", known_at=moment)]
                for m in (old, new)
            ]
            assert found[0] == found[1]
        for id in [item.id for item in old.list(user="孙 “sun”", include="superseded").items]:
            mine, other = (m.history(id, user="孙 “sun”") for m in (old, new))
            assert mine == other


def test_a_user_takes_along_what_is_theirs(old: Memory, clock: FakeClock, tmp_path: Path) -> None:
    """A scoped view exports its user, with what the user shares; and takes in nobody else's."""
    live_through(old, clock)
    path = tmp_path / "sun.jsonl"
    old.scoped(user="孙 “sun”").export(path)
    told = path.read_text("utf-8")
    assert "green tea" not in told
    assert "Nobody's own" not in told
    assert "kitchen" in told
    assert "4711" not in told
    with Memory(tmp_path / "new.db", embedder=None, clock=clock) as new:
        with pytest.raises(InvalidInputError, match="without naming a user"):
            new.scoped(user="bob").load(path)
        assert new.stats(user="孙 “sun”").turns == 0
        new.scoped(user="孙 “sun”").load(path)
        assert new.recall("kitchen", user="bob")
        assert new.scoped(user="孙 “sun”").recall("peanuts")


def test_tenants_apart(tmp_path: Path, clock: FakeClock) -> None:
    """A tenant's export and load hold every user of the tenant, and of no other."""
    with Memory(tmp_path / "old.db", embedder=None, clock=clock) as old:
        for tenant in ("a", "b"):
            for user in ("x", "y"):
                old.remember(f"secret of {tenant} {user}", tenant=tenant, user=user)
        path = tmp_path / "a.jsonl"
        old.export(path, tenant="a", everything=True)
        old.export(tmp_path / "all.jsonl", everything=True)
        with pytest.raises(InvalidInputError, match="everything"):
            old.export(path, tenant="a", user="x", everything=True)
    assert "secret of b" not in path.read_text("utf-8")
    with Memory(tmp_path / "new.db", embedder=None, clock=clock) as new:
        with pytest.raises(InvalidInputError):
            new.load(tmp_path / "all.jsonl", tenant="a")
        new.load(path, tenant="a")
        assert [item.text for item in new.list(tenant="a", user="y").items] == ["secret of a y"]


def test_a_damaged_or_newer_archive_writes_nothing(
    old: Memory, clock: FakeClock, tmp_path: Path
) -> None:
    """Cut, changed in a byte, newer, with an unknown record or a wrong field: refused whole."""
    live_through(old, clock)
    path = tmp_path / "a.jsonl"
    old.export(path, everything=True)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    newer = json.dumps({**json.loads(lines[0]), "jiyi_archive": 99}).encode() + b"\n"
    bad = tmp_path / "bad.jsonl"
    for damaged in (whole[:-9], whole.replace("单位".encode(), "单价".encode(), 1), newer):
        bad.write_bytes(damaged)
        with Memory(":memory:", embedder=None, clock=clock) as new:
            with pytest.raises(InvalidInputError):
                new.load(bad)
            assert values(new, tmp_path / "none.jsonl") == []


def test_an_interrupted_load_goes_on(old: Memory, clock: FakeClock, tmp_path: Path) -> None:
    """Stopped between two transactions, it is begun again and ends as if nothing had happened."""
    old.remember_all([f"fact number {n} 事实" for n in range(500)], user="u")
    before = values(old, tmp_path / "a.jsonl")

    def stop(done: int) -> None:
        if done >= 400:
            raise KeyboardInterrupt

    with Memory(tmp_path / "new.db", embedder=None, clock=clock) as new:
        with pytest.raises(KeyboardInterrupt):
            new.load(tmp_path / "a.jsonl", progress=stop)
        assert 0 < new.list(user="u").total < 500
        report = new.load(tmp_path / "a.jsonl")
        assert report.known["memory"] == 400
        assert values(new, tmp_path / "b.jsonl") == before


def test_what_was_erased_here_stays_away(old: Memory, clock: FakeClock, tmp_path: Path) -> None:
    """An old archive does not bring back what was forgotten since: neither turn nor memory nor
    digest, nor what came to be said of it elsewhere."""
    u = old.scoped(user="u", session="S")
    u.observe(["My badge number is 7781-X.", "今天天气不错"])
    u.remember("badge 7781-X")
    u.end_session("S")
    old.export(tmp_path / "a.jsonl", user="u")
    u.forget(query="badge 7781-X")
    report = old.load(tmp_path / "a.jsonl")
    assert report.blocked["turn"] == 1
    assert report.blocked["memory"] >= 1
    assert not report.added
    assert all("7781" not in turn.text for turn in u.turns())
    assert not u.recall("badge 7781-X")


def test_merging_with_what_is_here(tmp_path: Path, clock: FakeClock) -> None:
    """The same text becomes one live memory with both sources; of two values in one slot the later
    one holds; everything keeps its id, and a second load changes nothing."""
    home: dict[str, Any] = {"attribute": "residence"}
    with (
        Memory(tmp_path / "one.db", embedder=None, clock=clock) as one,
        Memory(tmp_path / "two.db", embedder=None, clock=clock) as two,
    ):
        a, b = one.scoped(user="u"), two.scoped(user="u")
        same = a.remember("likes tea 爱喝茶").memory_id
        early = a.remember("lives in Oslo", slot={**home, "value": "Oslo"}).memory_id
        clock.advance(timedelta(days=1))
        here = b.remember("likes tea 爱喝茶").memory_id
        late = b.remember("lives in Rome", slot={**home, "value": "Rome"}).memory_id
        one.export(tmp_path / "one.jsonl", user="u")
        two.export(tmp_path / "two.jsonl", user="u")
        for memory, path in ((b, "one.jsonl"), (a, "two.jsonl")):
            for _ in range(2):
                memory.load(tmp_path / path)
            live = {item.text for item in memory.list().items}
            assert live == {"likes tea 爱喝茶", "lives in Rome"}
            assert early is not None
            assert memory.get(early).status == "superseded"
        assert same is not None
        assert here is not None
        assert late is not None
        assert b.get(same).superseded_by == here
        assert len(b.get(here).sources) == 2
        assert a.get(here).superseded_by == same
        assert early is not None
        assert a.get(early).superseded_by == late
        counts = values(two, tmp_path / "x.jsonl")
        two.load(tmp_path / "one.jsonl")
        assert values(two, tmp_path / "y.jsonl") == counts


def test_a_later_export_brings_it_up_to_date(tmp_path: Path, clock: FakeClock) -> None:
    """Exporting again after more has happened moves a copy on: changed, replaced and retracted
    memories are so in the copy too, in every order of coming back."""
    with (
        Memory(tmp_path / "one.db", embedder=None, clock=clock) as one,
        Memory(tmp_path / "two.db", embedder=None, clock=clock) as two,
    ):
        a = one.scoped(user="u")
        home = {"attribute": "residence", "value": "Oslo"}
        oslo = a.remember("lives in Oslo", slot=home).memory_id
        assert oslo is not None
        for n in range(4):
            clock.advance(timedelta(days=1))
            match n:
                case 1:
                    a.remember("住在罗马", slot={"attribute": "residence", "value": "Rome"})
                case 2:
                    a.undo(oslo)  # it holds again
                case 3:
                    a.update(oslo, text="lives in Oslo, near the park")
            one.export(tmp_path / "a.jsonl", user="u")
            two.load(tmp_path / "a.jsonl")
            assert values(two, tmp_path / "b.jsonl") == list(read_archive(tmp_path / "a.jsonl"))


def test_turns_that_nobody_has_read_are_read_here(tmp_path: Path, clock: FakeClock) -> None:
    """Work that waited when the archive was written waits in the other store, once."""
    model = ScriptedChatModel(["[]"] * 5)
    with Memory(
        tmp_path / "one.db", embedder=None, chat_model=model, clock=clock, background=False
    ) as one:
        one.observe(["I live in Oslo.", "我在气象局工作。"], user="u", session="S")
        one.export(tmp_path / "a.jsonl", user="u")
    with Memory(tmp_path / "two.db", embedder=None, clock=clock, background=False) as two:
        report = two.load(tmp_path / "a.jsonl")
        assert report.waiting == 2
        assert two.load(tmp_path / "a.jsonl").waiting == 0
        assert two.stats(user="u").queue["pending"] == 1


def test_a_plan_goes_on_where_it_is_loaded(tmp_path: Path, clock: FakeClock) -> None:
    """The day that was planned comes in the other store as it would have come in this one: what
    held until then is superseded by the plan. Nothing of it changes before the day."""
    path = tmp_path / "a.jsonl"
    with Memory(tmp_path / "one.db", embedder=None, clock=clock, background=False) as one:
        one.observe("我住在北京。", user="u")
        clock.advance(timedelta(minutes=1))
        one.observe("下个月起我搬到上海。", user="u")
        one.export(path, user="u")
    with Memory(tmp_path / "two.db", embedder=None, clock=clock, background=False) as two:
        two.load(path)
        two.load(path)
        two.flush()
        known = {r.slot.value: r for r in two.list(user="u").items if r.slot is not None}
        assert (known["北京"].status, known["上海"].status) == ("active", "active")
        clock.advance(timedelta(days=40))
        two.flush()
        past = two.get(known["北京"].id, user="u")
        assert (past.status, past.superseded_by) == ("superseded", known["上海"].id)


def test_where_an_archive_may_be_written(old: Memory, tmp_path: Path) -> None:
    """A store, or any other file, is not overwritten; an archive is."""
    old.remember("x y z", user="u")
    for path in (tmp_path / "old.db", tmp_path / "notes.txt"):
        path.touch()
        with pytest.raises(ConflictError, match="no archive"):
            old.export(path, user="u")
    for _ in range(2):
        assert old.export(tmp_path / "a.jsonl", user="u").counts["memory"] == 1
    with pytest.raises(StoreUnavailableError):
        old.export(tmp_path / "nowhere" / "a.jsonl", user="u")


def test_values_stream_through(tmp_path: Path, clock: FakeClock) -> None:
    """A load reads no further ahead than what it writes in one transaction."""
    with Memory(tmp_path / "one.db", embedder=None, clock=clock) as one:
        one.remember("seed", user="u")
        one.export(tmp_path / "seed.jsonl", user="u")
    (seed,) = (v for v in read_archive(tmp_path / "seed.jsonl") if isinstance(v, ArchivedMemory))
    taken = 0

    def stream() -> Iterator[Archived]:
        nonlocal taken
        for n in range(2 * BATCH + 5):
            record = replace(seed.record, id=new_id(), text=f"fact {n} 号")
            taken += 1
            yield replace(seed, versions=(replace(seed.versions[0], record=record),))

    ahead: list[int] = []
    with closing(open_sqlite(tmp_path / "two.db")) as store:
        restore(
            store,
            stream(),
            now=BEGIN,
            name_of=name_of,
            progress=lambda done: ahead.append(taken - done),
        )
    assert ahead == [0, 0, 0]
