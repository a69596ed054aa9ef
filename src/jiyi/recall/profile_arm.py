"""The profile arm: a question that names a part of the profile ("where do I live", 对什么过敏)
gives the memories that fill it a score, whatever their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from datetime import datetime

    import numpy.typing as npt

    from jiyi.ports import Reader
    from jiyi.types import Scope, UnitKey

_MOST: Final = 50  # newest values
_FEW: Final = 4  # values that a part of the profile may hold and still be told apart


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a profile that a question names: its attributes, and the units that fill it for
    whom the question is about. `owned` says that the question tells who that is."""

    attributes: Sequence[str] = ()
    filling: Sequence[UnitKey] = ()
    owned: bool = False


def fill(
    reader: Reader,
    scope: Scope,
    attributes: Sequence[str],
    subjects: Sequence[str],
    *,
    now: datetime,
) -> list[UnitKey]:
    """The units that fill one of these attributes of one of these subjects."""
    return [
        key
        for subject in subjects
        for key in reader.filling(
            scope, subject=subject, attributes=attributes, now=now, limit=_MOST
        )
    ]


def fill_scores(keys: Sequence[UnitKey], space: int, size: int) -> npt.NDArray[np.float32]:
    """The arm's scores by unit number, from 0 to 1: the more values there are, the less each."""
    scores = np.zeros(size, np.float32)
    numbers = [key.number for key in keys if key.space == space and key.number < size]
    if numbers:
        scores[numbers] = min(1.0, _FEW / len(keys))
    return scores
