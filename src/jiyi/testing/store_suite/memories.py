"""Memories: stored and read whole, changed field by field, listed in pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.ids import new_id
from jiyi.ports import IMPORTANT, Store
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    EVERY_STATUS,
    NOW,
    StoreSuite,
    all_pages,
    everything,
    fingerprint,
    get,
    ids_of,
    later,
    must_get,
    put,
    residence,
    say,
    select,
    texts,
    unit_texts,
    units_with,
    weigh,
)
from jiyi.types import Event, GateScores, Scope, Slot, Source

BEIJING = timezone(timedelta(hours=8))

FULL: dict[str, Any] = {
    "kind": "episodic",
    "tags": ("格式", "b", "a b"),
    "importance": 0.9,
    "confidence": 0.75,
    "meta": {"n": 1, "f": 0.5, "t": False, "z": None, "l": ["x", 2], "o": {"键": ["值"]}},
    "slot": Slot(subject="user", attribute="allergy", value="peanuts 花生", cardinality="many"),
    "event": Event(
        type="visit",
        at=datetime(2026, 2, 1, 8, 30, tzinfo=BEIJING),
        entities=("Dr. Wu", "北京"),
        outcome="fine",
    ),
    "entities": ("Dr. Wu", "北京"),
    "valid_from": datetime(2026, 2, 1, tzinfo=BEIJING),
    "valid_to": datetime(2027, 2, 1, tzinfo=BEIJING),
    "expires_at": datetime(2028, 1, 1, tzinfo=BEIJING),
    "visibility": "agent",
    "pinned": True,
    "trust": "tool",
    "flags": ("instruction",),
    "gate": GateScores(completeness=1, relevance=0.5, durability=0.25, emphasis=0, total=0.55),
}


class MemoryTests(StoreSuite):
    """`add_memory`, `change_memory`, `add_source`, `memories`, `count_memories`."""

    def test_memory_comes_back_whole(self, store: Store) -> None:
        """Every field of the draft survives, and the returned record equals the one read.

        On failure compare field by field: tuples stay tuples, numbers keep their type, times
        stay aware.
        """
        scope = Scope(tenant="acme", user="ann", agent="a", session="s", task="T", tool="w")
        with store.write() as writer:
            turn = say(writer, ANN, "the turn")
            sources = (
                Source(id=new_id(), turn_id=turn.id, span=(0, 3), session="s", said_at=NOW),
                Source(id=new_id(), label="manual entry"),
            )
            stored = put(
                writer, scope, "Ann 去看了 Dr. Wu", said_at=later(days=-1), sources=sources, **FULL
            )
        with store.read() as reader:
            found = must_get(reader, scope, stored.id)
        assert found == stored
        for name, value in FULL.items():
            assert getattr(found, name) == value, name
        assert (found.text, found.status, found.scope) == ("Ann 去看了 Dr. Wu", "active", scope)
        assert (found.recorded_at, found.said_at) == (NOW, later(days=-1))
        assert sorted(found.sources, key=lambda s: s.id) == sorted(sources, key=lambda s: s.id)
        assert (found.use_count, found.last_used_at, found.superseded_by) == (0, None, None)

    def test_true_from_when_it_was_said(self, store: Store) -> None:
        """Without a stated time a memory is valid from said_at, with no known end."""
        with store.write() as writer:
            record = put(writer, ANN, "plain", said_at=later(days=-3))
        assert (record.valid_from, record.valid_to) == (later(days=-3), None)

    @pytest.mark.parametrize(
        ("changes", "status"),
        [
            ({"tags": ("x", "二")}, "active"),
            ({"meta": {"a": [1, {"b": None}]}}, "active"),
            ({"importance": 0.1, "confidence": 0.2, "pinned": True}, "active"),
            ({"event": Event(type="call", entities=("Bob",))}, "active"),
            ({"slot": residence("Oslo")}, "active"),
            ({"kind": "procedural", "tier": "core"}, "active"),
            ({"expires_at": later(days=1), "valid_to": later(days=2)}, "active"),
            ({"status": "retracted"}, "retracted"),
            ({"status": "archived", "tier": "archive"}, "archived"),
            ({"helpful": 2, "unhelpful": 1}, "active"),
        ],
        ids=lambda value: "+".join(value) if isinstance(value, dict) else "",
    )
    def test_change_touches_only_its_fields(
        self, store: Store, changes: dict[str, Any], status: str
    ) -> None:
        """A change sets the named fields and leaves every other one as it was."""
        with store.write() as writer:
            before = put(writer, ANN, "text", tags=("old",), meta={"k": 1}, importance=0.7)
        with store.write() as writer:
            returned = writer.change_memory(
                ANN, before.id, changes, at=later(hours=1), action="updated"
            )
        with store.read() as reader:
            after = must_get(reader, ANN, before.id)
        assert after == returned
        assert after.status == status
        for name in after.__dataclass_fields__:
            expected = changes.get(name, getattr(before, name))
            assert getattr(after, name) == expected, name

    def test_change_of_text_moves_the_index(self, store: Store) -> None:
        """New terms find the memory, old ones do not; tags, meta and sources stay."""
        with store.write() as writer:
            record = put(writer, ANN, "red door", tags=("t",), meta={"k": 1})
        with store.write() as writer:
            writer.change_memory(
                ANN,
                record.id,
                {"text": "blue gate"},
                at=later(hours=1),
                action="updated",
                fingerprint=fingerprint("blue gate"),
                terms=weigh("blue gate"),
            )
        with store.read() as reader:
            assert unit_texts(reader, ANN, "blue", "gate") == ["blue gate"]
            assert unit_texts(reader, ANN, "red", "door") == []
            after = must_get(reader, ANN, record.id)
            assert (after.tags, after.meta, after.sources) == (("t",), {"k": 1}, record.sources)

    def test_change_of_an_unknown_memory(self, store: Store) -> None:
        """NotFoundError for an id that does not exist or belongs to somebody else."""
        with store.write() as writer:
            record = put(writer, ANN, "mine")
        for scope, id in ((ANN, new_id()), (BOB, record.id), (Scope(tenant="acme"), record.id)):
            with pytest.raises(NotFoundError), store.write() as writer:
                writer.change_memory(scope, id, {"pinned": True}, at=NOW, action="updated")
        with store.read() as reader:
            assert must_get(reader, ANN, record.id) == record

    def test_sources_add_up_without_repeats(self, store: Store) -> None:
        """A source counts once by its id, and once by its turn and span."""
        with store.write() as writer:
            turn = say(writer, ANN, "a turn of words")
            first = Source(id=new_id(), turn_id=turn.id, span=(0, 6))
            record = put(writer, ANN, "fact", sources=(first,))
        other = Source(id=new_id(), label="said again", session="B", said_at=later(days=1))
        twin = Source(id=new_id(), turn_id=turn.id, span=(0, 6))
        elsewhere = Source(id=new_id(), turn_id=turn.id, span=(7, 12))
        with store.write() as writer:
            answers = [
                writer.add_source(ANN, record.id, source, at=later(hours=1))
                for source in (first, other, other, twin, elsewhere)
            ]
        assert answers == [False, True, False, False, True]
        with store.read() as reader:
            found = must_get(reader, ANN, record.id).sources
            assert {s.id for s in found} == {first.id, other.id, elsewhere.id}
            assert next(s for s in found if s.id == other.id) == other
            assert ids_of(reader.citing(ANN, [turn.id])) == [record.id]
            assert reader.citing(BOB, [turn.id]) == []

    def test_add_source_to_an_unknown_memory(self, store: Store) -> None:
        """NotFoundError, as for a change."""
        with pytest.raises(NotFoundError), store.write() as writer:
            writer.add_source(ANN, new_id(), Source(id=new_id()), at=NOW)

    def test_citing_in_any_status(self, store: Store) -> None:
        """`citing` finds retracted and superseded memories of a turn too."""
        with store.write() as writer:
            turn = say(writer, ANN, "words")
            source = Source(id=new_id(), turn_id=turn.id)
            record = put(writer, ANN, "fact", sources=(source,))
            writer.change_memory(
                ANN, record.id, {"status": "retracted"}, at=NOW, action="retracted"
            )
        with store.read() as reader:
            assert ids_of(reader.citing(ANN, [turn.id])) == [record.id]

    def test_slot_values(self, store: Store) -> None:
        """By attribute, by family, by subject; newest first; live ones only by default."""
        with store.write() as writer:
            for attribute, value in (
                ("preference/tea", "like"),
                ("preference/red", "dislike"),
                ("preferences", "no family"),
                ("residence", "Oslo"),
            ):
                slot = Slot(subject="user", attribute=attribute, value=value)
                put(writer, ANN, f"{attribute} {value}", slot=slot)
            put(writer, ANN, "boss", slot=Slot(subject="Eva", attribute="residence", value="Rome"))
            gone = put(writer, ANN, "hat", slot=Slot(subject="user", attribute="hat", value="no"))
            writer.change_memory(ANN, gone.id, {"status": "retracted"}, at=NOW, action="retracted")

        def values(**query: Any) -> list[str]:
            with store.read() as reader:
                found = reader.slot_values(ANN, **query)
            return [record.slot.value for record in found if record.slot]

        assert values(subject="user", attribute="preference/tea") == ["like"]
        assert values(subject="user", family="preference") == ["dislike", "like"]
        assert values(subject="user") == ["Oslo", "no family", "dislike", "like"]
        assert values(subject="Eva") == ["Rome"]
        assert values(subject="user", family="pref%") == []
        assert values(subject="user", attribute="hat") == []
        assert values(subject="user", attribute="hat", statuses=EVERY_STATUS) == ["no"]
        with store.read() as reader:
            assert reader.slot_values(BOB, subject="user") == []

    def test_uses_are_counted_without_a_version(self, store: Store) -> None:
        """Uses add up and move last_used_at; they leave no version and no audit event."""
        with store.write() as writer:
            record = put(writer, ANN, "fact")
            versions = len(writer.versions(ANN, record.id))
            events = len(writer.events(ANN))
        for hour, times in ((1, 1), (2, 3)):
            with store.write() as writer:
                writer.add_uses(
                    {(ANN, record.id): times, (BOB, record.id): 9}, at=later(hours=hour)
                )
        with store.read() as reader:
            after = must_get(reader, ANN, record.id)
            assert (after.use_count, after.last_used_at) == (4, later(hours=2))
            assert len(reader.versions(ANN, record.id)) == versions
            assert len(reader.events(ANN)) == events

    def test_statuses_select(self, store: Store) -> None:
        """Only active memories by default; others when their status is asked for."""
        with store.write() as writer:
            for status in ("candidate", "active", "archived", "retracted", "superseded"):
                put(writer, ANN, f"is {status}", status=status)
        with store.read() as reader:
            assert texts(reader, ANN) == ["is active"]
            assert texts(reader, ANN, select(statuses=frozenset({"retracted", "candidate"}))) == [
                "is retracted",
                "is candidate",
            ]
            assert reader.count_memories(ANN, everything()) == 5
            assert reader.counts(ANN)["memories.archived"] == 1
            assert unit_texts(reader, ANN, "is") == ["is active"]

    def test_unit_of_a_memory(self, store: Store) -> None:
        """The index key of a memory brings the record itself; stray keys bring nothing."""
        with store.write() as writer:
            record = put(writer, ANN, "violet memory")
        with store.read() as reader:
            (unit,) = units_with(reader, ANN, "violet")
            assert (unit.unit, unit.memory, unit.turn) == ("memory", record, None)
            stray = unit.key._replace(number=unit.key.number + 1000)
            assert list(reader.units(ANN, [stray, unit.key], select())) == [unit.key]
            assert reader.units(ANN, [], select()) == {}

    def test_selection_by_keys_and_ids(self, store: Store) -> None:
        """`ids` and `keys` narrow a list; an empty tuple selects nothing."""
        with store.write() as writer:
            records = [put(writer, ANN, f"fact {n}") for n in range(4)]
        with store.read() as reader:
            keys = tuple(u.key for u in units_with(reader, ANN, "fact"))
            assert texts(reader, ANN, select(keys=keys[1:3])) == ["fact 2", "fact 1"]
            chosen = (records[3].id, records[0].id, new_id())
            assert texts(reader, ANN, select(ids=chosen)) == ["fact 3", "fact 0"]
            assert texts(reader, ANN, select(ids=())) == []
            assert texts(reader, ANN, select(keys=())) == []
            assert reader.count_memories(ANN, select(ids=chosen)) == 2

    def test_selection_of_the_marked(self, store: Store) -> None:
        """`marked` selects what is pinned or of at least `IMPORTANT` importance, as it is now: a
        change brings a memory in or takes it out, and the statuses of the selection hold."""
        with store.write() as writer:
            pinned = put(writer, ANN, "pinned", pinned=True, importance=0.1).id
            least = put(writer, ANN, "just important", importance=IMPORTANT).id
            put(writer, ANN, "less", importance=IMPORTANT - 0.01)
            put(writer, ANN, "retracted", pinned=True, status="retracted")
            later = put(writer, ANN, "later").id
            put(writer, BOB, "not hers", pinned=True)
        with store.read() as reader:
            assert ids_of(reader.memories(ANN, select(marked=True))[0]) == [least, pinned]
        with store.write() as writer:
            writer.change_memory(ANN, later, {"pinned": True}, at=NOW, action="updated")
            writer.change_memory(ANN, least, {"importance": 0.5}, at=NOW, action="updated")
        with store.read() as reader:
            assert ids_of(reader.memories(ANN, select(marked=True))[0]) == [later, pinned]
            assert ids_of(reader.memories(ANN, select(marked=True), limit=1)[0]) == [later]
            assert reader.count_memories(ANN, select(marked=True)) == 2

    def test_many_ids_and_keys(self, store: Store) -> None:
        """Thousands of ids or keys in one selection work (bound parameters have limits)."""
        with store.write() as writer:
            record = put(writer, ANN, "needle")
        with store.read() as reader:
            (key,) = (u.key for u in units_with(reader, ANN, "needle"))
            many = tuple(key._replace(number=n) for n in range(40_000))
            assert list(reader.units(ANN, many, select())) == [key]
            ids = (*(new_id() for _ in range(3_000)), record.id)
            assert texts(reader, ANN, select(ids=ids)) == ["needle"]
            assert reader.turns(ANN, ids=ids) == []


class ListTests(StoreSuite):
    """Order, pages, cursors and totals of `memories`."""

    def test_pages_cover_everything_once(self, store: Store) -> None:
        """30 memories in pages of 7, in both orders: each exactly once, total always 30."""
        with store.write() as writer:
            written = [put(writer, ANN, f"fact {n}").id for n in range(30)]
            put(writer, BOB, "not hers")
        orders: Sequence[tuple[str, list[str]]] = (("newest", written[::-1]), ("oldest", written))
        with store.read() as reader:
            assert reader.count_memories(ANN, select()) == 30
            assert len(reader.memories(ANN, select())[0]) == 30
            for order, expected in orders:
                pages = all_pages(reader, ANN, select(), limit=7, order=order)
                assert [len(page) for page in pages] == [7, 7, 7, 7, 2]
                assert [record.id for page in pages for record in page] == expected
            pages = all_pages(reader, ANN, select(), limit=10)
            assert [len(page) for page in pages] == [10, 10, 10]
            assert reader.memories(ANN, select(), limit=30)[1] is None

    def test_order_is_of_recording(self, store: Store) -> None:
        """A clock that steps back does not disturb the order: the last written is the newest.

        On failure look for sorting by time or by id instead of by a sequence number.
        """
        with store.write() as writer:
            for n, hours in enumerate((5, -300, 0, 900, -1)):
                put(writer, ANN, f"fact {n}", at=later(hours=hours))
        with store.read() as reader:
            pages = all_pages(reader, ANN, select(), limit=2)
            found = [record.text for page in pages for record in page]
        assert found == [f"fact {n}" for n in (4, 3, 2, 1, 0)]

    def test_writing_between_pages(self, store: Store) -> None:
        """What is written or retracted between two pages neither repeats nor hides another."""
        with store.write() as writer:
            ids = [put(writer, ANN, f"fact {n}").id for n in range(6)]
        with store.read() as reader:
            first, cursor = reader.memories(ANN, select(), limit=3)
        with store.write() as writer:
            put(writer, ANN, "newcomer")
            writer.change_memory(ANN, ids[4], {"status": "retracted"}, at=NOW, action="retracted")
        with store.read() as reader:
            second, _ = reader.memories(ANN, select(), limit=3, cursor=cursor)
        assert ids_of(first) + ids_of(second) == ids[::-1]

    def test_hundred_expired_and_one_live(self, store: Store) -> None:
        """Limits apply after the selection: the live memory is found behind 100 expired ones."""
        with store.write() as writer:
            live = put(writer, ANN, "live")
            for n in range(100):
                put(writer, ANN, f"old {n}", at=later(days=-9), expires_at=later(days=-1))
        with store.read() as reader:
            found, cursor = reader.memories(ANN, select(), limit=5)
            assert (ids_of(found), cursor) == ([live.id], None)
            assert reader.count_memories(ANN, select()) == 1
            assert reader.count_memories(ANN, select(statuses=frozenset({"expired"}))) == 100

    @pytest.mark.parametrize(
        "cursor",
        ["", "x", "123", "é", "🙂", "a" * 5000, "' OR 1=1", "n:" + "1" * 5000 + ":", 5, b"n:1:"],
    )
    def test_foreign_cursor(self, store: Store, cursor: Any) -> None:
        """A cursor that is not from this list is refused by name."""
        with (
            store.read() as reader,
            pytest.raises(InvalidInputError) as caught,
        ):
            reader.memories(ANN, select(), limit=5, cursor=cursor)
        assert caught.value.field == "cursor"

    def test_expiry_is_read_from_the_clock(self, store: Store) -> None:
        """A memory expires at its instant, exclusive, without anyone sweeping it.

        It is then "expired", out of the default selection, and found when that is asked for.
        """
        with store.write() as writer:
            record = put(writer, ANN, "voucher", expires_at=later(hours=1))
        with store.read() as reader:
            for moment, status in (
                (NOW, "active"),
                (later(minutes=59), "active"),
                (later(hours=1), "expired"),
                (later(days=9), "expired"),
            ):
                found = get(reader, ANN, record.id, everything(moment))
                assert found is not None
                assert found.status == status
                live = status == "active"
                assert bool(texts(reader, ANN, select(moment))) is live
                assert bool(unit_texts(reader, ANN, "voucher", selection=select(moment))) is live
