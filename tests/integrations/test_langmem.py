"""LangMem's tool factories: the same calls and replies, on memories that merge and come up."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest

pytest.importorskip("langgraph.store.base", reason="needs jiyi[langgraph]")

from pydantic import BaseModel

from jiyi import ConfigurationError, Memory
from jiyi.integrations.langgraph import JiyiStore
from jiyi.integrations.langmem import create_manage_memory_tool, create_search_memory_tool

NAMESPACE = ("memories", "{user}")


def config(user: str) -> Any:
    return {"configurable": {"user": user}}


class Tools:
    """Both tools of one namespace, called as a model calls them."""

    def __init__(self, memory: Memory, namespace: Any = NAMESPACE, **options: Any) -> None:
        self.manager = create_manage_memory_tool(namespace, store=memory, **options)
        self.searcher = create_search_memory_tool(namespace, store=memory)

    def manage(self, user: str = "sun", **arguments: Any) -> str:
        return self.manager.invoke(arguments, config(user))

    def search(self, query: str, user: str = "sun", **arguments: Any) -> list[Any]:
        found = json.loads(self.searcher.invoke({"query": query, **arguments}, config(user)))
        return [item["value"]["content"] for item in found]


@pytest.fixture
def tools(memory: Memory) -> Tools:
    return Tools(memory)


def test_the_signatures_are_langmems() -> None:
    """Whoever calls LangMem's factories can call ours; the tools take the same arguments."""
    langmem = pytest.importorskip("langmem", reason="LangMem itself is not installed")
    for ours in (create_manage_memory_tool, create_search_memory_tool):
        theirs = getattr(langmem, ours.__name__)
        assert list(inspect.signature(ours).parameters) == list(
            inspect.signature(theirs).parameters
        )
        mine, its = (factory(("m", "{user}")) for factory in (ours, theirs))
        assert (mine.name, set(mine.args)) == (its.name, set(its.args))
        assert " ".join(mine.description.split()) == " ".join(its.description.split())


@pytest.mark.parametrize(
    ("content", "query", "changed"),
    [
        ("She prefers metric units in reports", "which units for reports?", "She prefers inches"),
        ("她在报告里偏好公制单位", "报告用什么单位？", "她偏好英制单位"),
    ],
)
def test_create_find_change_delete(
    tools: Tools, content: str, query: str, changed: str, files: Callable[[], bytes]
) -> None:
    """The replies name the id; a deleted memory is in no byte of the files."""
    reply = tools.manage(content=content)
    assert reply.startswith("created memory ")
    id = reply.split()[-1]
    assert tools.search(query) == [content]
    assert tools.manage(content=changed, action="update", id=id) == f"updated memory {id}"
    assert tools.search(query) in ([changed], [])
    assert tools.manage(action="delete", id=id) == f"Deleted memory {id}"
    assert tools.search(query) == []
    assert changed.encode() not in files()


def test_the_same_again_is_one_memory(tools: Tools, memory: Memory) -> None:
    """Told twice, also in another namespace of the user: one memory, found in both; deleting it
    in one leaves it in the other."""
    first = tools.manage(content="She drinks green tea")
    other = Tools(memory, ("work", "{user}"))
    assert tools.manage(content="she drinks green tea.") == first
    assert other.search("green tea") == []
    assert other.manage(content="She drinks green tea") == first
    assert memory.list(user="sun").total == 1
    assert tools.search("green tea") == other.search("green tea") == ["She drinks green tea"]
    tools.manage(action="delete", id=first.split()[-1])
    assert tools.search("green tea") == []
    assert other.search("green tea") == ["She drinks green tea"]


def test_what_is_kept_is_memory(tools: Tools, memory: Memory) -> None:
    """It comes up in the user's contexts, and nobody else's; what was learned otherwise is no
    part of the namespace."""
    tools.manage(content="她对花生过敏")
    memory.observe("我住在成都。", user="sun")
    assert "花生" in memory.context("可以吃花生吗？", user="sun").text
    assert "花生" not in memory.context("可以吃花生吗？", user="li").text
    assert tools.search("住在哪里 花生") == ["她对花生过敏"]


def test_users_and_namespaces_are_apart(tools: Tools, memory: Memory) -> None:
    """Nothing is found, changed or deleted in another's place."""
    id = tools.manage(content="green tea").split()[-1]
    assert tools.search("green tea", user="li") == []
    assert "no memory" in tools.manage(user="li", content="x", action="update", id=id)
    other = Tools(memory, ("work", "{user}"))
    assert "no memory" in other.manage(action="delete", id=id)
    assert tools.search("green tea") == ["green tea"]


class Profile(BaseModel):
    name: str
    age: int | None = None


def test_content_of_a_schema(memory: Memory) -> None:
    """A pydantic model comes back as it was given, is found by its values, and can be filtered."""
    tools = Tools(memory, "profiles", schema=Profile)
    tools.manage(content={"name": "孙悟空", "age": 60})
    tools.manage(content={"name": "李", "age": 30})
    assert tools.search("孙悟空") == [{"name": "孙悟空", "age": 60}]
    assert tools.search("name age", filter={"content": {"age": {"$lt": 50}}}) == [
        {"name": "李", "age": 30}
    ]
    reply = tools.manage(content={"age": 1})
    assert "name" in reply
    assert memory.list().total == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"action": "update", "content": "x"}, "Give the id"),
        ({"action": "delete"}, "Give the id"),
        ({"action": "create", "content": "x", "id": "0190f3a1-7c1e-7000-8000-000000000000"}, "id"),
        ({"action": "delete", "id": "0190f3a1-7c1e-7000-8000-000000000000"}, "no memory"),
        ({"action": "create"}, "without content"),
        ({"action": "burn", "content": "x"}, "action"),
        ({"action": "delete", "id": "not an id"}, "id"),
        ({"content": 5}, "content"),
    ],
)
def test_a_model_that_errs_is_told_how_to_go_on(
    tools: Tools, memory: Memory, arguments: dict[str, Any], says: str
) -> None:
    """A text, no exception; nothing is written."""
    assert says in tools.manage(**arguments)
    assert memory.list(user="sun").total == 0


def test_only_permitted_actions(memory: Memory) -> None:
    """Others are refused; the description names what is permitted; none at all is an error."""
    tools = Tools(memory, actions_permitted=("create",))
    assert "action" in tools.manage(action="delete", id="0190f3a1-7c1e-7000-8000-000000000000")
    assert tools.manager.description.startswith("Create a memory")
    with pytest.raises(ConfigurationError):
        create_manage_memory_tool("x", actions_permitted=())


def test_without_a_place(memory: Memory) -> None:
    """No store, a foreign store, or a run that does not say who the user is: told in words."""
    assert "pass store=" in create_search_memory_tool("x").invoke({"query": "q"})
    tool = create_search_memory_tool(NAMESPACE, store=memory)
    assert "'user'" in tool.invoke({"query": "q"})


def test_pages_and_artifacts(memory: Memory) -> None:
    """Limit and offset page through; the artifact is LangGraph's own kind of item."""
    tools = Tools(memory)
    for n in range(5):
        tools.manage(content=f"tea number {n}")
    pages = [tools.search("tea number", limit=2, offset=at) for at in (0, 2, 4)]
    assert sorted(content for page in pages for content in page) == [
        f"tea number {n}" for n in range(5)
    ]
    search = create_search_memory_tool(
        NAMESPACE, store=memory, response_format="content_and_artifact"
    )
    call: Any = {"type": "tool_call", "id": "1", "name": search.name, "args": {"query": "tea"}}
    message = search.invoke(call, config("sun"))
    assert message.artifact[0].namespace == ("memories", "sun")
    assert json.loads(message.content)[0]["key"] == message.artifact[0].key


def test_awaited_in_a_graph_of_its_store(memory: Memory) -> None:
    """Inside a graph the tools take its `JiyiStore` and the run's user."""
    from langgraph.func import entrypoint

    manage, search = create_manage_memory_tool(NAMESPACE), create_search_memory_tool(NAMESPACE)

    @entrypoint(store=JiyiStore(memory))
    async def work(content: str) -> str:
        await manage.ainvoke({"content": content})
        return await search.ainvoke({"query": content})

    async def main() -> str:
        return await work.ainvoke("她喜欢绿茶", config("sun"))

    assert "绿茶" in anyio.run(main)
    assert memory.list(user="sun").total == 1
