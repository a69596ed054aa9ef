"""Traditional characters: what is said in them is read in simplified ones, and kept as it was
said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jiyi.encode.rules.results import Command, Extraction
from jiyi.text.traditional import simplified

if TYPE_CHECKING:
    from jiyi.types import Draft, Turn


def plain(turn: Turn) -> Turn:
    """The turn in simplified characters; the very same turn where it has no other ones."""
    text = simplified(turn.text)
    return turn if text is turn.text else replace(turn, text=text)


def as_said(found: Extraction, turn: Turn, previous: Sequence[Turn]) -> Extraction:
    """What was found in the plain form of a turn, in the characters of the turn and of those
    before it."""
    said = _Said([turn.text, *(each.text for each in reversed(previous))])
    return Extraction(
        tuple(said.draft(draft) for draft in found.drafts),
        tuple(said.command(command) for command in found.commands),
    )


class _Said:
    """The way back from simplified characters to the texts that were said."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [(simplified(text), text) for text in texts if not text.isascii()]
        self._characters: dict[int, str] = {}
        for read, text in reversed(self._texts):
            self._characters.update(
                (ord(one), other) for one, other in zip(read, text, strict=True) if one != other
            )

    def back(self, text: str) -> str:
        """The text as it was said: where its words stand, or else character by character."""
        for read, said in self._texts:
            if (place := read.find(text)) >= 0:
                return said[place : place + len(text)]
        return text.translate(self._characters)

    def draft(self, draft: Draft) -> Draft:
        slot, event, meta = draft.slot, draft.event, dict(draft.meta)
        if isinstance(old := meta.get("replaces"), str):
            meta["replaces"] = self.back(old)
        return replace(
            draft,
            text=self.back(draft.text),
            tags=tuple(map(self.back, draft.tags)),
            entities=tuple(map(self.back, draft.entities)),
            meta=meta,
            slot=slot
            and replace(
                slot,
                subject=self.back(slot.subject),
                attribute=self.back(slot.attribute),
                value=self.back(slot.value),
            ),
            event=event
            and replace(
                event,
                entities=tuple(map(self.back, event.entities)),
                outcome=event.outcome and self.back(event.outcome),
            ),
        )

    def command(self, command: Command) -> Command:
        return replace(command, topic=self.back(command.topic))
