"""Memory for any agent made by LangChain's `create_agent`, in one line."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import anyio.to_thread
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.middleware.types import AgentState, ToolCallRequest
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langgraph.config import get_config
from langgraph.types import Command

from jiyi.agent.model_tools import TOOL_NAMES, ToolName
from jiyi.agent.scopes import memory_of, scope_of
from jiyi.agent.tools import is_memory_tool, memory_tools
from jiyi.agent.turns import (
    Guidance,
    OpenTurn,
    Said,
    open_turn,
    record_reply,
    record_result,
)
from jiyi.types import ScopeFields, Visibility

if TYPE_CHECKING:
    from jiyi.aio import AsyncMemory
    from jiyi.memory import Memory

_OPEN: Final = 256
"""Turns that are under way at once, at most; a turn beyond them is recalled for again."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A turn under way: whose memory it is, and the id of the user's message."""

    view: Memory
    key: tuple[Any, ...]


class MemoryMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Gives a LangChain agent a memory: `create_agent(…, middleware=[MemoryMiddleware(memory)])`.

    Before the model is called, the user's message is recorded and what is known about it is put
    behind the system prompt; while one message is worked on, that text stays the same. Answers and
    the results of tools are recorded as they come. Put it first in the list, so that it sees the
    answer that the user sees.

    Whose memory it is, a run says in its runtime context or `configurable`: `user` (or `user_id`),
    `session` (or `thread_id`), and `tenant`, `agent`, `task`, `tool`; else the scope given here.
    Where the agent's own state holds no earlier messages, the last turns of the session come from
    memory.

    Args:
        memory: a `Memory` or `AsyncMemory`, or a view of one.
        budget: tokens of context, at most.
        identity, rules: the agent's own, put before what is known.
        tools: which of `recall`, `remember` and `forget` the model may call itself.
        visibilities: who may read what the model remembers; see `memory_tools`.
        record: whether anything is recorded. A sub-agent that only reads takes False.
        scope: scope fields where a run names none, such as `agent="planner"`.

    Raises:
        InvalidInputError: while running, where the user's message cannot be stored.
        StoreUnavailableError: while running, where it could not be recorded.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        budget: int = 2000,
        identity: str | None = None,
        rules: Sequence[str] = (),
        tools: Sequence[ToolName] = TOOL_NAMES,
        visibilities: Sequence[Visibility] = ("user",),
        record: bool = True,
        **scope: str | None,
    ) -> None:
        super().__init__()
        self._memory = memory_of(memory).scoped(**cast("ScopeFields", scope))
        self._guidance = Guidance(budget=budget, identity=identity, rules=tuple(rules))
        self._record = record
        self._open: OrderedDict[tuple[Any, ...], OpenTurn] = OrderedDict()
        self._lock = threading.Lock()
        self.tools = memory_tools(self._memory, names=tools, visibilities=visibilities)

    # --- the hooks -------------------------------------------------------------------------------

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Put what is known before the model, and record what it says."""
        place, prepared = self._before(request)
        response = handler(prepared)
        self._after(place, response)
        return response

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """The same, awaited; memory is asked in a thread."""
        place, prepared = await anyio.to_thread.run_sync(self._before, request)
        response = await handler(prepared)
        await anyio.to_thread.run_sync(self._after, place, response)
        return response

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        """Record what a tool answers."""
        result = handler(request)
        self._answered(request, result)
        return result

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """The same, awaited."""
        result = await handler(request)
        await anyio.to_thread.run_sync(self._answered, request, result)
        return result

    # --- what they do ----------------------------------------------------------------------------

    def start(self, message: HumanMessage, scope: Mapping[str, str]) -> OpenTurn:
        """Record a message and recall for it, ahead of the run that will carry it."""
        return self._turn(self._place([message], scope), [message])

    def end(self, message: HumanMessage, scope: Mapping[str, str]) -> None:
        """Let go of a turn that will not be finished."""
        with self._lock:
            self._open.pop(self._place([message], scope).key, None)

    def _before(self, request: ModelRequest[Any]) -> tuple[_Place | None, ModelRequest[Any]]:
        earlier, said = _split(request.messages)
        if not said:
            return None, request
        place = self._place(said, scope_of(request.runtime.context, get_config()))
        turn = self._turn(place, said)
        overrides: dict[str, Any] = {"system_message": _joined(request.system_message, turn.system)}
        if not earlier:
            overrides["messages"] = [*_as_messages(turn), *request.messages]
        return place, request.override(**overrides)

    def _after(self, place: _Place | None, response: ModelResponse[Any]) -> None:
        answers = [m for m in response.result if isinstance(m, AIMessage)]
        if place is None or not answers:
            return
        own = {tool.name for tool in self.tools}
        if self._record:
            for answer in answers:
                calls = [call for call in answer.tool_calls if call["name"] not in own]
                record_reply(place.view, answer.text, calls=calls, key=_key(place.view, answer.id))
        with self._lock:
            # The turn is over, or what is known is about to change.
            called = {call["name"] for answer in answers for call in answer.tool_calls}
            if not called or "forget" in called:
                self._open.pop(place.key, None)

    def _answered(self, request: ToolCallRequest, result: ToolMessage | Command[Any]) -> None:
        if not self._record or is_memory_tool(request.tool) or not isinstance(result, ToolMessage):
            return  # what memory itself says is known already
        runtime = request.runtime
        view = self._view(scope_of(runtime.context, runtime.config))
        record_result(
            view,
            result.text,
            name=request.tool_call["name"],
            call_id=result.tool_call_id,
            failed=result.status == "error",
            key=_key(view, result.id),
        )

    def _turn(self, place: _Place, said: Sequence[HumanMessage]) -> OpenTurn:
        with self._lock:
            turn = self._open.get(place.key)
        if turn is None:
            messages = [_said(place.view, message) for message in said]
            turn = open_turn(place.view, messages, self._guidance, record=self._record)
            with self._lock:
                self._open[place.key] = turn
                while len(self._open) > _OPEN:
                    self._open.popitem(last=False)
        return turn

    def _place(self, said: Sequence[BaseMessage], scope: Mapping[str, str]) -> _Place:
        view = self._view(scope)
        return _Place(view, (view.scope, *(message.id for message in said)))

    def _view(self, scope: Mapping[str, str]) -> Memory:
        return self._memory.scoped(**cast("ScopeFields", scope))


def _split(messages: Sequence[AnyMessage]) -> tuple[list[AnyMessage], list[HumanMessage]]:
    """The messages before the user's last, and the user's last: one, or several in a row."""
    last = next((n for n in reversed(range(len(messages))) if _is_said(messages[n])), None)
    if last is None:
        return list(messages), []
    first = last
    while first and _is_said(messages[first - 1]):
        first -= 1
    said = cast("list[HumanMessage]", list(messages[first : last + 1]))
    return list(messages[:first]), said


def _is_said(message: BaseMessage) -> bool:
    """Whether a message is the user's own: middleware, such as LangChain's summaries, marks what it
    puts in with where it comes from."""
    return isinstance(message, HumanMessage) and "lc_source" not in message.additional_kwargs


def _said(view: Memory, message: HumanMessage) -> Said:
    return Said(text=_words(message), key=_key(view, message.id), name=message.name)


def _words(message: HumanMessage) -> str:
    """The text of a message; of one without any, what it carries, such as `[image]`."""
    if isinstance(message.content, str) or message.text.strip():
        return message.text
    kinds = (part.get("type") for part in message.content if isinstance(part, dict))
    return " ".join(f"[{kind}]" for kind in kinds)


def _key(view: Memory, id: str | None) -> str | None:
    """Message ids are often small numbers that begin anew in every conversation."""
    return id if id is None or view.scope.session is None else f"{view.scope.session}/{id}"


def _joined(system: SystemMessage | None, known: str) -> SystemMessage | None:
    if not known:
        return system
    if system is None:
        return SystemMessage(known)
    if isinstance(system.content, str):
        return SystemMessage(f"{system.content}\n\n{known}")
    return SystemMessage([*system.content, {"type": "text", "text": known}])


def _as_messages(turn: OpenTurn) -> list[AnyMessage]:
    return [
        HumanMessage(said.text) if said.role == "user" else AIMessage(said.text)
        for said in turn.before
    ]
