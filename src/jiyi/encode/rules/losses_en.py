"""English changes that only what was said before gives their meaning: a pet, a car or a job that is
gone ("Rex died", "I sold the Civic", "I got laid off"), and what a new one takes the place of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from jiyi.encode.rules.endings import PETS
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.topics import thing_topic, trimmed
from jiyi.encode.slots import family_of, with_topic
from jiyi.text.patterns import regex
from jiyi.types import Slot

_DIED: Final = regex(
    r"(?:has |have |just |sadly )*(?:died|passed away|ran away|was put (?:down|to sleep))\b",
    re.IGNORECASE,
)
_GIVEN_AWAY: Final = regex(
    r"(?:(?:have |has |had |just |recently |finally |to )*)(?:sold|gave|given|give|rehomed|"
    r"scrapped|totall?ed|"
    r"got rid of|crashed|wrote off|traded in|returned|lost) (?:away )?(?:my |our |the |that |old )*"
    r"(?P<v>[\w' -]{2,30}?)(?: away)?(?: (?:to|and|last|this|for|in|on|yesterday)\b.*)?$",
    re.IGNORECASE,
)
_JOBLESS: Final = regex(
    r"(?:(?:just|recently|have|has) )*(?:(?:got|was|were|been) (?:fired|laid off|let go|"
    r"made redundant|"
    r"sacked)|lost my job|quit (?:my|the) job|left (?:my|the) (?:job|company)|resigned|"
    r"handed in my notice|"
    r"retired)\b",
    re.IGNORECASE,
)
_MEAT: Final = regex(
    r"(?:(?:have |has |just )*(?:started|begun|began|went back to|"
    r"gone back to) (?:to )?eat(?:ing)?|"
    r"(?:am|is|are) (?:back to )?eating|eat|eats) (?P<v>meat|fish|chicken|beef|dairy|eggs|cheese|"
    r"gluten|bread)"
    r" (?:again|now)\b",
    re.IGNORECASE,
)
_NOW_AT: Final = regex(
    r"(?:am|are|is) (?:now )?(?:living |working |based )?(?:in|at|"
    r"with) (?P<v>(?-i:[A-Z\u4e00-\u9fff])[^,;()]{1,40}?)"
    r"(?: now| these days| instead)*$",
    re.IGNORECASE,
)
_NEW_ONE: Final = regex(
    r"(?:(?:have |has |just |recently )*)(?:upgraded|switched|changed|moved|"
    r"traded up)(?: from [^,;]{2,30}?)? to "
    r"(?:an? |the |my )?(?:new )?(?P<v>[^,;()]{2,40}?)(?: (?:now|last|this|yesterday|"
    r"recently)\b.*)?$",
    re.IGNORECASE,
)
_GIVES_UP: Final = frozenset(["vegan", "vegetarian", "pescatarian", "plant-based", "gluten-free"])
_MAKES: Final = (
    regex(r"iphone|pixel|galaxy|phone|oneplus|xiaomi|huawei|nokia|motorola", re.IGNORECASE),
    regex(r"macbook|thinkpad|laptop|chromebook|xps|surface|zenbook", re.IGNORECASE),
    regex(r"ipad|tablet", re.IGNORECASE),
    regex(r"watch|garmin|fitbit", re.IGNORECASE),
    regex(r"kindle|kobo|reader", re.IGNORECASE),
)


def lost(clause: Clause, earlier: Iterable[Slot]) -> Finding | None:
    """What a clause says is gone of what was told `earlier`, newest first."""
    if clause.language != "en":
        return None
    text = clause.predicate
    if _DIED.match(text) and clause.subject != "user":
        return _ended(earlier, ("pet", "name"), clause.subject)
    if clause.subject != "user":
        return None
    if _JOBLESS.match(text):
        return _ended(earlier, ("employer",), "")
    if (meat := _MEAT.match(text)) is not None:
        diet = _ended(earlier, ("diet",), "")
        return (
            diet if diet is not None and _forbids(diet.replaces or "", meat["v"].lower()) else None
        )
    if (gone := _GIVEN_AWAY.match(text)) is not None:
        return _ended(earlier, ("pet", "vehicle", "device", "possession"), trimmed(gone["v"]))
    return None


def _forbids(diet: str, food: str) -> bool:
    diet = diet.lower().replace(" ", "-")
    if diet == "gluten-free":
        return food in ("gluten", "bread")
    if diet == "pescatarian":
        return food in ("meat", "chicken", "beef")
    if diet == "vegetarian":
        return food in ("meat", "fish", "chicken", "beef")
    return diet in _GIVES_UP and food not in ("gluten", "bread")


def _ended(earlier: Iterable[Slot], families: tuple[str, ...], name: str) -> Finding | None:
    """The newest fact of some families whose value holds a name, as ended."""
    for slot in earlier:
        if slot.attribute == "name" and slot.subject not in PETS:
            continue
        if family_of(slot.attribute) not in families or slot.value.lower().startswith("not "):
            continue
        if re.search(rf"\b{re.escape(name)}(?!\w)", slot.value, re.IGNORECASE):
            return Finding(
                slot.attribute,
                f"not {slot.value}",
                subject=slot.subject,
                replaces=slot.value,
                ends=True,
                importance=0.75,
            )
    return None


def elsewhere(clause: Clause, ended: Finding) -> Finding | None:
    """ "I'm in Cologne now", right after what no longer holds: a home, a job."""
    if clause.language != "en" or ended.attribute not in ("residence", "employer"):
        return None
    match = _NOW_AT.match(clause.predicate)
    if match is None:
        return None
    return Finding(ended.attribute, trimmed(match["v"]), importance=0.8, replaces=ended.replaces)


def renewed(clause: Clause, finding: Finding, earlier: Iterable[Slot]) -> Finding:
    """A device that takes the place of one of its kind: "I upgraded to the iPhone 15"."""
    match = _NEW_ONE.match(clause.predicate) if clause.language == "en" else None
    if match is None:
        return finding
    value = trimmed(match["v"])
    make = next((make for make in _MAKES if make.search(value)), None)
    if make is None:
        return finding
    for slot in earlier:
        if slot.attribute == "device" and make.search(slot.value):
            # Where one thing is said to take the place of another, the tools are asked first.
            tool = with_topic("tool", thing_topic(value))
            return replace(finding, attribute=tool, value=value, replaces=slot.value)
    return finding
