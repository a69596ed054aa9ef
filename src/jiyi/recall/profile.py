"""The profile of a user, read exactly: no search, no model, no guess."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from jiyi.types import Profile, ProfileField, Scope

if TYPE_CHECKING:
    from jiyi.ports import Reader
    from jiyi.types import MemoryRecord


def read_profile(
    reader: Reader,
    scope: Scope,
    *,
    now: datetime,
    slots: Sequence[MemoryRecord] | None = None,
    group_of: Callable[[str], str | None] | None = None,
) -> Profile:
    """What the application set, and the live slots of the user, newest first.

    `slots` are the live slots of the user, where they have been read.
    """
    if slots is None:
        slots = reader.slot_values(scope, subject="user", now=now)
    learned = tuple(
        ProfileField(
            attribute=memory.slot.attribute,
            value=memory.slot.value,
            permanent=False,
            subject=memory.slot.subject,
            memory_id=memory.id,
            since=memory.valid_from,
            group=None if group_of is None else group_of(memory.slot.attribute),
        )
        for memory in slots
        if memory.slot is not None and memory.valid_from <= now
    )
    return Profile(permanent=reader.permanent(scope), learned=learned)
