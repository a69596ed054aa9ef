"""LangGraph's `BaseStore`: the cases that its own stores are held to, and what is ours."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import anyio
import pytest

pytest.importorskip("langgraph.store.base", reason="needs jiyi[langgraph]")

from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

from jiyi import InvalidInputError, Memory
from jiyi.integrations.langgraph import JiyiStore
from jiyi.testing import FakeClock


@pytest.fixture
def store(memory: Memory) -> JiyiStore:
    return JiyiStore(memory)


def keys(found: Any) -> list[str]:
    return [item.key for item in found]


# --- keys and values ----------------------------------------------------------------------------


def test_put_get_delete(store: JiyiStore, clock: FakeClock) -> None:
    """A value comes back whole; put again it keeps its first time; deleted it is not there."""
    value = {"text": "她住在西安 ", "n": [1, 2.5, None, {"深": True}]}
    store.put(("users", "孙"), "prefs", value)
    created = clock()
    clock.advance(minutes=5)
    store.put(("users", "孙"), "prefs", MappingProxyType({**value, "n": 2}))
    item = store.get(("users", "孙"), "prefs")
    assert item is not None
    assert (item.namespace, item.key, item.value) == (("users", "孙"), "prefs", {**value, "n": 2})
    assert (item.created_at, item.updated_at) == (created, created + timedelta(minutes=5))
    assert store.get(("users",), "prefs") is store.get(("users", "孙"), "Prefs") is None
    store.delete(("users", "孙"), "prefs")
    store.delete(("users", "孙"), "never there")
    assert store.get(("users", "孙"), "prefs") is None


def test_a_batch_keeps_the_order_of_results(store: JiyiStore) -> None:
    """Reads see what was there before; of two puts under one key the later one stays."""
    store.put(("a",), "k", {"v": 0})
    results = store.batch(
        [
            PutOp(("a",), "k", {"v": 1}),
            GetOp(("a",), "k"),
            SearchOp(("a",)),
            PutOp(("a",), "gone", {"v": 3}),
            PutOp(("a",), "k", {"v": 2}),
            GetOp(("a",), "none"),
            ListNamespacesOp(),
            PutOp(("a",), "gone", None),
        ]
    )
    assert [results[n] for n in (0, 3, 4, 5, 7)] == [None] * 5
    assert results[1].value == {"v": 0}
    assert keys(results[2]) == ["k"]
    assert results[6] == [("a",)]
    assert [item.value for item in store.search(())] == [{"v": 2}]


def test_a_bad_value_keeps_nothing_of_a_batch(store: JiyiStore) -> None:
    """What is no JSON is refused by name, and the good put beside it is not kept."""
    with pytest.raises(InvalidInputError, match="value"):
        store.batch([PutOp(("a",), "good", {}), PutOp(("a",), "bad", {"v": object()})])
    assert store.search(()) == []


def test_deleted_values_leave_every_byte(store: JiyiStore, files: Callable[[], bytes]) -> None:
    """A deleted item is gone from the files, its searchable text as well."""
    store.put(("a",), "k", {"text": "code Zq-5512"})
    assert store.search(("a",), query="Zq-5512")[0].score
    store.delete(("a",), "k")
    assert b"Zq-5512" not in files()


@pytest.mark.parametrize("namespace", [("a.b",), ("a\0",), ("a", ""), (1,)])
def test_invalid_labels_are_refused_by_every_operation(
    store: JiyiStore, namespace: tuple[Any, ...]
) -> None:
    """Also when operations are given directly, past the methods that check them."""
    for op in (
        GetOp(namespace, "k"),
        PutOp(namespace, "k", {}),
        SearchOp(namespace),
        ListNamespacesOp((MatchCondition("suffix", namespace),)),
    ):
        with pytest.raises(InvalidNamespaceError):
            store.batch([op])
    with pytest.raises(InvalidNamespaceError):
        store.put(("langgraph", "x"), "k", {})
    with pytest.raises(InvalidNamespaceError):
        store.put((), "k", {})


# --- namespaces ---------------------------------------------------------------------------------

TREE = [
    *(("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f")),
    *(("users", "12"), ("users", "123"), ("users", "甲_%"), ("users", "甲_%", "设置")),
]


@pytest.fixture
def tree(store: JiyiStore) -> JiyiStore:
    for n, path in enumerate(TREE):
        store.put(path, f"k{n}", {"n": n})
    return store


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, sorted(TREE)),
        ({"prefix": ("a", "b")}, [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "f")]),
        ({"suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f")]),
        ({"prefix": ("a",), "suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f")]),
        ({"prefix": ("a", "*", "f")}, [("a", "b", "f"), ("a", "c", "f")]),
        ({"suffix": ("*", "设置")}, [("users", "甲_%", "设置")]),
        ({"prefix": ("*", "a")}, [("b", "a", "f")]),
        ({"prefix": ("users", "1")}, []),
        ({"prefix": ("a", "b"), "max_depth": 2}, [("a", "b")]),
        ({"max_depth": 1}, [("a",), ("b",), ("users",)]),
        ({"prefix": ("users",), "limit": 2, "offset": 1}, [("users", "123"), ("users", "甲_%")]),
        ({"prefix": ("none",)}, []),
    ],
)
def test_namespaces_are_listed(
    tree: JiyiStore, asked: dict[str, Any], found: list[tuple[str, ...]]
) -> None:
    """By whole labels from either end, with wildcards, cut to a depth, sorted, in pages."""
    assert tree.list_namespaces(**asked) == found


def test_search_takes_prefixes_by_whole_labels(tree: JiyiStore) -> None:
    """("users", "12") is no beginning of ("users", "123"); `_` and `%` stand for themselves."""
    assert keys(tree.search(("users", "12"))) == ["k5"]
    assert keys(tree.search(("users", "甲_%"))) == ["k7", "k8"]
    assert keys(tree.search(("users", "甲"))) == keys(tree.search(("u",))) == []
    assert len(tree.search((), limit=100)) == len(TREE)


def test_pages_make_up_the_whole(tree: JiyiStore) -> None:
    """Limit and offset cut one stable order, with and without a query."""
    for query in (None, "n 3"):
        whole = keys(tree.search((), query=query, limit=100))
        assert len(whole) == len(TREE)
        pages = [tree.search((), query=query, limit=4, offset=at) for at in (0, 4, 8)]
        assert [key for page in pages for key in keys(page)] == whole


# --- filters ------------------------------------------------------------------------------------

FRUIT = {
    "one": {"color": "red", "score": 4.5, "tags": ["a", "b"], "at": {"city": "西安", "n": 1}},
    "two": {"color": "red", "score": 3, "day": "2026-03-05"},
    "three": {"color": "绿", "score": "4", "day": "2026-02-01"},
}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"color": "red"}, ["one", "two"]),
        ({"color": {"$ne": "red"}}, ["three"]),
        ({"color": {"$eq": "绿"}}, ["three"]),
        ({"score": {"$gt": 3}}, ["one", "three"]),
        ({"score": {"$gte": 3, "$lt": 4.5}}, ["two", "three"]),
        ({"score": {"$lte": 3}}, ["two"]),
        ({"day": {"$gte": "2026-03-01"}}, ["two"]),
        ({"day": {"$lt": "2026-03-01"}, "score": {"$lt": 9}}, ["three"]),
        ({"at": {"city": "西安"}}, ["one"]),
        ({"at": {"city": "Paris"}}, []),
        ({"tags": ["a", "b"]}, ["one"]),
        ({"tags": ["a"]}, []),
        ({"tags": {"$gt": 1}}, []),
        ({"missing": {"$gt": 1}}, []),
        ({"missing": None}, ["one", "two", "three"]),
    ],
)
def test_filters(store: JiyiStore, wanted: dict[str, Any], found: list[str]) -> None:
    """Equality of any depth, and the six operators; what has no order fits no order. The same
    with a query."""
    for key, value in FRUIT.items():
        store.put(("f",), key, value)
    assert keys(store.search(("f",), filter=wanted)) == found
    assert sorted(keys(store.search(("f",), filter=wanted, query="red 西安"))) == sorted(found)


def test_an_unknown_operator_is_an_error(store: JiyiStore) -> None:
    """It is never taken for "no condition"."""
    store.put(("f",), "k", {"n": 1})
    with pytest.raises(InvalidInputError, match=r"\$in"):
        store.search(("f",), filter={"n": {"$in": [1]}})


# --- searching ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "best"), [("who drinks green tea", "en"), ("谁住在西安", "zh"), ("西安 flat", "zh")]
)
def test_the_best_come_first(store: JiyiStore, query: str, best: str) -> None:
    """Both languages; all are ranked, and what was put with `index=False` has no score."""
    store.put(("u",), "hidden", {"text": "green tea 西安 flat"}, index=False)
    store.put(("u",), "en", {"text": "Ann drinks green tea"})
    store.put(("u",), "zh", {"content": {"kind": "住址", "text": "孙住在西安"}})
    found = store.search(("u",), query=query)
    assert keys(found)[0] == best
    assert (found[0].score or 0.0) > (found[1].score or 0.0)
    assert (keys(found)[2], found[2].score) == ("hidden", None)
    assert "hidden" in keys(store.search(("u",)))


def test_only_the_chosen_fields_are_searched(memory: Memory, clock: FakeClock) -> None:
    """The store's fields, or those of the put, with paths into lists and objects."""
    store = JiyiStore(memory, fields=["title"])
    value = {
        "title": "harvest plan",
        "body": "secret mango",
        "rows": [{"t": "丰收"}, {"t": "油菜"}],
    }
    store.put(("d",), "default", value)
    store.put(("d",), "chosen", value, index=["rows[*].t"])

    def score(query: str, key: str) -> float:
        return next(f.score or 0.0 for f in store.search(("d",), query=query) if f.key == key)

    assert score("harvest", "default")
    assert not score("mango", "default")
    assert not score("harvest", "chosen")
    assert score("油菜", "chosen")
    assert not score("油菜", "default")


def test_a_new_value_is_found_and_the_old_is_not(store: JiyiStore) -> None:
    """Searching follows a put at once."""
    store.put(("u",), "k", {"text": "zany zebra"})
    before = store.search(("u",), query="zebra")[0].score or 0.0
    store.put(("u",), "k", {"text": "text about dogs"})
    assert before > 0.0
    assert store.search(("u",), query="zebra")[0].score == 0.0
    assert store.search(("u",), query="dogs")[0].score


# --- times to live ------------------------------------------------------------------------------


def test_items_expire_and_reading_prolongs(memory: Memory, clock: FakeClock) -> None:
    """A get or search begins the time anew unless told not to; the default is that of the store."""
    store = JiyiStore(memory, ttl={"default_ttl": 60, "refresh_on_read": True})
    store.put(("t",), "default", {"v": 1})
    store.put(("t",), "short", {"v": 2}, ttl=10)
    store.put(("t",), "ever", {"v": 3}, ttl=None)
    clock.advance(minutes=9)
    assert store.get(("t",), "short", refresh_ttl=False) is not None
    assert store.get(("t",), "default") is not None
    clock.advance(minutes=1)
    assert store.get(("t",), "short") is None
    clock.advance(minutes=58)
    assert keys(store.search(("t",))) == ["default", "ever"]
    clock.advance(minutes=59)
    assert keys(store.search(("t",), refresh_ttl=False, query="v")) == ["default", "ever"]
    clock.advance(minutes=1)
    assert keys(store.search(("t",))) == ["ever"]
    assert store.list_namespaces() == [("t",)]


def test_what_is_expired_is_swept_from_every_byte(
    memory: Memory, clock: FakeClock, files: Callable[[], bytes]
) -> None:
    """By hand, or as operations pass by at the interval."""
    store = JiyiStore(memory, ttl={"sweep_interval_minutes": 5})
    store.put(("t",), "a", {"text": "Zq-first"}, ttl=1)
    clock.advance(minutes=2)
    assert store.sweep_ttl() == 1
    assert b"Zq-first" not in files()
    store.put(("t",), "b", {"text": "Zq-second"}, ttl=1)
    clock.advance(minutes=6)
    assert store.get(("t",), "other") is None
    assert b"Zq-second" not in files()


# --- whose ---------------------------------------------------------------------------------------


def test_tenants_and_users_of_the_memory_are_apart(memory: Memory) -> None:
    """Two views of one memory share nothing, whatever the namespace."""
    mine, theirs = (JiyiStore(memory.scoped(user=user)) for user in ("sun", "li"))
    mine.put(("same",), "k", {"text": "green tea"})
    assert theirs.get(("same",), "k") is None
    assert theirs.search((), query="green tea") == []
    assert theirs.list_namespaces() == []


def test_a_label_can_name_the_user(memory: Memory) -> None:
    """Then each user's items lie in their own space, and go when the user is forgotten."""
    store = JiyiStore(memory, user_label=1)
    for user in ("sun", "李"):
        store.put(("memories", user), "k", {"text": f"{user} drinks green tea"})
    assert [item.value["text"] for item in store.search(("memories", "李"), query="tea")] == [
        "李 drinks green tea"
    ]
    assert memory.recall("green tea", user="sun")[0].unit == "document"
    memory.forget(user="sun", everything=True)
    assert store.search(("memories", "sun")) == []
    assert store.get(("memories", "李"), "k") is not None
    with pytest.raises(InvalidInputError, match="names no user"):
        store.search(("memories",))
    with pytest.raises(InvalidInputError, match="names no user"):
        store.list_namespaces()


def test_awaited_operations_do_the_same(memory: Memory) -> None:
    """`aput`, `aget`, `asearch`, `alist_namespaces` and `adelete`, many at once."""
    store = JiyiStore(memory)

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for n in range(12):
                group.start_soon(store.aput, ("n", f"s{n % 3}"), f"k{n}", {"text": f"number {n}"})
        assert len(await store.asearch(("n",), limit=50)) == 12
        assert (await store.asearch(("n", "s1"), query="number 7"))[0].key == "k7"
        assert await store.alist_namespaces() == [("n", f"s{n}") for n in range(3)]
        await store.adelete(("n", "s1"), "k7")
        assert await store.aget(("n", "s1"), "k7") is None

    anyio.run(main)


def test_a_graph_reads_and_writes_it(memory: Memory) -> None:
    """A compiled graph hands the store to its nodes; a second thread knows what the first kept."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.runtime import Runtime
    from typing_extensions import TypedDict

    class State(TypedDict):
        said: str
        known: list[str]

    def node(state: State, runtime: Runtime) -> dict[str, Any]:
        assert runtime.store is not None
        known = runtime.store.search(("memories", "sun"), query=state["said"])
        runtime.store.put(("memories", "sun"), state["said"], {"text": state["said"]})
        return {"known": [item.value["text"] for item in known]}

    builder = StateGraph(State)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    builder.add_edge("node", END)
    graph = builder.compile(store=JiyiStore(memory))
    assert graph.invoke({"said": "我住在西安", "known": []})["known"] == []
    assert graph.invoke({"said": "西安的天气", "known": []})["known"] == ["我住在西安"]


def test_langmem_keeps_its_memories_in_it(memory: Memory) -> None:
    """LangMem's own tools create, find, change and delete through the store."""
    langmem = pytest.importorskip("langmem", reason="LangMem itself is not installed")
    store = JiyiStore(memory)
    manage = langmem.create_manage_memory_tool(("memories", "sun"), store=store)
    search = langmem.create_search_memory_tool(("memories", "sun"), store=store)
    id = manage.invoke({"content": "She prefers metric units"}).split()[-1]
    assert "metric" in search.invoke({"query": "which units?"})
    manage.invoke({"content": "她偏好英制单位", "action": "update", "id": id})
    assert "英制" in search.invoke({"query": "单位"})
    manage.invoke({"action": "delete", "id": id})
    assert store.search(("memories", "sun")) == []
