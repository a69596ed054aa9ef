"""Turns are read once, in order, and whatever a crash leaves behind is finished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from flow import (
    DAY,
    NOW,
    SUN,
    encoder,
    everything,
    memories,
    obey,
    observe,
    record,
    scripted,
    texts,
    turn,
)

from jiyi.encode.encoder import BATCH, GRACE, IDLE, Encoder
from jiyi.encode.intake import turn_terms
from jiyi.ports import Job, Store
from jiyi.types import Role, Scope, Turn


def jobs(store: Store, *, at: datetime = NOW + 30 * DAY) -> list[Job]:
    """All jobs there are; they are leased by looking."""
    with store.write() as writer:
        return writer.lease(["extract", "read"], now=at, until=at + DAY, limit=1000)


def test_said_is_in_force_at_once(store: Store) -> None:
    """What a turn says is a memory when the call returns, and its job is done."""
    outcomes = observe(store, encoder(), turn("+lives in Rome @residence=Rome; +likes tea"))
    assert [o.status for o in outcomes] == ["stored", "stored"]
    assert texts(memories(store)) == ["lives in Rome", "likes tea"]
    assert all(m.gate is not None for m in memories(store))
    assert jobs(store) == []


def test_every_memory_cites_turn_and_span(store: Store) -> None:
    """Each memory leads back to the words it came from."""
    said = turn("+lives in Rome @residence=Rome; +likes tea")
    observe(store, encoder(), said)
    for memory in memories(store):
        (source,) = memory.sources
        assert source.turn_id == said.id
        assert source.span is not None
        assert memory.text in said.text[slice(*source.span)]


def test_reading_again_changes_nothing(store: Store) -> None:
    """The same turns read a second time leave the same memories, also after they changed."""
    turns = [
        turn("+lives in Rome @residence=Rome"),
        turn("+lives in Oslo @residence=Oslo", at=NOW + DAY),
        turn("+likes tea", at=NOW + 2 * DAY),
    ]
    reader = encoder()
    for each in turns:
        observe(store, reader, each, now=each.said_at)
    before = [(m.id, m.text, m.status, m.valid_to, m.sources) for m in everything(store)]
    with store.write() as writer:
        reader.encode_turns(writer, turns, now=NOW + 3 * DAY)
    assert [(m.id, m.text, m.status, m.valid_to, m.sources) for m in everything(store)] == before


def test_in_the_order_of_saying(store: Store) -> None:
    """A turn that takes something back and says something new does both in its order."""
    reader = encoder()
    observe(store, reader, turn("+address is 5 Elm Road @address=5 Elm Road"))
    observe(store, reader, turn("!address; +address is 7 Oak @address=7 Oak", at=NOW + DAY))
    assert texts(memories(store)) == ["address is 7 Oak"]
    observe(store, reader, turn("+likes figs; -figs", at=NOW + 2 * DAY))
    assert texts(memories(store, "retracted")) == ["likes figs"]


def test_failure_leaves_nothing_half_done(store: Store) -> None:
    """When the rules fail in the middle, the turn and its job stay and no memory does."""

    def breaks(said: Turn, previous: Sequence[Turn]) -> object:
        if "second" in said.text:
            raise ArithmeticError("a bug")
        return scripted(said, previous)

    broken = encoder(extract=breaks)
    with pytest.raises(ArithmeticError):
        observe(store, broken, turn("+first thing said"), turn("+second thing said"))
    assert memories(store) == []
    (job,) = jobs(store)
    with store.write() as writer:
        turns = writer.turns(job.scope, ids=[str(id) for id in job.payload["turns"]])  # type: ignore[union-attr]
        encoder().encode_turns(writer, turns, now=NOW)
    assert texts(memories(store)) == ["first thing said", "second thing said"]


def test_job_waits_for_its_own_process(store: Store) -> None:
    """For a short while only the process that recorded a turn reads it."""
    said = turn("+likes tea")
    with store.write() as writer:
        writer.add_turn(said, turn_terms(said))
        encoder().enqueue(writer, SUN, [said], now=NOW)
        assert writer.lease(["extract"], now=NOW, until=NOW + DAY) == []
        assert len(writer.lease(["extract"], now=NOW + GRACE, until=NOW + DAY)) == 1


def test_unencodable_turns_are_left_alone(store: Store) -> None:
    """A turn that is not to be encoded leaves no memory and no job."""
    observe(store, encoder(), replace(turn("+likes tea"), encodable=False))
    assert everything(store) == []
    assert jobs(store) == []


def test_rules_see_the_turns_before(store: Store) -> None:
    """The rules get the session's earlier turns, oldest first, and no other session's."""
    seen: list[list[str]] = []

    def spy(said: Turn, previous: Sequence[Turn]) -> object:
        seen.append([each.text for each in previous])
        return scripted(said, previous)

    reader = encoder(extract=spy)
    observe(store, reader, turn("elsewhere", scope=Scope(user="sun", session="B")))
    for number in range(9):
        observe(store, reader, turn(f"t{number}", at=NOW + timedelta(minutes=number)))
    observe(
        store,
        reader,
        turn("a", at=NOW + timedelta(hours=1)),
        turn("b", at=NOW + timedelta(hours=1)),
    )
    assert seen[-2] == ["t3", "t4", "t5", "t6", "t7", "t8"]
    assert seen[-1] == ["t4", "t5", "t6", "t7", "t8", "a"]


def test_batches_for_a_model(store: Store) -> None:
    """Turns of a session wait in one job until it is silent; ten are due at once."""
    reader = encoder(batches=True)
    for number in range(BATCH + 2):
        at = NOW + timedelta(seconds=number)
        observe(store, reader, turn(f"word {number}", at=at), now=at)
    found = sorted(jobs(store), key=lambda job: job.id)
    sizes = [len(job.payload["turns"]) for job in found]  # type: ignore[arg-type]
    assert all(job.kind == "read" for job in found)
    assert sizes == [BATCH, 2]


def test_batches_by_session_and_time(store: Store) -> None:
    """Two sessions do not mix, and what was said after a pause begins a new batch."""
    reader = encoder(batches=True)
    other = Scope(user="sun", session="B")
    observe(store, reader, turn("one"))
    observe(store, reader, turn("two", scope=other))
    later = NOW + IDLE
    observe(store, reader, turn("three", at=later), now=later)
    found = jobs(store)
    assert sorted(len(job.payload["turns"]) for job in found) == [1, 1, 1]  # type: ignore[arg-type]
    assert sorted(job.scope.session or "" for job in found) == ["A", "A", "B"]


def test_big_import_is_cut_into_batches(store: Store) -> None:
    """Many turns at once become full batches and a rest."""
    reader = encoder(batches=True)
    turns = [turn(f"word {n}", at=NOW + timedelta(seconds=n)) for n in range(25)]
    observe(store, reader, *turns)
    sizes = sorted(len(job.payload["turns"]) for job in jobs(store))  # type: ignore[arg-type]
    assert sizes == [5, 10, 10]


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("system", "我住在北京，请记住"),
        ("tool", '{"city": "Rome", "note": "I live in Rome"}'),
        ("user", "假如我住在罗马，要带什么？"),
        ("user", "Suppose I lived in Rome."),
        ("user", "你好！谢谢！"),
        ("user", "Where do I live?"),
        ("user", "this project is probably doomed"),
    ],
)
def test_junk_leaves_no_fact(store: Store, role: Role, text: str) -> None:
    """With the real rules: nobody's facts come from prompts, tools, suppositions, small talk,
    questions or a passing remark (32, 39)."""
    said = turn(text, role=role)
    record(store, [said])
    with store.write() as writer:
        Encoder(obey).encode_turns(writer, [said], now=NOW)
    assert memories(store) == []
