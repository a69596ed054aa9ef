"""The text index and the layout: complete, current, and gone with what they index."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from jiyi.ids import new_id
from jiyi.ports import Layout, Postings, Reader, Store, TermWeights, UnitCode, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    Reopen,
    StoreSuite,
    fingerprint,
    later,
    make_turn,
    put,
    say,
    select,
    unit_texts,
    weigh,
)
from jiyi.types import Scope, UnitKey

# Crosses every border of a store that packs 256 units into a block and 16 blocks into a bigger
# one; other layouts have borders of their own below it.
MANY = 4_500


def postings_of(reader: Reader, scope: Scope, *terms: str) -> Postings:
    """The only space's postings."""
    (entry,) = reader.postings(scope, terms)
    return entry


class TextIndexTests(StoreSuite):
    """`postings`."""

    def test_counts_and_lengths(self, store: Store) -> None:
        """Postings hold each term's count; lengths, count and mean are those of the units.

        numbers ascend as int32, counts are float32, `size` bounds the numbers, unknown terms are
        absent, and a number without indexed text has length 0.
        """
        with store.write() as writer:
            say(writer, ANN, "tea tea coffee")
            put(writer, ANN, "tea 茶 very good tea tea")
        with store.read() as reader:
            entry = postings_of(reader, ANN, "tea", "茶", "absent", "coffee")
        assert set(entry.terms) == {"tea", "茶", "coffee"}
        numbers, counts = entry.terms["tea"]
        assert (str(numbers.dtype), str(counts.dtype)) == ("int32", "float32")
        assert counts.tolist() == [2, 3]
        assert np.all(np.diff(numbers) > 0)
        assert entry.size == len(entry.lengths) == numbers[-1] + 1
        assert entry.lengths[numbers].tolist() == [3, 6]
        assert entry.count == 2
        assert entry.mean_length == pytest.approx(4.5)
        assert np.count_nonzero(entry.lengths) == 2

    def test_empty_space(self, store: Store) -> None:
        """A space without indexed text has no entry; a question without terms has no postings."""
        with store.write() as writer:
            say(writer, BOB, "tea")
        with store.read() as reader:
            assert reader.postings(ANN, ["tea"]) == []
            assert postings_of(reader, BOB).terms == {}

    def test_strange_terms(self, store: Store) -> None:
        """Terms are any strings: punctuation, other scripts, very long ones, near-twins."""
        terms = [
            "c++",
            "c",
            "%",
            "_",
            "",
            " ",
            "a b",
            "北京",
            "é",
            "e\u0301",
            "x" * 3000,
            "😀",
            "Ａ",
        ]
        weights = TermWeights(Counter({term: n + 1 for n, term in enumerate(terms)}), 91)
        with store.write() as writer:
            turn = make_turn(ANN, "anything")
            assert writer.add_turn(turn, [((0, 8), weights)])
        with store.read() as reader:
            found = postings_of(reader, ANN, *terms, "C++").terms
        assert {term: counts.tolist() for term, (_, counts) in found.items()} == {
            term: [n + 1] for n, term in enumerate(terms)
        }

    def test_large_counts_and_lengths(self, store: Store) -> None:
        """Counts and lengths beyond what fits are capped, not wrapped."""
        with store.write() as writer:
            turn = make_turn(ANN, "anything")
            weights = TermWeights({"often": 100_000, "once": 1}, 1_000_000)
            assert writer.add_turn(turn, [((0, 8), weights)])
        with store.read() as reader:
            entry = postings_of(reader, ANN, "often", "once")
        (number,) = entry.terms["once"][0]
        assert entry.lengths[number] == 65_535
        assert entry.terms["often"][1][0] >= 255
        assert entry.terms["once"][1].tolist() == [1]

    def test_complete_across_merges(self, store: Store, reopen: Reopen | None) -> None:
        """After thousands of writes every unit is found once, by rare and by common terms.

        On failure look at the border of a block: the unit may be in both the tail and the block,
        or in neither. A second handle must see the same.
        """
        batch = 500
        for start in range(0, MANY, batch):
            with store.write() as writer:
                for n in range(start, start + batch):
                    _say_numbered(writer, n)
        for handle in [store, reopen()] if reopen else [store]:
            with handle.read() as reader:
                _check_numbered(reader, range(MANY))

    def test_single_writes_across_a_block(self, store: Store) -> None:
        """One transaction a write: complete after each border of 256, readable in between."""
        for n in range(600):
            with store.write() as writer:
                _say_numbered(writer, n)
            if n in (0, 1, 254, 255, 256, 257, 511, 512, 599):
                with store.read() as reader:
                    _check_numbered(reader, range(n + 1))

    def test_writer_sees_its_own_index(self, store: Store) -> None:
        """Inside a transaction postings hold what the transaction wrote."""
        with store.write() as writer:
            for n in range(300):
                _say_numbered(writer, n)
            _check_numbered(writer, range(300))

    def test_erased_units_leave_the_index(self, store: Store) -> None:
        """Erased turns are gone from postings, lengths and statistics, in blocks and tail alike."""
        with store.write() as writer:
            turns = [_say_numbered(writer, n) for n in range(700)]
        gone = {0, 1, 255, 256, 300, 511, 512, 699}
        with store.write() as writer:
            writer.erase(
                ANN,
                turn_ids=[turns[n] for n in gone],
                at=NOW,
                reason="asked",
                event_id=new_id(),
            )
        with store.read() as reader:
            _check_numbered(reader, [n for n in range(700) if n not in gone])
            found = postings_of(reader, ANN, *(f"rare{n}" for n in gone)).terms
            assert all(len(numbers) == 0 for numbers, _ in found.values())
        with store.write() as writer:
            for n in range(700, 1100):
                _say_numbered(writer, n)
        with store.read() as reader:
            _check_numbered(reader, [n for n in range(1100) if n not in gone])

    def test_changed_text_in_a_packed_block(self, store: Store) -> None:
        """A memory's new text is found, its old terms are not, wherever the index keeps it."""
        with store.write() as writer:
            record = put(writer, ANN, "first words")
            for n in range(600):
                _say_numbered(writer, n)
        with store.write() as writer:
            writer.change_memory(
                ANN,
                record.id,
                {"text": "second thoughts here"},
                at=NOW,
                action="updated",
                fingerprint=fingerprint("second thoughts here"),
                terms=weigh("second thoughts here"),
            )
        with store.read() as reader:
            assert unit_texts(reader, ANN, "first", "words") == []
            assert unit_texts(reader, ANN, "second", "thoughts") == ["second thoughts here"]
            entry = postings_of(reader, ANN, "second")
            assert entry.lengths[entry.terms["second"][0]].tolist() == [3]
            assert entry.count == np.count_nonzero(entry.lengths) >= 601

    def test_spaces_do_not_mix(self, store: Store) -> None:
        """Statistics and postings are those of the readable spaces only."""
        with store.write() as writer:
            for n in range(5):
                say(writer, ANN, f"tea {n}")
            say(writer, BOB, "tea with a lot of words")
            put(writer, BOB, "tea for all", visibility="shared")
        with store.read() as reader:
            entries = sorted(reader.postings(ANN, ["tea"]), key=lambda e: e.count)
            assert [entry.count for entry in entries] == [1, 5]
            assert len({entry.space for entry in entries}) == 2


def _say_numbered(writer: Writer, n: int) -> str:
    return say(writer, ANN, f"common rare{n} mod{n % 7} " + "pad " * (n % 3)).id


def _check_numbered(reader: Reader, expected: range | list[int]) -> None:
    wanted = list(expected)
    probes = sorted({wanted[0], wanted[len(wanted) // 2], wanted[-1]})
    entry = postings_of(reader, ANN, "common", "mod3", *(f"rare{n}" for n in probes))
    numbers, counts = entry.terms["common"]
    assert len(numbers) == len(wanted)
    assert np.all(np.diff(numbers) > 0)
    assert set(counts.tolist()) == {1}
    assert entry.count == len(wanted) == np.count_nonzero(entry.lengths)
    lengths = [3 + n % 3 for n in wanted]
    assert sorted(entry.lengths[numbers].tolist()) == sorted(lengths)
    assert entry.mean_length == pytest.approx(np.mean(lengths))
    sevenths = sum(n % 7 == 3 for n in wanted)
    assert len(entry.terms["mod3"][0] if "mod3" in entry.terms else ()) == sevenths
    for n in probes:
        (number,) = entry.terms[f"rare{n}"][0]
        (unit,) = reader.units(ANN, [UnitKey(entry.space, int(number))], select()).values()
        assert unit.turn is not None
        assert unit.turn.text.startswith(f"common rare{n} ")


class LayoutTests(StoreSuite):
    """`layout`: what each number of a space holds."""

    def test_kinds_sessions_and_times(self, store: Store, reopen: Reopen | None) -> None:
        """Turns by role, memories, pieces with their turn's session, times as microseconds."""
        one = Scope(tenant="acme", user="ann", session="A")
        text = "alpha beta. gamma delta."
        with store.write() as writer:
            say(writer, one, "x user", at=later(hours=-2))
            say(writer, one, "x assistant", role="assistant")
            say(writer, Scope(tenant="acme", user="ann", session="B"), "x tool", role="tool")
            long = make_turn(one, text)
            assert writer.add_turn(long, [((0, 11), weigh("x")), ((12, 24), weigh("x"))])
            put(writer, one, "x memory", at=later(hours=5), said_at=later(hours=-3))
            say(writer, ANN, "x no session", role="system")
        for handle in [store, reopen()] if reopen else [store]:
            with handle.read() as reader:
                (layout,) = reader.layout(ANN)
                entry = postings_of(reader, ANN, "x")
            numbers = entry.terms["x"][0]
            assert layout.space == entry.space
            assert layout.size >= entry.size
            assert [len(a) for a in (layout.kinds, layout.sessions, layout.said)] == [
                layout.size
            ] * 3
            dtypes = [str(a.dtype) for a in (layout.kinds, layout.sessions, layout.said)]
            assert dtypes == ["uint8", "int32", "int64"]
            assert layout.kinds[numbers].tolist() == [
                UnitCode.USER_TURN,
                UnitCode.ASSISTANT_TURN,
                UnitCode.OTHER_TURN,
                UnitCode.USER_TURN,
                UnitCode.USER_TURN,
                UnitCode.MEMORY,
                UnitCode.OTHER_TURN,
            ]
            sessions = layout.sessions[numbers].tolist()
            assert sessions[0] == sessions[1] == sessions[3] == sessions[4]
            assert len({sessions[0], sessions[2], sessions[5], sessions[6]}) == 4
            assert sessions[5] == -1
            assert min(sessions[0], sessions[2]) >= 0
            hours = [-2, 0, 0, 0, 0, -3, 0]
            epoch = datetime(1970, 1, 1, tzinfo=UTC)
            expected = [(later(hours=h) - epoch) // timedelta(microseconds=1) for h in hours]
            assert layout.said[numbers].tolist() == expected

    def test_order_and_growth(self, store: Store) -> None:
        """One entry for each entry of `postings`, in its order; new units are seen at once."""
        with store.write() as writer:
            put(writer, BOB, "x shared", visibility="shared")
        for n in range(3):
            with store.write() as writer:
                say(writer, ANN, f"x {n}")
            with store.read() as reader:
                layouts = reader.layout(ANN)
                entries = reader.postings(ANN, ["x"])
                assert [one.space for one in layouts] == [one.space for one in entries]
                assert all(a.size >= b.size for a, b in zip(layouts, entries, strict=True))
                found = sum(int(np.count_nonzero(one.kinds)) for one in layouts)
                assert found == n + 2
            assert _is_read_only(layouts[0])


def _is_read_only(layout: Layout) -> bool:
    """Shared arrays must not be writable by their readers."""
    return not any(a.flags.writeable for a in (layout.kinds, layout.sessions, layout.said))
