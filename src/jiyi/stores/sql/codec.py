"""Values as the database keeps them: ids as 16 bytes, times as microseconds, structures as JSON."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any

from jiyi.errors import InvalidInputError
from jiyi.types import UnitKey

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
SPACE_BITS = 32
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ID_SIZE = 16
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def pack_id(id: str) -> bytes:
    """The 16 bytes of a canonical UUID; any other id as its text, never 16 bytes long."""
    if len(id) == 36 and _UUID.fullmatch(id):
        return bytes.fromhex(id.replace("-", ""))
    raw = id.encode() + b"\0"
    return raw + b"\0" if len(raw) == _ID_SIZE else raw


def pack_optional_id(id: str | None) -> bytes | None:
    return None if id is None else pack_id(id)


def unpack_id(raw: bytes) -> str:
    if len(raw) != _ID_SIZE:
        return bytes(raw).rstrip(b"\0").decode()
    digits = raw.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def unpack_optional_id(raw: bytes | None) -> str | None:
    return None if raw is None else unpack_id(raw)


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC, exact."""
    delta = moment - EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def optional_micros(moment: datetime | None) -> int | None:
    return None if moment is None else micros(moment)


def zone_of(moment: datetime) -> int:
    """The offset of an aware datetime in minutes."""
    if moment.tzinfo is UTC:
        return 0
    offset = moment.utcoffset()
    return 0 if offset is None else offset // MINUTE


@lru_cache(maxsize=256)
def _timezone(minutes: int) -> timezone:
    return timezone(timedelta(minutes=minutes))


def moment(at: int, zone: int) -> datetime:
    """The instant `at` microseconds, told in the zone with this offset in minutes."""
    instant = EPOCH + timedelta(microseconds=at)
    if zone == 0:
        return instant
    try:
        return instant.astimezone(_timezone(zone))
    except OverflowError:  # the very first or last day of the calendar, in another zone
        return instant


def dump(value: Any, field: str) -> str:
    """Compact JSON; non-ASCII text as it is."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as exc:
        raise InvalidInputError(field, f"it is not JSON ({exc})", "Use JSON values") from exc
    # PostgreSQL's JSON has no NUL; one rule for every store.
    if "\\u0000" in text and _NUL.search(text):
        raise InvalidInputError(field, "it holds a NUL character", "Leave it out")
    return text


def load(text: str) -> Any:
    return json.loads(text)


def unit_of(key: UnitKey) -> int:
    return key[0] << SPACE_BITS | key[1]


def key_of(unit: int) -> UnitKey:
    return UnitKey(unit >> SPACE_BITS, unit & ((1 << SPACE_BITS) - 1))


def first_unit(space: int) -> int:
    """The lowest unit key of a space; that of `space + 1` ends its half-open range."""
    return space << SPACE_BITS
