"""A lock between processes on a side file, released by the system when its holder dies."""

from __future__ import annotations

import importlib
import os
import random
import time
from pathlib import Path

from jiyi.errors import StoreUnavailableError

# Where there is none (Windows), SQLite's own lock decides alone.
fcntl = importlib.import_module("fcntl") if os.name == "posix" else None

_POLL_S = 0.0005
_LONGEST_POLL_S = 0.004


class ProcessGate:
    """An exclusive lock between processes, and between several stores of one process.

    Waiters ask again at random moments, all at the same rate, so each has an equal chance: among n
    waiters one waits for more than k hand-overs with probability (1 - 1/n)^k.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self, deadline: float) -> bool:
        """Take the lock; False when `deadline` (of time.monotonic) passes first."""
        if fcntl is None:
            return True
        if self._file is None:
            try:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError as exc:
                raise StoreUnavailableError(
                    f"cannot make the lock file {self._path.name}: {exc.strerror}."
                    " Writing needs a writable folder; open it read-only otherwise"
                ) from exc
        pause = _POLL_S
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    return False
            else:
                return True
            time.sleep(pause * (0.5 + random.random()))
            pause = min(pause * 1.5, _LONGEST_POLL_S)

    def release(self) -> None:
        if fcntl is not None and self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the file (also in a forked child, whose parent keeps its lock)."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
