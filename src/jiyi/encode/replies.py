"""A chat model's reply, read tolerantly: fences, reasoning, prose, other shapes, cut JSON.

Nothing here judges what a reply says; it only finds the proposals in it and says what was wrong.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

_THINKING: Final = re.compile(
    r"<(think|thinking|thought|reasoning|reflection)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
# A model whose template opens the tag itself shows only the end of it.
_THINKING_END: Final = re.compile(
    r"\A.*</(?:think|thinking|thought|reasoning|reflection)>", re.DOTALL | re.IGNORECASE
)
_TRAILING_COMMA: Final = re.compile(r",(?=\s*[}\]])")
_OPENING: Final = re.compile(r"[{\[]")
_TEXT_KEYS: Final = (
    *("text", "content", "memory", "fact", "statement", "description", "value_text"),
    *("记忆", "内容", "事实", "文本", "陈述"),
)
_DECODER: Final = json.JSONDecoder(strict=False)

Proposal = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply holds. `problem` says what was wrong with it, in words, or is None.

    `cut` is set when the JSON ends in the middle; the proposals before the cut are there.
    """

    proposals: tuple[Proposal, ...] = ()
    problem: str | None = None
    cut: bool = False


def read_reply(reply: str) -> Reply:
    """The proposals in a reply, each a mapping with "text"."""
    text = spoken(reply)
    if not text:
        return Reply(problem="the reply was empty")
    best: tuple[Proposal, ...] | None = None
    values = list(_values(text))
    for value, _ in values:
        found = _proposals(value)
        if found is not None and (best is None or len(found) > len(best)):
            best = found
    cut = _is_cut(text)
    if cut:
        # The outer value never ended: what is complete are the values inside it.
        inner = [p for value, _ in values for p in _proposals(value) or ()]
        return Reply(tuple(inner), "the JSON was cut off", cut=True)
    if best is None:
        return Reply(problem="there was no JSON with memories in the reply")
    return Reply(best)


def spoken(reply: str) -> str:
    """A reply without what the model only thought."""
    return _THINKING_END.sub("", _THINKING.sub("", reply)).strip()


def json_values(reply: str) -> list[Any]:
    """Every outermost JSON value in a reply, small faults repaired."""
    return [value for value, _ in _values(spoken(reply))]


def text_of(proposal: Proposal) -> str | None:
    """The statement of a proposal, whatever its key is called."""
    for key in _TEXT_KEYS:
        value = proposal.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return None


def _values(text: str) -> Iterator[tuple[Any, int]]:
    """Every outermost JSON value in a text, with its end; broken ones are entered."""
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        decoded = _decode(text, opening.start())
        if decoded is None:
            position = opening.end()
            continue
        yield decoded
        position = decoded[1]


def _decode(text: str, start: int) -> tuple[Any, int] | None:
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        pass
    except RecursionError:
        return None
    end = _closing(text, start)
    if end is None:
        return None
    part = text[start:end]
    for repaired in (_TRAILING_COMMA.sub("", part), part):
        try:
            return _DECODER.decode(repaired), end
        except (json.JSONDecodeError, RecursionError):
            pass
    # Small models write Python: single quotes, None, True.
    try:
        return ast.literal_eval(part), end
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _closing(text: str, start: int) -> int | None:
    """The end of the bracket that opens at `start`, or None when it never closes."""
    depth, quoted, escaped = 0, False, False
    for position in range(start, len(text)):
        sign = text[position]
        if quoted:
            quoted = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return position + 1
    return None


def _is_cut(text: str) -> bool:
    """Whether the reply's own JSON (it begins with it, or after a fence) never closes."""
    fence = re.search(r"```(?:json\w*|python)?\s*(?=[{\[])", text, re.IGNORECASE)
    start = fence.end() if fence is not None else 0
    opening = _OPENING.match(text, start)
    if opening is None:
        # Prose first: only a key with a list tells the reply's JSON from braces in the prose.
        opening = re.search(r'\{\s*"\w+"\s*:\s*\[', text)
    return opening is not None and _closing(text, opening.start()) is None


def _proposals(value: Any) -> tuple[Proposal, ...] | None:
    """The proposals of a JSON value; () when it says that there are none, None when it is
    something else."""
    if isinstance(value, list):
        found = [_proposal(item) for item in value]
        kept = tuple(p for p in found if p is not None)
        return kept if kept or not value else None
    if not isinstance(value, Mapping):
        return None
    single = _proposal(value)
    if single is not None:
        return (single,)
    lists = [_proposals(part) for part in value.values() if isinstance(part, list)]
    usable = [found for found in lists if found is not None]
    if usable:
        return max(usable, key=len)
    if value and all(part is None for part in value.values()):
        return ()  # {"memories": null}
    nested = [_proposals(part) for part in value.values() if isinstance(part, Mapping)]
    return max((found for found in nested if found is not None), key=len, default=None)


def _proposal(value: Any) -> Proposal | None:
    if isinstance(value, str):
        return {"text": value.strip()} if value.strip() else None
    if isinstance(value, Mapping) and text_of(value) is not None:
        return value
    return None
