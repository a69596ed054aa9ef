"""Fair turns for writers: first come, first served in a process, equal chances between processes.

SQLite lets one transaction write at a time, and a busy timeout is no queue: whoever polls at the
right moment wins, and a thread can starve. So writers of a process stand in line, and one process
at a time, holding a lock on a side file (the gate), may wait for SQLite's own lock.
"""

from __future__ import annotations

import threading
from collections import deque


class FairLock:
    """A lock that serves waiters in the order of their coming."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._held = False
        self._waiting: deque[threading.Event] = deque()

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._waiting)

    def acquire(self, timeout_s: float) -> bool:
        """Take the lock; False when that took longer than `timeout_s` seconds."""
        with self._mutex:
            if not self._held and not self._waiting:
                self._held = True
                return True
            turn = threading.Event()
            self._waiting.append(turn)
        if turn.wait(timeout_s):
            return True
        with self._mutex:
            if turn.is_set():  # it was handed over at the last moment
                return True
            self._waiting.remove(turn)
            return False

    def release(self) -> None:
        """Hand the lock to the one who waits longest."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._held = False
