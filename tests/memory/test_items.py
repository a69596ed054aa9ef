"""Exact values by path and key: kept to the letter, found by their texts, gone when removed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from test_forget import bytes_of

from jiyi import InvalidInputError, Memory
from jiyi.memory.items import Items, NewItem
from jiyi.testing import FakeClock, HashEmbedder


@pytest.fixture
def shelf(memory: Memory) -> Items:
    return Items(memory, "shelf")


def keep(shelf: Items, path: tuple[str, ...], key: str, *texts: str, **value: object) -> None:
    shelf.put(NewItem(path=path, key=key, value=value, texts=texts))


def keys(shelf: Items, *prefix: str) -> list[str]:
    return [item.key for item in shelf.under(prefix)]


def test_a_value_comes_back_to_the_letter(shelf: Items, clock: FakeClock) -> None:
    """Nested, empty, Chinese, numbers of every size; put again it is replaced, not added."""
    value = {"a": [1, 2.5, None, True, {"空": ""}], "大": 2**70, "": {}, "text": " 两边有空格 \n"}
    shelf.put(NewItem(path=("users", "孙"), key="K", value=value))
    clock.advance(hours=1)
    (first,) = shelf.under()
    assert (first.path, first.key, dict(first.value)) == (("users", "孙"), "K", value)
    keep(shelf, ("users", "孙"), "K", n=1)
    found = shelf.get(("users", "孙"), "K")
    assert found is not None
    assert dict(found.value) == {"n": 1}
    assert found.created_at == first.created_at
    assert found.changed_at == first.changed_at + timedelta(hours=1)
    assert shelf.get(("users", "孙"), "k") is None


def test_paths_match_label_by_label(shelf: Items) -> None:
    """`_`, `%`, `/` and the beginning of a label are nothing special."""
    for n, path in enumerate([("a",), ("a", "b"), ("ab",), ("a_",), ("a%", "/"), ("a/b",)]):
        keep(shelf, path, f"k{n}")
    assert keys(shelf, "a") == ["k0", "k1"]
    assert keys(shelf, "a_") == ["k3"]
    assert keys(shelf, "a%", "/") == ["k4"]
    assert keys(shelf, "a/b") == ["k5"]
    assert len(keys(shelf)) == 6


@pytest.mark.parametrize(
    ("query", "best"),
    [("tea in the morning", "tea"), ("早上的咖啡", "咖啡"), ("nothing of it", "tea")],
)
def test_found_by_their_texts(shelf: Items, query: str, best: str) -> None:
    """The best first with a score; then the rest that has texts; then what is not to be found."""
    keep(shelf, ("u",), "hidden", secret="tea 咖啡")
    keep(shelf, ("u",), "tea", "She drinks green tea each morning")
    keep(shelf, ("u",), "咖啡", "早上喝一杯咖啡", "下午喝水")
    keep(shelf, ("v",), "other", "green tea, coffee 咖啡 in the morning 早上")
    found = shelf.search(query, ("u",))
    assert found[0][0].key == best
    assert found[-1][0].key == "hidden"
    assert found[-1][1] is None
    assert (found[0][1] or 0.0) >= (found[1][1] or 0.0) >= 0.0
    assert (found[0][1] == 0.0) == (query == "nothing of it")


def test_they_live_as_long_as_they_are_told(shelf: Items, clock: FakeClock, path: Path) -> None:
    """Reading prolongs only when asked; what is expired is not there, and sweeping erases it."""
    day = timedelta(days=1)
    shelf.put(
        NewItem(path=("t",), key="short", value={"v": "Zq-short"}, texts=["Zq-short"], ttl=day),
        NewItem(path=("t",), key="long", value={"v": 2}, ttl=2 * day),
        NewItem(path=("t",), key="ever", value={"v": 3}),
    )
    clock.advance(hours=23)
    assert shelf.get(("t",), "short") is not None
    touched = shelf.get(("t",), "long", touch=True)
    assert touched is not None
    assert touched.expires_at == clock() + 2 * day
    clock.advance(hours=26)
    assert keys(shelf) == ["long", "ever"]
    assert shelf.get(("t",), "short") is None
    assert [item.key for item, _ in shelf.search("Zq-short")] == ["long", "ever"]
    assert shelf.sweep() == 1
    assert b"Zq-short" not in bytes_of(path)
    keep(shelf, ("t",), "long", v=2)  # the same value again, now for ever
    clock.advance(days=9)
    assert keys(shelf) == ["long", "ever"]


def test_removed_and_replaced_values_leave_every_byte(
    memory: Memory, shelf: Items, path: Path, clock: FakeClock
) -> None:
    """A removed value at once, a replaced one as soon as the work that is due is done."""
    keep(shelf, ("f",), "note", "the code is Zq-7781", text="the code is Zq-7781")
    keep(shelf, ("f",), "other", text="stays Zq-3")
    assert shelf.remove(("f",), "note")
    assert not shelf.remove(("f",), "note")
    assert b"Zq-7781" not in bytes_of(path)
    keep(shelf, ("f",), "other", text="changed")
    clock.advance(minutes=1)
    memory.flush()
    assert b"Zq-3" not in bytes_of(path)


def test_users_and_families_are_apart(memory: Memory, shelf: Items) -> None:
    """Another user, no user, another tenant or another family has nothing of it."""
    keep(shelf, ("p",), "k", "words", v=1)
    for others in (
        Items(memory.scoped(user="li"), "shelf"),
        Items(memory.scoped(user=None), "shelf"),
        Items(memory.scoped(tenant="t"), "shelf"),
        Items(memory, "other"),
        Items(memory, "shel"),
    ):
        assert others.under() == others.search("words") == []
        assert others.get(("p",), "k") is None
        assert not others.remove(("p",), "k")
    assert keys(shelf) == ["k"]


def test_they_go_with_their_user_and_travel_in_archives(
    memory: Memory, shelf: Items, tmp_path: Path
) -> None:
    """`forget(everything=True)` takes them; an archive brings them to another store whole."""
    keep(shelf, ("p", "q"), "k", "words to be found", v={"深": [1]})
    memory.export(tmp_path / "out.jiyi")
    memory.forget(everything=True)
    assert shelf.under() == []
    with Memory(":memory:", embedder=None) as elsewhere:
        elsewhere.load(tmp_path / "out.jiyi")
        there = Items(elsewhere.scoped(user="sun"), "shelf")
        ((item, score),) = there.search("words", ("p",))
        assert (item.path, dict(item.value)) == (("p", "q"), {"v": {"深": [1]}})
        assert score


@pytest.mark.parametrize(
    ("labels", "key", "value", "field"),
    [
        (("",), "k", {}, "path"),
        (("a", None), "k", {}, "path"),
        (("a",), "", {}, "key"),
        (("a",), "k", {"v": float("nan")}, "value"),
        (("a",), "k", {"v": object()}, "value"),
        (("a",), "k", {"v": "\ud800"}, "value"),
        (("a",), "k", {"v": "x" * 1_100_000}, "value"),
    ],
)
def test_what_cannot_be_kept_is_refused_whole(
    shelf: Items, labels: tuple[str, ...], key: str, value: dict[str, object], field: str
) -> None:
    """One bad item of two: an error that names the field, and neither is kept."""
    good = NewItem(path=("a",), key="good", value={})
    with pytest.raises(InvalidInputError) as error:
        shelf.put(good, NewItem(path=labels, key=key, value=value))
    assert error.value.field == field
    assert shelf.under() == []


def test_many_writers_of_one_key_leave_one_value(path: Path) -> None:
    """Ten threads put under one key: one item, holding one of their values whole."""
    with Memory(path, embedder=None) as memory:
        shelf = Items(memory.scoped(user="sun"), "shelf")
        threads = [
            threading.Thread(target=keep, args=(shelf, ("p",), "k", f"text {n}"), kwargs={"n": n})
            for n in range(10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (item,) = shelf.under()
        assert item.value["n"] in range(10)


def test_a_reader_reads(path: Path, clock: FakeClock, memory: Memory, shelf: Items) -> None:
    """Of a store that is opened for reading only: touching prolongs nothing, and is no error."""
    shelf.put(NewItem(path=("t",), key="k", value={"v": 1}, texts=["tea"], ttl=timedelta(hours=1)))
    with Memory(path, embedder=None, clock=clock, read_only=True) as reader:
        there = Items(reader.scoped(user="sun"), "shelf")
        found = there.get(("t",), "k", touch=True)
        assert found is not None
        assert found.expires_at == clock() + timedelta(hours=1)
        assert there.search("tea")[0][0].key == "k"


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Memory]:
    clock = FakeClock(datetime(2026, 3, 2, tzinfo=UTC))
    with Memory(tmp_path / "e.db", embedder=HashEmbedder(), clock=clock) as memory:
        yield memory


def test_vectors_rank_as_well(embedded: Memory) -> None:
    """With an embedder the items get vectors in the background, and searching works alike."""
    shelf = Items(embedded, "shelf")
    keep(shelf, (), "one", "the quick brown fox")
    keep(shelf, (), "two", "an unrelated sentence")
    embedded.flush()
    assert embedded.stats().vectors
    assert shelf.search("quick fox")[0][0].key == "one"
