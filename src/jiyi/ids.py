"""Ids and the clock: UUIDv7 strings, and one place that says what time it is."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime

from jiyi.errors import InvalidInputError

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """Now, in the machine's own time zone."""
    return datetime.now().astimezone()


def read_clock(clock: Clock) -> datetime:
    """The time a clock tells, which must be aware."""
    now = clock()
    if now.tzinfo is None:
        raise InvalidInputError("clock", "it returned a naive time", "Return an aware datetime")
    return now


class _Uuid7:
    """RFC 9562 version 7: 48 bits of Unix milliseconds, then a counter and random bits.

    The counter makes ids of one process grow strictly, also when the system clock steps back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def __call__(self) -> str:
        with self._lock:
            # 48 bits of milliseconds and 12 bits that count within one millisecond.
            stamp = max(time.time_ns() // 1_000_000 << 12, self._last + 1)
            self._last = stamp
        tail = int.from_bytes(os.urandom(8)) >> 2
        value = (stamp >> 12) << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64 | 0b10 << 62 | tail
        digits = f"{value:032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


new_id = _Uuid7()
os.register_at_fork(after_in_child=new_id.__init__)  # type: ignore[misc]


def parse_id(value: str, field: str = "id") -> str:
    """The canonical form of an id, or a clear error naming `field`."""
    try:
        return str(uuid.UUID(value))
    except (ValueError, AttributeError, TypeError):
        raise InvalidInputError(
            field, f"{value!r} is not an id", "Use an id from a receipt, a hit or a list"
        ) from None


def to_utc(moment: datetime, zone: datetime) -> datetime:
    """`moment` as an instant; a naive one is read in the zone of `zone` (the clock's)."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone.tzinfo)
    return moment.astimezone(UTC)
