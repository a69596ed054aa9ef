"""LangChain's chat-message history on ours (extra `langchain`). For whole agents see `jiyi.agent`.

from jiyi import Memory
from jiyi.integrations.langchain import JiyiChatMessageHistory

history = JiyiChatMessageHistory(Memory("agent.db").scoped(user="sun"), "session A")
history.add_user_message("以后报告里请用公制单位")
history.messages  # and Memory knows the preference from now on
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_from_dict,
)

from jiyi.encode.intake import ROLE_NAMES
from jiyi.errors import InvalidInputError
from jiyi.integrations.session_log import Said, SessionLog, text_of

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import Turn

__all__ = ["JiyiChatMessageHistory"]

LABEL: Final = "langchain"


class JiyiChatMessageHistory(BaseChatMessageHistory):
    """The messages of one session, kept as turns of a memory. Thread-safe.

    They come back to the letter, with tool calls, metadata and content parts; what else was said
    in the session (by `observe`) stands among them in its order. What the user says is learned
    from, as `observe` does.

    Args:
        memory: whose session it is; use `memory.scoped(user=…)`.
        session_id: the session's name, within its user.
        learn: False keeps the messages only.
    """

    def __init__(self, memory: Memory, session_id: str, *, learn: bool = True) -> None:
        super().__init__()
        self.session_id = session_id
        self._log = SessionLog(memory, session_id, label=LABEL, learn=learn)

    @property
    def messages(self) -> list[BaseMessage]:
        """Every message of the session, oldest first."""
        return [_read(self._log, turn) for turn in self._log.turns()]

    @messages.setter
    def messages(self, messages: Sequence[BaseMessage]) -> None:
        """Replace the whole session."""
        self._log.clear()
        self.add_messages(messages)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Append messages; all or none.

        Raises:
            InvalidInputError: a kind of message that nobody says, such as RemoveMessage.
        """
        self._log.add([_said(message) for message in messages])

    def clear(self) -> None:
        """Erase the session for good, with what was learned from it alone."""
        self._log.clear()


def _said(message: BaseMessage) -> Said:
    kind = message.type if message.type != "chat" else str(getattr(message, "role", ""))
    role = ROLE_NAMES.get(kind.removesuffix("MessageChunk").lower())
    if role is None:
        known = ", ".join(sorted(ROLE_NAMES))
        raise InvalidInputError("messages", f"{kind!r} is not said by anyone", f"Use: {known}")
    calls = getattr(message, "tool_calls", None) or ()
    text = text_of(message.content) or " ".join(f"[calls {call['name']}]" for call in calls)
    form = {"type": message.type, "data": message.model_dump(mode="json")}
    return Said(role=role, text=text, form=form, name=message.name)


def _read(log: SessionLog, turn: Turn) -> BaseMessage:
    form = log.form(turn)
    if form is not None:
        return messages_from_dict([form])[0]
    if turn.role == "tool":
        call = turn.meta.get("tool_call_id")
        return ToolMessage(turn.text, tool_call_id=call if isinstance(call, str) else turn.id)
    kinds = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}
    return cast("BaseMessage", kinds[turn.role](turn.text, name=turn.name, id=turn.id))
