"""Text that comes without a conversation around it, such as a correction, read by the rules."""

from __future__ import annotations

from datetime import datetime

from jiyi.encode.rules import extract
from jiyi.ids import new_id
from jiyi.types import Scope, Slot, Turn


def slot_in(text: str, *, now: datetime) -> Slot | None:
    """The slot that a text fills when a user says it, or None."""
    turn = Turn(id=new_id(), role="user", text=text, said_at=now, recorded_at=now, scope=Scope())
    drafts = extract(turn, ()).drafts
    return next((draft.slot for draft in drafts if draft.slot is not None), None)
