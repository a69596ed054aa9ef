"""Where a page of a list ended, as a text that only the next call reads."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jiyi.errors import InvalidInputError
from jiyi.stores.sql.codec import SPACE_BITS

_NUMBER = re.compile(r"[0-9]{0,19}")
_PLACE = re.compile(r"t:(-?[0-9]{1,18}):([0-9]{1,19})")


def write_cursor(after: Mapping[bool, int], order: str) -> str:
    """How far memories of the own (True) and the common space (False) were read."""
    return f"{order[0]}:{after.get(True, '')}:{after.get(False, '')}"


def read_cursor(cursor: object, order: str, spaces: Mapping[bool, int]) -> dict[bool, int]:
    """What `write_cursor` wrote; nothing where the list begins. It leads on in the list that it
    came from, and in no other user's: `spaces` are the ids of those that are read."""
    if cursor is None:
        return {}
    parts = _text(cursor).split(":")
    ok = len(parts) == 3 and parts[0] == order[0]
    if not ok or not all(_NUMBER.fullmatch(part) for part in parts[1:]):
        raise _not_from_here(cursor)
    after = {own: int(part) for own, part in zip((True, False), parts[1:], strict=True) if part}
    if any(spaces.get(own) != key >> SPACE_BITS for own, key in after.items()):
        raise _not_from_here(cursor)
    return after


def write_place(said_at: int, key: int) -> str:
    """The turn that a page ended with."""
    return f"t:{said_at}:{key}"


def read_place(cursor: object, space: int | None) -> tuple[int, int] | None:
    """What `write_place` wrote, in the same space; None where the list begins."""
    if cursor is None:
        return None
    found = _PLACE.fullmatch(_text(cursor))
    if found is None or int(found[2]) >> SPACE_BITS != space:
        raise _not_from_here(cursor)
    return int(found[1]), int(found[2])


def _text(cursor: object) -> str:
    if not isinstance(cursor, str):
        raise _not_a_cursor(f"expected a text, got {type(cursor).__name__}")
    return cursor


def _not_from_here(cursor: object) -> InvalidInputError:
    return _not_a_cursor(f"{str(cursor)[:80]!r} is not from this list")


def _not_a_cursor(problem: str) -> InvalidInputError:
    return InvalidInputError("cursor", problem, "Use the cursor of the last page")
