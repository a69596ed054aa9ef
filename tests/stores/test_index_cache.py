"""What a handle remembers of a text index never differs from what is in the file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from jiyi.ids import new_id
from jiyi.ports import Reader, Store
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing.store_suite.builders import ANN, NOW, put

WORDS = ("茶", "tea", "rain", "雨")


def seen(reader: Reader) -> object:
    """All that a scope finds, in comparable form."""
    return [
        (
            found.size,
            found.count,
            found.lengths.tolist(),
            {
                term: (units.tolist(), counts.tolist())
                for term, (units, counts) in found.terms.items()
            },
        )
        for found in reader.postings(ANN, WORDS)
    ]


def look(store: Store) -> object:
    with store.read() as reader:
        return seen(reader)


def abandon(store: Store, text: str) -> None:
    """Write, look, and roll back."""
    with store.write() as writer:
        put(writer, ANN, text)
        seen(writer)
        raise KeyError


def test_remembered_rows_are_those_of_the_file(tmp_path: Path) -> None:
    """Through writes of two handles, abandoned transactions, erasures and the packing of blocks, a
    handle that remembers finds what a fresh one finds, and an older snapshot stays as it was."""
    path = tmp_path / "store.db"
    chance = random.Random(7)
    ids: list[str] = []
    with open_sqlite(path) as one, open_sqlite(path) as two:
        for step in range(40):
            old = look(two)
            with two.read() as reader:
                assert seen(reader) == old
                with one.write() as writer:
                    for _ in range(chance.choice((1, 3, 40))):
                        text = " ".join(chance.choices(WORDS, k=3)) + f" {step} {new_id()}"
                        ids.append(put(writer, ANN, text).id)
                    inside = seen(writer)
                assert look(one) == inside
                assert seen(reader) == old  # the other state stands, whatever is remembered now
            with pytest.raises(KeyError):
                abandon(two, f"tea that nobody drinks {step}")
            if step % 7 == 3:
                gone = [ids.pop(chance.randrange(len(ids))) for _ in range(2)]
                with two.write() as writer:
                    writer.erase(ANN, memory_ids=gone, at=NOW, reason="asked", event_id=new_id())
                    inside = seen(writer)
                assert look(two) == inside
            with open_sqlite(path) as fresh:
                assert look(one) == look(two) == look(fresh)
