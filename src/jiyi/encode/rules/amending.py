"""Corrections of both languages: "scratch that, Tuesday", 不是周一，是周二."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from jiyi.encode.rules.changes import is_time
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.topics import WISHED_ZH, trimmed
from jiyi.encode.slots import family_of
from jiyi.text.patterns import regex
from jiyi.types import Draft

_BARE_EN: Final = regex(
    r"^(?:(?:actually|scratch that|no wait|wait|no|sorry|instead|rather|correction|"
    r"change of plans?|on second thought|never ?mind|oops)[\s,.:;—-]+)*"
    r"(?:(?:let us|let's|we will|we'll|i will|i'll|please)\s+)?(?:(?:make it|make that|do|"
    r"go with|go for|use|stick with|say|it is|it's|change it to|switch (?:it )?to|move it to|"
    r"i meant|i mean|better|rather|pick|choose|take|call it|set it to|try)\s+)?"
    r"(?:on |at |for |to )?(?P<v>[^,;()]{1,50}?)(?:\s+(?:instead|then|please|after all|"
    r"is better|works better|would be better|not .{1,30}))*$",
    re.IGNORECASE,
)
_CORRECTION_WORD_EN: Final = regex(
    r"\b(?:scratch that|on second thought|change of plans?|make (?:it|that)|no wait|i meant|"
    r"instead|after all|correction|change it to|move it to|switch it to|set it to|"
    r"never ?mind|misspoke|my (?:mistake|bad)|(?:got|had) (?:that|it) wrong|"
    r"mixed (?:that|it|them) up)\b|^(?:actually|wait|sorry|oops)\b[\s,]|^no\s*[,.;:—-]",
    re.IGNORECASE,
)

_NOT_BUT_ZH: Final = regex(
    r"^(?P<t>[^，。]{0,16}?)(?:不是|并不是|不叫|不在|不住)(?P<o>[^，。]{1,20}?)[，,]?\s*(?:而是|"
    r"应该是|是|叫|在|住)(?P<v>[^，。]{1,24}?)(?:了|啦|的)?$"
)
_BARE_ZH: Final = regex(
    r"^(?:(?:算了|不对|等等|不不?|说错了|更正一下|改主意了|想了想|那|还是|就|应该|其实|"
    r"还是说)[，,、 ]*)*(?:还是|就|改(?![成到为])|换(?![成到为])|定|那就?|应该|"
    r"其实)*(?:是|用|选|在|到|去|要|叫|按|改成|换成|改用|改到|改为)?(?P<v>[^，。用]{1,20}?)(?:吧|好了|算了|比较好|更好|更合适|了|啦|来)*$"
)
_CORRECTION_WORD_ZH: Final = regex(
    r"算了|不对|[说记搞弄]错了|[弄搞记]混了|更正|改主意|应该是|其实是"
)
# Before the value itself; what else is said in such a sentence corrects nothing.
_NEW_VALUE_ZH: Final = regex(
    r"还是(?:用|选|改|换|去|要|叫|按|在|定)|就用|改成|换成|改用|改到|改为|改在|(?<!固)定在"
)
_RIGHT_EN: Final = regex(
    r"^(?P<t>.{2,60}? (?:is|are|am|was)) not (?P<o>[^,;]{1,40}?)(?:,| but) (?:but |it is |it's |"
    r"rather |actually )*(?P<v>[^,;]{1,50})$",
    re.IGNORECASE,
)


_MOVED_EN: Final = regex(
    r"(?:it|that|this) (?:has|is|was|got) (?:now |just |been |actually )*(?:moved|pushed(?: back|"
    r" forward)?|"
    r"rescheduled|postponed|changed|shifted|delayed|brought forward) (?:to|until|till|for) "
    r"(?P<v>[^,;()]{1,40})$",
    re.IGNORECASE,
)
_NOT_BUT_EN: Final = regex(
    r"^(?:no[, ]+)?(?:it is |it['’]s )?not (?P<o>[^,;]{1,30}), (?:but |it is |it['’]s |rather )?"
    r"(?P<v>[^,;]{1,40})$",
    re.IGNORECASE,
)


def named_correction(clause: Clause) -> tuple[str, str] | None:
    """ "Not Anna, Hannah": the value that was told, folded, and the right one."""
    text = clause.text.strip().rstrip(".!")
    if clause.language != "en" or not (match := _NOT_BUT_EN.match(text)) or not match["v"]:
        return None
    return trimmed(match["o"]).casefold(), trimmed(match["v"])


def correction(clause: Clause) -> str | None:
    """The new value of a correction that does not say of what ("scratch that, Tuesday"). What it
    is about must come from the conversation."""
    if clause.language == "en":
        if (moved := _MOVED_EN.match(clause.predicate)) is not None:
            return trimmed(moved["v"])
        marked = "change" in clause.marks or _CORRECTION_WORD_EN.search(clause.sentence)
        if not marked:
            return None
        match = _BARE_EN.match(clause.predicate if clause.subject_words == "" else clause.text)
    else:
        marked = (
            "change" in clause.marks
            or _CORRECTION_WORD_ZH.search(clause.sentence)
            or _NEW_VALUE_ZH.search(clause.text)
        )
        if not marked or WISHED_ZH.search(clause.text):
            return None
        match = _BARE_ZH.match(clause.text)
    value = trimmed(match["v"]) if match is not None else ""
    if (
        not value
        or len(value.split()) > 5
        or re.search(
            r"\b(?:i|you|we|he|she|they|my|is|are|was|have|that|this|it|for|as)\b|"
            r"^(?:no|wait|sorry|oops|actually|yes|yeah|ok(?:ay)?)\b|我|你|他|她|不要|"
            r"可以|觉得|这|那|只|因为|所以|都|没|能",
            value,
            re.IGNORECASE,
        )
    ):
        return None
    return value


def put_right(clause: Clause) -> Clause | None:
    """ "My birthday is not the 5th but the 3rd" as "my birthday is the 3rd"."""
    if clause.language == "en":
        match = _RIGHT_EN.match(clause.predicate)
        return None if match is None else replace(clause, predicate=f"{match['t']} {match['v']}")
    match = _NOT_BUT_ZH.match(clause.predicate)
    if match is None:
        return None
    verb = re.search(r"不(是|叫|在|住)", clause.predicate)
    return replace(clause, predicate=f"{match['t']}{verb[1] if verb else '是'}{match['v']}")


def denied(clause: Clause) -> str:
    """What a clause denies right before it says what is right: 海口 of 不是海口，是三亚."""
    match = _NOT_BUT_ZH.match(clause.text) if clause.language == "zh" else None
    return trimmed(match["o"]) if match is not None and not match["t"] else ""


def right_value(clause: Clause) -> str:
    """What it says is right: 三亚."""
    match = _NOT_BUT_ZH.match(clause.text)
    return trimmed(match["v"]) if match is not None else ""


def corrects(value: str, draft: Draft, denial: Draft | None) -> bool:
    """Whether a correction to `value` may be about a fact: one of the kind, or the one that
    `denial` denied."""
    slot = draft.slot
    if slot is None or is_time(value) != is_time(slot.value):
        return False
    if denial is not None:
        denied = denial.slot
        return denied is not None and (slot.subject, slot.attribute, slot.value) == (
            denied.subject,
            denied.attribute,
            denial.meta["replaces"],
        )
    shown = family_of(slot.attribute) not in ("preference", "instruction", "procedure")
    return shown and slot.cardinality == "one"


def amended(draft: Draft, value: str, text: str) -> Finding:
    """A fact with another value, in the words that told it."""
    slot = draft.slot
    assert slot is not None  # noqa: S101 - see `corrects`
    new = text.replace(slot.value, value, 1) if slot.value in text else None
    if new is None and slot.value.lower() in text.lower():
        new = re.sub(re.escape(slot.value), lambda _: value, text, count=1, flags=re.IGNORECASE)
    return Finding(
        slot.attribute,
        value,
        kind=draft.kind,
        tags=draft.tags,
        importance=max(0.6, draft.importance),
        subject=slot.subject,
        replaces=slot.value,
        text=None if new is None else re.sub(r" ?[(（]\d{4}-[\d/-]+[)）]", "", new),
        event=draft.event.type if draft.event else None,
    )


def instead(denial: Draft, value: str, clause: Clause) -> Finding | None:
    """The value that `clause` gives right after a denial, if it is of the kind that was denied."""
    slot, old = denial.slot, str(denial.meta["replaces"])
    if slot is None or is_time(value) != is_time(old):
        return None
    joint = "，" if clause.language == "zh" else ", "
    return Finding(
        slot.attribute,
        value,
        importance=max(0.6, denial.importance),
        subject=slot.subject,
        replaces=old,
        text=f"{denial.text.rstrip('。.!！ ')}{joint}{clause.text}",
    )
