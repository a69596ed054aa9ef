"""How strong a memory still is: it fades with time, lasts longer with use, and loses by bad marks.

    strength = 2 ** (-age / (half_life * stretch)) * 0.5 ** min(2, bad marks above good ones)
    stretch  = 1 + ln(1 + uses + good marks),   1 once bad marks outweigh good ones

`age` runs from when the memory was last told, confirmed or used. Exponential forgetting goes back
to Ebbinghaus (1885); that each recall makes what is remembered last longer is the rule of
MemoryBank (Zhong et al. 2024, §2.3), taken here with a logarithm, so that a hundred uses do not
make a memory last for ever.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from jiyi.resolve.evidence import last_said
from jiyi.types import Kind, MemoryRecord

HALF_LIVES: Final[Mapping[Kind, timedelta]] = MappingProxyType(
    {
        "semantic": timedelta(days=30),
        "episodic": timedelta(days=30),
        "reflective": timedelta(days=30),
        "working": timedelta(days=30),
        "procedural": timedelta(days=90),
    }
)
"""After this long without use, half of a memory's strength is left. How to do things fades more
slowly than what happened (Squire 2004 on procedural memory)."""

PINNED_STRETCH: Final = 4.0
"""What is pinned fades this much more slowly; no policy archives it."""

HARM: Final = 0.5
"""Factor for each bad mark that no good one outweighs, down to the second."""


def strength(
    memory: MemoryRecord,
    now: datetime,
    half_lives: Mapping[Kind, timedelta] = HALF_LIVES,
) -> float:
    """From 0 to 1, higher is stronger; 1 for what was told or used just now and never faulted.

    A memory from the future (the clock stepped back) is as strong as a new one.
    """
    half_life = half_lives.get(memory.kind, HALF_LIVES[memory.kind])
    stretch = PINNED_STRETCH if memory.pinned else 1.0
    if not discredited(memory):
        stretch *= 1 + math.log1p(memory.use_count + memory.helpful)
    faded: float = 2.0 ** (-(idle_for(memory, now) / half_life) / stretch)
    return faded * HARM ** min(2, max(0, memory.unhelpful - memory.helpful))


def idle_for(memory: MemoryRecord, now: datetime) -> timedelta:
    """How long ago a memory was last told, confirmed or used; never negative."""
    touched = max(memory.recorded_at, last_said(memory))
    if memory.last_used_at is not None:
        touched = max(touched, memory.last_used_at)
    return max(timedelta(0), now - touched)


def age_of(memory: MemoryRecord, now: datetime) -> timedelta:
    """How long ago a memory was recorded; never negative."""
    return max(timedelta(0), now - memory.recorded_at)


def discredited(memory: MemoryRecord) -> bool:
    """Whether it was marked unhelpful more often than helpful."""
    return memory.unhelpful > memory.helpful


def importance_of(memory: MemoryRecord) -> float:
    """The importance on the scale from 1 to 5 that policies use."""
    return 1 + 4 * memory.importance
