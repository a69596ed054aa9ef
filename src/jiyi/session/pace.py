"""When it is worth looking whether a session's summary has grown old: not after every turn."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from jiyi.types import Scope

_EVERY: Final = 4
"""Turns between two looks: half of a window, so that no turn leaves it unsummarised for long."""

_SESSIONS: Final = 4_096
"""Sessions that a process keeps count of; one that was left out is looked at again."""


class Pace:
    """Counts the turns of sessions since the last look. Thread-safe; forgets nothing but counts."""

    def __init__(self) -> None:
        self._counts: OrderedDict[Scope, int] = OrderedDict()
        self._lock = Lock()

    def is_due(self, scope: Scope, turns: int) -> bool:
        """Count new turns, and say whether to look now."""
        with self._lock:
            count = self._counts.pop(scope, _EVERY) + turns
            due = count >= _EVERY
            self._counts[scope] = 0 if due else count
            while len(self._counts) > _SESSIONS:
                self._counts.popitem(last=False)
        return due
