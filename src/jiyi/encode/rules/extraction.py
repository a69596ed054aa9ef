"""From a turn to drafts and commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import is_
from typing import Final

from jiyi.encode.guard import Heard, heard, spoken
from jiyi.encode.rules.commands import commands_in
from jiyi.encode.rules.discourse import asks_for_a_text
from jiyi.encode.rules.drafts import assistant_drafts, draft_of
from jiyi.encode.rules.reading import Reader
from jiyi.encode.rules.results import Command, Extraction
from jiyi.encode.rules.script import as_said, plain
from jiyi.types import Draft, Turn

READ_FIRST: Final = 32_000
READ_LAST: Final = 16_000
"""Characters at the beginning and at the end of a message of which the rules read the sentences.
What is longer is a text that was pasted: what somebody says of themselves and asks for stands
before it or behind it, and a message of 1 MiB must not take longer to read than one of 50 KB. All
of it is kept and found, word by word."""


def extract(turn: Turn, previous: Sequence[Turn] = ()) -> Extraction:
    """See `jiyi.encode.rules.extract`."""
    read, before = plain(turn), [plain(each) for each in previous]
    found = _extract(read, before)
    same = read is turn and all(map(is_, before, previous))
    return found if same else as_said(found, turn, previous)


def _extract(turn: Turn, previous: Sequence[Turn]) -> Extraction:
    if turn.role == "assistant":
        offered = tuple(assistant_drafts(turn))
        asked = (t.text for t in reversed(previous) if t.role == "user") if offered else ()
        return Extraction() if asks_for_a_text(next(iter(asked), "")) else Extraction(offered)
    if turn.role != "user":
        return Extraction()
    said = _ends(heard(turn.text), len(turn.text))
    commands, taken = _commands(said, previous)
    if not turn.encodable:
        return Extraction(commands=commands)
    reader = Reader(turn, previous)
    drafts: list[Draft] = []
    seen: set[str] = set()
    for found in reader.read(taken, said):
        draft = draft_of(turn, found, reader.speaker)
        if draft is not None and draft.text not in seen:
            seen.add(draft.text)
            drafts.append(draft)
    return Extraction(tuple(d for d in drafts if not _gave_way(d, drafts)), commands)


def _ends(said: list[Heard], size: int) -> list[Heard]:
    """The sentences of a long message that begin near its beginning or its end."""
    if size <= READ_FIRST + READ_LAST:
        return said
    return [s for s in said if s.start < READ_FIRST or s.start >= size - READ_LAST]


def _gave_way(draft: Draft, drafts: list[Draft]) -> bool:
    """Whether "I no longer use X" only leads up to "… but Y" in the same turn, or a draft is the
    beginning of one that tells all of it."""
    if any(_tells_all_of(draft, other) for other in drafts):
        return True  # 我以前抽烟 before 我以前抽烟，2020年戒了
    if draft.meta.get("ends") is not True:
        return False
    old, place = draft.meta.get("replaces"), _place(draft)
    return any(
        other.meta.get("ends") is None
        and (other.meta.get("replaces") == old or (place is not None and _place(other) == place))
        for other in drafts
    )


def _tells_all_of(draft: Draft, other: Draft) -> bool:
    return other.text.startswith(f"{draft.text}，") and (
        draft.slot is None
        or (other.slot is not None and other.slot.attribute == draft.slot.attribute)
    )


def _place(draft: Draft) -> tuple[str, str] | None:
    slot = draft.slot
    return (slot.subject, slot.attribute) if slot and slot.cardinality == "one" else None


def _commands(
    said: Sequence[Heard], previous: Sequence[Turn]
) -> tuple[tuple[Command, ...], list[tuple[int, int]]]:
    found: list[Command] = []
    before = ""
    for start, sentence in spoken(said):
        here = commands_in(start, sentence, before)
        if here and not here[0].topic:
            here = [replace(here[0], topic=_last_said(previous))]
        found += here
        before = sentence if not here else before
    return tuple(found), [command.span for command in found]


def _last_said(previous: Sequence[Turn]) -> str:
    """What was said last that could be taken back: the newest fact of the earlier user turns."""
    for turn in reversed(previous):
        if turn.role == "user":
            drafts = Reader(turn, ()).drafts()
            if drafts:
                return drafts[-1].text
    return ""
