"""Turns: appended once, read back as they were said, in the order of saying."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from jiyi.errors import InvalidInputError
from jiyi.ids import new_id
from jiyi.ports import Store
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    StoreSuite,
    everything,
    ids_of,
    later,
    make_turn,
    put,
    say,
    select,
    supersede,
    unit_texts,
    units_with,
    weigh,
)
from jiyi.types import Scope, Source, Turn

BEIJING = timezone(timedelta(hours=8))


class TurnTests(StoreSuite):
    """`add_turn`, `turns`, `turn_key`, `set_encodable` and units of turns."""

    def test_turn_comes_back_whole(self, store: Store) -> None:
        """Every field survives, in any script, with the offset of its times.

        On failure look at how meta is encoded and whether the offset is kept beside the instant.
        """
        turn = Turn(
            id=new_id(),
            role="assistant",
            text="你好 👋\nsecond line\t'quoted' \"double\" \\ %_",
            said_at=datetime(2026, 3, 5, 17, 0, 0, 123456, BEIJING),
            recorded_at=NOW,
            scope=Scope(
                tenant="acme", user="ann", agent="a", session="s 1", task="T-7", tool="搜索"
            ),
            name="小王",
            key="k/1",
            meta={"n": 1, "f": 1.5, "t": True, "z": None, "l": [1, "二"], "o": {"k": "值"}},
            encodable=False,
        )
        with store.write() as writer:
            assert writer.add_turn(turn, [((0, len(turn.text)), weigh(turn.text))])
        with store.read() as reader:
            (found,) = reader.turns(ANN)
        assert found == turn
        assert found.said_at.utcoffset() == timedelta(hours=8)

    def test_key_makes_a_turn_idempotent(self, store: Store) -> None:
        """A scope takes an idempotency key once: False, and nothing written, the second time.

        On failure look at the unique index over (scope, key); the first text must stay.
        """
        with store.write() as writer:
            say(writer, ANN, "first words", key="m-1")
        with store.write() as writer:
            again = make_turn(ANN, "other words", key="m-1")
            assert writer.add_turn(again, [((0, 11), weigh("other words"))]) is False
            say(writer, ANN, "no key")
            say(writer, ANN, "no key")
        with store.read() as reader:
            assert [turn.text for turn in reader.turns(ANN)] == ["first words", "no key", "no key"]
            assert unit_texts(reader, ANN, "other") == []
            assert reader.counts(ANN)["turns"] == 3

    def test_key_belongs_to_its_user(self, store: Store) -> None:
        """The same key of another user or tenant is another turn."""
        scopes = [ANN, BOB, Scope(tenant="other", user="ann"), Scope(user="ann"), Scope()]
        with store.write() as writer:
            for scope in scopes:
                say(writer, scope, "hello", key="m-1")
        with store.read() as reader:
            assert [len(reader.turns(scope)) for scope in scopes] == [1] * len(scopes)

    def test_order_of_saying(self, store: Store) -> None:
        """Turns come by said_at as an instant, whatever the zone and the order of writing.

        Equal instants keep the order of writing. On failure look for sorting by local time text.
        """
        said = [
            ("late", datetime(2026, 3, 5, 9, 0, tzinfo=UTC)),
            ("early", datetime(2026, 3, 5, 10, 0, tzinfo=BEIJING)),
            ("middle", datetime(2026, 3, 5, 1, 0, tzinfo=timezone(timedelta(hours=-5)))),
            ("middle too", datetime(2026, 3, 5, 6, 0, tzinfo=UTC)),
        ]
        with store.write() as writer:
            for text, at in said:
                say(writer, ANN, text, at=at)
        expected = ["early", "middle", "middle too", "late"]
        with store.read() as reader:
            assert [t.text for t in reader.turns(ANN)] == expected
            newest = reader.turns(ANN, order="newest", limit=2)
            assert [t.text for t in newest] == ["late", "middle too"]
            assert [t.text for t in reader.turns(ANN, limit=2)] == expected[:2]
            before = reader.turns(ANN, said_before=datetime(2026, 3, 5, 6, 0, tzinfo=UTC))
            assert [t.text for t in before] == ["early"]

    def test_pages_of_turns(self, store: Store) -> None:
        """Pages lead from the newest turn to the oldest, each turn once, though many were said at
        one instant, and what is said or erased meanwhile moves no page.

        On failure look whether a page begins at an instant instead of at a turn.
        """
        session = Scope(tenant="acme", user="ann", session="A")
        with store.write() as writer:
            for n in range(7):
                say(writer, session if n % 2 else ANN, f"turn {n}", at=later(hours=n // 3))
        seen: list[str] = []
        cursor: str | None = None
        for round_ in range(4):
            with store.read() as reader:
                page, cursor = reader.turns_page(ANN, limit=2, cursor=cursor)
            seen += [turn.text for turn in page]
            assert (cursor is None) == (round_ == 3)
            with store.write() as writer:
                say(writer, ANN, "said meanwhile", at=later(days=1))
        assert seen == [f"turn {n}" for n in range(6, -1, -1)]
        with store.read() as reader:
            page, cursor = reader.turns_page(ANN, limit=2, session="A")
            assert [turn.text for turn in page] == ["turn 5", "turn 3"]
            page, end = reader.turns_page(ANN, limit=2, session="A", cursor=cursor)
            assert ([turn.text for turn in page], end) == (["turn 1"], None)
            assert reader.count_turns(ANN) == 11
            assert reader.count_turns(ANN, session="A") == 3
            assert reader.count_turns(BOB) == 0
            assert reader.turns_page(BOB, limit=2) == ([], None)

    def test_a_cursor_of_turns_is_of_its_list(self, store: Store) -> None:
        """What no page of this user's turns gave is refused, and names the argument."""
        with store.write() as writer:
            for _ in range(2):
                say(writer, ANN, "hello")
                say(writer, BOB, "hello")
        with store.read() as reader:
            _, cursor = reader.turns_page(ANN, limit=1)
            _, of_memories = reader.memories(ANN, everything(), limit=1)
            far = f"t:{'9' * 19}:1"
            for scope, given in (
                (BOB, cursor),
                (Scope(user="nobody"), cursor),
                *(
                    (ANN, odd)
                    for odd in ("", "odd", "t:1", "t:1:2", "n::1", far, of_memories or "n::")
                ),
            ):
                with pytest.raises(InvalidInputError) as caught:
                    reader.turns_page(scope, limit=1, cursor=given)
                assert caught.value.field == "cursor"

    def test_turns_by_session_and_id(self, store: Store) -> None:
        """`session` and `ids` narrow; an unknown one finds nothing; no session means all."""
        with store.write() as writer:
            first = say(writer, Scope(tenant="acme", user="ann", session="A"), "one")
            second = say(writer, Scope(tenant="acme", user="ann", session="B"), "two")
            third = say(writer, ANN, "three", at=later(hours=1))
        with store.read() as reader:
            assert ids_of(reader.turns(ANN)) == [first.id, second.id, third.id]
            assert ids_of(reader.turns(ANN, session="B")) == [second.id]
            assert reader.turns(ANN, session="b") == []
            assert ids_of(reader.turns(ANN, ids=[third.id, first.id])) == [first.id, third.id]
            assert reader.turns(ANN, ids=[new_id()]) == []
            assert reader.turns(ANN, ids=[]) == []
            assert reader.turns(BOB, ids=[first.id]) == []

    def test_agents_of_a_user_share_its_turns(self, store: Store) -> None:
        """Labels in the reading scope do not narrow turns of the own space."""
        with store.write() as writer:
            say(writer, Scope(tenant="acme", user="ann", agent="x", session="A"), "hello")
        with store.read() as reader:
            scope = Scope(tenant="acme", user="ann", agent="y", session="B", task="T", tool="w")
            assert [t.text for t in reader.turns(scope)] == ["hello"]
            assert unit_texts(reader, scope, "hello") == ["hello"]

    def test_turn_key_and_unit(self, store: Store) -> None:
        """`turn_key` leads to the same unit as the index does; strangers get None."""
        with store.write() as writer:
            turn = say(writer, ANN, "violet")
        with store.read() as reader:
            key = reader.turn_key(ANN, turn.id)
            assert key is not None
            assert reader.turn_key(BOB, turn.id) is None
            assert reader.turn_key(ANN, new_id()) is None
            unit = reader.units(ANN, [key], select())[key]
            assert (unit.unit, unit.turn, unit.memory) == ("turn", turn, None)
            assert [u.key for u in units_with(reader, ANN, "violet")] == [key]

    def test_long_turn_in_pieces(self, store: Store) -> None:
        """Each piece has its own key, and brings the whole turn with the piece's range."""
        text = "alpha beta. gamma delta. 结尾 omega."
        ranges = [(0, 11), (12, 24), (25, len(text))]
        turn = make_turn(ANN, text)
        with store.write() as writer:
            pieces = [((start, end), weigh(text[start:end])) for start, end in ranges]
            assert writer.add_turn(turn, pieces)
            after = say(writer, ANN, "afterwards")
        with store.read() as reader:
            for word, piece in zip(("alpha", "gamma", "omega."), ranges, strict=True):
                (unit,) = units_with(reader, ANN, word)
                assert unit.turn == turn
                assert unit.piece == piece
                assert unit.key == reader.turn_key(ANN, turn.id)
            assert ids_of(reader.turns(ANN)) == [turn.id, after.id]
            assert reader.counts(ANN)["turns"] == 2

    def test_neighbours_within_the_session(self, store: Store) -> None:
        """`previous` and `next` are turns of the same session in the order of saying.

        There is none at its ends. On failure look whether turns of another session, or memories,
        came between, or whether a turn that was told late stands where it was written.
        """
        one = Scope(tenant="acme", user="ann", session="A")
        two = Scope(tenant="acme", user="ann", session="B")
        with store.write() as writer:
            a1 = say(writer, one, "a1")
            say(writer, two, "b1", at=later(seconds=1))
            put(writer, ANN, "a memory between")
            a2 = say(writer, one, "a2", at=later(seconds=2))
            a3 = say(writer, one, "a3", at=later(seconds=3))
            late = say(writer, one, "told late", at=later(seconds=2.5))
        with store.read() as reader:
            keys = [reader.turn_key(ANN, turn.id) for turn in (a1, a2, late, a3)]
            assert None not in keys
            found = reader.units(ANN, [key for key in keys if key], select())
            chain = [(found[key].previous, found[key].next) for key in keys if key]
            alone = reader.units(ANN, list(found), select(), linked=False)
        assert chain == [
            (None, keys[1]),
            (keys[0], keys[2]),
            (keys[1], keys[3]),
            (keys[2], None),
        ]
        assert alone == {k: replace(unit, previous=None, next=None) for k, unit in found.items()}

    def test_set_encodable(self, store: Store) -> None:
        """The mark moves both ways and only for turns of the scope."""
        with store.write() as writer:
            turn = say(writer, ANN, "keep me raw")
        with store.write() as writer:
            writer.set_encodable(BOB, [turn.id], False)
            assert writer.turns(ANN)[0].encodable
            writer.set_encodable(ANN, [turn.id], False)
        with store.read() as reader:
            assert not reader.turns(ANN)[0].encodable
        with store.write() as writer:
            writer.set_encodable(ANN, [turn.id], True)
            assert writer.turns(ANN)[0].encodable

    def test_later_names_the_successor(self, store: Store) -> None:
        """A turn whose only memory was replaced names the live one; before that, nothing.

        Promised so that an old statement is never shown as the current one.
        """
        with store.write() as writer:
            turn = say(writer, ANN, "i live in oslo")
            source = Source(id=new_id(), turn_id=turn.id)
            old = put(writer, ANN, "user lives in oslo", sources=(source,))
        with store.read() as reader:
            assert [(u.later, u.cited) for u in units_with(reader, ANN, "i")] == [(None, True)]
        with store.write() as writer:
            new = supersede(writer, ANN, old, "user lives in bergen", at=later(days=1))
        with store.read() as reader:
            (unit,) = units_with(reader, ANN, "i", selection=select(later(days=2)))
            assert unit.later == new.id

    def test_turn_units_pass_times_by_their_fields(self, store: Store) -> None:
        """`as_of` is compared with said_at and `known_at` with recorded_at of a turn."""
        with store.write() as writer:
            say(writer, ANN, "violet", at=later(hours=1), recorded_at=later(hours=2))
        with store.read() as reader:
            for field, hour, seen in (
                ("as_of", 0, False),
                ("as_of", 1, True),
                ("known_at", 1, False),
                ("known_at", 2, True),
            ):
                selection = everything(later(days=1), **{field: later(hours=hour)})
                assert bool(units_with(reader, ANN, "violet", selection=selection)) is seen

    def test_failed_transaction_leaves_nothing(self, store: Store) -> None:
        """When the block raises, every row and index entry of it is gone."""

        def fail() -> None:
            with store.write() as writer:
                say(writer, ANN, "doomed words", key="m-1")
                put(writer, ANN, "doomed memory")
                raise KeyError("stop")

        with pytest.raises(KeyError):
            fail()
        with store.write() as writer:
            say(writer, ANN, "second try", key="m-1")
        with store.read() as reader:
            assert [t.text for t in reader.turns(ANN)] == ["second try"]
            assert reader.count_memories(ANN, everything()) == 0
            assert unit_texts(reader, ANN, "doomed", "second") == ["second try"]
