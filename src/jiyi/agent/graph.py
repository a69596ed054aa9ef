"""The loop of `MemoryAgent` on LangChain's `create_agent`: runs, streams, and one kind of error."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import anyio.to_thread
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.middleware.types import AgentState, ToolCallRequest
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.errors import GraphBubbleUp, GraphRecursionError
from langgraph.types import Command

from jiyi.agent.middleware import MemoryMiddleware
from jiyi.agent.quotes import kept_texts
from jiyi.agent.reply import Reply, ToolUse
from jiyi.errors import ConfigurationError, JiyiError, ModelError
from jiyi.ids import new_id
from jiyi.types import Visibility

if TYPE_CHECKING:
    from jiyi.agent.model_tools import ToolName
    from jiyi.agent.turns import OpenTurn
    from jiyi.memory import Memory


class Graph:
    """A compiled agent. See `MemoryAgent` for the arguments."""

    def __init__(
        self,
        model: Any,
        memory: Memory,
        *,
        tools: Sequence[Any],
        identity: str | None,
        rules: Sequence[str],
        budget: int,
        memory_tools: Sequence[ToolName],
        visibilities: Sequence[Visibility],
        middleware: Sequence[Any],
        max_steps: int,
    ) -> None:
        chosen = _open_model(model)
        self.name = _name_of(chosen, model)
        self._steps = max_steps
        # A step is a call of the model and one of tools; middleware may add a node to each.
        self._limit = 2 * max_steps * (1 + len(middleware))
        self._remembering = MemoryMiddleware(
            memory,
            budget=budget,
            identity=identity,
            rules=rules,
            tools=memory_tools,
            visibilities=visibilities,
        )
        self._agent = create_agent(
            chosen,
            tools=list(tools),
            # Ours first, so that what is recorded is what the user sees after all the others.
            middleware=[self._remembering, *middleware, _Edge(self.name)],
        )

    def run(self, view: Memory, text: str) -> Reply:
        with self._turn(view, text) as (opened, message, config):
            kept = kept_texts(view, opened.receipt)
            with self._limits():
                state = self._agent.invoke(cast("Any", {"messages": [message]}), config)
            return self._reply(opened, kept, state["messages"])

    async def arun(self, view: Memory, text: str) -> Reply:
        turn = self._turn(view, text)
        opened, message, config = await anyio.to_thread.run_sync(turn.__enter__)
        try:
            kept = await anyio.to_thread.run_sync(kept_texts, view, opened.receipt)
            with self._limits():
                state = await self._agent.ainvoke(cast("Any", {"messages": [message]}), config)
            return self._reply(opened, kept, state["messages"])
        finally:
            turn.__exit__(None, None, None)

    def stream(self, view: Memory, text: str) -> Iterator[str]:
        with self._turn(view, text) as (_, message, config), self._limits():
            pieces = _Pieces()
            state = cast("Any", {"messages": [message]})
            for part, meta in self._agent.stream(state, config, stream_mode="messages"):
                if piece := pieces.take(part, cast("dict[str, Any]", meta)):
                    yield piece
            if pieces.silent:
                raise self._silence()

    async def astream(self, view: Memory, text: str) -> AsyncIterator[str]:
        turn = self._turn(view, text)
        _, message, config = await anyio.to_thread.run_sync(turn.__enter__)
        try:
            with self._limits():
                pieces = _Pieces()
                state = cast("Any", {"messages": [message]})
                async for part, meta in self._agent.astream(state, config, stream_mode="messages"):
                    if piece := pieces.take(part, cast("dict[str, Any]", meta)):
                        yield piece
                if pieces.silent:
                    raise self._silence()
        finally:
            turn.__exit__(None, None, None)

    # --- parts of a run --------------------------------------------------------------------------

    @contextmanager
    def _turn(self, view: Memory, text: str) -> Iterator[tuple[OpenTurn, HumanMessage, Any]]:
        """A turn whose message is recorded and recalled for, and that is let go of in the end."""
        scope = view.scope.as_dict()
        message = HumanMessage(text, id=new_id())
        opened = self._remembering.start(message, scope)
        config = {"configurable": scope, "recursion_limit": self._limit}
        try:
            yield opened, message, config
        finally:
            self._remembering.end(message, scope)

    @contextmanager
    def _limits(self) -> Iterator[None]:
        try:
            yield
        except GraphRecursionError as error:
            raise ModelError(
                f"{self.name} went on calling tools without an answer (max_steps={self._steps}). "
                "What was said is recorded"
            ) from error

    def _reply(
        self, opened: OpenTurn, kept: tuple[str, ...], messages: Sequence[AnyMessage]
    ) -> Reply:
        answer = messages[-1]
        if not answer.text.strip():
            raise self._silence()
        return Reply(
            text=answer.text,
            kept=kept,
            support=opened.context.support,
            trace_id=opened.context.trace_id,
            tools=_uses(messages),
            model=self.name,
        )

    def _silence(self) -> ModelError:
        return ModelError(
            f"{self.name} answered with nothing. What was said is recorded; ask again",
            retryable=True,
        )


class _Pieces:
    """Reads a stream: the pieces of text that the model of this very agent says. `silent` is
    whether there was none in the last message, which is the answer."""

    def __init__(self) -> None:
        self.silent = True
        self._message: str | None = None

    def take(self, part: Any, meta: Mapping[str, Any]) -> str:
        """The text of a part of the stream."""
        own = meta.get("langgraph_node") == "model" and "|" not in meta.get("checkpoint_ns", "")
        # Middleware that asks a model of its own marks that call.
        if not own or "lc_source" in meta or not isinstance(part, AIMessage):
            return ""
        if part.id != self._message:
            self._message, self.silent = part.id, True
        self.silent = self.silent and not part.text.strip()
        return part.text


class _Edge(AgentMiddleware[AgentState[Any], Any, Any]):
    """Next to the model and the tools: what they raise becomes one kind of error of ours, or an
    answer that the model can act on."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        with self._model_errors():
            return handler(request)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        with self._model_errors():
            return await handler(request)

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        try:
            return handler(request)
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 a tool may raise anything; the model is told
            return _failure(request, error)

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        try:
            return await handler(request)
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 a tool may raise anything; the model is told
            return _failure(request, error)

    @contextmanager
    def _model_errors(self) -> Iterator[None]:
        try:
            yield
        except (JiyiError, GraphBubbleUp):
            raise
        except Exception as error:
            raise ModelError(
                f"{self._name} failed ({type(error).__name__}). What was said is recorded",
                retryable=True,
            ) from error


def _open_model(model: Any) -> BaseChatModel:
    if isinstance(model, BaseChatModel):
        return model
    if not isinstance(model, str):
        raise ConfigurationError(
            f"a {type(model).__name__} is no LangChain chat model. Pass one, a name such as "
            "'ollama:qwen3:8b', or None"
        )
    try:
        return init_chat_model(model)
    except (ImportError, ValueError) as error:
        raise ConfigurationError(f"no chat model {model!r}: {error}") from error


def _name_of(chosen: BaseChatModel, asked: Any) -> str:
    if isinstance(asked, str):
        return asked
    called = getattr(chosen, "model_name", None) or getattr(chosen, "model", None)
    return called if isinstance(called, str) else type(chosen).__name__


def _failure(request: ToolCallRequest, error: Exception) -> ToolMessage:
    name = request.tool_call["name"]
    return ToolMessage(
        f"Error: {name} failed ({type(error).__name__}: {error})",
        name=name,
        tool_call_id=request.tool_call["id"] or "",
        status="error",
    )


def _uses(messages: Sequence[BaseMessage]) -> tuple[ToolUse, ...]:
    results = {m.tool_call_id: m for m in messages if isinstance(m, ToolMessage)}
    return tuple(
        ToolUse(
            name=call["name"],
            arguments=call["args"],
            result=answer.text if (answer := results.get(call["id"] or "")) else "",
            failed=answer is not None and answer.status == "error",
        )
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    )
