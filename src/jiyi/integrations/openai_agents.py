"""The OpenAI Agents SDK's sessions on ours (extra `openai-agents`).

    from agents import Agent, RunConfig, Runner
    from jiyi import Memory
    from jiyi.integrations.openai_agents import JiyiSession, recall_filter

    sun = Memory("agent.db").scoped(user="sun")
    config = RunConfig(call_model_input_filter=recall_filter(sun))
    await Runner.run(Agent("helper"), "…", session=JiyiSession("A", sun), run_config=config)

The session keeps this conversation; the filter adds what is known from all others.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, cast

import anyio.to_thread
from agents.memory import SessionABC, SessionSettings
from agents.run_config import CallModelData, ModelInputData

from jiyi.encode.intake import ROLE_NAMES
from jiyi.integrations.session_log import Said, SessionLog, text_of

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

    from jiyi.memory import Memory
    from jiyi.types import Role, Turn

__all__ = ["JiyiSession", "recall_filter"]

LABEL: Final = "openai_agents"


class JiyiSession(SessionABC):
    """The items of one conversation, kept as turns of a memory.

    They come back to the letter, with calls, results and reasoning; what else was said in the
    session (by `observe`) stands among them in its order. What the user says is learned from, as
    `observe` does.

    Args:
        session_id: the session's name, within its user.
        memory: whose session it is; use `memory.scoped(user=…)`.
        session_settings: `limit` is how many of the newest items are handed to the model.
        learn: False keeps the items only.
    """

    def __init__(
        self,
        session_id: str,
        memory: Memory,
        *,
        session_settings: SessionSettings | None = None,
        learn: bool = True,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._log = SessionLog(memory, session_id, label=LABEL, learn=learn)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The newest `limit` items (None: those of the settings, or all), oldest first."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        turns = await anyio.to_thread.run_sync(self._log.turns, limit)
        return [item for turn in turns if (item := self._item(turn)) is not None]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Append items; all or none.

        Raises:
            InvalidInputError: an item that JSON cannot hold, or of more than 8 MiB.
        """
        said = [_said(cast("dict[str, Any]", item)) for item in items]
        await anyio.to_thread.run_sync(self._log.add, said)

    async def pop_item(self) -> TResponseInputItem | None:
        """Erase the newest item for good, with what was learned from it alone, and return it."""
        turn = await anyio.to_thread.run_sync(self._log.pop)
        return None if turn is None else self._item(turn)

    async def clear_session(self) -> None:
        """Erase the session for good, with what was learned from it alone."""
        await anyio.to_thread.run_sync(self._log.clear)

    def _item(self, turn: Turn) -> TResponseInputItem | None:
        form = self._log.form(turn)
        if form is None and turn.role != "tool":  # a result without its call means nothing here
            form = {"role": turn.role, "content": turn.text}
        return cast("TResponseInputItem | None", form)


def recall_filter(
    memory: Memory, *, budget: int = 2000
) -> Callable[[CallModelData[Any]], Coroutine[Any, Any, ModelInputData]]:
    """A `call_model_input_filter` that adds what is known and bears on the user's last message to
    the instructions of the agent.

    Args:
        memory: whose memory; use `memory.scoped(user=…)`.
        budget: tokens of what is added, at most.
    """

    def add(data: ModelInputData) -> ModelInputData:
        asked = [
            text_of(item.get("content"))
            for item in cast("list[dict[str, Any]]", data.input)
            if item.get("role") == "user"
        ]
        if not asked or not asked[-1].strip():
            return data
        known = memory.context(asked[-1], budget=budget).text
        parts = [part for part in (data.instructions, known) if part]
        return ModelInputData(input=data.input, instructions="\n\n".join(parts) or None)

    async def recall(data: CallModelData[Any]) -> ModelInputData:
        return await anyio.to_thread.run_sync(add, data.model_data)

    return recall


def _said(item: dict[str, Any]) -> Said:
    kind = str(item.get("type", "message"))
    role: Role = "tool" if kind.endswith("_output") else "assistant"
    role = ROLE_NAMES.get(str(item.get("role")), role)
    text = text_of(item.get("content")) or text_of(item.get("output"))
    if not text.strip():
        text = f"[calls {item['name']}]" if "name" in item else f"[{kind}]"
    return Said(role=role, text=text, form=item)
