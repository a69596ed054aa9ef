"""Erasure: content is gone from every read path, and what remains says only that it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from jiyi.ids import new_id
from jiyi.ports import Erasure, Reader, Store
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    StoreSuite,
    everything,
    fingerprint,
    get,
    ids_of,
    keys_with,
    later,
    make_turn,
    must_get,
    put,
    residence,
    say,
    select,
    supersede,
    texts,
    unit_texts,
    weigh,
)
from jiyi.testing.store_suite.records import make_trace
from jiyi.types import Scope, Source, Turn

WORD = "zanzibar"
MODEL = "m"


def erase(
    store: Store,
    scope: Scope = ANN,
    *,
    memories: Sequence[str] = (),
    turns: Sequence[str] = (),
    fingerprints: Sequence[bytes] = (),
) -> Erasure:
    """Erase in one transaction, a day after NOW."""
    with store.write() as writer:
        return writer.erase(
            scope,
            memory_ids=memories,
            turn_ids=turns,
            fingerprints=fingerprints,
            at=later(days=1),
            reason="asked",
            event_id=new_id(),
        )


def cite(turn: Turn) -> Source:
    """A source in that turn."""
    return Source(id=new_id(), turn_id=turn.id)


def assert_silent(reader: Reader, scope: Scope, word: str) -> None:
    """No read path of the scope says `word`."""
    selections = [
        everything(later(days=9)),
        everything(later(days=9), known_at=later(hours=1)),
        everything(later(days=9), as_of=later(hours=1)),
    ]
    said = [
        *(reader.memories(scope, selection) for selection in selections),
        reader.turns(scope),
        reader.slot_values(scope, subject="user", statuses=everything().statuses),
        [reader.versions(scope, r.id) for r in reader.memories(scope, selections[0])[0]],
        reader.events(scope),
        reader.trace(scope, None),
        reader.parked(scope),
        reader.permanent(scope),
        reader.unembedded("another model", limit=100),
    ]
    assert word not in repr(said)
    for entry in reader.postings(scope, [word]):
        assert all(len(numbers) == 0 for numbers, _ in entry.terms.values())


class EraseTests(StoreSuite):
    """`erase` and `erase_space`."""

    def test_erased_memory_is_gone_everywhere(self, store: Store) -> None:
        """Current text, earlier versions, tags, slot, index, vector: all gone; a tombstone stays.

        The tombstone keeps the id with status "forgotten" and nothing of the content.
        """
        with store.write() as writer:
            record = put(
                writer,
                ANN,
                f"lives in {WORD}",
                tags=(WORD,),
                meta={"k": WORD},
                slot=residence(WORD),
                entities=(WORD,),
                sources=(Source(id=new_id(), label=WORD),),
            )
            kept = put(writer, ANN, "likes tea")
            keys = keys_with(writer, ANN, WORD, "tea")
            vector = np.eye(1, 8, dtype=np.float32)[0]
            writer.add_vectors(MODEL, [(key, vector) for key in keys])
        with store.write() as writer:
            writer.change_memory(
                ANN,
                record.id,
                {"text": f"left {WORD}"},
                at=later(hours=2),
                action="updated",
                fingerprint=fingerprint(f"left {WORD}"),
                terms=weigh(f"left {WORD}"),
            )
        erasure = erase(store, memories=[record.id])
        assert erasure.memory_ids == (record.id,)
        assert erasure.turn_ids == ()
        assert all(isinstance(n, int) and n >= 0 for n in erasure.counts.values())
        with store.read() as reader:
            assert_silent(reader, ANN, WORD)
            assert texts(reader, ANN, select(later(days=2))) == ["likes tea"]
            assert unit_texts(reader, ANN, "lives", "left", "likes") == ["likes tea"]
            tombstone = get(reader, ANN, record.id)
            assert tombstone is None or tombstone.status == "forgotten"
            assert [len(block.numbers) for block in reader.vectors(ANN, MODEL)] == [1]
            assert must_get(reader, ANN, kept.id) == kept
            assert reader.citing(ANN, [record.id]) == []
        with store.write() as writer:
            put(writer, ANN, f"left {WORD}", at=later(days=2), slot=residence("Oslo"))

    def test_erasure_is_logged_without_content(self, store: Store) -> None:
        """The audit log holds the event under the given id, with counts and without words."""
        with store.write() as writer:
            turn = say(writer, ANN, f"i live in {WORD}")
        event_id = new_id()
        with store.write() as writer:
            erasure = writer.erase(
                ANN, turn_ids=[turn.id], at=NOW, reason="asked", event_id=event_id
            )
        with store.read() as reader:
            (event,) = reader.events(ANN, event_id=event_id)
        assert event.reason == "asked"
        assert event.counts == erasure.counts
        assert erasure.counts["turns"] == 1

    def test_one_of_two_sources(self, store: Store) -> None:
        """A memory of two turns outlives one and loses that source; with the second it goes."""
        with store.write() as writer:
            one = say(writer, ANN, f"i like {WORD}")
            two = say(writer, ANN, f"really like {WORD}")
            record = put(writer, ANN, "likes a place", sources=(cite(one), cite(two)))
        first = erase(store, turns=[one.id])
        assert (first.memory_ids, first.turn_ids) == ((), (one.id,))
        with store.read() as reader:
            assert [s.turn_id for s in must_get(reader, ANN, record.id).sources] == [two.id]
            assert ids_of(reader.citing(ANN, [two.id])) == [record.id]
        second = erase(store, turns=[two.id])
        assert (second.memory_ids, second.turn_ids) == ((record.id,), (two.id,))
        with store.read() as reader:
            assert texts(reader, ANN, select(later(days=2))) == []
            assert_silent(reader, ANN, "place")

    def test_both_sources_at_once(self, store: Store) -> None:
        """Erasing every source of a memory in one call takes the memory too."""
        with store.write() as writer:
            turns = [say(writer, ANN, f"words {n}") for n in range(2)]
            record = put(writer, ANN, "a fact", sources=tuple(cite(turn) for turn in turns))
        erasure = erase(store, turns=[turn.id for turn in turns])
        assert erasure.memory_ids == (record.id,)
        assert set(erasure.turn_ids) == {turn.id for turn in turns}

    def test_without_cascade_memories_stay(self, store: Store) -> None:
        """With `cascade` off an orphaned memory stays, its source keeping only its id."""
        with store.write() as writer:
            turn = say(writer, ANN, f"i like {WORD}")
            record = put(writer, ANN, "likes a place", sources=(cite(turn),))
        with store.write() as writer:
            erasure = writer.erase(
                ANN, turn_ids=[turn.id], cascade=False, at=NOW, reason="asked", event_id=new_id()
            )
        assert (erasure.memory_ids, erasure.turn_ids) == ((), (turn.id,))
        with store.read() as reader:
            assert_silent(reader, ANN, WORD)
            assert texts(reader, ANN) == ["likes a place"]
            kept = must_get(reader, ANN, record.id).sources
            assert [source.id for source in kept] == [record.sources[0].id]

    def test_said_directly_and_in_a_turn(self, store: Store) -> None:
        """A source without a turn (a direct `remember`) keeps the memory alive."""
        with store.write() as writer:
            turn = say(writer, ANN, "i like tea")
            record = put(writer, ANN, "likes tea", sources=(cite(turn), Source(id=new_id())))
        assert erase(store, turns=[turn.id]).memory_ids == ()
        with store.read() as reader:
            assert len(must_get(reader, ANN, record.id).sources) == 1

    def test_erased_turn(self, store: Store) -> None:
        """The turn's text, index terms and pieces are gone; other turns of the session stay."""
        session = Scope(tenant="acme", user="ann", session="A")
        with store.write() as writer:
            before = say(writer, session, "before", at=later(seconds=1))
            turn = say(writer, session, f"the word {WORD}", at=later(seconds=2), meta={"k": WORD})
            after = say(writer, session, "after", at=later(seconds=3))
        erase(store, turns=[turn.id])
        with store.read() as reader:
            assert_silent(reader, ANN, WORD)
            assert ids_of(reader.turns(ANN, session="A")) == [before.id, after.id]
            key = reader.turn_key(ANN, before.id)
            assert key is not None
            unit = reader.units(ANN, [key], select())[key]
            assert unit.next == reader.turn_key(ANN, after.id)
            assert reader.turn_key(ANN, turn.id) is None
            assert reader.counts(ANN)["turns"] == 2

    def test_redelivery_of_an_erased_turn(self, store: Store) -> None:
        """An erased turn's idempotency key stays taken: a redelivery does not bring it back."""
        with store.write() as writer:
            turn = say(writer, ANN, f"the word {WORD}", key="m-1")
        erase(store, turns=[turn.id])
        again = make_turn(ANN, f"the word {WORD}", key="m-1")
        with store.write() as writer:
            assert not writer.add_turn(again, [((0, len(again.text)), weigh(again.text))])
            say(writer, BOB, "another's message", key="m-1")
        with store.read() as reader:
            assert_silent(reader, ANN, WORD)

    def test_superseded_versions_go_with_their_turn(self, store: Store) -> None:
        """A dead memory drawn from an erased turn goes as a live one does."""
        with store.write() as writer:
            turn = say(writer, ANN, f"i live in {WORD}")
            old = put(writer, ANN, f"lives in {WORD}", sources=(cite(turn),))
        with store.write() as writer:
            supersede(writer, ANN, old, "lives in oslo", at=later(hours=2))
        assert erase(store, turns=[turn.id]).memory_ids == (old.id,)
        with store.read() as reader:
            assert_silent(reader, ANN, WORD)
            assert texts(reader, ANN, select(later(days=2))) == ["lives in oslo"]

    def test_traces_and_jobs_go_too(self, store: Store) -> None:
        """A trace whose unit was erased and a job about an erased turn are gone."""
        with store.write() as writer:
            turn = say(writer, ANN, f"about {WORD}")
            trace = make_trace(ANN, f"what about {WORD}")
            candidate = trace.candidates[0].__class__(unit="turn", id=turn.id, scores={})
            fields = {name: getattr(trace, name) for name in trace.__dataclass_fields__}
            writer.save_traces([trace.__class__(**{**fields, "candidates": (candidate,)})])
            writer.enqueue(ANN, "extract", {"turn_ids": [turn.id]}, at=NOW, due=NOW)
        erase(store, turns=[turn.id])
        with store.read() as reader:
            assert reader.trace(ANN, trace.id) is None
            assert sum(reader.queue_counts(ANN).values()) == 0
            assert_silent(reader, ANN, WORD)

    def test_tombstones_know_the_text(self, store: Store) -> None:
        """Fingerprints given to `erase` are recognised afterwards, in that scope only."""
        mark = fingerprint(WORD)
        with store.write() as writer:
            record = put(writer, ANN, WORD)
            assert not writer.is_tombstoned(ANN, mark)
        erase(store, memories=[record.id], fingerprints=[mark])
        with store.read() as reader:
            assert reader.is_tombstoned(ANN, mark)
            assert not reader.is_tombstoned(BOB, mark)
            assert not reader.is_tombstoned(ANN, fingerprint("other"))

    def test_strangers_cannot_erase(self, store: Store) -> None:
        """Ids of another scope are passed over: nothing is erased, nothing is counted."""
        with store.write() as writer:
            turn = say(writer, ANN, "words")
            record = put(writer, ANN, "fact", sources=(cite(turn),))
        for scope in (BOB, Scope(tenant="acme"), Scope(user="ann")):
            erasure = erase(store, scope, memories=[record.id, new_id()], turns=[turn.id])
            assert (erasure.memory_ids, erasure.turn_ids) == ((), ())
        with store.read() as reader:
            assert must_get(reader, ANN, record.id) == record
            assert ids_of(reader.turns(ANN)) == [turn.id]

    def test_only_its_author_erases_what_is_shared(self, store: Store) -> None:
        """Others read a shared memory and cannot erase it; its author can."""
        with store.write() as writer:
            record = put(writer, ANN, "shared fact", visibility="shared")
            say(writer, BOB, "words")
        assert erase(store, BOB, memories=[record.id]).memory_ids == ()
        with store.read() as reader:
            assert must_get(reader, BOB, record.id) == record
        assert erase(store, ANN, memories=[record.id]).memory_ids == (record.id,)
        with store.read() as reader:
            assert texts(reader, BOB, select(later(days=2))) == []

    def test_erasing_twice(self, store: Store) -> None:
        """The second time there is nothing left to erase, and no error."""
        with store.write() as writer:
            record = put(writer, ANN, "fact")
        assert erase(store, memories=[record.id]).memory_ids == (record.id,)
        assert erase(store, memories=[record.id]).memory_ids == ()

    def test_erase_space(self, store: Store) -> None:
        """Everything of one user goes; every other user and the common space stay."""
        with store.write() as writer:
            for scope in (ANN, BOB, Scope(tenant="acme"), Scope(tenant="other", user="ann")):
                turn = say(writer, scope, f"words of {WORD}", key="k")
                put(writer, scope, f"fact of {WORD}", sources=(cite(turn),))
                writer.set_permanent(scope, {"note": WORD}, at=NOW)
                writer.save_traces([make_trace(scope, WORD)])
                writer.enqueue(scope, "extract", {"turn_ids": [turn.id]}, at=NOW, due=NOW)
        with store.write() as writer:
            erasure = writer.erase_space(ANN, at=later(days=1), reason="asked", event_id=new_id())
        assert (len(erasure.memory_ids), len(erasure.turn_ids)) == (1, 1)
        with store.read() as reader:
            assert texts(reader, ANN, select(later(days=2))) == []
            assert reader.turns(ANN) == []
            assert reader.permanent(ANN) == {}
            assert reader.trace(ANN, None) is None
            assert sum(reader.queue_counts(ANN).values()) == 0
            assert unit_texts(reader, ANN, "words", "fact") == []
            for scope in (BOB, Scope(tenant="acme"), Scope(tenant="other", user="ann")):
                assert texts(reader, scope) == [f"fact of {WORD}"]
                assert len(reader.turns(scope)) == 1
                assert reader.permanent(scope) == {"note": WORD}
                assert reader.trace(scope, None) is not None
        with store.write() as writer:
            say(writer, ANN, "a new beginning", key="k2")
            put(writer, ANN, f"fact of {WORD}", at=later(days=2))

    def test_erased_users_have_no_name(self, store: Store) -> None:
        """Of a user of whom everything was erased no list names them, also after further erasing;
        what was erased stays blocked; with the first thing that is written they are back, as the
        same user and with nothing of before."""
        whose = Scope(tenant="acme", user="Ж'ann 安")
        with store.write() as writer:
            put(writer, replace(whose, agent="安 a"), f"fact of {WORD}", visibility="agent")
            put(writer, BOB, f"fact of {WORD}")
        for _ in range(2):
            with store.write() as writer:
                writer.erase_space(whose, at=later(days=1), reason="asked", event_id=new_id())
        erase(store, whose)
        with store.read() as reader:
            assert whose not in reader.spaces()
            assert all("安" not in repr(value) for s in reader.spaces() for value in reader.dump(s))
            assert texts(reader, whose) == []
            assert reader.is_tombstoned(whose, fingerprint(f"fact of {WORD}"))
            assert texts(reader, BOB) == [f"fact of {WORD}"]
        with store.write() as writer:
            put(writer, whose, "back again", at=later(days=2))
        with store.read() as reader:
            assert [space for space in reader.spaces() if space.user == whose.user] == [whose]
            assert texts(reader, whose, select(later(days=3))) == ["back again"]
            assert reader.is_tombstoned(whose, fingerprint(f"fact of {WORD}"))

    def test_erase_tenant(self, store: Store) -> None:
        """A tenant goes with all its users; other tenants stay."""
        inside = [ANN, BOB, Scope(tenant="acme")]
        outside = [Scope(tenant="other", user="ann"), Scope(user="ann"), Scope()]
        with store.write() as writer:
            for scope in inside + outside:
                put(writer, scope, "fact")
                say(writer, scope, "words")
        with store.write() as writer:
            erasure = writer.erase_space(
                Scope(tenant="acme"), at=later(days=1), reason="asked", event_id=new_id()
            )
        assert (len(erasure.memory_ids), len(erasure.turn_ids)) == (3, 3)
        with store.read() as reader:
            for scope in inside:
                assert texts(reader, scope) == []
                assert reader.turns(scope) == []
            for scope in outside:
                assert texts(reader, scope) == ["fact"]
                assert len(reader.turns(scope)) == 1

    @pytest.mark.parametrize("size", [1, 255, 256, 300])
    def test_erasing_many(self, store: Store, size: int) -> None:
        """Batches across the borders of an index block go and leave the rest searchable."""
        with store.write() as writer:
            turns = [say(writer, ANN, f"word n{n}") for n in range(size + 1)]
        erasure = erase(store, turns=[turn.id for turn in turns[:-1]])
        assert len(erasure.turn_ids) == size
        with store.read() as reader:
            assert unit_texts(reader, ANN, "word") == [f"word n{size}"]
            (entry,) = reader.postings(ANN, ["word"])
            assert entry.count == 1
