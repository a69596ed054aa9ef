"""Open contradictions: live statements that cannot both hold, where no rule says which one does.

Two statements contradict each other when they are one statement apart from a negation, from an
opposite word, or from the one number in it; or when they put different values in one place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from jiyi.consolidate.edits import find
from jiyi.consolidate.suspects import place_of, suspects
from jiyi.consolidate.tiers import is_derived
from jiyi.errors import ConflictError, InvalidInputError
from jiyi.ids import new_id
from jiyi.ports import audience
from jiyi.resolve.authors import require_author
from jiyi.resolve.evidence import last_said
from jiyi.resolve.wording import statement_key, value_key
from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.types import AuditEvent, Conflict, MemoryRecord, Outcome, Scope

if TYPE_CHECKING:
    from jiyi.ports import Reader, Writer

COMPATIBLE: Final = "compatible"
"""The action in the audit log by which a person said that two statements hold side by side."""

# (what is said, its opposite): the second counts as a negation of the first.
_OPPOSITES: Final = (
    (r"喜欢|喜爱|爱吃|爱喝", r"讨厌|厌恶|反感"),
    (r"允许|准许", r"禁止|不许|不准"),
    (r"需要", r"不必|无需|无须"),
    (r"打开|开启|启用", r"关闭|关掉|停用|禁用"),
    (r"\b(?:like|love|enjoy)s?\b", r"\b(?:dislike|hate|detest)s?\b|\bcan(?:no|')t stand\b"),
    (r"\ballow(?:s|ed)?\b|\bpermitted\b", r"\b(?:forbid(?:s|den)?|prohibited|banned)\b"),
    (r"\benabled?\b", r"\bdisabled?\b"),
    (r"\balways\b", r"\bnever\b"),
    (r"\b(?:switched |turned )?on\b(?=$|[.!])", r"\b(?:switched |turned )?off\b(?=$|[.!])"),
)
_PAIRS: Final = tuple(
    (regex(yes), regex(no), f" opposite{n} ") for n, (yes, no) in enumerate(_OPPOSITES)
)
_NOT: Final = frozenset("不没未非无别勿") | {"not", "no", "never", "without"}
# Whatever may be one of these, in any spelling, or a second of the opposites.
_DENIES: Final = regex(
    "[不没未非无别勿]|(?<![a-z])(?:no|nots?)(?![a-z])|never|without|cannot|can['’]?t|n['’]t|"
    + "|".join(no for _, no in _OPPOSITES)
)
_DO: Final = frozenset({"do", "be", "有"})
_NUMBER: Final = regex(r"\d+(?:[.,:/-]\d+)*(?:%|[a-z]{1,3})?")
# A number after these says how much or when; elsewhere it may be a name ("ticket 12 is closed").
_MEASURED: Final = frozenset(
    ("be", "have", "at", "by", "for", "to", "take", "cost", "need", "last", "under", "over")
) | frozenset("是有在为到用要共需约价")


def find_conflicts(
    memories: Sequence[MemoryRecord], settled: Collection[frozenset[str]] = ()
) -> list[Conflict]:
    """The open contradictions among live memories, the newest first.

    Args:
        memories: active ones; what only happened once (episodic) contradicts nothing.
        settled: pairs of ids that hold side by side, as a person said.
    """
    lasting = [
        m
        for m in memories
        if m.kind != "episodic"
        and m.status == "active"
        and m.valid_to is None
        and not is_derived(m)
    ]
    found: dict[frozenset[str], Conflict] = {}
    for one, other, reason in (*_by_place(lasting), *_by_sign(lasting), *_by_number(lasting)):
        pair = frozenset((one.id, other.id))
        if pair in settled or pair in found or not _share_readers(one, other):
            continue
        first, second = sorted((one, other), key=lambda m: (last_said(m), m.id))
        found[pair] = Conflict(first=first, second=second, reason=reason)
    return sorted(found.values(), key=lambda c: (last_said(c.second), c.second.id), reverse=True)


def open_conflicts(reader: Reader, scope: Scope, *, now: datetime) -> list[Conflict]:
    """The inbox of a space: what contradicts, and was not settled yet."""
    near = suspects(reader.space_statements(scope, now=now))
    memories = reader.space_memories(scope, statuses=frozenset({"active"}), now=now, ids=near)
    return find_conflicts(memories, _settled(reader, scope))


def in_conflict(reader: Reader, scope: Scope, memories: Sequence[MemoryRecord]) -> frozenset[str]:
    """The ids among these memories that contradict another one of them, and were not settled."""
    if not find_conflicts(memories):
        return frozenset()
    found = find_conflicts(memories, _settled(reader, scope))
    return frozenset(
        memory.id for conflict in found for memory in (conflict.first, conflict.second)
    )


def _settled(reader: Reader, scope: Scope) -> set[frozenset[str]]:
    events = reader.recent_events(scope, actions=frozenset({COMPATIBLE}), limit=10_000)
    return {
        frozenset((event.memory_id, event.other_id))
        for event in events
        if event.memory_id is not None and event.other_id is not None
    }


def settle(
    writer: Writer, scope: Scope, keep: str, other: str, *, both: bool, now: datetime
) -> Outcome:
    """End a contradiction as a person decides: `keep` holds and `other` does not, or both do.

    What does not hold is superseded by what does, and stays in the history.

    Raises:
        NotFoundError: one of them is not in this scope.
        ConflictError: one of them is no longer live, or `other` is shared by another user.
    """
    if keep == other:
        raise InvalidInputError("other", "it is the memory to keep", "Name the other one")
    kept, gone = (find(writer, scope, id, now=now) for id in (keep, other))
    for memory in (kept, gone):
        if memory.status != "active":
            raise ConflictError(f"memory {memory.id} is {memory.status}: nothing is left to settle")
    if both:
        event = AuditEvent(
            id=new_id(),
            at=now,
            action=COMPATIBLE,
            memory_id=kept.id,
            other_id=gone.id,
            reason="both hold, as a person said",
        )
        writer.add_event(scope, event)
        return Outcome(status="merged", memory_id=kept.id, reason=event.reason)
    reason = "it contradicts another one, which holds, as a person said"
    require_author(gone, scope)
    writer.change_memory(
        gone.scope,
        gone.id,
        {
            "status": "superseded",
            "superseded_by": kept.id,
            "valid_to": max(gone.valid_from, kept.valid_from),
        },
        at=now,
        action="superseded",
        reason=reason,
        other_id=kept.id,
    )
    return Outcome(status="superseding", memory_id=kept.id, reason=reason, replaced=(gone.id,))


# --- what contradicts -----------------------------------------------------------------------------

_Pair = tuple[MemoryRecord, MemoryRecord, str]


def _by_place(memories: Sequence[MemoryRecord]) -> Iterator[_Pair]:
    """Different values in one place: possible between readers, or under other wordings."""
    places: dict[tuple[str, ...], list[MemoryRecord]] = defaultdict(list)
    names: dict[tuple[str, ...], str] = {}
    for memory in memories:
        slot = memory.slot
        # Of what users share, the place is its author's, and others stand beside it.
        if slot is not None and (slot.cardinality == "one" or memory.visibility == "shared"):
            key = place_of(slot)
            places[key].append(memory)
            names[key] = slot.attribute.partition("/")[0]
    for key, holders in places.items():
        if all(m.slot is not None and m.slot.cardinality == "many" for m in holders):
            continue
        for one, other in _neighbours(holders):
            if _value(one) != _value(other):
                yield one, other, f"two values for {names[key]}"


def _by_sign(memories: Sequence[MemoryRecord]) -> Iterator[_Pair]:
    """One statement, said and denied."""
    # Most memories deny nothing, and where none does, none is denied.
    if not any(_DENIES.search(fold(m.text)) and _frame(m.text)[1] for m in memories):
        return
    frames: dict[tuple[str, ...], list[tuple[bool, MemoryRecord]]] = defaultdict(list)
    for memory in memories:
        frame, denied = _frame(memory.text)
        if len(frame) > 1:
            frames[frame].append((denied, memory))
    for said in frames.values():
        yes = [memory for denied, memory in said if not denied]
        no = [memory for denied, memory in said if denied]
        if yes and no:
            newest_yes, newest_no = max(yes, key=last_said), max(no, key=last_said)
            yield newest_yes, newest_no, "one says it, the other denies it"


def _by_number(memories: Sequence[MemoryRecord]) -> Iterator[_Pair]:
    """One statement with another amount, time or version."""
    frames: dict[tuple[str, ...], list[MemoryRecord]] = defaultdict(list)
    for memory in memories:
        key = statement_key(memory.text)
        places = [n for n, token in enumerate(key) if _NUMBER.fullmatch(token)]
        if len(places) == 1 and places[0] > 0 and key[places[0] - 1] in _MEASURED:
            frames[(*key[: places[0]], "#", *key[places[0] + 1 :])].append(memory)
    for alike in frames.values():
        for one, other in _neighbours(alike):
            if statement_key(one.text) != statement_key(other.text):
                yield one, other, "they say the same with another number"


def _neighbours(memories: Sequence[MemoryRecord]) -> Iterator[tuple[MemoryRecord, MemoryRecord]]:
    """Each with the next one in time: a chain of contradictions needs no more to be seen."""
    ordered = sorted(memories, key=lambda m: (last_said(m), m.id))
    yield from pairwise(ordered)


def _frame(text: str) -> tuple[tuple[str, ...], bool]:
    """A statement without its negations and with opposites made alike; whether it denies."""
    plain, denials = text.casefold(), 0
    for yes, no, same in _PAIRS:
        plain, times = no.subn(same, plain)
        denials += times
        plain = yes.sub(same, plain)
    key = statement_key(plain)
    denials += sum(token in _NOT for token in key)
    return tuple(t for t in key if t not in _NOT and t not in _DO), denials % 2 == 1


def _value(memory: MemoryRecord) -> str:
    return "" if memory.slot is None else value_key(memory.slot.value)


def _share_readers(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Whether somebody reads both: what two agents keep for themselves does not meet."""
    circles = {audience(m.visibility, m.scope) for m in (one, other)}
    return len(circles) == 1 or bool(circles & {"", "shared"})
