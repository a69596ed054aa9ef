"""The time arm: periods that the question names, held against when things were said or hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from jiyi.text.time_expressions import find_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from jiyi.types import MemoryRecord

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FAR = 1 << 62
_AFTERWARDS = timedelta(days=3)  # people tell of a thing when it happened or a few days later
_AFTERWARDS_WEIGHT = 0.5

Period = tuple[int, int]
"""Half-open, in microseconds since the epoch, UTC."""


def periods_of(query: str, now: datetime) -> list[Period]:
    """The periods that the question names, resolved against `now`; an open side is far away."""
    found = {
        (
            -_FAR if mention.start is None else to_micros(mention.start),
            _FAR if mention.end is None else to_micros(mention.end),
        )
        for mention in find_times(query, now)
    }
    return sorted(found)


def score_times(said: npt.NDArray[np.int64], periods: Sequence[Period]) -> npt.NDArray[np.float32]:
    """How well each unit's time fits the periods, from 0 to 1; shape as `said`.

    1 inside a period, half of it shortly after, times the share of units that lie outside: a
    period that holds nearly everything says nothing.
    """
    best = np.zeros(len(said), np.float32)
    late = int(_AFTERWARDS / _MICROSECOND)
    for start, end in periods:
        inside = (said >= start) & (said < end)
        after = (said >= end) & (said < end + min(late, end - start))
        rare = 1.0 - float(inside.mean()) if len(said) else 0.0
        best = np.maximum(best, rare * (inside + _AFTERWARDS_WEIGHT * after)).astype(np.float32)
    return best


def holds_in(memory: MemoryRecord, periods: Sequence[Period]) -> bool:
    """Whether what a memory tells happened, or began, in one of the periods."""
    when = memory.event.at if memory.event and memory.event.at else memory.valid_from
    return any(start <= to_micros(when) < end for start, end in periods)


def to_micros(moment: datetime) -> int:
    """Microseconds since the epoch."""
    return (moment - _EPOCH) // _MICROSECOND
