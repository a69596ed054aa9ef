"""What a chat model is asked. The instruction itself is `prompt.txt`: small, with rules and
examples in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jiyi.encode.slots import SLOTS, SlotSpec
from jiyi.text.sentences import pieces
from jiyi.text.tokens import count_tokens
from jiyi.types import Turn

SEGMENT_TURNS: Final = 10
SEGMENT_TOKENS: Final = 3_000
"""One call reads about ten turns (F20); more in one prompt makes models overlook the middle."""

_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

_NULLABLE: Final = {"type": ["string", "null"]}
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "memories": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "quote": {"type": "string"},
                    "turn": {"type": "integer"},
                    "kind": {"type": "string", "enum": ["semantic", "episodic", "procedural"]},
                    "attribute": _NULLABLE,
                    "value": _NULLABLE,
                    "subject": {"type": "string"},
                    "date": _NULLABLE,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "importance": {"type": "number"},
                    "confidence": {"type": "number"},
                },
                "required": [
                    *("text", "quote", "turn", "kind", "attribute", "value", "subject", "date"),
                    *("tags", "importance", "confidence"),
                ],
                "additionalProperties": False,
            },
        }
    },
    "required": ["memories"],
    "additionalProperties": False,
}


@cache
def _instruction(names: tuple[str, ...]) -> str:
    text = files("jiyi.encode").joinpath("prompt.txt").read_text(encoding="utf-8")
    return text.replace("ATTRIBUTES", ", ".join(names)).strip()


def instruction(schema: Mapping[str, SlotSpec] = SLOTS) -> str:
    """The system message, with the names of the attributes that a fact may fill."""
    return _instruction(tuple(name for name in schema if name != "detail"))


def messages_for(
    segment: Sequence[tuple[int, str]],
    turns: Sequence[Turn],
    earlier: Sequence[Turn],
    schema: Mapping[str, SlotSpec] = SLOTS,
) -> list[dict[str, str]]:
    """The messages that ask about a segment: (number of the turn from 1, its text or a piece)."""
    parts = []
    if earlier:
        said = "\n".join(f"{turn.role}: {turn.text[:400]}" for turn in earlier)
        parts.append(f"Earlier, only to understand what follows:\n{said}\n")
    parts.append("The conversation:")
    parts += [f"[{number}] {_heading(turns[number - 1])}: {text}" for number, text in segment]
    return [
        {"role": "system", "content": instruction(schema)},
        {"role": "user", "content": "\n".join(parts)},
    ]


def repair_of(messages: Sequence[dict[str, str]], reply: str, problem: str) -> list[dict[str, str]]:
    """The messages that ask once more after a reply that could not be read."""
    again = (
        f"That could not be used: {problem}. Reply again with the JSON object only, and shorter."
    )
    return [
        *messages,
        {"role": "assistant", "content": reply[:2_000] or "(nothing)"},
        {"role": "user", "content": again},
    ]


def segments(turns: Sequence[Turn]) -> Iterator[list[tuple[int, str]]]:
    """Turns in portions for one call each; long turns come in pieces."""
    segment: list[tuple[int, str]] = []
    tokens, numbers = 0, set[int]()
    for number, turn in enumerate(turns, start=1):
        if turn.role in ("system", "tool"):
            continue
        for start, end in pieces(turn.text):
            text = turn.text[start:end]
            size = count_tokens(text)
            full = tokens + size > SEGMENT_TOKENS or len(numbers | {number}) > SEGMENT_TURNS
            if segment and full:
                yield segment
                segment, tokens, numbers = [], 0, set()
            segment.append((number, text))
            tokens += size
            numbers.add(number)
    if segment:
        yield segment


def _heading(turn: Turn) -> str:
    name = f" {turn.name}" if turn.name else ""
    return f"{turn.role}{name} ({turn.said_at:%Y-%m-%d} {_DAYS[turn.said_at.weekday()]})"
