"""One exchange of a chat: what was asked, what memory adds, what was newly said. Pure functions on
messages as OpenAI writes them; whatever they do not know stays as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

from jiyi.text.normalise import storable

Message = Mapping[str, Any]

_SYSTEM: Final = frozenset({"system", "developer"})
_DATA: Final = b"data:"
_DONE: Final = b"[DONE]"
_LONGEST: Final = 1_000_000  # bytes of a reply that are kept for recording


def text_of(message: Message) -> str:
    """The words of a message; pictures and sounds have none."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = [part.get("text") for part in content if isinstance(part, Mapping)]
    return "\n".join(part for part in parts if isinstance(part, str))


def newly_said(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """What the user said since the last answer, as `Memory.observe` takes it.

    Programs send the whole conversation each time. Each message is named by a hash of everything
    up to it, so that a request that is sent again records nothing twice. What no store takes is
    replaced: the user waits for an answer and cannot be asked to write it anew.
    """
    said: list[dict[str, Any]] = []
    digest = blake2b(digest_size=16)
    for message in messages:
        digest.update(json.dumps(message, sort_keys=True, default=str).encode())
        if message.get("role") == "assistant":
            said.clear()
        elif message.get("role") == "user" and text_of(message).strip():
            id = f"chat:{digest.hexdigest()}"
            name = message.get("name")
            said.append(
                {
                    "role": "user",
                    "content": storable(text_of(message)),
                    "id": id,
                    **({"name": storable(name)} if isinstance(name, str) and name else {}),
                }
            )
    return said


def answer_to(messages: Sequence[Message], text: str, *, cut: bool) -> dict[str, Any]:
    """The reply as `Memory.observe` takes it."""
    digest = blake2b(digest_size=16)
    digest.update(json.dumps(messages, sort_keys=True, default=str).encode())
    digest.update(text.encode("utf-8", "surrogatepass"))
    meta = {"meta": {"cut": True}} if cut else {}
    return {
        "role": "assistant",
        "content": storable(text),
        "id": f"chat:{digest.hexdigest()}",
        **meta,
    }


def with_context(messages: Sequence[Message], text: str) -> list[Message]:
    """The messages with what memory knows: at the end of the first system message, for some models
    take only one, or before everything else."""
    if not text:
        return list(messages)
    first = messages[0] if messages else None
    if first is None or first.get("role") not in _SYSTEM:
        return [{"role": "system", "content": text}, *messages]
    content = first.get("content")
    if isinstance(content, list):
        longer: Any = [*content, {"type": "text", "text": text}]
    else:
        longer = f"{content}\n\n{text}" if content else text
    return [{**first, "content": longer}, *messages[1:]]


def text_in(body: bytes) -> str:
    """The words of the first choice of a whole answer; empty when it holds none."""
    try:
        return text_of(json.loads(body)["choices"][0]["message"])
    except (ValueError, KeyError, IndexError, TypeError):
        return ""


class StreamedText:
    """Gathers the words of the first choice while a streamed answer passes by."""

    def __init__(self) -> None:
        self._rest = b""
        self._parts: list[str] = []
        self._size = 0
        self.done = False
        self.recorded = False

    @property
    def text(self) -> str:
        """What was said so far."""
        return "".join(self._parts)

    def feed(self, chunk: bytes) -> None:
        """Look at the next bytes, however they were cut."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(_DATA):
                self._read(line[len(_DATA) :].strip())

    def _read(self, data: bytes) -> None:
        if data == _DONE:
            self.done = True
            return
        try:
            choices = json.loads(data)["choices"]
            said = [c["delta"].get("content") for c in choices if c.get("index", 0) == 0]
        except (ValueError, KeyError, TypeError, AttributeError):
            return
        for part in said:
            if isinstance(part, str) and self._size + len(part) < _LONGEST:
                self._parts.append(part)
                self._size += len(part)
