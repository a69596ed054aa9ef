"""What was said before a clause, in its turn and in the turns before: what a change, a correction
or "my current favourite" is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from jiyi.encode.rules.amending import (
    amended,
    correction,
    corrects,
    denied,
    instead,
    named_correction,
    right_value,
)
from jiyi.encode.rules.drafts import Found, draft_of
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.products import rivals
from jiyi.encode.slots import family_of
from jiyi.types import Draft, Slot, Turn


class Conversation:
    """The facts told before, newest first.

    Args:
        found: what was found in this turn so far; it grows while the turn is read.
        drafts_of: what an earlier turn says by itself.
    """

    def __init__(
        self,
        turn: Turn,
        previous: Sequence[Turn],
        speaker: str,
        found: list[Found],
        drafts_of: Callable[[Turn], Sequence[Draft]],
    ) -> None:
        self.turn = turn
        self.previous = previous
        self.speaker = speaker
        self.found = found
        self._drafts_of = drafts_of

    def earlier(self) -> Iterator[tuple[Draft, str]]:
        """Facts said before this clause, newest first: those of this turn, then earlier turns'."""
        for found in reversed(self.found):
            draft = draft_of(self.turn, found, self.speaker)
            if draft is not None:
                yield draft, draft.text
        for turn in reversed(self.previous):
            if turn.role == "user":
                for draft in reversed(self._drafts_of(turn)):
                    yield draft, draft.text

    def placed(self, finding: Finding) -> Finding:
        """A change that names the old value, or only a product, takes the attribute under which
        the conversation told the old value."""
        attribute = finding.attribute
        if finding.ends or attribute is None:
            return finding
        last = self.found[-1].finding if self.found else None
        if finding.replaces is None and last is not None and last.ends:
            # 不用Obsidian了，改用Logseq
            finding = replace(finding, replaces=last.replaces)
        if family_of(attribute) not in ("tool", "version"):
            return finding
        old = (finding.replaces or "").casefold()
        for draft, _ in self.earlier():
            slot = draft.slot
            if slot is None or slot.cardinality != "one":
                continue
            if old and slot.value.casefold().startswith(old):
                return replace(finding, attribute=slot.attribute)
            if not old and rivals(slot.value, finding.value):
                return replace(finding, attribute=slot.attribute, replaces=slot.value)
        return finding

    def favourite(self, finding: Finding) -> Finding:
        """ "My current favourite is …": of what, the conversation tells."""
        for draft, _ in self.earlier():
            if draft.slot is not None and family_of(draft.slot.attribute) == "favourite":
                return replace(finding, attribute=draft.slot.attribute)
        return finding

    def corrected(self, clause: Clause) -> Found | None:
        """A correction without a topic is about the value that was denied right before it, or else
        about the newest fact whose value is of its kind."""
        old, value = named_correction(clause) or (None, None)
        wrong = denied(clause) if value is None else None
        if value is None:
            value = right_value(clause) if wrong else correction(clause)
        if not value:
            return None
        last = self.found[-1] if self.found else None
        denial = draft_of(self.turn, last, self.speaker) if last and last.finding.ends else None
        for draft, text in self.earlier():
            if wrong and (draft.slot is None or wrong not in draft.slot.value):
                continue
            if old is not None and not (draft.slot and draft.slot.value.casefold() == old):
                continue
            if old is not None or corrects(value, draft, denial):
                return Found(clause, amended(draft, value, text))
        if wrong:
            return None
        new = instead(denial, value, clause) if denial is not None else None
        return Found(clause, new) if new is not None else None

    def slots(self) -> Iterator[Slot]:
        """The places filled before this clause, newest first."""
        return (draft.slot for draft, _ in self.earlier() if draft.slot is not None)
