"""Pydantic AI's capability: known before a run, kept during it, and tools that a model can use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import pytest

pytest.importorskip("pydantic_ai", reason="needs jiyi[pydantic-ai]")

from pydantic_ai import Agent, RunContext, UnexpectedModelBehavior
from pydantic_ai.messages import (
    ImageUrl,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from jiyi import Memory
from jiyi.integrations.pydantic_ai import JiyiCapability, memory_toolset


class Script:
    """A model that answers by a script, and remembers what it was told."""

    def __init__(self, *replies: str | ToolCallPart) -> None:
        self.replies = list(replies)
        self.instructions: list[str] = []
        self.seen: list[list[ModelMessage]] = []
        self.tools: list[str] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.instructions.append(info.instructions or "")
        self.seen.append(messages)
        self.tools = [tool.name for tool in info.function_tools]
        reply = self.replies.pop(0)
        part = TextPart(reply) if isinstance(reply, str) else reply
        return ModelResponse(parts=[part])

    def results(self) -> list[str]:
        """What tools gave back in the last request."""
        last = self.seen[-1][-1]
        assert isinstance(last, ModelRequest)
        return [
            part.model_response()
            if isinstance(part, RetryPromptPart)
            else str(getattr(part, "content", ""))
            for part in last.parts
            if isinstance(part, (ToolReturnPart, RetryPromptPart))
        ]


def go(agent: Agent[Any, str], prompt: Any, **options: Any) -> Any:
    """One run. (`run_sync` leaves its event loop open.)"""
    return anyio.run(partial(agent.run, prompt, **options))


def agent_of(script: Script, memory: Memory, **options: Any) -> Agent[str, str]:
    capability = JiyiCapability[str](memory, scope=lambda ctx: {"user": ctx.deps}, **options)
    return Agent(
        FunctionModel(script), deps_type=str, instructions="Be brief.", capabilities=[capability]
    )


@pytest.mark.parametrize(
    ("told", "asked", "known"),
    [
        ("Please always give lengths in metres.", "How long is the bridge?", "metres"),
        ("以后长度请一律用米表示。", "这座桥有多长？", "米"),
    ],
)
def test_what_was_said_is_known_in_the_next_run(
    memory: Memory, told: str, asked: str, known: str
) -> None:
    """Across runs and conversations, for this user only; the agent's own instructions stay."""
    script = Script("ok", "100", "?")
    agent = agent_of(script, memory)
    go(agent, told, deps="sun")
    go(agent, asked, deps="sun")
    go(agent, asked, deps="li")
    assert known not in script.instructions[0]
    assert script.instructions[1].startswith("Be brief.")
    assert known in script.instructions[1]
    assert known not in script.instructions[2]


def test_turns_of_a_run(memory: Memory) -> None:
    """Prompt, tool results and answer are turns of one session: the conversation, or the one that
    the scope names. Results of the memory's own tools are not kept again."""
    script = Script(
        ToolCallPart("weather", {"city": "西安"}),
        ToolCallPart("recall", {"query": "西安"}),
        "21 °C",
        "fine",
    )
    capability = JiyiCapability[str](memory.scoped(user="sun"))
    agent = Agent(FunctionModel(script), capabilities=[capability])

    @agent.tool_plain
    def weather(city: str) -> str:
        return f"{city}: 21 °C"

    picture = ImageUrl(url="https://example.org/a.png")
    result = go(agent, ["西安的天气怎么样？", picture])
    go(agent, "and now?", message_history=result.all_messages())
    turns = memory.turns(user="sun")
    assert [(t.role, t.text) for t in turns] == [
        ("user", "西安的天气怎么样？"),
        ("tool", "西安: 21 °C"),
        ("assistant", "21 °C"),
        ("user", "and now?"),
        ("assistant", "fine"),
    ]
    assert len({t.scope.session for t in turns}) == 1
    named = JiyiCapability[str](memory, scope=lambda ctx: {"user": ctx.deps, "session": "S"})
    go(Agent(FunctionModel(Script("hi")), deps_type=str, capabilities=[named]), "hi", deps="x")
    assert len(memory.turns(user="x", session="S")) == 2


def test_the_users_words_stay_when_the_model_fails(memory: Memory) -> None:
    """The run raises its own error; the next one knows."""

    def fails(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise UnexpectedModelBehavior("down")

    capability = JiyiCapability[None](memory.scoped(user="sun"))
    broken = Agent(FunctionModel(fails), capabilities=[capability])
    with pytest.raises(UnexpectedModelBehavior, match="down"):
        go(broken, "我住在成都。")
    script = Script("成都")
    go(Agent(FunctionModel(script), capabilities=[capability]), "我住在哪里？")
    assert "成都" in script.instructions[0]


def test_runs_at_once_do_not_mix(memory: Memory) -> None:
    """Each run has the context of its own user, asked once however many requests it makes."""
    for user, city in (("sun", "Lyon"), ("li", "成都")):
        memory.remember(f"lives in {city}", user=user)
    calls: list[str] = []

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        calls.append(info.instructions or "")
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("recall", {"query": "lives"})])
        return ModelResponse(parts=[TextPart(info.instructions or "")])

    capability = JiyiCapability[str](memory, scope=lambda ctx: {"user": ctx.deps})
    agent = Agent(FunctionModel(reply), deps_type=str, capabilities=[capability])

    async def main() -> list[str]:
        results: dict[str, str] = {}

        async def one(user: str) -> None:
            results[user] = (await agent.run("who lives where?", deps=user)).output

        async with anyio.create_task_group() as group:
            for user in ("sun", "li"):
                group.start_soon(one, user)
        return [results["sun"], results["li"]]

    mine, theirs = anyio.run(main)
    assert "Lyon" in mine
    assert "成都" not in mine
    assert "成都" in theirs
    assert "Lyon" not in theirs
    assert len(calls) == 4


def test_the_tools(memory: Memory, files: Callable[[], bytes]) -> None:
    """A model keeps, finds, and erases in two steps; what only it says is the assistant's word."""
    sun = memory.scoped(user="sun")
    script = Script(
        ToolCallPart("remember", {"text": "Die Zugnummer ist Zq-77"}),
        ToolCallPart("recall", {"query": "Zugnummer Zq-77", "limit": 3}),
        ToolCallPart("forget", {"query": "Zugnummer Zq-77"}),
        "done",
    )
    agent = Agent(FunctionModel(script), toolsets=[memory_toolset(sun)])
    go(agent, "go")
    assert script.tools == ["recall", "remember", "forget"]
    (record,) = sun.list().items
    assert record.trust == "assistant"
    told = [
        part.content for m in script.seen[-1] for part in m.parts if part.part_kind == "tool-return"
    ]
    assert told[0].startswith("stored")
    assert "Zq-77" in told[1]
    assert record.id in told[2]
    last = Script(ToolCallPart("forget", {"ids": [record.id]}), "gone")
    go(Agent(FunctionModel(last), toolsets=[memory_toolset(sun, tools=["forget"])]), "go")
    assert last.tools == ["forget"]
    assert last.results() == ["Erased 1 memories and 0 messages."]
    assert b"Zq-77" not in files()


def test_what_the_user_said_is_the_users_word(memory: Memory) -> None:
    """The model repeats it into memory: the record cites the turn."""
    script = Script(ToolCallPart("remember", {"text": "我对花生过敏"}), "ok")
    go(agent_of(script, memory), "记一下，我对花生过敏。", deps="sun")
    (record,) = memory.list(user="sun").items
    assert record.trust == "user"
    assert record.sources[0].turn_id == memory.turns(user="sun")[0].id


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("forget", {}, "query"),
        ("forget", {"ids": ["not an id"]}, "ids"),
        ("recall", {"query": " "}, "query"),
        ("remember", {"text": "x", "kind": "gossip"}, "kind"),
    ],
)
def test_a_model_that_errs_is_told_how_to_go_on(
    memory: Memory, name: str, arguments: dict[str, Any], says: str
) -> None:
    """Wrong arguments come back as a retry, and the run goes on."""
    script = Script(ToolCallPart(name, arguments), "ok")
    agent = Agent(FunctionModel(script), toolsets=[memory_toolset(memory)])
    assert go(agent, "go").output == "ok"
    assert says in script.results()[0]


def test_it_can_be_narrowed(memory: Memory) -> None:
    """No tools, no instructions, no learning: what is left is the record."""
    memory.remember("lives in Lyon", user="sun")
    script = Script("ok")
    agent = agent_of(script, memory, tools=(), budget=0, learn=False)
    go(agent, "我住在成都。Where do I live?", deps="sun")
    assert script.tools == []
    assert script.instructions == ["Be brief."]
    assert memory.list(user="sun").total == 1
    assert len(memory.turns(user="sun")) == 2


def test_the_scope_may_be_read_from_anything(memory: Memory) -> None:
    """`scope` gets the whole run context."""

    def scope(ctx: RunContext[None]) -> Any:
        return {"user": (ctx.metadata or {})["user"]}

    capability = JiyiCapability[None](memory, scope=scope)
    agent = Agent(FunctionModel(Script("ok")), capabilities=[capability])
    go(agent, "hello", metadata={"user": "sun"})
    assert len(memory.turns(user="sun")) == 2
