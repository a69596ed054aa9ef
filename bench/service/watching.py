"""The memory of processes over time, and their processor time, from /proc."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path


def tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found, rest = [], [pid]
    while rest:
        found.append(rest.pop())
        try:
            text = Path(f"/proc/{found[-1]}/task/{found[-1]}/children").read_text()
        except OSError:
            continue
        rest += map(int, text.split())
    return found


def rss_mb(pids: list[int]) -> float:
    """Resident memory of these processes together, in MB; those that are gone count nothing."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
    return total / 1024


def processor_s(pids: list[int]) -> float:
    """Seconds of processor that these processes have used so far."""
    ticks = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])  # utime, stime
    return ticks / os.sysconf("SC_CLK_TCK")


class Watch:
    """Looks at the memory of a process tree every `every_s` seconds, in a thread."""

    def __init__(self, pid: int, every_s: float = 1.0) -> None:
        self.seen: list[tuple[float, float]] = []
        self._pid, self._every = pid, every_s
        self._stop = threading.Event()
        self._begun = time.monotonic()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._every):
            self.seen.append((time.monotonic() - self._begun, rss_mb(tree(self._pid))))
