"""Whether a memory may become live: nothing else says the same, or fills the same place."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from typing import TYPE_CHECKING

from jiyi.ports import audience
from jiyi.text.normalise import fingerprint
from jiyi.types import Draft, MemoryRecord, Scope

if TYPE_CHECKING:
    from jiyi.ports import Reader


def fits(reader: Reader, scope: Scope, new: Draft, *, own: Container[str], now: datetime) -> bool:
    """Whether `new` may become live in `scope`; memories with an id in `own` make room for it."""
    same = reader.find_same(scope, new, fingerprint(new.text), now=now)
    if same is not None and same.id not in own:
        return False
    slot = new.slot
    if slot is None or slot.cardinality == "many":
        return True
    holders = reader.slot_values(scope, subject=slot.subject, attribute=slot.attribute, now=now)
    whose = audience(new.visibility, scope)
    return not any(
        holder.id not in own and audience(holder.visibility, holder.scope) == whose
        for holder in holders
    )


def new_state(memory: MemoryRecord) -> Draft:
    """As much of a memory as uniqueness depends on."""
    return Draft(text=memory.text, slot=memory.slot, visibility=memory.visibility)
