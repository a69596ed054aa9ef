"""The sliding window: the last turns of a session that are shown as they were said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jiyi.errors import InvalidInputError
from jiyi.text.exchanges import exchanges
from jiyi.text.tokens import TokenCounter, count_tokens
from jiyi.types import Turn

MAX_TURNS: Final = 8
MAX_TOKENS: Final = 4_000

TURN_OVERHEAD: Final = 4
"""Tokens that a chat template spends on one message beside its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The turns of a session in two: `kept` as they were said, and the `older` ones before or
    between them, which a summary stands for. Both in order; `tokens` are those of `kept`."""

    kept: tuple[Turn, ...]
    older: tuple[Turn, ...]
    tokens: int


def window(
    turns: Sequence[Turn],
    *,
    max_turns: int = MAX_TURNS,
    max_tokens: int = MAX_TOKENS,
    count: TokenCounter = count_tokens,
) -> Window:
    """Choose the last turns.

    The newest message of the user is always kept, alone above the limits if it must be. Then the
    newest turns follow backwards, without a gap, while both limits allow; a tool's result is never
    parted from its call.

    Args:
        turns: of one session, oldest first.
        max_turns: turns that are kept at most, at least 1.
        max_tokens: tokens of their texts at most, at least 1, with `TURN_OVERHEAD` for each.
        count: counts tokens.

    Raises:
        InvalidInputError: a limit below 1.
    """
    for field, value in (("max_turns", max_turns), ("max_tokens", max_tokens)):
        if value < 1:
            raise InvalidInputError(field, f"{value} is too few", "Use 1 or more")
    groups = exchanges(turns)
    newest = next(
        (place for place in reversed(range(len(groups))) if groups[place][0].role == "user"), None
    )
    kept = set() if newest is None else {newest}
    used = _size(groups, kept, count)
    number = sum(len(groups[place]) for place in kept)
    for place in reversed(range(len(groups))):
        if place in kept:
            continue
        size = _size(groups, {place}, count)
        if number + len(groups[place]) > max_turns or used + size > max_tokens:
            break
        kept.add(place)
        used += size
        number += len(groups[place])
    return Window(
        kept=tuple(turn for place in sorted(kept) for turn in groups[place]),
        older=tuple(
            turn for place, group in enumerate(groups) if place not in kept for turn in group
        ),
        tokens=used,
    )


def _size(groups: list[tuple[Turn, ...]], places: set[int], count: TokenCounter) -> int:
    return sum(count(turn.text) + TURN_OVERHEAD for place in places for turn in groups[place])
