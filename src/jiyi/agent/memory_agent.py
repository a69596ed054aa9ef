"""`MemoryAgent`: the whole loop, for each user and session, with any chat model or with none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import anyio.to_thread

from jiyi.agent.quotes import quote
from jiyi.agent.reply import Reply
from jiyi.agent.scopes import memory_of
from jiyi.errors import ConfigurationError
from jiyi.ids import new_id
from jiyi.text.normalise import check_text
from jiyi.types import ScopeFields, Visibility

if TYPE_CHECKING:
    from jiyi.agent.graph import Graph
    from jiyi.agent.model_tools import ToolName
    from jiyi.aio import AsyncMemory
    from jiyi.memory import Memory

NO_MODEL: Final = "MemoryAgent(model=…)"


class MemoryAgent:
    """An agent that knows who it talks to.

    Each message is recorded, what is known is put before the model, the model answers with the help
    of tools, and the answer is recorded. What users said explicitly is in force at once; the rest
    is drawn from the turns in the background.

    Args:
        model: a LangChain chat model; a name for its `init_chat_model`, such as "ollama:qwen3:8b";
            or None: then answers are quotes from memory.
        memory: a `Memory` or `AsyncMemory`, or a view of one.
        tools: LangChain tools or functions, beside those of memory.
        identity, rules: who the agent is and what it keeps to, put first.
        budget: tokens of context, at most.
        memory_tools: which of `recall`, `remember` and `forget` the model may call itself.
        visibilities: who may read what the model remembers; see `jiyi.agent.memory_tools`.
        middleware: further middleware of LangChain.
        max_steps: how often the model may be called for one message.
        scope: scope fields of every turn, such as `agent="phenotype"`.

    Raises:
        ConfigurationError: the model's name leads nowhere, or a package is missing.
    """

    def __init__(
        self,
        model: Any,
        memory: Memory | AsyncMemory,
        *,
        tools: Sequence[Any] = (),
        identity: str | None = None,
        rules: Sequence[str] = (),
        budget: int = 2000,
        memory_tools: Sequence[ToolName] = ("recall", "remember", "forget"),
        visibilities: Sequence[Visibility] = ("user",),
        middleware: Sequence[Any] = (),
        max_steps: int = 12,
        **scope: str | None,
    ) -> None:
        self._memory = memory_of(memory).scoped(**cast("ScopeFields", scope))
        # A conversation of its own, for callers that name none.
        self._session = self._memory.scope.session or f"agent {new_id()}"
        self._graph: Graph | None = None
        if model is not None:
            try:
                from jiyi.agent.graph import Graph
            except ModuleNotFoundError as error:
                raise ConfigurationError.missing_extra(
                    "an agent with a model", "langchain"
                ) from error
            self._graph = Graph(
                model,
                self._memory,
                tools=tools,
                identity=identity,
                rules=rules,
                budget=budget,
                memory_tools=memory_tools,
                visibilities=visibilities,
                middleware=middleware,
                max_steps=max_steps,
            )

    def chat(self, text: str, **scope: str | None) -> Reply:
        """Answer a message.

        Args:
            scope: whose message it is: `user`, `session`, and so on. Without a session it belongs
                to one conversation that this agent keeps for each user.

        Raises:
            InvalidInputError: the message is empty or cannot be stored; then nothing is recorded.
            ModelError: the model failed, called tools without end, or said nothing. The message is
                recorded, and the conversation can go on.
        """
        view = self._view(text, scope)
        if self._graph is None:
            return _quoted(view, text)
        return self._graph.run(view, text)

    async def achat(self, text: str, **scope: str | None) -> Reply:
        """The same, awaited."""
        view = self._view(text, scope)
        if self._graph is None:
            return await anyio.to_thread.run_sync(_quoted, view, text)
        return await self._graph.arun(view, text)

    def stream(self, text: str, **scope: str | None) -> Iterator[str]:
        """Answer a message piece by piece. Errors are those of `chat`, raised while reading."""
        view = self._view(text, scope)
        if self._graph is None:
            yield _quoted(view, text).text
        else:
            yield from self._graph.stream(view, text)

    async def astream(self, text: str, **scope: str | None) -> AsyncIterator[str]:
        """The same, awaited."""
        view = self._view(text, scope)
        if self._graph is None:
            yield (await anyio.to_thread.run_sync(_quoted, view, text)).text
        else:
            async for piece in self._graph.astream(view, text):
                yield piece

    def _view(self, text: str, scope: Mapping[str, str | None]) -> Memory:
        check_text(text, "text")
        named = {name: value for name, value in scope.items() if value is not None}
        return self._memory.scoped(**cast("ScopeFields", {"session": self._session, **named}))


def _quoted(view: Memory, text: str) -> Reply:
    quotes = quote(view, text)
    return Reply(
        text=quotes.text(hint=NO_MODEL),
        kept=quotes.kept,
        support=quotes.found.support,
        trace_id=quotes.found.trace_id,
    )
