"""Handles: data outlives them, several see the same, and readers see one moment."""

from __future__ import annotations

import threading
from typing import cast

import pytest

from jiyi.errors import StoreClosedError
from jiyi.ids import new_id
from jiyi.ports import Capability, Checkable, Store
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    Reopen,
    StoreSuite,
    everything,
    ids_of,
    put,
    say,
    texts,
    unit_texts,
)
from jiyi.types import Source


class HandleTests(StoreSuite):
    """Opening, closing, snapshots and upkeep."""

    @pytest.fixture
    def another(self, reopen: Reopen | None) -> Reopen:
        """A way to open the same data again."""
        if reopen is None:
            pytest.skip("this store's data belongs to one handle")
        return reopen

    def test_data_outlives_the_handle(self, store: Store, another: Reopen) -> None:
        """What was committed is there after closing and opening again."""
        with store.write() as writer:
            turn = say(writer, ANN, "words", key="k")
            record = put(writer, ANN, "fact", tags=("二",))
            writer.set_permanent(ANN, {"role": "lead"}, at=NOW)
            writer.enqueue(ANN, "extract", {}, at=NOW, due=NOW)
        store.close()
        with another().read() as reader:
            assert reader.turns(ANN) == [turn]
            assert reader.memories(ANN, everything())[0] == [record]
            assert reader.permanent(ANN) == {"role": "lead"}
            assert sum(reader.queue_counts(ANN).values()) == 1
            assert unit_texts(reader, ANN, "words", "fact") == ["words", "fact"]

    def test_handles_see_each_other(self, store: Store, another: Reopen) -> None:
        """Two handles write in turns; each sees all at once, caches included."""
        handles = [store, another()]
        for n in range(8):
            with handles[n % 2].write() as writer:
                put(writer, ANN, f"fact n{n}")
            for handle in handles:
                with handle.read() as reader:
                    expected = [f"fact n{m}" for m in range(n + 1)]
                    assert texts(reader, ANN) == expected[::-1]
                    assert unit_texts(reader, ANN, "fact") == expected

    def test_reader_sees_one_moment(self, store: Store, another: Reopen) -> None:
        """A reader's answers do not change while others commit."""
        with store.write() as writer:
            put(writer, ANN, "first fact")
        second = another()
        with store.read() as reader:
            assert texts(reader, ANN) == ["first fact"]
            with second.write() as writer:
                put(writer, ANN, "second fact")
                say(writer, ANN, "spoken fact")
            assert texts(reader, ANN) == ["first fact"]
            assert reader.turns(ANN) == []
            assert unit_texts(reader, ANN, "fact") == ["first fact"]
        with store.read() as reader:
            assert texts(reader, ANN) == ["second fact", "first fact"]
            assert len(unit_texts(reader, ANN, "fact")) == 3

    def test_uncommitted_is_unseen(self, store: Store, another: Reopen) -> None:
        """Nobody sees a transaction before its end."""
        second = another()
        with store.write() as writer:
            put(writer, ANN, "fact")
            with second.read() as reader:
                assert texts(reader, ANN) == []
        with second.read() as reader:
            assert texts(reader, ANN) == ["fact"]

    def test_readers_on_many_threads(self, store: Store) -> None:
        """Readers and a writer on threads of their own do not disturb each other."""
        done = threading.Event()
        errors: list[BaseException] = []

        def watch() -> None:
            seen = 0
            try:
                while not done.is_set():
                    with store.read() as reader:
                        found = reader.memories(ANN, everything())[0]
                        assert len(found) == reader.count_memories(ANN, everything())
                        assert len(found) >= seen
                        seen = len(found)
            except BaseException as error:  # noqa: BLE001  it is raised again on the test's thread
                errors.append(error)

        threads = [threading.Thread(target=watch) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            for n in range(40):
                with store.write() as writer:
                    put(writer, ANN, f"fact {n}")
        finally:
            done.set()
            for thread in threads:
                thread.join()
        assert not errors, errors[0]

    def test_closed_store_says_so(self, store: Store) -> None:
        """After close every transaction raises StoreClosedError; closing twice is fine."""
        store.close()
        store.close()
        with pytest.raises(StoreClosedError), store.read() as reader:
            reader.turns(ANN)
        with pytest.raises(StoreClosedError), store.write() as writer:
            say(writer, ANN, "words")

    def test_self_description(self, store: Store) -> None:
        """Capabilities are named, the schema has a version, the size is a number or unknown."""
        assert all(isinstance(one, Capability) for one in store.capabilities)
        assert store.schema_version() >= 1
        size = store.bytes_on_disk()
        assert size is None or size >= 0

    def test_a_whole_store_checks_clean(self, store: Store) -> None:
        """After writing, changing and erasing, a store that checks itself finds nothing wrong."""
        if Capability.SELF_CHECK not in store.capabilities:
            pytest.skip("this store does not check itself")
        with store.write() as writer:
            turns = [say(writer, ANN, f"words n{n}") for n in range(300)]
            source = Source(id=new_id(), turn_id=turns[0].id)
            record = put(writer, ANN, "fact", sources=(source,))
            writer.change_memory(ANN, record.id, {"tags": ("t",)}, at=NOW, action="updated")
            put(writer, ANN, "shared fact", visibility="shared")
        checking = cast("Checkable", store)
        assert checking.check() == []
        with store.write() as writer:
            ids = [turn.id for turn in turns[:5]]
            writer.erase(ANN, turn_ids=ids, at=NOW, reason="asked", event_id=new_id())
        assert checking.check() == []
        with store.write() as writer:
            writer.erase_space(ANN, at=NOW, reason="asked", event_id=new_id())
        assert checking.check() == []
        assert checking.repair() == {}

    def test_purge_keeps_what_is_alive(self, store: Store) -> None:
        """`purge` returns what is pending and changes no answer."""
        with store.write() as writer:
            turn = say(writer, ANN, "words")
            put(writer, ANN, "fact")
            put(writer, BOB, "fact")
        with store.write() as writer:
            writer.erase_space(BOB, at=NOW, reason="asked", event_id=turn.id)
        pending = store.purge()
        assert all(isinstance(entry, str) for entry in pending)
        with store.read() as reader:
            assert ids_of(reader.turns(ANN)) == [turn.id]
            assert texts(reader, ANN) == ["fact"]
            assert texts(reader, BOB) == []
