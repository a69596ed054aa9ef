"""A LangChain chat model whose answers are a function of its prompt, for agents in tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

_PIECE = 8  # characters that a stream gives at once


@dataclass(frozen=True, slots=True)
class CallTool:
    """An answer that calls a tool."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


Answer: TypeAlias = str | CallTool | Sequence[CallTool] | Exception


@dataclass(frozen=True, slots=True)
class Prompt:
    """What reached the model in one call."""

    messages: tuple[BaseMessage, ...]
    tools: tuple[str, ...] = ()

    @property
    def system(self) -> str:
        """The system prompt, with what memory put there."""
        return "\n".join(m.text for m in self.messages if isinstance(m, SystemMessage))

    @property
    def question(self) -> str:
        """The user's last message."""
        said = [m.text for m in self.messages if isinstance(m, HumanMessage)]
        return said[-1] if said else ""

    @property
    def results(self) -> tuple[str, ...]:
        """What tools have answered since the user's last message, in order."""
        found: list[str] = []
        for message in self.messages:
            if isinstance(message, HumanMessage):
                found.clear()
            elif isinstance(message, ToolMessage):
                found.append(message.text)
        return tuple(found)

    @property
    def text(self) -> str:
        """Everything, for assertions."""
        return "\n".join(m.text for m in self.messages)


class PlayedChatModel(BaseChatModel):
    """Answers with `play(prompt)`: a text, a call of tools, or an exception, which is raised.

    It keeps what it was asked in `prompts`. Since an answer is made of the prompt alone, a test
    that asks for what memory should have brought fails when memory did not.
    """

    play: Callable[[Prompt], Answer]
    tool_names: tuple[str, ...] = ()
    _prompts: list[Prompt] = PrivateAttr(default_factory=list)
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    @property
    def prompts(self) -> list[Prompt]:
        """The prompts of all calls, in order."""
        return self._prompts

    @property
    def _llm_type(self) -> str:
        return "played"

    def bind_tools(self, tools: Sequence[Any], **_options: Any) -> Runnable[Any, AIMessage]:
        """The same model, told the names of its tools."""
        names = tuple(convert_to_openai_tool(tool)["function"]["name"] for tool in tools)
        bound = self.model_copy(update={"tool_names": names})
        bound._prompts, bound._lock = self._prompts, self._lock  # one record for both
        return bound

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **_options: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,
        **_options: Any,
    ) -> Iterator[ChatGenerationChunk]:
        answer = self._answer(messages)
        text = answer.text
        pieces = [text[n : n + _PIECE] for n in range(0, len(text), _PIECE)] or [""]
        for place, piece in enumerate(pieces):
            last = place == len(pieces) - 1
            message = AIMessageChunk(
                content=piece,
                id=answer.id,
                tool_call_chunks=_chunks(answer) if last else [],
                chunk_position="last" if last else None,
            )
            chunk = ChatGenerationChunk(message=message)
            if run_manager is not None:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk

    def _answer(self, messages: Sequence[BaseMessage]) -> AIMessage:
        prompt = Prompt(tuple(messages), self.tool_names)
        with self._lock:
            self._prompts.append(prompt)
            number = len(self._prompts)
        answer = self.play(prompt)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            return AIMessage(answer)
        calls = [answer] if isinstance(answer, CallTool) else answer
        return AIMessage(
            "",
            tool_calls=[
                {"name": call.name, "args": dict(call.arguments), "id": f"call {number}.{place}"}
                for place, call in enumerate(calls)
            ],
        )


def _chunks(answer: AIMessage) -> list[Any]:
    import json

    return [
        {
            "name": call["name"],
            "args": json.dumps(call["args"], ensure_ascii=False),
            "id": call["id"],
            "index": place,
            "type": "tool_call_chunk",
        }
        for place, call in enumerate(answer.tool_calls)
    ]
