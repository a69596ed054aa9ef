"""Memory as a capability of Pydantic AI agents (extra `pydantic-ai`).

    from jiyi import Memory
    from jiyi.integrations.pydantic_ai import JiyiCapability
    from pydantic_ai import Agent

    memory = JiyiCapability(Memory("agent.db"), scope=lambda ctx: {"user": ctx.deps})
    agent = Agent("openai:gpt-5", deps_type=str, capabilities=[memory])
    agent.run_sync("以后报告里请用公制单位", deps="sun")

One line gives an agent all of it: what is known comes before each run, what is said is kept, and
the model has the tools `recall`, `remember` and `forget`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import anyio.to_thread
from pydantic_ai import AbstractToolset, FunctionToolset, ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolReturnPart,
    UserContent,
)
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import AgentDepsT

from jiyi.agent.model_tools import TOOL_NAMES, ModelTools, ToolKind, ToolName
from jiyi.errors import JiyiError
from jiyi.memory import Memory
from jiyi.types import ScopeFields

__all__ = ["JiyiCapability", "memory_toolset"]


ScopeOf = Callable[[RunContext[AgentDepsT]], ScopeFields]
R = TypeVar("R")


@dataclass
class JiyiCapability(AbstractCapability[AgentDepsT]):
    """Recall before a run, record during it, tools for the model.

    The user's words are recorded before the model is asked: they stay when it fails. Messages of
    a conversation are turns of the session that `scope` names, or of Pydantic AI's
    `conversation_id`.

    Args:
        memory: whose memory.
        scope: what a run is about, from its context: {"user": …, "session": …}; else the view's.
        budget: tokens of what is added to the instructions, at most; 0 adds nothing.
        tools: which tools the model has.
        learn: False records only.
    """

    memory: Memory
    scope: ScopeOf[AgentDepsT] | None = None
    budget: int = 2000
    tools: Sequence[ToolName] = TOOL_NAMES
    learn: bool = True
    _known: str = field(default="", init=False, repr=False)

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractCapability[AgentDepsT]:
        """A capability of this run: what is known is asked once, before anything is said."""
        view, asked = self._view(ctx), _prompt(ctx)

        def begin() -> str:
            if not asked:
                return ""
            known = view.context(asked, budget=self.budget).text if self.budget else ""
            view.scoped(session=self._session(ctx)).observe(asked, encode=self.learn)
            return known

        mine = replace(self)
        mine._known = await anyio.to_thread.run_sync(begin)
        return mine

    def get_instructions(self) -> str | None:
        """What is known and bears on the prompt of the run."""
        return self._known or None

    def get_toolset(self) -> AbstractToolset[AgentDepsT] | None:
        """The tools of the model."""
        if not self.tools:
            return None
        return memory_toolset(self.memory, scope=self.scope, tools=self.tools)

    async def after_run(
        self, ctx: RunContext[AgentDepsT], *, result: AgentRunResult[Any]
    ) -> AgentRunResult[Any]:
        """Record what tools gave and the agent answered."""
        said = _answers(result.new_messages())
        if said:
            view = self._view(ctx).scoped(session=self._session(ctx))
            await anyio.to_thread.run_sync(lambda: view.observe(said, encode=self.learn))
        return result

    def _view(self, ctx: RunContext[AgentDepsT]) -> Memory:
        return self.memory if self.scope is None else self.memory.scoped(**self.scope(ctx))

    def _session(self, ctx: RunContext[AgentDepsT]) -> str | None:
        return self._view(ctx).scope.session or ctx.conversation_id


def memory_toolset(
    memory: Memory,
    *,
    scope: ScopeOf[AgentDepsT] | None = None,
    tools: Sequence[ToolName] = TOOL_NAMES,
) -> FunctionToolset[AgentDepsT]:
    """The tools alone, for an agent that is to decide itself what it keeps: `Agent(…,
    toolsets=[memory_toolset(memory)])`. What a model gets wrong comes back to it to try again."""

    async def ask(ctx: RunContext[AgentDepsT], work: Callable[[ModelTools], R]) -> R:
        view = memory if scope is None else memory.scoped(**scope(ctx))
        try:
            return await anyio.to_thread.run_sync(lambda: work(ModelTools(view)))
        except JiyiError as error:
            raise ModelRetry(str(error)) from error

    async def recall(ctx: RunContext[AgentDepsT], query: str, limit: int = 5) -> str:
        return await ask(ctx, lambda mine: mine.recall(query, limit))

    async def remember(ctx: RunContext[AgentDepsT], text: str, kind: ToolKind = "semantic") -> str:
        return await ask(ctx, lambda mine: mine.remember(text, kind))

    async def forget(
        ctx: RunContext[AgentDepsT], query: str | None = None, ids: list[str] | None = None
    ) -> str:
        return await ask(ctx, lambda mine: mine.forget(query, ids))

    toolset: FunctionToolset[AgentDepsT] = FunctionToolset(id="jiyi")
    known: dict[str, Callable[..., Any]]
    known = {"recall": recall, "remember": remember, "forget": forget}
    for name in tools:
        known[name].__doc__ = getattr(ModelTools, name).__doc__
        toolset.add_function(known[name], takes_ctx=True, name=name)
    return toolset


def _prompt(ctx: RunContext[Any]) -> str:
    """The words of the run's prompt."""
    prompt: str | Sequence[UserContent] | None = ctx.prompt
    if prompt is None or isinstance(prompt, str):
        return (prompt or "").strip()
    texts = (getattr(part, "content", part) for part in prompt)
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _answers(messages: Sequence[ModelMessage]) -> list[dict[str, str]]:
    """What the agent and its tools said, but for the tools of a memory."""
    said = []
    for message in messages:
        for part in message.parts:
            if isinstance(message, ModelResponse) and isinstance(part, TextPart):
                role, text = "assistant", part.content
            elif isinstance(part, ToolReturnPart) and part.tool_name not in TOOL_NAMES:
                role, text = "tool", part.model_response_str()
            else:
                continue
            if text.strip():
                said.append({"role": role, "content": text})
    return said
