"""One turn of the loop, whatever framework runs it: opened before the model is called, and what
comes of it recorded as it happens."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from jiyi.agent.quotes import changed, done_about, question_of
from jiyi.errors import JiyiError
from jiyi.text.normalise import storable
from jiyi.types import Receipt

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import Context, Turn

logger = logging.getLogger("jiyi")

LONGEST: Final = 200_000
"""Characters of a reply or a tool's result that are kept; a user's message is never cut."""

MOST_ARGUMENTS: Final = 8_000
"""Characters of the arguments of a tool call that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """What the application says to every turn: the agent's identity and rules, and how many tokens
    of context there may be."""

    budget: int = 2000
    identity: str | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the user. `key` makes recording it twice harmless."""

    text: str
    key: str | None = None
    name: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn whose message is recorded: what memory gives to the model for it. `done` says what
    the message made memory forget."""

    context: Context
    receipt: Receipt
    keys: frozenset[str] = frozenset()
    done: tuple[str, ...] = ()

    @property
    def system(self) -> str:
        """The context without the last turns, for the system prompt. What changes least comes
        first."""
        layers = [layer.text for layer in self.context.layers if layer.name != "recent"]
        return "\n\n".join([*layers, *self.done])

    @property
    def before(self) -> tuple[Turn, ...]:
        """The last turns of the session up to this message as they were said, without tools."""
        earlier = takewhile(lambda turn: not self._is_own(turn), self.context.recent)
        return tuple(
            turn for turn in earlier if turn.role in ("user", "assistant") and not _only_calls(turn)
        )

    def _is_own(self, turn: Turn) -> bool:
        return turn.id in self.receipt.turn_ids or turn.key in self.keys


def open_turn(
    memory: Memory, said: Sequence[Said], guidance: Guidance, *, record: bool = True
) -> OpenTurn:
    """Recall for a message, and record it, whatever becomes of the recall.

    The context is built before the message is recorded, so that a question is not its own answer;
    it is built again where the message changed what is known ("I moved", "forget that").

    Raises:
        InvalidInputError: there is nothing in the message, or a field cannot be stored.
        StoreUnavailableError: it could not be recorded.
    """
    query = question_of("\n".join(message.text for message in said))
    messages = [
        {
            "role": "user",
            "content": message.text,
            "id": message.key,
            "name": message.name,
            "meta": message.meta,
        }
        for message in said
    ]

    def build() -> Context:
        return memory.context(
            query, budget=guidance.budget, identity=guidance.identity, rules=guidance.rules
        )

    keys = frozenset(message.key for message in said if message.key is not None)
    if not record:
        return OpenTurn(build(), Receipt(), keys)
    try:
        context = build()
    finally:
        receipt = memory.observe(messages)
    if changed(receipt):
        context = build()
    return OpenTurn(context, receipt, keys, done_about(receipt, said[-1].text))


def record_reply(
    memory: Memory, text: str, *, calls: Sequence[Mapping[str, Any]] = (), key: str | None = None
) -> None:
    """Record what the model said, and which tools it called."""
    if not text.strip() and not calls:
        return
    message: dict[str, Any] = {"role": "assistant", "content": _storable(text) or None, "id": key}
    if calls:
        message["tool_calls"] = [_call(call) for call in calls]
    _observe(memory, message)


def record_result(
    memory: Memory, text: str, *, name: str, call_id: str, failed: bool, key: str | None = None
) -> None:
    """Record what a tool answered."""
    message = {
        "role": "tool",
        "name": name,
        "content": _storable(text) or "[nothing]",
        "tool_call_id": call_id,
        "id": key,
        "meta": {"error": True} if failed else {},
    }
    _observe(memory, message)


def _observe(memory: Memory, message: Mapping[str, Any]) -> None:
    """Record what cannot be taken back: it was said, and the user is waiting for it. A store that
    fails here is logged, not raised in place of the answer."""
    try:
        memory.observe(message)
    except JiyiError as error:
        logger.warning("%s turn not recorded (%s)", message["role"], type(error).__name__)


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    kept = {"id": call.get("id"), "name": call.get("name")}
    with suppress(TypeError, ValueError):
        if len(json.dumps(call.get("args"), ensure_ascii=False)) <= MOST_ARGUMENTS:
            kept["args"] = call.get("args")
    return kept


def _storable(text: str) -> str:
    """A text that nobody can be asked to correct, as the store takes it."""
    clean = storable(text)
    return clean if len(clean) <= LONGEST else clean[:LONGEST] + " […]"


def _only_calls(turn: Turn) -> bool:
    return bool(turn.meta.get("tool_calls")) and turn.text.startswith("[calls ")
