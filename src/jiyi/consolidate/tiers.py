"""The tier of a memory: core (always at hand), extended (found by search), archive (cold)."""

from __future__ import annotations

from typing import Final

from jiyi.consolidate.strength import discredited
from jiyi.ports import DERIVED
from jiyi.types import MemoryRecord, Tier

CORE_IMPORTANCE: Final = 0.8
"""From this importance (0 to 1) on, a memory is core."""

_FAMILIES: Final = (
    "name nickname age birthday birth_year gender nationality residence hometown address phone "
    "email wechat timezone employer workplace occupation position school marital children family "
    "allergy condition medication diet blood_type language instruction reply_language reply_style "
    "units format"
)
CORE_FAMILIES: Final = frozenset(_FAMILIES.split())
"""Slots of the user that the profile and the rules of every answer are made of (see
`encode/slots.py`): they are read as a whole, not searched, so that no use of one is counted."""


def tier_of(memory: MemoryRecord) -> Tier:
    """The tier that a live memory belongs to."""
    return "core" if is_core(memory) else "extended"


def is_core(memory: MemoryRecord) -> bool:
    """Whether a memory is part of what must always be at hand. A bad mark ends that, unless a
    person pinned it."""
    if memory.pinned:
        return True
    if discredited(memory) or memory.status != "active":
        return False
    if memory.importance >= CORE_IMPORTANCE:
        return True
    slot = memory.slot
    return (
        slot is not None
        and slot.subject == "user"
        and slot.attribute.partition("/")[0] in CORE_FAMILIES
    )


def is_derived(memory: MemoryRecord) -> bool:
    """Whether consolidation made it out of others: a summary, a lesson or an insight."""
    return any(name in memory.meta for name in DERIVED)
