"""Which database files this process has open, so that none of them is closed by accident.

POSIX locks belong to a process and a file: closing any descriptor of a file drops every lock that
SQLite holds on it (https://sqlite.org/howtocorrupt.html §2.2). So a file that is open here is never
opened and closed beside SQLite; what needs its bytes shares one descriptor, closed after the last
connection.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

Identity = tuple[int, int]


@dataclass(slots=True)
class _Open:
    stores: int = 0
    file: int | None = None


_lock = threading.RLock()
_open: dict[Identity, _Open] = {}


def identity_of(path: Path) -> Identity | None:
    """Which file stands at a path now; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class opening:  # noqa: N801 - used like a function
    """Inside it no other thread of this process opens or closes a database file."""

    def __enter__(self) -> None:
        _lock.acquire()

    def __exit__(self, *_: object) -> None:
        _lock.release()


def is_open(path: Path) -> bool:
    """Whether a store of this process has the file open."""
    with _lock:
        return identity_of(path) in _open


def enter(identity: Identity | None) -> None:
    """Note that a store has opened the file, until it says `leave`."""
    with _lock:
        if identity is not None:
            _open.setdefault(identity, _Open()).stores += 1


def descriptor(path: Path) -> int:
    """A descriptor of an open file, for reading and writing; it must not be closed."""
    with _lock:
        identity = identity_of(path)
        entry = _open[identity] if identity in _open else None  # noqa: SIM401
        if entry is None:
            raise FileNotFoundError(path)
        if entry.file is None:
            entry.file = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        return entry.file


def leave(identity: Identity | None) -> None:
    """A store has closed its connections."""
    with _lock:
        entry = None if identity is None else _open.get(identity)
        if identity is None or entry is None:
            return
        entry.stores -= 1
        if entry.stores == 0:
            del _open[identity]
            if entry.file is not None:
                os.close(entry.file)


def after_fork() -> None:
    """A child starts without open files; the parent's descriptors stay untouched."""
    global _lock  # noqa: PLW0603 - another thread of the parent may have held it
    _lock = threading.RLock()
    _open.clear()
