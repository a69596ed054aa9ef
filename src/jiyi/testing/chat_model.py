"""A chat model that says what it was told to say."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the messages and the schema as they came."""

    messages: tuple[Mapping[str, str], ...]
    schema: Mapping[str, Any] | None

    @property
    def text(self) -> str:
        """Everything that was said to the model, for assertions on prompts."""
        return "\n".join(str(message.get("content", "")) for message in self.messages)


class ScriptedChatModel:
    """Gives its replies one by one and keeps what it was asked in `calls`.

    Args:
        replies: texts to answer with, or exceptions to raise, in this order.
        name: the model's name.
        repeat_last: answer with the last reply for ever instead of failing.

    A call beyond the script raises AssertionError, which no error handling of ours swallows.
    """

    def __init__(
        self,
        replies: Iterable[str | Exception] = (),
        *,
        name: str = "scripted",
        repeat_last: bool = False,
    ) -> None:
        self.name = name
        self.calls: list[Call] = []
        self._replies = list(replies)
        self._repeat_last = repeat_last
        self._lock = threading.Lock()

    @property
    def remaining(self) -> int:
        """Replies not given yet."""
        return max(0, len(self._replies) - len(self.calls))

    def complete(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any] | None = None
    ) -> str:
        """The next reply of the script."""
        with self._lock:
            self.calls.append(Call(tuple(dict(message) for message in messages), schema))
            position = len(self.calls) - 1
            if position >= len(self._replies):
                if not (self._repeat_last and self._replies):
                    raise AssertionError(
                        f"call {position + 1}, but the script has {len(self._replies)} replies"
                    )
                position = -1
            reply = self._replies[position]
        if isinstance(reply, Exception):
            raise reply
        return reply
