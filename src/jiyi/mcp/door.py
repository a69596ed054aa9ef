"""Who calls, and so which memory a tool acts on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import Right

Door = Callable[["Right"], "Memory"]
"""The memory of whoever makes the call that is being answered now, for what needs this right.

Raises AccessError when they lack it.
"""


def open_door(memory: Memory) -> Door:
    """One memory for every call, with every right: what a program of one user needs."""
    return lambda _: memory
