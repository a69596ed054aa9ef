"""`MemoryMiddleware` in agents that exist already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import anyio
import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRetryMiddleware, before_model
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from jiyi import InvalidInputError, Memory
from jiyi.agent import MemoryMiddleware
from jiyi.testing.agent_model import Answer, CallTool, PlayedChatModel, Prompt


@dataclass
class Caller:
    """A runtime context as an application may have it."""

    user_id: str
    session_id: str | None = None


def ask(agent: Any, text: str, configurable: dict[str, Any] | None = None, **options: Any) -> str:
    config = {"configurable": configurable or {}}
    state = agent.invoke({"messages": [{"role": "user", "content": text}]}, config, **options)
    return str(state["messages"][-1].text)


def knows(word: str) -> PlayedChatModel:
    """A model that says whether a word is in its system prompt."""
    return PlayedChatModel(play=lambda p: f"{word}: {'yes' if word in p.system else 'no'}")


def test_one_line_gives_an_agent_a_memory(memory: Memory) -> None:
    """An agent with its own prompt and tools remembers across threads, for each user."""

    @tool
    def clock_in() -> str:
        """Clock in."""
        return "done"

    model = knows("Tuesday")
    agent = create_agent(
        model, [clock_in], system_prompt="You plan shifts.", middleware=[MemoryMiddleware(memory)]
    )
    ask(agent, "Never schedule me on Tuesday.", {"user": "sun", "thread_id": "1"})
    assert ask(agent, "Plan my week", {"user": "sun", "thread_id": "2"}) == "Tuesday: yes"
    assert ask(agent, "Plan my week", {"user": "li", "thread_id": "3"}) == "Tuesday: no"
    assert model.prompts[-2].system.startswith("You plan shifts.\n\n")
    assert set(model.prompts[-2].tools) == {"clock_in", "recall", "remember", "forget"}
    said = [turn.text for turn in memory.turns(user="sun", session="2")]
    assert said == ["Plan my week", "Tuesday: yes"]


@pytest.mark.parametrize(
    ("context", "configurable"),
    [
        ({"user": "sun"}, {}),
        ({"user_id": "sun"}, {"user": "somebody else"}),
        (Caller("sun"), {}),
        (None, {"user": "sun"}),
        (None, {"user_id": "sun", "thread_id": UUID(int=7)}),
    ],
)
def test_whose_memory_it_is(memory: Memory, context: object, configurable: dict[str, Any]) -> None:
    """The user is read from the runtime context, a mapping or an object, before `configurable`."""
    memory.remember("The alarm code is 4711", user="sun", importance=0.9)
    agent = create_agent(
        knows("4711"), middleware=[MemoryMiddleware(memory)], context_schema=type(context)
    )
    assert ask(agent, "What is the alarm code?", configurable, context=context) == "4711: yes"
    assert len(memory.turns(user="sun")) == 2


def test_where_a_run_names_nobody(memory: Memory) -> None:
    """A middleware on a view speaks for that view; on a whole memory, for the common space."""
    memory.remember("The alarm code is 4711", user="sun", importance=0.9)
    mine = create_agent(knows("4711"), middleware=[MemoryMiddleware(memory.scoped(user="sun"))])
    assert ask(mine, "What is the alarm code?") == "4711: yes"
    anyone = create_agent(knows("4711"), middleware=[MemoryMiddleware(memory)])
    assert ask(anyone, "What is the alarm code?") == "4711: no"


@pytest.mark.parametrize("user", ["", 3.5, ["sun"], "a\x00"])
def test_a_user_that_cannot_be(memory: Memory, user: object) -> None:
    """A user that is no name is refused, not taken for nobody."""
    agent = create_agent(knows("x"), middleware=[MemoryMiddleware(memory)])
    with pytest.raises(InvalidInputError):
        ask(agent, "Hello", {"user": user})
    assert memory.turns() == ()


def test_beside_a_checkpointer(memory: Memory) -> None:
    """Where the agent's state holds the conversation, nothing of it is repeated; a new process that
    lost the state goes on from memory."""
    model = PlayedChatModel(play=lambda _: "At nine or at four.")
    where = {"user": "sun", "thread_id": "1"}

    def agent() -> Any:
        return create_agent(
            model, middleware=[MemoryMiddleware(memory)], checkpointer=InMemorySaver()
        )

    first = agent()
    ask(first, "When can I pick up the parcel?", where)
    ask(first, "The morning one", where)
    talk = ["When can I pick up the parcel?", "At nine or at four.", "The morning one"]
    assert [m.text for m in model.prompts[-1].messages[1:]] == talk
    ask(agent(), "Still there?", where)
    assert [m.text for m in model.prompts[-1].messages[1:]] == [
        *talk,
        "At nine or at four.",
        "Still there?",
    ]
    assert len(memory.turns(user="sun")) == 6, "nothing was recorded twice"
    saved = first.get_state({"configurable": where}).values["messages"]
    assert [m.type for m in saved] == ["human", "ai", "human", "ai"], "and the state holds no more"


def test_the_prompt_stays_the_same_while_tools_work(memory: Memory) -> None:
    """Between the calls of one turn, what is known is neither searched nor worded again."""

    @tool
    def weigh() -> str:
        """Weigh the parcel."""
        memory.remember("A parcel was weighed", user="sun")
        return "3 kg"

    play = lambda p: "Heavy." if len(p.results) == 2 else CallTool("weigh")  # noqa: E731
    model = PlayedChatModel(play=play)
    agent = create_agent(model, [weigh], middleware=[MemoryMiddleware(memory)])
    ask(agent, "Weigh the parcel twice", {"user": "sun"})
    assert len({prompt.system for prompt in model.prompts}) == 1
    assert len(model.prompts) == 3


def test_what_the_model_forgets_leaves_its_prompt(memory: Memory) -> None:
    """After `forget` has erased something, the next call of the same turn does not show it."""
    known = memory.remember("The locker code is 2203", user="sun").memory_id

    def play(prompt: Prompt) -> Answer:
        if prompt.results:
            return "still there" if "2203" in prompt.system else "gone"
        return CallTool("forget", {"ids": [known]})

    agent = create_agent(PlayedChatModel(play=play), middleware=[MemoryMiddleware(memory)])
    assert ask(agent, "Forget the locker code", {"user": "sun", "thread_id": "1"}) == "gone"


def test_what_memory_itself_says_is_not_recorded(memory: Memory) -> None:
    """Results of the memory tools do not become turns: they would outlive what they quote."""
    memory.remember("The locker code is 2203", user="sun")
    play = lambda p: "Told." if p.results else CallTool("recall", {"query": "locker"})  # noqa: E731
    agent = create_agent(PlayedChatModel(play=play), middleware=[MemoryMiddleware(memory)])
    ask(agent, "What is the locker code?", {"user": "sun"})
    assert [turn.role for turn in memory.turns(user="sun")] == ["user", "assistant"]


def test_tried_again_and_changed_by_others(memory: Memory) -> None:
    """A middleware that calls the model again records nothing twice, and what is recorded is the
    answer that the user sees."""
    tries: list[int] = []

    def play(_: Prompt) -> Answer:
        tries.append(1)
        return TimeoutError() if len(tries) < 3 else "Done."

    retry = ModelRetryMiddleware(max_retries=3, initial_delay=0, jitter=False)
    for order in ([MemoryMiddleware(memory), retry], [retry, MemoryMiddleware(memory)]):
        tries.clear()
        agent = create_agent(PlayedChatModel(play=play), middleware=order)
        session = str(type(order[0]))
        ask(agent, "Do it", {"user": "sun", "thread_id": session})
        said = [turn.text for turn in memory.turns(user="sun", session=session)]
        assert said == ["Do it", "Done."]


def test_message_ids_begin_anew_in_every_conversation(memory: Memory) -> None:
    """Two threads whose messages are numbered alike keep both."""
    agent = create_agent(knows("x"), middleware=[MemoryMiddleware(memory)])
    for thread in ("1", "2"):
        agent.invoke(
            {"messages": [HumanMessage(f"Hello from {thread}", id="0")]},
            {"configurable": {"user": "sun", "thread_id": thread}},
        )
    assert len(memory.turns(user="sun")) == 4


def test_a_conversation_handed_over_whole(memory: Memory) -> None:
    """Of messages that come with their history, only the new one is recorded as said."""
    model = knows("x")
    agent = create_agent(model, middleware=[MemoryMiddleware(memory)])
    history = [HumanMessage("Hi"), AIMessage("Hello"), HumanMessage("It is"), HumanMessage("me")]
    agent.invoke({"messages": history}, {"configurable": {"user": "sun"}})
    assert [turn.text for turn in memory.turns(user="sun")] == ["It is", "me", "x: no"]
    assert [m.text for m in model.prompts[0].messages[-4:]] == ["Hi", "Hello", "It is", "me"]


def test_a_system_prompt_of_blocks(memory: Memory) -> None:
    """Blocks of a system message, such as those with cache marks, stay as they are and first."""
    memory.remember("Never use peat", user="sun", importance=0.9)
    block = {"type": "text", "text": "You garden.", "cache_control": {"type": "ephemeral"}}
    model = knows("x")
    agent = create_agent(
        model, system_prompt=SystemMessage([block]), middleware=[MemoryMiddleware(memory)]
    )
    ask(agent, "Plant the ferns", {"user": "sun"})
    content = model.prompts[0].messages[0].content
    assert content[0] == block
    assert "Never use peat" in content[1]["text"]  # type: ignore[index]


def test_a_sub_agent_that_only_reads(memory: Memory) -> None:
    """record=False reads for a message and records nothing."""
    memory.remember("Never use peat", user="sun", importance=0.9)
    agent = create_agent(
        knows("peat"), middleware=[MemoryMiddleware(memory, record=False, tools=())]
    )
    assert ask(agent, "Plant the ferns", {"user": "sun"}) == "peat: yes"
    assert memory.turns(user="sun") == ()


def test_a_run_without_a_message(memory: Memory) -> None:
    """A run that holds no word of the user is let through as it is."""
    agent = create_agent(knows("x"), middleware=[MemoryMiddleware(memory)])
    state = agent.invoke({"messages": [AIMessage("I was saying")]})
    assert state["messages"][-1].text == "x: no"
    assert memory.turns() == ()


def test_an_image_without_words(memory: Memory) -> None:
    """A message without text is recorded as what it carries, and reaches the model as it is."""
    model = knows("x")
    agent = create_agent(model, middleware=[MemoryMiddleware(memory)])
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    talk = [HumanMessage("Look at this"), AIMessage("Yes?"), HumanMessage([image])]
    agent.invoke({"messages": talk}, {"configurable": {"user": "sun"}})
    assert [turn.text for turn in memory.turns(user="sun")] == ["[image_url]", "x: no"]
    assert model.prompts[0].messages[-1].content == [image]


def test_resumed_by_another_process(memory: Memory) -> None:
    """A run that waits for a person before a tool goes on elsewhere: the message is recorded once
    and stands once in the prompt."""

    @tool
    def pay() -> str:
        """Pay."""
        return "paid"

    saver = InMemorySaver()
    where: Any = {"configurable": {"user": "sun", "thread_id": "1"}}
    model = PlayedChatModel(play=lambda p: p.results[0] if p.results else CallTool("pay"))

    def agent() -> Any:
        return create_agent(
            model,
            [pay],
            middleware=[MemoryMiddleware(memory)],
            checkpointer=saver,
            interrupt_before=["tools"],
        )

    ask(agent(), "Pay the bill", where["configurable"])
    state = agent().invoke(None, where)
    assert state["messages"][-1].text == "paid"
    assert [m.text for m in model.prompts[-1].messages].count("Pay the bill") == 1
    said = [turn.role for turn in memory.turns(user="sun")]
    assert said == ["user", "assistant", "tool", "assistant"]


def test_awaited(memory: Memory) -> None:
    """`ainvoke` does the same, and works beside other middleware."""

    @tool
    async def weigh() -> str:
        """Weigh."""
        return "3 kg"

    @before_model
    def nothing(state: Any, runtime: Any) -> None:
        return None

    play = lambda p: p.results[0] if p.results else CallTool("weigh")  # noqa: E731
    agent = create_agent(
        PlayedChatModel(play=play), [weigh], middleware=[nothing, MemoryMiddleware(memory)]
    )

    async def main() -> str:
        state = await agent.ainvoke(
            {"messages": [HumanMessage("Weigh it")]}, {"configurable": {"user": "sun"}}
        )
        return str(state["messages"][-1].text)

    assert anyio.run(main) == "3 kg"
    assert [t.role for t in memory.turns(user="sun")] == ["user", "assistant", "tool", "assistant"]


def test_a_summary_of_the_conversation_is_not_a_message_of_the_user(memory: Memory) -> None:
    """What LangChain's summary middleware puts in as a human message is not recorded as said."""
    from langchain.agents.middleware import SummarizationMiddleware

    model = PlayedChatModel(play=lambda p: f"Answer {len(p.text)}")
    agent = create_agent(
        model,
        middleware=[
            MemoryMiddleware(memory),
            SummarizationMiddleware(model, trigger=("messages", 4), keep=("messages", 1)),
        ],
        checkpointer=InMemorySaver(),
    )
    for n in range(4):
        ask(agent, f"Question {n}", {"user": "sun", "thread_id": "1"})
    said = [t.text for t in memory.turns(user="sun") if t.role == "user"]
    assert said == [f"Question {n}" for n in range(4)]
