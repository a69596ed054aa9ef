"""Which turns of a conversation belong together: a tool's result to the call that asked for it."""

from __future__ import annotations

from collections.abc import Sequence

from jiyi.types import Turn


def exchanges(turns: Sequence[Turn]) -> list[tuple[Turn, ...]]:
    """The turns in groups that must not be torn apart, in order.

    The turns of role "tool" belong to the turn before them. Results that come first, without
    their call, make a group of their own.
    """
    groups: list[list[Turn]] = []
    for turn in turns:
        if turn.role == "tool" and groups:
            groups[-1].append(turn)
        else:
            groups.append([turn])
    return [tuple(group) for group in groups]
