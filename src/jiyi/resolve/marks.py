"""Index terms that stand for a whole statement or a whole slot, beside the words of a memory.

They make "who says the same?" and "who fills this place?" one look into the text index, however
much is remembered. No question holds them, because a control character begins them.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from jiyi.resolve.wording import statement_key, topic_key, value_key
from jiyi.types import Slot

_SAYS: Final = "\x1fsays:"
_FILLS: Final = "\x1ffills:"


def statement_mark(text: str) -> str:
    """Equal for texts that are one statement (see `statement_key`)."""
    return _SAYS + _digest(statement_key(text))


def slot_mark(slot: Slot) -> str | None:
    """Equal for slots that stand for one place: topics that differ in wording only; and, where
    values add up, the same value. None where the attribute alone is the place."""
    family, _, topic = slot.attribute.partition("/")
    key = sorted(topic_key(topic))
    if slot.cardinality == "many":
        return _FILLS + _digest((slot.subject, family, *key, "=", value_key(slot.value)))
    return _FILLS + _digest((slot.subject, family, *key)) if key else None


def marks_of(text: str, slot: Slot | None) -> tuple[str, ...]:
    """Every mark of a memory."""
    place = slot_mark(slot) if slot is not None else None
    return (statement_mark(text),) if place is None else (statement_mark(text), place)


def _digest(parts: tuple[str, ...]) -> str:
    return blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest()
