"""The seven tools, the resources and the prompt, through the SDK's own client."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import anyio
import pytest
from mcp.client import Client

from jiyi import Memory
from jiyi.errors import AccessError
from jiyi.mcp.door import open_door
from jiyi.mcp.server import build_server
from jiyi.testing import FakeClock

Work = Callable[[Client], Awaitable[None]]


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, background=False, clock=FakeClock()) as whole:
        yield whole.scoped(user="sun")


@pytest.fixture
def ask(memory: Memory) -> Callable[..., Any]:
    """Call one tool and take its structured answer, or the error that the model reads."""

    def call(tool: str, **arguments: Any) -> Any:
        async def main() -> Any:
            async with Client(build_server(open_door(memory))) as client:
                return await client.call_tool(tool, arguments)

        result = anyio.run(main)
        if result.is_error:
            return result.content[0].text
        return result.structured_content

    return call


def with_client(memory: Memory, work: Work) -> None:
    async def main() -> None:
        async with Client(build_server(open_door(memory))) as client:
            await work(client)

    anyio.run(main)


def test_the_tools_are_few_annotated_and_typed(memory: Memory) -> None:
    """Seven tools; each says whether it reads, adds or erases, describes itself in at most two
    lines, and has a schema for what it takes and answers."""

    async def look(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "remember", "recall", "context", "profile", "forget", "history", "feedback",
        }  # fmt: skip
        for tool in tools.values():
            assert tool.description is not None
            assert 20 < len(tool.description) < 180
            assert tool.output_schema is not None
            assert tool.annotations is not None
            assert tool.annotations.open_world_hint is False
        reads = {n for n, t in tools.items() if t.annotations and t.annotations.read_only_hint}
        erases = {n for n, t in tools.items() if t.annotations and t.annotations.destructive_hint}
        assert reads == {"recall", "context", "profile", "history"}
        assert erases == {"forget"}
        # What every prompt of every client carries.
        told = [
            {"name": t.name, "description": t.description, "input": t.input_schema}
            for t in tools.values()
        ]
        assert len(json.dumps(told)) < 6000

    with_client(memory, look)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Sun is allergic to peanuts", "what is sun allergic to?"),
        ("孙工对花生过敏", "孙工对什么过敏？"),
        ("Sun 每周五 deploy 到 staging", "deploy 在星期几？"),
    ],
)
def test_what_is_remembered_is_recalled(ask: Callable[..., Any], told: str, asked: str) -> None:
    """A statement comes back for a question, in both languages."""
    kept = ask("remember", text=told)
    assert kept["status"] == "stored"
    found = ask("recall", query=asked)
    assert found["support"] != "none"
    assert found["hits"][0]["id"] == kept["memory_id"]
    assert told in ask("context", query=asked)["text"]


def test_nothing_known_is_said(ask: Callable[..., Any]) -> None:
    """An empty memory answers with support "none", not with an error."""
    assert ask("recall", query="what is my name?")["support"] == "none"
    assert ask("recall", query="我叫什么？")["hits"] == []


def test_a_changed_fact_replaces_the_former_one(ask: Callable[..., Any]) -> None:
    """A new value of an attribute supersedes; the profile has the new one, the history both."""
    old = ask("remember", text="Sun lives in Xi'an", attribute="residence", value="Xi'an")
    new = ask("remember", text="Sun lives in Chengdu", attribute="residence", value="Chengdu")
    assert new["status"] == "superseding"
    assert new["replaced"] == [old["memory_id"]]
    assert [field["value"] for field in ask("profile")["learned"]] == ["Chengdu"]
    texts = [each["text"] for each in ask("recall", query="where does sun live")["hits"]]
    assert texts == ["Sun lives in Chengdu"]
    past = ask("recall", query="where does sun live", past=True)["hits"]
    assert {hit["status"] for hit in past} == {"active", "superseded"}
    chain = ask("history", memory_id=new["memory_id"])["chain"]
    assert [each["text"] for each in chain] == ["Sun lives in Xi'an", "Sun lives in Chengdu"]


def test_a_correction_and_a_mark(ask: Callable[..., Any]) -> None:
    """`replaces` corrects; feedback counts."""
    wrong = ask("remember", text="The meeting is on Monday")["memory_id"]
    right = ask("remember", text="The meeting is on Tuesday", replaces=wrong)
    assert right["status"] == "superseding"
    assert ask("feedback", memory_id=right["memory_id"], helpful=True)["helpful"] == 1


def test_forgetting_shows_first_and_then_erases(ask: Callable[..., Any], memory: Memory) -> None:
    """Without more said, forget only tells what would go, with the texts; then it erases."""
    ask("remember", text="门禁密码是 4471")
    plan = ask("forget", query="门禁密码")
    assert plan["dry_run"] is True
    assert plan["texts"] == ["门禁密码是 4471"]
    assert memory.list().total == 1
    done = ask("forget", ids=plan["memory_ids"], dry_run=False)
    assert done["dry_run"] is False
    assert memory.list().total == 0


def test_errors_tell_the_model_what_to_do(ask: Callable[..., Any]) -> None:
    """A wrong id, an unknown one, half a slot, a bad time: each answer names the way out."""
    assert "Use an id from" in ask("history", memory_id="nonsense")
    unknown = "01a22e31-5273-7000-ae1f-250669f1fab3"
    assert "Take an id from recall" in ask("feedback", memory_id=unknown, helpful=True)
    assert "go together" in ask("remember", text="x y z", attribute="residence")
    assert "ISO 8601" in ask("recall", query="x", as_of="last week")
    assert "nothing says what" in ask("forget")


@pytest.mark.parametrize(
    ("tool", "arguments", "mistyped"),
    [
        ("recall", {"query": "residence", "asof": "2020-01-01"}, "asof"),
        ("context", {"query": "我住哪儿", "budgets": 60}, "budgets"),
        ("remember", {"text": "孙工住在杭州", "replace": "x"}, "replace"),
        ("forget", {"query": "杭州", "dryrun": True, "dry_run": False}, "dryrun"),
        ("profile", {"as_of": "2020-01-01"}, "as_of"),
    ],
)
def test_an_unknown_argument_is_refused(
    ask: Callable[..., Any], memory: Memory, tool: str, arguments: dict[str, Any], mistyped: str
) -> None:
    """An argument that a tool does not have is named in an error, and nothing is done; the schema
    says that there are no others."""
    memory.remember("我住在杭州")
    answer = ask(tool, **arguments)
    assert isinstance(answer, str)
    assert f"\n{mistyped}\n" in answer
    assert [record.text for record in memory.list().items] == ["我住在杭州"]

    async def look(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert not any(each.input_schema["additionalProperties"] for each in tools)

    with_client(memory, look)


def test_a_missing_right_is_told() -> None:
    """A key without a right: the answer says so, and that trying again is no use."""

    def door(right: str) -> Memory:
        raise AccessError(f"this key may not {right}", known=True)

    async def main() -> Any:
        async with Client(build_server(door)) as client:
            return await client.call_tool("forget", {"query": "x"})

    result = anyio.run(main)
    assert result.is_error
    assert "Do not try again" in result.content[0].text


def test_a_store_that_is_closed_is_told(memory: Memory) -> None:
    """When the store cannot work the model reads why, and no traceback."""
    memory.close()

    async def call(client: Client) -> None:
        result = await client.call_tool("recall", {"query": "x"})
        assert result.is_error
        assert "closed" in result.content[0].text  # type: ignore[union-attr]

    with_client(memory, call)


def test_resources(memory: Memory) -> None:
    """The profile, the newest memories and any one memory can be attached."""
    memory.set_permanent(role="technician")
    id = memory.remember("Sun 喜欢乌龙茶").memory_id

    async def look(client: Client) -> None:
        async def read(uri: str) -> Any:
            return json.loads((await client.read_resource(uri)).contents[0].text)  # type: ignore[union-attr]

        names = {str(each.uri) for each in (await client.list_resources()).resources}
        assert names == {"jiyi://profile", "jiyi://memories/recent"}
        assert (await read("jiyi://profile"))["permanent"] == {"role": "technician"}
        recent = await read("jiyi://memories/recent")
        assert [each["text"] for each in recent["memories"]] == ["Sun 喜欢乌龙茶"]
        assert (await read(f"jiyi://memories/{id}"))["id"] == id

    with_client(memory, look)


def test_the_prompt_carries_what_is_known(memory: Memory) -> None:
    """The prompt puts the context before the message."""
    memory.remember("Sun is allergic to peanuts")

    async def look(client: Client) -> None:
        made = await client.get_prompt("answer_with_memory", {"message": "a snack for Sun?"})
        text = made.messages[0].content.text  # type: ignore[union-attr]
        assert "peanuts" in text
        assert text.endswith("a snack for Sun?")

    with_client(memory, look)


def test_one_users_tools_never_reach_another(memory: Memory, ask: Callable[..., Any]) -> None:
    """The user is fixed by the door; no argument leads elsewhere."""
    other = memory.scoped(user="li")
    id = other.remember("李工的工号是 LG-77").memory_id
    assert ask("recall", query="李工的工号")["hits"] == []
    assert "no memory" in ask("history", memory_id=id)
    assert "no memory" in ask("forget", ids=[id], dry_run=False)
    assert "李工" not in ask("context", query="李工的工号")["text"]
