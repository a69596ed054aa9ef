"""A clock that tells the time it was given."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

from jiyi.errors import InvalidInputError

START = datetime(2026, 3, 5, 9, 0, tzinfo=UTC)


class FakeClock:
    """A callable clock for tests; it moves only when told to, also backwards.

    Args:
        start: an aware datetime, the first time it tells.

    Raises:
        InvalidInputError: a naive time.
    """

    def __init__(self, start: datetime = START) -> None:
        self._lock = threading.Lock()
        self._now = _aware(start)

    def __call__(self) -> datetime:
        with self._lock:
            return self._now

    def advance(self, step: timedelta | None = None, /, **parts: float) -> datetime:
        """Move by `step`, or by timedelta's keywords (`days=2, hours=-1`); returns the new time."""
        with self._lock:
            self._now += step if step is not None else timedelta(**parts)
            return self._now

    def set(self, moment: datetime) -> datetime:
        """Jump to an aware `moment`; returns it."""
        with self._lock:
            self._now = _aware(moment)
            return self._now


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise InvalidInputError("moment", "it is a naive time", "Give it a time zone")
    return moment
