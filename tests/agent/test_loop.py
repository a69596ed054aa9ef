"""The loop of `MemoryAgent`: recall, context, model and tools, reply, observe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from langchain_core.tools import tool

from jiyi import AsyncMemory, ConfigurationError, InvalidInputError, Memory
from jiyi.agent import MemoryAgent
from jiyi.testing import FakeClock
from jiyi.testing.agent_model import Answer, CallTool, PlayedChatModel, Prompt


@tool
def stock(item: str) -> str:
    """How many of an item are in stock."""
    return f"{item}: 12"


def in_their_unit(prompt: Prompt) -> Answer:
    """Looks the stock up, and answers in the unit that the prompt says the user wants."""
    if not any(word in prompt.question for word in ("stock", "库存")):
        return "Noted."
    if not prompt.results:
        return CallTool("stock", {"item": "flour"})
    known = prompt.system.casefold()
    unit = next((u for u in ("pallets", "托") if u in known), "?")
    return f"{prompt.results[0]} {unit}"


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("From now on, always give quantities in pallets.", "What is in stock?", "12 pallets"),
        ("以后数量一律用托来报。", "面粉库存多少？", "12 托"),
    ],
)
def test_a_tool_is_called_and_the_answer_keeps_the_convention(
    memory: Memory, told: str, asked: str, answer: str
) -> None:
    """A convention told in one session shapes the answer of another, over the result of a tool."""
    agent = MemoryAgent(PlayedChatModel(play=in_their_unit), memory, tools=[stock])
    agent.chat(told, user="sun", session="A")
    reply = agent.chat(asked, user="sun", session="B")
    assert answer in reply.text
    assert str(reply) == reply.text
    (use,) = reply.tools
    assert (use.name, use.arguments, use.result) == ("stock", {"item": "flour"}, "flour: 12")
    assert "?" in agent.chat(asked, user="li", session="B").text, "another user told nothing"


def test_everything_is_recorded_in_order(memory: Memory) -> None:
    """User, call, result and reply are turns of the session; the user's before the model runs."""
    before: list[list[str]] = []

    def play(prompt: Prompt) -> Answer:
        turns = memory.turns(user="sun", session="A")
        before.append([turn.role for turn in turns])
        return (
            f"There are {prompt.results[0]}" if prompt.results else CallTool("stock", {"item": "x"})
        )

    agent = MemoryAgent(PlayedChatModel(play=play), memory, tools=[stock])
    agent.chat("How many are there?", user="sun", session="A")
    assert before == [["user"], ["user", "assistant", "tool"]]
    turns = memory.turns(user="sun", session="A")
    assert [turn.role for turn in turns] == ["user", "assistant", "tool", "assistant"]
    assert turns[1].meta["tool_calls"] == [
        {"id": "call 1.0", "name": "stock", "args": {"item": "x"}}
    ]
    assert (turns[2].name, turns[2].text) == ("stock", "x: 12")
    assert turns[3].text == "There are x: 12"


def test_a_session_carries_its_last_turns(memory: Memory) -> None:
    """The model sees what was said in this session as messages, and of another session none."""
    model = PlayedChatModel(play=lambda _: "At nine or at four.")
    agent = MemoryAgent(model, memory)
    agent.chat("When can I pick up the parcel?", user="sun", session="A")
    agent.chat("The morning one", user="sun", session="A")
    assert [(m.type, m.text) for m in model.prompts[-1].messages if m.type != "system"] == [
        ("human", "When can I pick up the parcel?"),
        ("ai", "At nine or at four."),
        ("human", "The morning one"),
    ]
    agent.chat("Hello", user="sun", session="B")
    assert [m.type for m in model.prompts[-1].messages if m.type != "system"] == ["human"]


def test_without_a_session_an_agent_keeps_one_for_each_user(memory: Memory) -> None:
    """A caller that names no session still has a conversation, apart from that of others."""
    model = PlayedChatModel(play=lambda _: "Yes.")
    agent = MemoryAgent(model, memory)
    agent.chat("Is the kiln free?", user="sun")
    agent.chat("And on Friday?", user="sun")
    assert "Is the kiln free?" in model.prompts[-1].text
    agent.chat("Hello", user="li")
    assert "kiln" not in model.prompts[-1].text


@pytest.mark.parametrize(
    ("known", "change", "old", "new"),
    [
        ("I live in Leeds.", "I have moved to York.", "home: Leeds", "home: York"),
        ("我住在汉中。", "我搬到安康了。", "汉中", "安康"),
    ],
)
def test_a_change_is_in_the_prompt_of_its_own_turn(
    memory: Memory, known: str, change: str, old: str, new: str
) -> None:
    """A message that changes a fact is answered with the new fact as current, not with the old."""
    model = PlayedChatModel(play=lambda _: "Noted.")
    agent = MemoryAgent(model, memory)
    agent.chat(known, user="sun", session="A")
    agent.chat(change, user="sun", session="B")
    about = model.prompts[-1].system.partition("</memory>")[0]
    assert new in about
    assert old not in about


@pytest.mark.parametrize(
    ("known", "command", "secret"),
    [
        ("My address is 5 Quince Lane.", "Delete my address.", "Quince"),
        ("我的地址是槐树巷5号。", "把我说的地址删掉。", "槐树巷"),
    ],
)
def test_what_a_message_erases_is_not_in_its_prompt(
    memory: Memory, known: str, command: str, secret: str
) -> None:
    """A spoken command to delete is obeyed before the model is asked, so it sees nothing of it."""
    model = PlayedChatModel(play=lambda _: "Done.")
    agent = MemoryAgent(model, memory)
    agent.chat(known, user="sun", session="A")
    agent.chat(command, user="sun", session="B")
    assert secret not in model.prompts[-1].text


@pytest.mark.parametrize(
    ("known", "command", "left"),
    [
        ("My address is 5 Quince Lane.", "Delete my address.", "erased from memory for good"),
        ("I can't eat gluten.", "Forget that I can't eat gluten.", "erased from memory for good"),
        ("我的地址是槐树巷5号。", "把我说的地址删掉。", "已从记忆中彻底删除"),
        ("我对花生过敏。", "忘掉我对花生过敏这件事。", "已从记忆中彻底删除"),
    ],
)
def test_the_answer_to_an_order_to_forget_knows_that_it_is_done(
    memory: Memory, known: str, command: str, left: str
) -> None:
    """The model is told that it is erased, for it can see nothing of it; without a model the
    answer says so and quotes nothing. A message that erases nothing is not said to."""
    model = PlayedChatModel(play=lambda _: "Done.")
    agent = MemoryAgent(model, memory)
    agent.chat(known, user="sun", session="A")
    assert left not in model.prompts[-1].system
    agent.chat(command, user="sun", session="B")
    assert left in model.prompts[-1].system
    quoting = MemoryAgent(None, memory)
    quoting.chat(known, user="li", session="A")
    answer = quoting.chat(command, user="li", session="B").text
    assert left in answer
    assert "·" not in answer
    assert left not in quoting.chat(command, user="zhao", session="B").text


@pytest.mark.parametrize(
    ("known", "command", "secret"),
    [
        ("I can't eat gluten.", "Forget that I can't eat gluten.", "gluten"),
        ("I really like durian.", "Please forget that I like durian.", "durian"),
        ("I am allergic to walnuts.", "Please forget that I am allergic to walnuts.", "walnuts"),
        ("我对花生过敏。", "忘掉我对花生过敏这件事。", "花生"),
        ("我不吃香菜。", "忘掉我不吃香菜这件事。", "香菜"),
        ("我喜欢榴莲。", "忘掉我喜欢榴莲这件事。", "榴莲"),
    ],
)
def test_an_order_that_repeats_what_it_erases_goes_with_it(
    memory: Memory, known: str, command: str, secret: str
) -> None:
    """What is to be forgotten is not left in the words that asked for it."""
    agent = MemoryAgent(None, memory)
    agent.chat(known, user="sun", session="A")
    agent.chat(command, user="sun", session="B")
    assert memory.list(user="sun").items == ()
    assert [turn.text for turn in memory.turns(user="sun") if secret in turn.text] == []


def test_a_question_is_not_its_own_answer(memory: Memory) -> None:
    """A question that nothing supports says so in the prompt, though the question is recorded."""
    model = PlayedChatModel(play=lambda _: "Which one do you use?")
    agent = MemoryAgent(model, memory)
    reply = agent.chat("Which server do we deploy to?", user="sun", session="A")
    assert reply.support == "none"
    assert "ask rather than invent" in model.prompts[-1].system


@pytest.mark.parametrize(
    ("rule", "question", "denial"),
    [
        ("Never schedule me on a Tuesday.", "Plan my week", "holds nothing"),
        ("千万别把我排在周二。", "出一份值班表", "没有关于这个问题的内容"),
    ],
)
def test_what_stands_in_the_prompt_is_not_denied(
    memory: Memory, rule: str, question: str, denial: str
) -> None:
    """Where search finds nothing, standing preferences and the profile are there all the same: the
    prompt does not say that memory holds nothing."""
    model = PlayedChatModel(play=lambda _: "Done.")
    agent = MemoryAgent(model, memory)
    agent.chat(rule, user="sun", session="A")
    reply = agent.chat(question, user="sun", session="B")
    assert reply.support == "none"
    assert rule.rstrip(".。") in model.prompts[-1].system
    assert denial not in model.prompts[-1].system


def test_identity_and_rules_come_first_and_the_beginning_is_stable(
    memory: Memory, clock: FakeClock
) -> None:
    """What does not depend on the question begins the prompt, the same for every call."""
    model = PlayedChatModel(play=lambda _: "Yes.")
    agent = MemoryAgent(
        model, memory, identity="You keep the greenhouse.", rules=["Give units.", "Be short."]
    )
    memory.remember("No pesticides, ever", user="sun", importance=0.9)
    agent.chat("Shall I water the ferns?", user="sun", session="A")
    clock.advance(days=3)
    agent.chat("Which fertiliser?", user="sun", session="B")
    first, second = (prompt.system for prompt in model.prompts)
    assert first.startswith("You keep the greenhouse.\n\n## Rules\n- Give units.\n- Be short.")
    stable = first[: first.index("No pesticides") + len("No pesticides, ever")]
    assert second.startswith(stable)


def test_the_reply_says_what_was_kept_and_where_it_came_from(memory: Memory) -> None:
    """A reply names the statements that its message made memory keep, and its trace is there."""
    agent = MemoryAgent(PlayedChatModel(play=lambda _: "Good."), memory)
    reply = agent.chat("I am allergic to peanuts.", user="sun", session="A")
    assert any("peanuts" in text for text in reply.kept)
    assert reply.trace_id is not None
    assert memory.explain(reply.trace_id, user="sun").operation == "context"
    assert reply.model == "PlayedChatModel"


def test_stream(memory: Memory) -> None:
    """The answer comes in pieces, tools work on the way, and the whole answer is recorded."""
    agent = MemoryAgent(PlayedChatModel(play=in_their_unit), memory, tools=[stock])
    agent.chat("From now on, always give quantities in pallets.", user="sun", session="A")
    pieces = list(agent.stream("What is in stock?", user="sun", session="B"))
    assert len(pieces) > 1
    assert "".join(pieces) == "flour: 12 pallets"
    assert memory.turns(user="sun", session="B")[-1].text == "flour: 12 pallets"


def test_a_stream_that_is_left_keeps_the_message(memory: Memory) -> None:
    """Who stops reading loses nothing that was said, and the next message is answered."""
    agent = MemoryAgent(PlayedChatModel(play=lambda _: "a long answer " * 9), memory)
    stream = agent.stream("Tell me about ferns", user="sun", session="A")
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert memory.turns(user="sun", session="A")[0].text == "Tell me about ferns"
    assert agent.chat("Go on", user="sun", session="A").text


def test_a_stream_that_is_awaited_and_left(memory: Memory) -> None:
    """The same where it is awaited."""
    agent = MemoryAgent(PlayedChatModel(play=lambda _: "a long answer " * 9), memory)

    async def main() -> str:
        stream = agent.astream("Tell me about ferns", user="sun", session="A")
        await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]
        return (await agent.achat("Go on", user="sun", session="A")).text

    assert anyio.run(main)
    assert memory.turns(user="sun", session="A")[0].text == "Tell me about ferns"


def test_a_fact_that_the_model_forgets_at_once(memory: Memory) -> None:
    """What the message made memory keep may be gone when the answer comes; the answer comes."""

    def play(prompt: Prompt) -> Answer:
        if prompt.results:
            return "Forgotten."
        kept = memory.list(user="sun").items
        return CallTool("forget", {"ids": [record.id for record in kept]})

    agent = MemoryAgent(PlayedChatModel(play=play), memory)
    reply = agent.chat("I live in Leeds.", user="sun", session="A")
    assert (reply.text, reply.kept) == ("Forgotten.", ("I live in Leeds.",))


def test_awaited(memory: Memory) -> None:
    """`achat` and `astream` do the same, also many at once, and an AsyncMemory is taken."""
    model = PlayedChatModel(play=in_their_unit)
    agent = MemoryAgent(model, AsyncMemory(memory), tools=[stock])
    texts: dict[str, str] = {}

    async def ask(user: str, unit: str) -> None:
        await agent.achat(f"Always give quantities in {unit}.", user=user, session="A")
        texts[user] = (await agent.achat("What is in stock?", user=user, session="B")).text

    async def main() -> list[str]:
        async with anyio.create_task_group() as group:
            for n in range(4):
                group.start_soon(ask, f"user {n}", "pallets" if n % 2 else "sacks")
        return [piece async for piece in agent.astream("stock?", user="user 1", session="C")]

    pieces = anyio.run(main)
    assert "".join(pieces) == "flour: 12 pallets"
    assert texts == {f"user {n}": f"flour: 12 {'pallets' if n % 2 else '?'}" for n in range(4)}


# --- without a model -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "asked", "holds", "honest"),
    [
        ("I live in Leeds.", "Where do I live?", "Leeds", "quotes from memory"),
        ("我住在汉中。", "我住在哪里？", "汉中", "记忆里的原话"),
    ],
)
def test_without_a_model_it_quotes(
    memory: Memory, told: str, asked: str, holds: str, honest: str
) -> None:
    """model=None answers from memory, says so, and records only the user's words."""
    agent = MemoryAgent(None, memory)
    assert agent.chat(told, user="sun", session="A").kept
    reply = agent.chat(asked, user="sun", session="B")
    assert holds in reply.text
    assert honest in reply.text
    assert reply.model is None
    assert {turn.role for turn in memory.turns(user="sun")} == {"user"}


def test_without_a_model_nothing_is_invented(memory: Memory) -> None:
    """Where nothing is known, the answer says that; streams and awaits are the same."""
    agent = MemoryAgent(None, memory)
    reply = agent.chat("What is the boiling point of tungsten?", user="sun")
    assert "nothing is known" in reply.text
    assert "".join(agent.stream("量子比特是什么？", user="sun")).endswith("没有相关内容。")

    async def main() -> list[str]:
        return [piece async for piece in agent.astream("And of iron?", user="sun")]

    assert "nothing is known" in "".join(anyio.run(main))


@pytest.mark.parametrize(
    ("known", "command", "secret"),
    [
        ("My address is 5 Quince Lane.", "Delete my address.", "Quince"),
        ("我的地址是槐树巷5号。", "把我说的地址删掉。", "槐树巷"),
    ],
)
def test_what_is_erased_is_not_quoted(
    memory: Memory, known: str, command: str, secret: str
) -> None:
    """The answer to a command to delete does not quote what it deleted."""
    agent = MemoryAgent(None, memory)
    agent.chat(known, user="sun", session="A")
    assert secret not in agent.chat(command, user="sun", session="B").text


# --- what cannot be opened or said ---------------------------------------------------------------


@pytest.mark.parametrize("model", ["nowhere:x", "no-provider-known", object(), 7])
def test_a_model_that_is_none(memory: Memory, model: object) -> None:
    """A name that leads nowhere or an object that is no model is one clear error at once."""
    with pytest.raises(ConfigurationError):
        MemoryAgent(model, memory)


@pytest.mark.parametrize("wrong", ["agent.db", None, 7])
def test_a_memory_that_is_none(wrong: Any) -> None:
    """What is no memory is refused with what to pass."""
    with pytest.raises(InvalidInputError, match="is no memory"):
        MemoryAgent(None, wrong)


@pytest.mark.parametrize("make", [lambda m: None, lambda m: PlayedChatModel(play=lambda _: "ok")])
@pytest.mark.parametrize("text", ["", "  \n", "a\x00b", "\ud800", 7, None])
def test_nothing_to_answer(memory: Memory, make: Callable[[Memory], object], text: Any) -> None:
    """An empty message, or one that cannot be stored, is refused and nothing is recorded."""
    agent = MemoryAgent(make(memory), memory)
    with pytest.raises(InvalidInputError):
        agent.chat(text, user="sun")
    assert memory.turns(user="sun") == ()
