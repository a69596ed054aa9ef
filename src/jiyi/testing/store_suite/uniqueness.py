"""Uniqueness by the store, also under concurrent writers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jiyi.errors import ConflictError
from jiyi.ids import new_id
from jiyi.ports import Store, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    Reopen,
    StoreSuite,
    everything,
    fingerprint,
    later,
    make_turn,
    must_get,
    put,
    residence,
    select,
    texts,
    weigh,
)
from jiyi.types import Draft, Scope, Slot, Source, Status

THREADS = 6


def run_together(tasks: list[Callable[[], Any]]) -> list[Any]:
    """Run each task on its own thread, started at once; the first error is raised here."""
    barrier = threading.Barrier(len(tasks))
    results: list[Any] = [None] * len(tasks)
    errors: list[BaseException] = []

    def work(index: int, task: Callable[[], Any]) -> None:
        try:
            barrier.wait()
            results[index] = task()
        except BaseException as error:  # noqa: BLE001  it is raised again on the test's thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=entry) for entry in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def remember_once(writer: Writer, scope: Scope, text: str, **draft: Any) -> str:
    """Look first, then add a source or a memory, as the resolver does."""
    source = Source(id=new_id())
    same = writer.find_same(scope, Draft(text=text, **draft), fingerprint(text))
    if same is None:
        return put(writer, scope, text, sources=(source,), **draft).id
    assert writer.add_source(scope, same.id, source, at=NOW)
    return same.id


class UniquenessTests(StoreSuite):
    """One live memory per text and audience, one live value per one-valued slot."""

    def test_same_text_conflicts(self, store: Store) -> None:
        """A second live memory with the same fingerprint is refused by the store itself."""
        with store.write() as writer:
            put(writer, ANN, "fact")
        for status in ("active", "candidate"):
            with pytest.raises(ConflictError), store.write() as writer:
                put(writer, ANN, "fact", status=status)
        with store.read() as reader:
            assert reader.count_memories(ANN, everything()) == 1

    def test_same_text_of_others(self, store: Store) -> None:
        """Other users, tenants and audiences hold the same text beside each other."""
        agent = Scope(tenant="acme", user="ann", agent="a", task="T")
        other = Scope(tenant="acme", user="ann", agent="b")
        with store.write() as writer:
            for scope in (ANN, BOB, Scope(tenant="acme"), Scope(user="ann"), Scope()):
                put(writer, scope, "fact")
            put(writer, agent, "fact", visibility="agent")
            put(writer, other, "fact", visibility="agent")
            put(writer, agent, "fact", visibility="task")
        for scope, visibility in (
            (ANN, "user"),
            (agent, "agent"),
            (agent, "task"),
            (other, "user"),
        ):
            with pytest.raises(ConflictError), store.write() as writer:
                put(writer, scope, "fact", visibility=visibility)

    def test_shared_text_is_one_per_tenant(self, store: Store) -> None:
        """Two users share the same text: one memory in the tenant's common space."""
        with store.write() as writer:
            shared = put(writer, ANN, "the office opens at nine", visibility="shared")
        with pytest.raises(ConflictError), store.write() as writer:
            put(writer, BOB, "the office opens at nine", visibility="shared")
        with store.write() as writer:
            draft = Draft(text="the office opens at nine", visibility="shared")
            found = writer.find_same(BOB, draft, fingerprint(draft.text))
            assert found is not None
            assert found.id == shared.id
            assert writer.find_same(Scope(tenant="x"), draft, fingerprint(draft.text)) is None

    def test_dead_text_does_not_block(self, store: Store) -> None:
        """After superseding, retracting, archiving or expiry the same text may be stored anew."""
        with store.write() as writer:
            for n, status in enumerate(("superseded", "retracted", "archived")):
                record = put(writer, ANN, f"fact {n}")
                writer.change_memory(ANN, record.id, {"status": status}, at=NOW, action=status)
                put(writer, ANN, f"fact {n}", at=later(hours=1))
        with store.write() as writer:
            put(writer, ANN, "brief", expires_at=later(hours=1), slot=residence("Oslo"))
        with store.read() as reader:
            moment = later(hours=1)
            mark = fingerprint("brief")
            assert reader.find_same(ANN, Draft(text="brief"), mark, now=NOW) is not None
            assert reader.find_same(ANN, Draft(text="brief"), mark, now=moment) is None
            assert len(reader.slot_values(ANN, subject="user", now=NOW)) == 1
            assert reader.slot_values(ANN, subject="user", now=moment) == []
        with store.write() as writer:
            anew = put(writer, ANN, "brief", at=later(hours=1), slot=residence("Oslo"))
        with store.read() as reader:
            assert texts(reader, ANN, select(later(days=1))).count("brief") == 1
            assert must_get(reader, ANN, anew.id).status == "active"

    def test_change_into_a_conflict(self, store: Store) -> None:
        """Bringing a dead memory back, or editing a text, cannot make twins."""
        with store.write() as writer:
            old = put(writer, ANN, "fact", slot=residence("Oslo"))
            writer.change_memory(ANN, old.id, {"status": "retracted"}, at=NOW, action="retracted")
            put(writer, ANN, "fact", slot=residence("Oslo"))
            other = put(writer, ANN, "other")
        with pytest.raises(ConflictError), store.write() as writer:
            writer.change_memory(ANN, old.id, {"status": "active"}, at=NOW, action="undone")
        with pytest.raises(ConflictError), store.write() as writer:
            writer.change_memory(
                ANN,
                other.id,
                {"text": "fact"},
                at=NOW,
                action="updated",
                fingerprint=fingerprint("fact"),
                terms=weigh("fact"),
            )
        slot = residence("Rome")
        with pytest.raises(ConflictError), store.write() as writer:
            writer.change_memory(ANN, other.id, {"slot": slot}, at=NOW, action="updated")
        with store.read() as reader:
            assert sorted(texts(reader, ANN)) == ["fact", "other"]

    def test_one_live_value_per_slot(self, store: Store) -> None:
        """A one-valued slot holds one live value; "many" and other attributes add up."""
        with store.write() as writer:
            put(writer, ANN, "lives in Oslo", slot=residence("Oslo"))
            put(writer, ANN, "boss", slot=Slot(subject="Eva", attribute="residence", value="Oslo"))
            put(writer, BOB, "lives in Rome", slot=residence("Rome"))
            for value in ("nuts", "milk"):
                slot = Slot(subject="user", attribute="allergy", value=value, cardinality="many")
                put(writer, ANN, f"allergic to {value}", slot=slot)
            for topic in ("tea", "茶"):
                slot = Slot(subject="user", attribute=f"preference/{topic}", value="like")
                put(writer, ANN, f"likes {topic}", slot=slot)
        with pytest.raises(ConflictError), store.write() as writer:
            put(writer, ANN, "lives in Rome", slot=residence("Rome"))
        with store.read() as reader:
            assert reader.count_memories(ANN, everything()) == 6

    def test_candidates_do_not_hold_a_slot(self, store: Store) -> None:
        """A candidate value waits beside the live one; `slot_values` shows only the live one."""
        with store.write() as writer:
            live = put(writer, ANN, "lives in Oslo", slot=residence("Oslo"))
            put(writer, ANN, "may live in Rome", slot=residence("Rome"), status="candidate")
        with store.read() as reader:
            found = reader.slot_values(ANN, subject="user", attribute="residence")
            assert [record.id for record in found] == [live.id]

    def test_attributes_of_a_family(self, store: Store) -> None:
        """Of one family and subject, of what is live, once each; nobody else's."""
        held: list[tuple[str, str, Status]] = [
            ("instruction/部署", "user", "active"),
            ("instruction/deploys", "user", "active"),
            ("instruction/old", "user", "superseded"),
            ("instructions", "user", "active"),
            ("preference/tea", "user", "active"),
            ("instruction/tests", "Bob", "active"),
        ]
        with store.write() as writer:
            for n, (attribute, subject, status) in enumerate(held):
                slot = Slot(subject=subject, attribute=attribute, value="do", cardinality="one")
                put(writer, ANN, f"rule {n}", slot=slot, status=status)
            shared = Slot(
                subject="user", attribute="instruction/deploys", value="dont", cardinality="one"
            )
            put(writer, BOB, "not mine", slot=replace(shared, attribute="instruction/his"))
            put(writer, ANN, "for all", slot=shared, visibility="shared")
        with store.read() as reader:
            found = reader.slot_attributes(ANN, subject="user", family="instruction")
            assert found == ["instruction/deploys", "instruction/部署"]
            assert reader.slot_attributes(ANN, subject="Eve", family="instruction") == []

    def test_threads_tell_the_same_fact(self, store: Store, reopen: Reopen | None) -> None:
        """Writers that look first and then write leave one memory with every source.

        On failure look whether the transaction takes the space's lock before it reads.
        """
        handles = [store, reopen() if reopen else store]

        def tell(index: int) -> str:
            with handles[index % 2].write() as writer:
                return remember_once(writer, ANN, "我不吃辣")

        ids = run_together([lambda i=i: tell(i) for i in range(THREADS)])  # type: ignore[misc]
        assert len(set(ids)) == 1
        with store.read() as reader:
            (record,) = reader.memories(ANN, everything())[0]
            assert len({source.id for source in record.sources}) == THREADS

    def test_threads_fight_for_a_slot(self, store: Store, reopen: Reopen | None) -> None:
        """Writers that supersede what they find leave one live value and the whole chain."""
        handles = [store, reopen() if reopen else store]

        def move(index: int) -> None:
            with handles[index % 2].write() as writer:
                id = new_id()
                for old in writer.slot_values(ANN, subject="user", attribute="residence"):
                    changes = {"status": "superseded", "superseded_by": id, "valid_to": NOW}
                    writer.change_memory(ANN, old.id, changes, at=NOW, action="superseded")
                put(writer, ANN, f"lives in {index}", id=id, slot=residence(str(index)))

        run_together([lambda i=i: move(i) for i in range(THREADS)])  # type: ignore[misc]
        with store.read() as reader:
            assert reader.count_memories(ANN, select()) == 1
            assert reader.count_memories(ANN, everything()) == THREADS
            pointers = [r.superseded_by for r in reader.memories(ANN, everything())[0]]
            assert pointers.count(None) == 1
            assert len(set(pointers)) == THREADS

    def test_threads_send_the_same_turn(self, store: Store, reopen: Reopen | None) -> None:
        """An idempotency key admits one of many concurrent writers."""
        handles = [store, reopen() if reopen else store]

        def send(index: int) -> bool:
            with handles[index % 2].write() as writer:
                turn = make_turn(ANN, f"from {index}", key="m-1")
                return writer.add_turn(turn, [((0, len(turn.text)), weigh(turn.text))])

        answers = run_together([lambda i=i: send(i) for i in range(THREADS)])  # type: ignore[misc]
        assert answers.count(True) == 1
        with store.read() as reader:
            assert len(reader.turns(ANN)) == 1

    def test_threads_write_many_spaces(self, store: Store, reopen: Reopen | None) -> None:
        """Interleaved writers of different users lose nothing and mix nothing."""
        handles = [store, reopen() if reopen else store]
        rounds = 10

        def write(index: int) -> None:
            scope = Scope(tenant="acme", user=f"u{index}")
            for n in range(rounds):
                with handles[n % 2].write() as writer:
                    put(writer, scope, f"fact {n} of u{index}")

        run_together([lambda i=i: write(i) for i in range(THREADS)])  # type: ignore[misc]
        with store.read() as reader:
            for index in range(THREADS):
                scope = Scope(tenant="acme", user=f"u{index}")
                expected = [f"fact {n} of u{index}" for n in reversed(range(rounds))]
                assert texts(reader, scope) == expected
