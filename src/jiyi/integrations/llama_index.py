"""A memory block for LlamaIndex's `Memory` (extra `llama-index`).

    import jiyi
    from jiyi.integrations.llama_index import JiyiMemoryBlock
    from llama_index.core.memory import Memory

    block = JiyiMemoryBlock(memory=jiyi.Memory("agent.db").scoped(user="sun"))
    memory = Memory.from_defaults(session_id="A", memory_blocks=[block])
    await agent.run("…", memory=memory)
    await block.aput(await memory.aget_all(), session_id="A")  # when the conversation ends

LlamaIndex keeps the window of the conversation; what leaves it goes into the block, which gives
back what bears on the last message. The last line hands over what never left the window.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import anyio.to_thread
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

from jiyi.encode.intake import ROLE_NAMES
from jiyi.memory import Memory
from jiyi.text.tokens import count_tokens
from jiyi.types import Role

__all__ = ["JiyiMemoryBlock"]

ROLES: Final[Mapping[str, Role]] = {**ROLE_NAMES, "chatbot": "assistant", "model": "assistant"}


class JiyiMemoryBlock(BaseMemoryBlock[str]):
    """What is known of a user and bears on the last message, as text.

    `priority` is LlamaIndex's: 0 is never cut, which `budget` makes safe.
    """

    name: str = "memory"
    description: str | None = "What is known from this and former conversations."
    memory: Memory = Field(exclude=True, description="Whose memory: `memory.scoped(user=…)`.")
    budget: int = Field(default=1500, ge=1, description="Tokens that the block gives, at most.")
    learn: bool = Field(default=True, description="Whether facts are drawn from what users say.")

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        asked = [text for m in messages or () if m.role == "user" and (text := _text(m))]
        if not asked:
            return ""

        def recall() -> str:
            return self.memory.context(asked[-1], budget=self.budget).text

        return await anyio.to_thread.run_sync(recall)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        by_session: dict[str | None, list[dict[str, str]]] = {}
        for message in messages:
            session = message.additional_kwargs.get("session_id")
            if text := _text(message):
                said = {"role": ROLES[message.role.value], "content": text}
                by_session.setdefault(session, []).append(said)

        def observe() -> None:
            for session, said in by_session.items():
                # A view's own session stands where LlamaIndex names none.
                view = self.memory if session is None else self.memory.scoped(session=session)
                view.observe(said, encode=self.learn)

        await anyio.to_thread.run_sync(observe)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The text without its last lines, shorter by at least so many tokens; None if none is
        left. The most important stands first."""
        lines = content.splitlines()
        allowed = count_tokens(content) - tokens_to_truncate
        while lines and count_tokens("\n".join(lines)) > allowed:
            lines.pop()
        return "\n".join(lines).rstrip() or None


def _text(message: ChatMessage) -> str:
    return (message.content or "").strip()
