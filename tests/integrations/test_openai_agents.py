"""The OpenAI Agents SDK's session: items to the letter, and gone when popped or cleared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("agents", reason="needs jiyi[openai-agents]")

from agents import Agent, RunConfig, Runner, function_tool
from agents.items import ModelResponse
from agents.memory import Session, SessionSettings
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from jiyi import InvalidInputError, Memory
from jiyi.integrations.openai_agents import JiyiSession, recall_filter
from jiyi.testing import FakeClock

ITEMS: list[Any] = [
    {"role": "user", "content": "西安的天气怎么样？"},
    {"id": "r1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA"},
    {
        "type": "function_call",
        "call_id": "c1",
        "name": "weather",
        "arguments": '{"city": "西安"}',
        "id": "f1",
        "status": "completed",
    },
    {"type": "function_call_output", "call_id": "c1", "output": "21 °C"},
    {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "21 °C", "annotations": [], "logprobs": None}],
    },
    {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "and this?"},
            {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 99_999},
        ],
    },
    {"role": "developer", "content": "be brief \ud800\0"},
]


@pytest.fixture
def session(memory: Memory) -> JiyiSession:
    return JiyiSession("A", memory.scoped(user="sun"))


def run(work: Callable[[], Any]) -> Any:
    return anyio.run(work)


def test_items_come_back_to_the_letter(session: JiyiSession, path: Path) -> None:
    """Messages, calls, results, reasoning and pictures, in order; also from another process."""

    async def main() -> None:
        assert isinstance(session, Session)
        await session.add_items(ITEMS[:3])
        await session.add_items([])
        await session.add_items(ITEMS[3:])
        assert await session.get_items() == ITEMS
        with Memory(path, embedder=None) as other:
            assert await JiyiSession("A", other.scoped(user="sun")).get_items() == ITEMS

    run(main)


@pytest.mark.parametrize(
    ("limit", "default", "count"),
    [(None, None, 7), (2, None, 2), (None, 3, 3), (9, 3, 7), (0, 3, 0)],
)
def test_the_newest_are_given(
    memory: Memory, limit: int | None, default: int | None, count: int
) -> None:
    """The latest N, oldest first; the settings say how many when the call does not."""
    session = JiyiSession("A", memory, session_settings=SessionSettings(limit=default))

    async def main() -> None:
        await session.add_items(ITEMS)
        assert await session.get_items(limit) == ITEMS[len(ITEMS) - count :]

    run(main)


def test_popped_and_cleared_items_leave_every_byte(
    memory: Memory, session: JiyiSession, files: Callable[[], bytes]
) -> None:
    """The newest first, then none; what was learned from them goes as well; other sessions stay."""

    async def main() -> None:
        other = JiyiSession("B", memory.scoped(user="sun"))
        await other.add_items(ITEMS[:1])
        first: Any = {"role": "user", "content": "My locker code is Zq-1881."}
        last: Any = {"role": "user", "content": "我的门牌号是 Zq-2992。"}
        await session.add_items([first, last])
        assert await session.pop_item() == last
        assert b"Zq-2992" not in files()
        assert await session.get_items() == [first]
        await session.clear_session()
        assert b"Zq-1881" not in files()
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.clear_session()
        assert await other.get_items() == ITEMS[:1]

    run(main)


def test_sessions_and_users_are_apart(memory: Memory, session: JiyiSession) -> None:
    """The same session of another user is another one."""

    async def main() -> None:
        await session.add_items(ITEMS)
        for other in (JiyiSession("A", memory.scoped(user="li")), JiyiSession("A", memory)):
            assert await other.get_items() == []
            assert await other.pop_item() is None
            await other.clear_session()
        assert len(await session.get_items()) == len(ITEMS)

    run(main)


def test_other_turns_of_the_session(memory: Memory, session: JiyiSession, clock: FakeClock) -> None:
    """What `observe` recorded reads as messages; a tool's result without a call is left out."""

    async def main() -> None:
        await session.add_items(ITEMS[:1])
        clock.advance(seconds=1)
        said = [{"role": role, "content": f"{role} 说"} for role in ("assistant", "tool", "user")]
        memory.observe(said, user="sun", session="A")
        assert await session.get_items() == [
            ITEMS[0],
            {"role": "assistant", "content": "assistant 说"},
            {"role": "user", "content": "user 说"},
        ]

    run(main)


def test_what_is_no_json_is_refused_whole(session: JiyiSession) -> None:
    """One bad item: an error, and none is kept."""

    async def main() -> None:
        bad: Any = {"role": "user", "content": object()}
        with pytest.raises(InvalidInputError, match="items"):
            await session.add_items([ITEMS[0], bad])
        assert await session.get_items() == []

    run(main)


class Scripted(Model):
    """Answers with the next output; remembers what it was told."""

    def __init__(self, *outputs: Any) -> None:
        self.outputs = list(outputs)
        self.instructions: list[str] = []
        self.inputs: list[Any] = []

    async def get_response(
        self, system_instructions: Any, input: Any, *rest: Any, **more: Any
    ) -> Any:
        self.instructions.append(system_instructions or "")
        self.inputs.append(input)
        return ModelResponse(output=[self.outputs.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *rest: Any, **more: Any) -> Any:
        raise NotImplementedError


def says(text: str) -> ResponseOutputMessage:
    part = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        id="m", type="message", role="assistant", status="completed", content=[part]
    )


def test_a_runner_remembers_within_and_beyond_a_session(memory: Memory) -> None:
    """The next run of a session is handed the former items, calls and results included; a new
    session knows by the filter what the user said in the first one."""

    @function_tool
    def weather(city: str) -> str:
        """The weather."""
        return f"{city} 21 °C"

    call = ResponseFunctionToolCall(
        type="function_call", call_id="c1", name="weather", arguments='{"city": "成都"}'
    )
    model = Scripted(call, says("21 °C"), says("好的"), says("成都"))
    agent = Agent("helper", instructions="Be brief.", model=model, tools=[weather])
    sun = memory.scoped(user="sun")
    config = RunConfig(tracing_disabled=True, call_model_input_filter=recall_filter(sun))

    async def main() -> None:
        first, second = JiyiSession("A", sun), JiyiSession("B", sun)
        await Runner.run(agent, "我住在成都。天气怎么样？", session=first, run_config=config)
        await Runner.run(agent, "谢谢", session=first, run_config=config)
        assert [item.get("type", item.get("role")) for item in model.inputs[2]] == [
            *("user", "function_call", "function_call_output", "message", "user")
        ]
        await Runner.run(agent, "我住在哪里？", session=second, run_config=config)
        assert len(model.inputs[3]) == 1
        assert model.instructions[3].startswith("Be brief.")
        assert "成都" in model.instructions[3]
        assert len(await first.get_items()) == 6

    run(main)
