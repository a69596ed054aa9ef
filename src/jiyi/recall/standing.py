"""Standing preferences and constraints: what must reach the prompt whatever the question is.

Someone who dislikes red and asks for a button, or has a small server and asks for a script, shares
no word between the two: such memories are found by what they are, not by search.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from jiyi.ports import IMPORTANT
from jiyi.types import MemoryRecord, Scope

if TYPE_CHECKING:
    from jiyi.ports import Reader, Selection

READ_LIMIT: Final = 500
"""Pinned and important memories that are looked at, newest first."""

_HEALTH: Final = frozenset({"allergy", "diet", "condition", "medication"})
_RULES: Final = frozenset({"instruction", "units", "format", "reply_language", "reply_style"})
_FAMILIES: Final = _HEALTH | _RULES | {"preference"}
_AGAINST: Final = frozenset({"dislike", "hate", "avoid", "never", "no", "refuse", "against"})
_DEMAND: Final = re.compile(
    r"\b(?:must|never|always|only|do not|don't|dont|no|not allowed|forbidden|required|avoid|cannot|"
    r"can't|at most|at least|without)\b"
    r"|必须|不要|别|禁止|不能|不得|不许|不准|只能|只用|务必|一定|总是|永远|绝不|从不|千万|最多|至少|避免|不可|统一|一律",
    re.IGNORECASE,
)
# What the user works with: a fact about it binds when it states a limit, such as at most 500 euros.
_MEANS: Final = frozenset({"detail", "tool", "version", "device", "possession", "project"})
_LIMIT: Final = re.compile(
    r"\b(?:only|at most|no more than|up to|maximum|max|limit(?:ed)?|cannot|can't|must|without|"
    r"does(?: not|n't) (?:have|support|allow))\b"
    r"|只有|只能|只支持|仅|最多|至多|不超过|以内|上限|限制|不能|必须|不支持|没有",
    re.IGNORECASE,
)
# Whose word can bind: neither the assistant's own remarks nor tools, documents or flagged text.
_BINDING: Final = frozenset({"application", "user"})


def standing(
    reader: Reader,
    scope: Scope,
    selection: Selection,
    *,
    slots: Sequence[MemoryRecord] | None = None,
) -> list[MemoryRecord]:
    """The live standing preferences and constraints that `scope` may read.

    Constraints first (see `is_constraint`), each part newest first. `selection` gives the time;
    its filter does not apply: a preference does not depend on the question's filters. `slots` are
    the live slots of the user, where they have been read.
    """
    if slots is None:
        slots = reader.slot_values(scope, subject="user", now=selection.now)
    found = {record.id: record for record in slots}
    important, _ = reader.memories(
        scope, replace(selection, where=None, marked=True), limit=READ_LIMIT
    )
    found.update((record.id, record) for record in important)
    moment = selection.as_of or selection.now
    chosen = [
        record
        for record in found.values()
        if record.trust in _BINDING
        and "instruction" not in record.flags
        and _holds(record, moment)
        and (is_constraint(record) or _family(record) in _FAMILIES)
    ]
    chosen.sort(key=lambda record: record.said_at, reverse=True)
    return sorted(chosen, key=lambda record: not is_constraint(record))


def is_constraint(record: MemoryRecord) -> bool:
    """Whether a memory binds in any task: pinned; health, also of the user's people; something the
    user is against; an instruction that demands or forbids; a limit of what the user works with; or
    an important fact or procedure.

    A fact in another slot, such as where the user or their sister lives, belongs to the profile or
    to the question that asks for it.
    """
    family = _family(record)
    if record.pinned or _attribute(record) in _HEALTH:
        return True
    if family is None and record.slot is not None:
        return False
    if family == "preference" and record.slot is not None:
        return record.slot.value.casefold() in _AGAINST or record.importance >= IMPORTANT
    if family in _RULES:
        return record.importance >= IMPORTANT or _DEMAND.search(record.text) is not None
    if family in _MEANS:
        return _LIMIT.search(record.text) is not None
    fact = family is None and record.kind in ("semantic", "procedural")
    return fact and record.importance >= IMPORTANT


def is_standing_family(attribute: str) -> bool:
    """Whether a slot attribute belongs to the standing layer rather than to the profile."""
    return attribute.partition("/")[0] in _FAMILIES


def _family(record: MemoryRecord) -> str | None:
    """The family of a slot of the user."""
    owned = record.slot is not None and record.slot.subject == "user"
    return _attribute(record) if owned else None


def _attribute(record: MemoryRecord) -> str | None:
    return None if record.slot is None else record.slot.attribute.partition("/")[0]


def _holds(record: MemoryRecord, moment: datetime) -> bool:
    ends = [end for end in (record.valid_to, record.expires_at) if end is not None]
    return record.valid_from <= moment and all(end > moment for end in ends)
