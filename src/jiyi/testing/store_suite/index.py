"""The text index and the vectors: complete, current, and gone with what they index."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

from jiyi.ids import new_id
from jiyi.ports import Postings, Reader, Store, TermWeights, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    Reopen,
    StoreSuite,
    fingerprint,
    keys_with,
    make_turn,
    put,
    say,
    select,
    unit_texts,
    units_with,
    weigh,
)
from jiyi.types import Scope, UnitKey

# Crosses every border of a store that packs 256 units into a block and 16 blocks into a bigger
# one; other layouts have borders of their own below it.
MANY = 4_500
MODEL = "model-a"


def postings_of(reader: Reader, scope: Scope, *terms: str) -> Postings:
    """The only space's postings."""
    (entry,) = reader.postings(scope, terms)
    return entry


def unit_vector(*axes: int, dimension: int = 16) -> npt.NDArray[np.float32]:
    """Unit length along the sum of some axes."""
    vector = np.zeros(dimension, np.float32)
    vector[list(axes)] = 1
    return (vector / np.linalg.norm(vector)).astype(np.float32)


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
            assert entry.count == np.count_nonzero(entry.lengths) == 601

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


class VectorTests(StoreSuite):
    """`add_vectors`, `vectors`, `vector_models`, `unembedded`."""

    def test_vectors_come_back(self, store: Store) -> None:
        """One block per readable space, numbers ascending, rows unit length and close to given.

        Storage may round to half precision: cosines hold to 1e-3.
        """
        with store.write() as writer:
            for n in range(3):
                say(writer, ANN, f"tea {n}")
            keys = keys_with(writer, ANN, "tea")
            rows = [unit_vector(n, n + 1) for n in range(3)]
            writer.add_vectors(MODEL, list(zip(keys, rows, strict=True))[::-1])
        with store.read() as reader:
            (block,) = reader.vectors(ANN, MODEL)
            assert block.space == keys[0].space
            assert block.numbers.tolist() == [key.number for key in keys]
            assert (str(block.matrix.dtype), str(block.numbers.dtype)) == ("float32", "int32")
            np.testing.assert_allclose(block.matrix, np.stack(rows), atol=1e-3)
            np.testing.assert_allclose(np.linalg.norm(block.matrix, axis=1), 1, atol=1e-3)
            assert reader.vectors(ANN, "other") == []
            assert reader.vectors(BOB, MODEL) == []

    def test_cache_sees_other_writers(self, store: Store, reopen: Reopen | None) -> None:
        """Vectors added, replaced and erased are seen at once, also through another handle."""
        handles = [store, reopen() if reopen else store]
        with store.write() as writer:
            turns = [say(writer, ANN, f"tea {n}") for n in range(3)]
            keys = keys_with(writer, ANN, "tea")

        def sizes() -> list[int]:
            found = []
            for handle in handles:
                with handle.read() as reader:
                    found += [len(b.numbers) for b in reader.vectors(ANN, MODEL)] or [0]
            return found

        assert sizes() == [0, 0]
        for n, key in enumerate(keys):
            with handles[n % 2].write() as writer:
                writer.add_vectors(MODEL, [(key, unit_vector(n))])
            assert sizes() == [n + 1, n + 1]
        with handles[1].write() as writer:
            writer.add_vectors(MODEL, [(keys[0], unit_vector(9))])
        for handle in handles:
            with handle.read() as reader:
                (block,) = reader.vectors(ANN, MODEL)
                assert block.matrix[0] @ unit_vector(9) == pytest.approx(1, abs=1e-3)
        with handles[0].write() as writer:
            writer.erase(ANN, turn_ids=[turns[1].id], at=NOW, reason="asked", event_id=new_id())
        assert sizes() == [2, 2]

    def test_blocks_are_read_only(self, store: Store) -> None:
        """A caller cannot spoil the shared cache."""
        with store.write() as writer:
            say(writer, ANN, "tea")
            writer.add_vectors(MODEL, [(keys_with(writer, ANN, "tea")[0], unit_vector(0))])
        with store.read() as reader:
            (block,) = reader.vectors(ANN, MODEL)
            with pytest.raises(ValueError, match="read-only"):
                block.matrix[0, 0] = 5

    def test_models_live_side_by_side(self, store: Store) -> None:
        """Vectors of different models, of different length, never mix; each has its work list."""
        with store.write() as writer:
            say(writer, ANN, "tea one")
            put(writer, ANN, "tea two")
            put(writer, BOB, "tea three")
            first, second = keys_with(writer, ANN, "tea")
            writer.add_vectors("a", [(first, unit_vector(0)), (second, unit_vector(1))])
            writer.add_vectors("b", [(first, unit_vector(0, dimension=8))])
        with store.read() as reader:
            assert reader.vector_models(ANN) == {"a": 2, "b": 1}
            assert reader.vector_models() == {"a": 2, "b": 1}
            assert reader.vector_models(BOB) == {}
            assert reader.vectors(ANN, "b")[0].matrix.shape == (1, 8)
            assert [text for _, _, text in reader.unembedded("a", limit=9)] == ["tea three"]
            left = {text for _, _, text in reader.unembedded("b", limit=9)}
            assert left == {"tea two", "tea three"}
            assert len(reader.unembedded("c", limit=2)) == 2

    def test_work_list_ends(self, store: Store) -> None:
        """Embedding what the list names empties it, pieces of long turns included."""
        text = "alpha beta. gamma delta."
        with store.write() as writer:
            turn = make_turn(ANN, text)
            assert writer.add_turn(turn, [((0, 11), weigh("alpha")), ((12, 24), weigh("gamma"))])
            put(writer, ANN, "fact")
        done: list[str] = []
        for _ in range(5):
            with store.write() as writer:
                work = writer.unembedded(MODEL, limit=2)
                done += [text for _, _, text in work]
                writer.add_vectors(MODEL, [(key, unit_vector(0)) for _, key, _ in work])
        assert sorted(done) == ["alpha beta.", "fact", "gamma delta."]

    def test_vanished_keys_are_passed_over(self, store: Store) -> None:
        """A vector for a unit that was erased meanwhile is dropped without an error."""
        with store.write() as writer:
            turn = say(writer, ANN, "tea")
            say(writer, ANN, "tea again")
            first, second = keys_with(writer, ANN, "tea")
        with store.write() as writer:
            writer.erase(ANN, turn_ids=[turn.id], at=NOW, reason="asked", event_id=new_id())
            stray = second._replace(number=second.number + 99)
            rows = [(key, unit_vector(0)) for key in (first, second, stray)]
            writer.add_vectors(MODEL, rows)
        with store.read() as reader:
            (block,) = reader.vectors(ANN, MODEL)
            assert block.numbers.tolist() == [second.number]
            assert len(units_with(reader, ANN, "tea")) == 1

    def test_new_text_needs_a_new_vector(self, store: Store) -> None:
        """A memory whose text changed is back on the work list, with its new text."""
        with store.write() as writer:
            record = put(writer, ANN, "tea")
            writer.add_vectors(MODEL, [(keys_with(writer, ANN, "tea")[0], unit_vector(0))])
        with store.write() as writer:
            writer.change_memory(
                ANN,
                record.id,
                {"text": "coffee"},
                at=NOW,
                action="updated",
                fingerprint=fingerprint("coffee"),
                terms=weigh("coffee"),
            )
        with store.read() as reader:
            assert [text for _, _, text in reader.unembedded(MODEL, limit=5)] == ["coffee"]
