"""Microsoft Agent Framework's providers on ours (extra `agent-framework`).

    from agent_framework import Agent
    from jiyi import Memory
    from jiyi.integrations.agent_framework import JiyiContextProvider

    provider = JiyiContextProvider(Memory("agent.db").scoped(user="sun"))
    agent = Agent(client, "Be brief.", context_providers=[provider])

The provider adds what is known before a run, records what is said, and gives the model the tools
`recall`, `remember` and `forget`. `JiyiHistoryProvider` keeps the messages of each session and
hands them back to the letter; use both with `record=False`, for one record is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio.to_thread
from agent_framework import ContextProvider, FunctionTool, HistoryProvider, Message, tool

from jiyi.agent.model_tools import TOOL_NAMES, ModelTools, ToolKind, ToolName
from jiyi.encode.intake import ROLE_NAMES
from jiyi.errors import InvalidInputError, JiyiError
from jiyi.integrations.session_log import Said, SessionLog

if TYPE_CHECKING:
    from agent_framework import AgentSession, SessionContext, SupportsAgentRun

    from jiyi.memory import Memory
    from jiyi.types import Role, ScopeFields, Turn

__all__ = ["JiyiContextProvider", "JiyiHistoryProvider", "memory_tools"]

LABEL: Final = "agent_framework"
R = TypeVar("R")


class JiyiContextProvider(ContextProvider):
    """Recall before a run, record during it, tools for the model.

    The user's words are recorded before the model is asked: they stay when it fails.

    Args:
        memory: whose memory; use `memory.scoped(user=…)`.
        scope: what a run is about, from its session, such as
            `lambda session: {"user": session.state["user"]}`.
        budget: tokens of what is added to the instructions, at most; 0 adds nothing.
        tools: which tools the model has.
        record: False when a `JiyiHistoryProvider` of the same memory records already.
        learn: False records only.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        scope: Callable[[AgentSession], ScopeFields] | None = None,
        budget: int = 2000,
        tools: Sequence[ToolName] = TOOL_NAMES,
        record: bool = True,
        learn: bool = True,
        source_id: str = "jiyi",
    ) -> None:
        super().__init__(source_id)
        self._memory = memory
        self._scope = scope
        self._budget = budget
        self._tools = tuple(tools)
        self._record = record
        self._learn = learn

    async def before_run(
        self,
        *,
        agent: SupportsAgentRun,
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],
    ) -> None:
        """Add what is known and bears on the user's last message, and the tools."""
        view = self._view(session)
        asked = [m.text for m in context.input_messages if m.role == "user" and m.text.strip()]

        def begin() -> str:
            known = ""
            if asked and self._budget:
                known = view.context(asked[-1], budget=self._budget).text
            self._keep(view, session, context.input_messages)
            return known

        if known := await anyio.to_thread.run_sync(begin):
            context.extend_instructions(self.source_id, known)
        if self._tools:
            context.extend_tools(self.source_id, memory_tools(view, names=self._tools))

    async def after_run(
        self,
        *,
        agent: SupportsAgentRun,
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],
    ) -> None:
        """Record what the agent and its tools said, but for the tools of a memory."""
        if context.response is not None:
            view, said = self._view(session), context.response.messages
            await anyio.to_thread.run_sync(self._keep, view, session, said)

    def _view(self, session: AgentSession) -> Memory:
        return self._memory if self._scope is None else self._memory.scoped(**self._scope(session))

    def _keep(self, view: Memory, session: AgentSession, messages: Sequence[Message]) -> None:
        own = {
            content.call_id
            for message in messages
            for content in message.contents
            if content.type == "function_call" and content.name in TOOL_NAMES
        }
        turns: list[dict[str, str]] = []
        for message in messages:
            results = [c for c in message.contents if c.type == "function_result"]
            if results and all(c.call_id in own for c in results):
                continue
            text = _words(message)
            if text.strip():
                turns.append({"role": _role(message), "content": text})
        if turns and self._record:
            name = view.scope.session or session.session_id
            view.scoped(session=name).observe(turns, encode=self._learn)


class JiyiHistoryProvider(HistoryProvider):
    """The messages of each session, kept as turns of a memory, to the letter.

    What else was said in a session (by `observe`) stands among them. `options` are those of
    HistoryProvider, such as `store_outputs`.

    Args:
        memory: whose sessions; use `memory.scoped(user=…)`.
        limit: how many of the newest messages are loaded; None loads all.
        learn: False keeps the messages only.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        limit: int | None = None,
        learn: bool = True,
        source_id: str = "jiyi_history",
        **options: Any,
    ) -> None:
        super().__init__(source_id, **options)
        self._memory = memory
        self._limit = limit
        self._learn = learn

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Message]:
        """The messages of a session, oldest first."""
        if session_id is None:
            return []
        log = self._log(session_id)
        turns = await anyio.to_thread.run_sync(log.turns, self._limit)
        return [message for turn in turns if (message := _message(log, turn)) is not None]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Append messages to a session; all or none.

        Raises:
            InvalidInputError: no session, or what JSON cannot hold.
        """
        if session_id is None:
            raise InvalidInputError("session_id", "is missing", "Run the agent in a session")
        said = [
            Said(role=_role(m), text=_words(m), form=m.to_dict(), name=m.author_name)
            for m in messages
        ]
        await anyio.to_thread.run_sync(self._log(session_id).add, said)

    async def clear(self, session_id: str) -> None:
        """Erase a session for good, with what was learned from it alone."""
        await anyio.to_thread.run_sync(self._log(session_id).clear)

    def _log(self, session_id: str) -> SessionLog:
        return SessionLog(self._memory, session_id, label=LABEL, learn=self._learn)


def memory_tools(memory: Memory, *, names: Sequence[ToolName] = TOOL_NAMES) -> list[FunctionTool]:
    """The tools alone, for `Agent(…, tools=memory_tools(memory))`. What a model gets wrong comes
    back to it as a text that it can act on."""
    mine = ModelTools(memory)

    async def told(work: Callable[[], str]) -> str:
        try:
            return await anyio.to_thread.run_sync(work)
        except JiyiError as error:
            return f"Error: {error}"

    async def recall(query: str, limit: int = 5) -> str:
        return await told(lambda: mine.recall(query, limit))

    async def remember(text: str, kind: ToolKind = "semantic") -> str:
        return await told(lambda: mine.remember(text, kind))

    async def forget(query: str | None = None, ids: list[str] | None = None) -> str:
        return await told(lambda: mine.forget(query, ids))

    known: dict[str, Callable[..., Any]]
    known = {"recall": recall, "remember": remember, "forget": forget}
    return [
        tool(known[name], name=name, description=getattr(ModelTools, name).__doc__)
        for name in names
    ]


def _role(message: Message) -> Role:
    return ROLE_NAMES.get(str(message.role), "assistant")


def _words(message: Message) -> str:
    """The text of a message; of calls the names, of results what came back."""
    parts = []
    for content in message.contents:
        if content.type == "function_call":
            parts.append(f"[calls {content.name}]")
        elif content.type == "function_result":
            parts.append(str(content.result))
        elif content.type == "text" and content.text:
            parts.append(content.text)
    return "\n".join(parts)


def _message(log: SessionLog, turn: Turn) -> Message | None:
    form = log.form(turn)
    if form is not None:
        return Message.from_dict(form)
    if turn.role == "tool":  # a result without its call means nothing here
        return None
    return Message(role=turn.role, contents=[turn.text], author_name=turn.name)
