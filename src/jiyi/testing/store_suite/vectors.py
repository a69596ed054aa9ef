"""Vectors: one block per space and model, current in every handle, gone with their units."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from jiyi.ids import new_id
from jiyi.ports import Store
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
    units_with,
    weigh,
)

MODEL = "model-a"


def unit_vector(*axes: int, dimension: int = 16) -> npt.NDArray[np.float32]:
    """Unit length along the sum of some axes."""
    vector = np.zeros(dimension, np.float32)
    vector[list(axes)] = 1
    return (vector / np.linalg.norm(vector)).astype(np.float32)


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

    def test_vectors_of_a_model_are_dropped(self, store: Store) -> None:
        """`drop_vectors` removes some at a time, says how many, and leaves other models alone."""
        with store.write() as writer:
            for n in range(5):
                say(writer, ANN, f"tea {n}")
            keys = keys_with(writer, ANN, "tea")
            for model in ("old", "new"):
                writer.add_vectors(model, [(key, unit_vector(0)) for key in keys])
        with store.read() as reader:
            assert [len(block.numbers) for block in reader.vectors(ANN, "old")] == [5]
        for expected in (3, 2, 0):
            with store.write() as writer:
                assert writer.drop_vectors("old", limit=3) == expected
        with store.write() as writer:
            assert writer.drop_vectors("never", limit=3) == 0
        with store.read() as reader:
            assert reader.vectors(ANN, "old") == []
            assert reader.vector_models(ANN) == {"new": 5}
            assert [len(block.numbers) for block in reader.vectors(ANN, "new")] == [5]
            assert len(reader.unembedded("old", limit=9)) == 5

    def test_text_to_embed_names_the_speaker(self, store: Store) -> None:
        """A named speaker's turn is embedded with the name before it; others as they are."""
        with store.write() as writer:
            say(writer, ANN, "I moved to Lyon", name="Ann")
            say(writer, ANN, "我搬家了")
        with store.read() as reader:
            found = [text for _, _, text in reader.unembedded(MODEL, limit=9)]
        assert sorted(found) == ["Ann: I moved to Lyon", "我搬家了"]

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

    def test_vectors_of_another_embedder_are_dropped(self, store: Store) -> None:
        """In parts, and for good: caches let them go, and the model that stays keeps its own."""
        other = "other model"
        with store.write() as writer:
            for n in range(3):
                say(writer, ANN, f"tea {n}")
            keys = keys_with(writer, ANN, "tea")
            for model in (MODEL, other):
                writer.add_vectors(model, [(key, unit_vector(n)) for n, key in enumerate(keys)])
        with store.read() as reader:
            assert len(reader.vectors(ANN, other)[0].numbers) == 3
        with store.write() as writer:
            assert writer.drop_vectors(other, limit=2) == 2
            assert writer.drop_vectors(other, limit=2) == 1
            assert writer.drop_vectors(other, limit=2) == 0
            assert writer.drop_vectors("unknown", limit=2) == 0
        with store.read() as reader:
            assert reader.vector_models() == {MODEL: 3}
            assert reader.vectors(ANN, other) == []
        with store.write() as writer:
            writer.add_vectors(other, [(keys[0], unit_vector(5))])
        with store.read() as reader:
            (block,) = reader.vectors(ANN, other)
            assert block.numbers.tolist() == [keys[0].number]
            assert len(reader.vectors(ANN, MODEL)[0].numbers) == 3
