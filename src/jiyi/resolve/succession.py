"""What a named change takes the place of: "switched from Notion to Obsidian" names the old value,
and only what is known tells where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jiyi.resolve.wording import same_topic, singular, value_key
from jiyi.text.normalise import fold
from jiyi.types import Draft, MemoryRecord, Scope, Slot

if TYPE_CHECKING:
    from jiyi.ports import Reader

_TOOLS: Final = ("tool", "version")
_THINGS: Final = ("vehicle", "device", "possession")


@dataclass(frozen=True, slots=True)
class Succession:
    """A draft in the place of what it replaces, and all that ends with it."""

    draft: Draft
    ended: tuple[MemoryRecord, ...] = ()


def succession(reader: Reader, scope: Scope, draft: Draft) -> Succession:
    """Find the live values that a draft says it replaces.

    A change of tools without a purpose ("from Notion to Obsidian") takes the place of the old one,
    notes or whatever it was for; one with a purpose ("… for invoices") its own place. "My current
    favourite is …" is about the only favourite there is.
    """
    slot = draft.slot
    if slot is None:
        return Succession(draft)
    family, _, topic = slot.attribute.partition("/")
    if family == "favourite" and not topic:
        known = reader.slot_values(scope, subject=slot.subject, family=family)
        places = {r.slot.attribute for r in known if r.slot is not None}
        return Succession(_placed(draft, places.pop()) if len(places) == 1 else draft)
    old = draft.meta.get("replaces")
    if not isinstance(old, str):
        return Succession(draft)
    if draft.meta.get("ends") and family not in (*_TOOLS, "preference"):
        return Succession(draft, _denied(reader, scope, draft, slot))
    if family == "preference":
        known = reader.slot_values(scope, subject=slot.subject, family=family)
        return Succession(draft, tuple(r for r in known if _is_liked(r, old)))
    if family == "responsibility" and slot.subject != "user":
        held = reader.slot_values(scope, subject="user", attribute=slot.attribute)
        return Succession(draft, tuple(r for r in held if names_ended(draft, r)))
    if family not in _TOOLS:
        # 手机换成了小米: one of many takes the place of another
        return Succession(draft, _denied(reader, scope, draft, slot))
    known = [
        record
        for name in (*_TOOLS, *_THINGS)
        for record in (
            reader.slot_values(scope, subject=slot.subject, family=name)
            if name in _TOOLS
            else reader.slot_values(scope, subject=slot.subject, attribute=name)
        )
        if record.slot is not None and _is_called(record.slot, old, name)
    ]
    for_what = not _names_itself(topic, slot.value) and not _names_itself(topic, old)
    if family == "tool" and for_what:
        # It says for what: elsewhere the old one may go on.
        return Succession(draft, tuple(r for r in known if _is_general(r)))
    things = [r.slot for r in known if r.slot is not None and r.slot.cardinality == "many"]
    if things:
        # "Traded my Civic for a Tesla": one possession for another.
        return Succession(replace(draft, slot=replace(things[0], value=slot.value)), tuple(known))
    # The newest that names a purpose hands it on; "I use Vim" has none to hand on.
    purposes = (r.slot.attribute for r in known if r.slot is not None and not _is_general(r))
    attribute = next(purposes, None)
    return Succession(draft if attribute is None else _placed(draft, attribute), tuple(known))


_ANY: Final = frozenset(
    [
        "car",
        "vehicle",
        "bike",
        "phone",
        "computer",
        "laptop",
        "pet",
        "车",
        "汽车",
        "手机",
        "电脑",
        "宠物",
    ]
)
_ALL: Final = frozenset(["allergies", "过敏"])
_WHATEVER: Final = frozenset(["工作"])
"""Words for whatever fills the place: 我辞职了 names no employer."""


def _denied(reader: Reader, scope: Scope, draft: Draft, slot: Slot) -> tuple[MemoryRecord, ...]:
    """The live values that end when one is said to hold no longer. "I sold my car" names no make:
    it ends the only one there is; "no allergies" ends all."""
    old = str(draft.meta["replaces"])
    family = slot.attribute.partition("/")[0]
    if family in ("units", "reply_language"):
        known = reader.slot_values(scope, subject=slot.subject, family="preference")
        return tuple(r for r in known if r.slot and fold(old) in fold(r.slot.attribute))
    if slot.cardinality == "one":
        return ()
    held = reader.slot_values(scope, subject=slot.subject, attribute=slot.attribute)
    held = [r for r in held if r.status == "active" and not _is_value(r, slot.value)]
    if old in _ALL:
        return tuple(held)
    named = tuple(r for r in held if names_ended(draft, r))
    return named or (tuple(held) if len(held) == 1 and fold(old) in _ANY else ())


def _is_value(record: MemoryRecord, value: str) -> bool:
    return record.slot is not None and fold(record.slot.value) == fold(value)


def names_ended(draft: Draft, record: MemoryRecord) -> bool:
    """Whether a value is the one that a draft says holds no longer: the same, or a part of it."""
    old, slot = draft.meta.get("replaces"), record.slot
    if not isinstance(old, str) or slot is None:
        return True
    one, other = fold(old), fold(slot.value)
    if one in _WHATEVER:
        return True
    if value_key(one) == value_key(other):
        return True
    if one.isascii():
        words, others = _words(one), _words(other)
        return bool(words and others) and (words <= others or others <= words)
    return one in other or other in one


def _words(text: str) -> set[str]:
    return {singular(word) for word in re.findall(r"\w+", text)} - {"a", "an", "the", "my"}


def _is_called(slot: Slot, old: str, family: str) -> bool:
    """Whether a value is the one named; a thing may be named by a part of it (Civic)."""
    value, name = value_key(slot.value), value_key(old)
    return value == name or (family in _THINGS and len(name) > 1 and name in value)


def _placed(draft: Draft, attribute: str) -> Draft:
    slot = draft.slot
    return draft if slot is None else replace(draft, slot=replace(slot, attribute=attribute))


def _names_itself(topic: str, value: str) -> bool:
    """Whether a topic is only the value again: `tool/notion` = Notion."""
    return same_topic(topic, value) or value_key(topic) == value_key(value)


def _is_general(record: MemoryRecord) -> bool:
    slot = record.slot
    return slot is not None and _names_itself(slot.attribute.partition("/")[2], slot.value)


def _is_liked(record: MemoryRecord, old: str) -> bool:
    slot = record.slot
    return (
        slot is not None
        and slot.value == "like"
        and same_topic(slot.attribute.partition("/")[2], old)
    )
