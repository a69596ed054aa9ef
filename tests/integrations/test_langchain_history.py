"""LangChain's chat-message history: messages to the letter, learned from, and gone when cleared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest

pytest.importorskip("langchain_core", reason="needs jiyi[langchain]")

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)

from jiyi import InvalidInputError, Memory
from jiyi.integrations.langchain import JiyiChatMessageHistory
from jiyi.testing import FakeClock

EVERY_KIND: list[BaseMessage] = [
    SystemMessage("Be brief. 请简短"),
    HumanMessage("西安的天气怎么样？", name="孙", id="m1", additional_kwargs={"k": [1, None]}),
    AIMessage(
        "",
        tool_calls=[{"name": "weather", "args": {"城市": "西安"}, "id": "c1", "type": "tool_call"}],
        usage_metadata={"input_tokens": 3, "output_tokens": 1, "total_tokens": 4},
    ),
    ToolMessage("21 °C", tool_call_id="c1", artifact={"raw": [21]}, status="success"),
    AIMessage([{"type": "text", "text": "21 °C"}, {"type": "reasoning", "reasoning": "…"}]),
    HumanMessage(
        [{"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 99_999}}]
    ),
    ChatMessage("as I said", role="assistant"),
    HumanMessage("  edges \n and \0 odd \ud800 ones "),
]


@pytest.fixture
def history(memory: Memory) -> JiyiChatMessageHistory:
    return JiyiChatMessageHistory(memory.scoped(user="sun"), "A")


def test_every_kind_comes_back_to_the_letter(history: JiyiChatMessageHistory) -> None:
    """Calls, results, parts, names, metadata, pictures and odd characters, in their order."""
    history.add_messages(EVERY_KIND)
    history.add_ai_message("last")
    assert history.messages == [*EVERY_KIND, AIMessage("last")]


def test_it_survives_reopening(path: Any, history: JiyiChatMessageHistory) -> None:
    """Another process finds the same messages."""
    history.add_messages(EVERY_KIND[:3])
    with Memory(path, embedder=None) as other:
        assert JiyiChatMessageHistory(other.scoped(user="sun"), "A").messages == EVERY_KIND[:3]


@pytest.mark.parametrize(
    ("said", "asked", "known"),
    [
        ("I live in Lyon now.", "where do I live?", "Lyon"),
        ("我现在住在成都。", "我住在哪里？", "成都"),
    ],
)
def test_what_the_user_says_is_learned(
    memory: Memory, history: JiyiChatMessageHistory, said: str, asked: str, known: str
) -> None:
    """The history is a memory as well; with `learn=False` it only keeps."""
    history.add_user_message(said)
    hits = memory.recall(asked, user="sun", units=("memory",))
    assert known in hits[0].text
    silent = JiyiChatMessageHistory(memory.scoped(user="li"), "A", learn=False)
    silent.add_user_message(said)
    assert len(memory.recall(asked, user="li", units=("memory",))) == 0
    assert len(memory.recall(asked, user="li")) == 1


def test_other_turns_of_the_session_stand_among_them(
    memory: Memory, history: JiyiChatMessageHistory, clock: FakeClock
) -> None:
    """What `observe` recorded reads as messages too."""
    history.add_user_message("one")
    clock.advance(seconds=1)
    memory.observe(
        [{"role": "assistant", "content": "二"}, {"role": "tool", "content": "三"}],
        user="sun",
        session="A",
    )
    assert [(m.type, m.content) for m in history.messages] == [
        *(("human", "one"), ("ai", "二"), ("tool", "三"))
    ]


def test_sessions_and_users_are_apart(memory: Memory, history: JiyiChatMessageHistory) -> None:
    """Neither another session nor another user's session of the same name has the messages."""
    history.add_user_message("mine")
    others = [
        JiyiChatMessageHistory(memory.scoped(user="sun"), "B"),
        JiyiChatMessageHistory(memory.scoped(user="li"), "A"),
        JiyiChatMessageHistory(memory, "A"),
    ]
    for other in others:
        assert other.messages == []
        other.clear()
    assert len(history.messages) == 1


def test_cleared_messages_leave_every_byte(
    memory: Memory, history: JiyiChatMessageHistory, files: Callable[[], bytes]
) -> None:
    """And so does what was learned from them; a new session begins empty."""
    history.add_messages([HumanMessage("My locker code is Zq-4471."), AIMessage("Zq-4471, noted")])
    other = JiyiChatMessageHistory(memory.scoped(user="sun"), "B")
    other.add_user_message("stays")
    history.clear()
    assert history.messages == []
    assert b"Zq-4471" not in files()
    assert [m.content for m in other.messages] == ["stays"]
    history.messages = [HumanMessage("new")]
    assert [m.content for m in history.messages] == ["new"]


def test_a_long_session_comes_back_whole(history: JiyiChatMessageHistory) -> None:
    """More messages than a page of `turns`, in order."""
    history.add_messages([HumanMessage(f"第{n}句") for n in range(1_200)])
    assert [m.content for m in history.messages] == [f"第{n}句" for n in range(1_200)]


def test_what_nobody_says_is_refused_whole(history: JiyiChatMessageHistory) -> None:
    """A RemoveMessage or an unknown role among others: an error, and nothing is added."""
    for bad in (RemoveMessage(id="x"), ChatMessage("x", role="narrator")):
        with pytest.raises(InvalidInputError, match="not said by anyone"):
            history.add_messages([HumanMessage("good"), bad])
    assert history.messages == []
    with pytest.raises(InvalidInputError, match="session"):
        JiyiChatMessageHistory(history._log.memory, "")


def test_awaited(history: JiyiChatMessageHistory) -> None:
    """The awaited methods do the same."""

    async def main() -> None:
        await history.aadd_messages([HumanMessage("a"), AIMessage("b")])
        assert [m.content for m in await history.aget_messages()] == ["a", "b"]
        await history.aclear()
        assert await history.aget_messages() == []

    anyio.run(main)


@pytest.mark.filterwarnings("ignore:.*RunnableWithMessageHistory.*")
def test_a_chain_with_history_remembers(memory: Memory) -> None:
    """LangChain's own wrapper reads and writes it, per user and conversation."""
    from langchain_core.runnables import ConfigurableFieldSpec, RunnableLambda
    from langchain_core.runnables.history import RunnableWithMessageHistory

    def reply(messages: list[BaseMessage]) -> AIMessage:
        return AIMessage(f"{len(messages)} messages, first: {messages[0].content}")

    def field(id: str) -> ConfigurableFieldSpec:
        return ConfigurableFieldSpec(id=id, annotation=str, default="")

    chain = RunnableWithMessageHistory(
        RunnableLambda(reply),
        lambda user, session: JiyiChatMessageHistory(memory.scoped(user=user), session),
        history_factory_config=[field("user"), field("session")],
    )

    def say(text: str, user: str) -> Any:
        config: Any = {"configurable": {"user": user, "session": "A"}}
        return chain.invoke([HumanMessage(text)], config=config).content

    assert say("你好", "sun") == "1 messages, first: 你好"
    assert say("again", "sun") == "3 messages, first: 你好"
    assert say("hello", "li") == "1 messages, first: hello"
