"""A model that fails, loops or says nothing: the message is kept, the error clear, and the session
goes on."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest
from langchain_core.tools import tool

from jiyi import JiyiError, Memory, ModelError
from jiyi.agent import MemoryAgent
from jiyi.testing.agent_model import Answer, CallTool, PlayedChatModel, Prompt


@tool
def dice(sides: int) -> str:
    """Throw a die."""
    if sides > 100:
        raise OSError("the table is too small")
    return f"{sides} of {sides}"


def play(prompt: Prompt) -> Answer:
    question = prompt.question
    if "fail" in question:
        return RuntimeError("HTTP 500")
    if "loop" in question:
        return CallTool("dice", {"sides": 6})
    if "silent" in question:
        return "  "
    return "Here I am."


RUNS: dict[str, Callable[[MemoryAgent, str], object]] = {
    "chat": lambda agent, text: agent.chat(text, user="sun", session="A"),
    "stream": lambda agent, text: list(agent.stream(text, user="sun", session="A")),
    "achat": lambda agent, text: anyio.run(lambda: agent.achat(text, user="sun", session="A")),
    "astream": lambda agent, text: anyio.run(lambda: _drain(agent, text)),
}


async def _drain(agent: MemoryAgent, text: str) -> list[str]:
    return [piece async for piece in agent.astream(text, user="sun", session="A")]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(
    ("text", "reason"),
    [("please fail", "failed"), ("loop on", "went on calling tools"), ("be silent", "nothing")],
)
def test_the_message_is_kept_and_the_session_goes_on(
    memory: Memory, run: str, text: str, reason: str
) -> None:
    """Each way of failing is one ModelError that says what happened; afterwards the same agent
    answers the same session, which still holds what was said."""
    model = PlayedChatModel(play=play)
    agent = MemoryAgent(model, memory, tools=[dice], max_steps=3)
    with pytest.raises(ModelError, match=reason):
        RUNS[run](agent, text)
    assert memory.turns(user="sun", session="A")[0].text == text
    RUNS[run](agent, "Are you there?")
    assert memory.turns(user="sun", session="A")[-1].text == "Here I am."
    assert text in model.prompts[-1].text


def test_a_loop_ends_where_it_was_told(memory: Memory) -> None:
    """`max_steps` bounds the calls of the model, and every call and result is recorded."""
    model = PlayedChatModel(play=play)
    agent = MemoryAgent(model, memory, tools=[dice], max_steps=3)
    with pytest.raises(ModelError):
        agent.chat("loop", user="sun", session="A")
    assert len(model.prompts) == 3
    roles = [turn.role for turn in memory.turns(user="sun", session="A")]
    assert roles == ["user", *["assistant", "tool"] * 3]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"sides": "many"}, "valid integer"),
        ({}, "required"),
        ({"sides": 101}, "table is too small"),
    ],
)
def test_a_tool_that_fails_is_an_answer_to_the_model(
    memory: Memory, arguments: dict[str, object], told: str
) -> None:
    """Arguments out of the schema and a tool that raises come back as a message on which the model
    can act, recorded as a failure of that tool."""

    def corrects(prompt: Prompt) -> Answer:
        if not prompt.results:
            return CallTool("dice", arguments)
        if len(prompt.results) == 1:
            return CallTool("dice", {"sides": 6})
        return prompt.results[-1]

    agent = MemoryAgent(PlayedChatModel(play=corrects), memory, tools=[dice])
    reply = agent.chat("Throw", user="sun", session="A")
    assert reply.text == "6 of 6"
    assert [use.failed for use in reply.tools] == [True, False]
    assert told in reply.tools[0].result
    failed = [t for t in memory.turns(user="sun", session="A") if t.meta.get("error")]
    assert [turn.name for turn in failed] == ["dice"]


def test_an_unknown_tool(memory: Memory) -> None:
    """A tool that is not there is answered with those that are."""
    play = lambda p: p.results[0] if p.results else CallTool("oracle")  # noqa: E731
    reply = MemoryAgent(PlayedChatModel(play=play), memory, tools=[dice]).chat("Ask", user="sun")
    assert "dice" in reply.text


def test_a_result_too_long_or_not_text_for_the_store(memory: Memory) -> None:
    """A tool's result that no store takes as it is does not end the turn; it is kept cut."""

    @tool
    def dump() -> str:
        """Dump everything."""
        return "row\x00\ud800 " * 300_000

    play = lambda p: "Done." if p.results else CallTool("dump")  # noqa: E731
    agent = MemoryAgent(PlayedChatModel(play=play), memory, tools=[dump])
    assert agent.chat("Dump it", user="sun", session="A").text == "Done."
    kept = next(t for t in memory.turns(user="sun", session="A") if t.role == "tool")
    assert 100_000 < len(kept.text) < 400_000


@pytest.mark.parametrize("ask", ["So where is the kiln key?", "那么，窑的钥匙在哪里？"])
def test_a_long_message_is_kept_whole_and_asks_with_its_end(memory: Memory, ask: str) -> None:
    """A message of many pages is recorded to the last sentence, and answered by that."""
    memory.remember("The kiln key hangs behind the door 窑的钥匙在门后", user="sun")
    pages = "\n".join(f"Line {n} of the old inventory is about shelf {n}." for n in range(2000))
    model = PlayedChatModel(play=lambda p: str("hangs behind the door" in p.system))
    text = f"{pages}\n{ask}"
    assert MemoryAgent(model, memory).chat(text, user="sun", session="A").text == "True"
    assert memory.turns(user="sun", session="A")[0].text == text


def test_a_recall_that_fails_does_not_lose_the_message(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where memory cannot be searched, what was said is recorded all the same."""

    def broken(*_args: object, **_options: object) -> None:
        raise ModelError("the embedder is down", retryable=True)

    for model in (PlayedChatModel(play=play), None):
        agent = MemoryAgent(model, memory)
        with monkeypatch.context() as patch:
            patch.setattr(Memory, "context", broken)
            patch.setattr(Memory, "recall", broken)
            with pytest.raises(JiyiError, match="embedder is down"):
                agent.chat(f"Remember the kiln {model is None}", user="sun", session="A")
    said = [turn.text for turn in memory.turns(user="sun", session="A")]
    assert said == ["Remember the kiln False", "Remember the kiln True"]
