"""Index terms that stand for a statement, a slot or a moment, beside the words of a memory.

They make "who says the same?", "who fills this place?" and "what was written just now?" one look
into the text index, however much is remembered. No question holds them, because a control
character begins them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from hashlib import blake2b
from typing import Final

from jiyi.resolve.wording import statement_key, topic_key, value_key
from jiyi.types import Slot, Source

_SAYS: Final = "\x1fsays:"
_FILLS: Final = "\x1ffills:"
_TOLD: Final = "\x1ftold:"
_WROTE: Final = "\x1fwrote:"

TOGETHER: Final = timedelta(minutes=10)
"""A tool's write and the message it was made from lie this close."""


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


def moment_marks(sources: Sequence[Source], *, across: bool = False) -> tuple[str, ...]:
    """Where and when a memory came in, by session and ten minutes, told apart by whether it was
    written directly or drawn from a turn.

    With `across` the marks of the other way around the same time: what a tool wrote about the
    words that the rules are reading, or the other way round.
    """
    marks: list[str] = []
    for source in sources:
        if source.session is None or source.said_at is None:
            continue
        told = (source.turn_id is not None) is not across
        moment = int(source.said_at.timestamp() // TOGETHER.total_seconds())
        kind = _TOLD if told else _WROTE
        marks += [
            kind + _digest((source.session, str(moment + near)))
            for near in ((-1, 0, 1) if across else (0,))
        ]
    return tuple(marks)


def is_moment(mark: str) -> bool:
    """Whether a mark is one of `moment_marks`."""
    return mark.startswith((_TOLD, _WROTE))


def marks_of(text: str, slot: Slot | None) -> tuple[str, ...]:
    """The marks of what is said: the statement's, and the place's."""
    place = slot_mark(slot) if slot is not None else None
    return (statement_mark(text),) if place is None else (statement_mark(text), place)


def _digest(parts: tuple[str, ...]) -> str:
    return blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest()
