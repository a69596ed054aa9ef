"""Microsoft Agent Framework: a provider that knows and records, and a history to the letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest

pytest.importorskip("agent_framework", reason="needs jiyi[agent-framework]")

from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
)

from jiyi import InvalidInputError, Memory
from jiyi.integrations.agent_framework import (
    JiyiContextProvider,
    JiyiHistoryProvider,
    memory_tools,
)
from jiyi.testing import FakeClock


class Script(FunctionInvocationLayer, BaseChatClient):
    """Answers by a script, and remembers what it was told."""

    def __init__(self, *replies: Any) -> None:
        super().__init__()
        self.replies = list(replies)
        self.seen: list[list[Message]] = []
        self.told: list[str] = []
        self.tools: list[str] = []

    async def _inner_get_response(
        self, *, messages: Any, stream: Any, options: Any, **_: Any
    ) -> Any:
        self.seen.append(list(messages))
        self.told.append(str(options.get("instructions") or ""))
        self.tools = [each.name for each in options.get("tools") or ()]
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return ChatResponse(messages=[Message(role="assistant", contents=[reply])])


def call(name: str, **arguments: Any) -> Content:
    return Content.from_function_call(call_id=f"c-{name}", name=name, arguments=arguments)


async def ask(agent: Agent, text: str, session: AgentSession | None = None) -> str:
    return (await agent.run(text, session=session or agent.create_session())).text


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
    """Across sessions, for this user only, beside the agent's own instructions."""
    script = Script("ok", "100", "?")

    def agent_for(user: str) -> Agent:
        return Agent(
            script,
            "Be brief.",
            context_providers=[JiyiContextProvider(memory.scoped(user=user))],
        )

    async def main() -> None:
        await ask(agent_for("sun"), told)
        await ask(agent_for("sun"), asked)
        await ask(agent_for("li"), asked)

    anyio.run(main)
    assert known not in script.told[0]
    assert "Be brief." in script.told[1]
    assert known in script.told[1]
    assert known not in script.told[2]
    assert script.tools == ["recall", "remember", "forget"]


def test_turns_of_a_run(memory: Memory) -> None:
    """Input, results of tools and the answer are turns of the session; what the memory's own
    tools gave is not kept again."""

    def weather(city: str) -> str:
        """The weather."""
        return f"{city}: 21 °C"

    script = Script(call("weather", city="西安"), call("recall", query="西安"), "21 °C")
    provider = JiyiContextProvider(
        memory, scope=lambda session: {"user": session.state["user"]}, learn=False
    )
    agent = Agent(script, tools=[weather], context_providers=[provider])

    async def main() -> None:
        session = agent.create_session(session_id="S")
        session.state["user"] = "sun"
        assert await ask(agent, "西安的天气？", session) == "21 °C"

    anyio.run(main)
    said = [(t.role, t.text) for t in memory.turns(user="sun", session="S")]
    assert said[0] == ("user", "西安的天气？")
    assert ("tool", "西安: 21 °C") in said
    assert said[-1] == ("assistant", "21 °C")
    assert not any("Nothing is known" in text for _, text in said)


def test_the_users_words_stay_when_the_model_fails(memory: Memory) -> None:
    """The run raises the model's error; the next one knows."""
    script = Script(RuntimeError("down"), "成都")
    agent = Agent(script, context_providers=[JiyiContextProvider(memory.scoped(user="sun"))])

    async def main() -> None:
        with pytest.raises(Exception, match="down"):
            await ask(agent, "我住在成都。")
        await ask(agent, "我住在哪里？")

    anyio.run(main)
    assert "成都" in script.told[1]


def test_the_tools(memory: Memory, files: Callable[[], bytes]) -> None:
    """A model keeps, finds, and erases in two steps; what it gets wrong is told in words."""
    sun = memory.scoped(user="sun")
    remember, recall, forget = (
        next(t for t in memory_tools(sun) if t.name == name)
        for name in ("remember", "recall", "forget")
    )

    async def use(tool: Any, **arguments: Any) -> str:
        return "".join(part.text or "" for part in await tool.invoke(arguments=arguments))

    async def main() -> None:
        assert (await use(remember, text="The locker code is Zq-91")).startswith("stored")
        assert "Zq-91" in await use(recall, query="locker code")
        shown = await use(forget, query="locker code Zq-91")
        (record,) = sun.list().items
        assert record.id in shown
        assert record.trust == "assistant"
        assert await use(forget, ids=[record.id]) == "Erased 1 memories and 0 messages."
        assert b"Zq-91" not in files()
        assert "`query` or `ids`" in await use(forget)
        assert (await use(recall, query=" ")).startswith("Error: query")

    anyio.run(main)


HISTORY = [
    Message(role="user", contents=["西安的天气？"], author_name="孙", message_id="m1"),
    Message(role="assistant", contents=[call("weather", city="西安")]),
    Message(role="tool", contents=[Content.from_function_result(call_id="c-weather", result="21")]),
    Message(role="assistant", contents=["21 °C"], additional_properties={"k": [1, None]}),
    Message(
        role="user",
        contents=["this?", Content.from_uri("data:image/png;base64,AAAA", media_type="image/png")],
    ),
]


def test_history_comes_back_to_the_letter(
    memory: Memory, clock: FakeClock, files: Callable[[], bytes]
) -> None:
    """Calls, results, pictures and properties, in order; the newest by the limit; kept apart, and
    gone when cleared."""
    history = JiyiHistoryProvider(memory.scoped(user="sun"))

    def plain(messages: list[Message]) -> list[Any]:
        return [message.to_dict() for message in messages]

    async def main() -> None:
        await history.save_messages("A", HISTORY[:2])
        await history.save_messages("A", HISTORY[2:])
        await history.save_messages("A", [])
        assert plain(await history.get_messages("A")) == plain(HISTORY)
        newest = JiyiHistoryProvider(memory.scoped(user="sun"), limit=2)
        assert plain(await newest.get_messages("A")) == plain(HISTORY[-2:])
        for other, session in (
            (history, "B"),
            (history, None),
            (JiyiHistoryProvider(memory.scoped(user="li")), "A"),
        ):
            assert await other.get_messages(session) == []
        clock.advance(seconds=1)
        memory.observe(
            [{"role": "tool", "content": "x"}, {"role": "user", "content": "Zq-50"}],
            user="sun",
            session="A",
        )
        assert (await history.get_messages("A"))[-1].text == "Zq-50"
        await history.clear("A")
        assert await history.get_messages("A") == []
        assert b"Zq-50" not in files()
        with pytest.raises(InvalidInputError, match="session"):
            await history.save_messages(None, HISTORY)

    anyio.run(main)


def test_an_agent_with_both_providers(memory: Memory) -> None:
    """The history gives back this session, the context what was said in another; each message is
    recorded once."""
    sun = memory.scoped(user="sun")
    script = Script("好", "成都", "成都")
    agent = Agent(
        script,
        context_providers=[
            JiyiHistoryProvider(sun),
            JiyiContextProvider(sun, record=False, tools=()),
        ],
    )

    async def main() -> None:
        first = agent.create_session()
        await ask(agent, "我住在成都。", first)
        await ask(agent, "我住在哪里？", first)
        await ask(agent, "我住在哪里？")

    anyio.run(main)
    assert [m.text for m in script.seen[1] if m.role != "system"] == [
        *("我住在成都。", "好", "我住在哪里？")
    ]
    assert [m.text for m in script.seen[2] if m.role != "system"] == ["我住在哪里？"]
    assert "成都" in script.told[2]
    assert len(memory.turns(user="sun")) == 6
    assert script.tools == []
