"""States that end or are denied, in both languages: "I'm no longer vegan", "I sold the Skoda",
我对花生不过敏. What is denied is read by the rules that read what is told, without the denial."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding, RuleSet
from jiyi.encode.rules.preferences_en import LIKE, liking
from jiyi.text.patterns import regex

_NEVER_WAS: Final = frozenset(
    ["allergy", "condition", "medication", "diet", "employer", "residence", "language"]
)
"""Attributes whose plain denial ("I don't have asthma") ends what is known."""

_CEASED: Final = frozenset(
    [
        *_NEVER_WAS,
        "workplace",
        "occupation",
        "department",
        "position",
        "responsibility",
        "marital",
        "school",
        "pet",
        "vehicle",
        "device",
        "possession",
        "skill",
        "goal",
    ]
)
"""Attributes that end where the denial says that it was so before."""

PETS: Final = frozenset(
    re.findall(
        r"\S+",
        "dog cat puppy kitten rabbit parrot hamster horse bird turtle fish pet "
        "狗 狗狗 猫 猫咪 猫猫 兔子 仓鼠 鹦鹉 乌龟 宠物",
    )
)
_DIED: Final = regex(
    r"(?:has |have |just )*(?:died|passed away|passed on|ran away|got lost|was put (?:down|to "
    r"sleep)|is (?:dead|gone)$|crossed the rainbow bridge)\b"
    r"|(?:前几天|昨天|上周|去年|今年|已经|刚)*(?:去世|过世|离世|病逝|死|走丢|跑丢|走|没|丢|送人)(?:掉)?了",
    re.IGNORECASE,
)

# "any more", "after all": the denial says that it was so before, or was thought to be so.
_BEFORE: Final = regex(
    r"\b(?:any ?more|any longer|after all|no longer|stopped|misdiagnos\w+|sold|rid of|"
    r"gave away|given away|rehomed|scrapped|moved out)\b|不再|了$|误诊|卖|送人",
    re.IGNORECASE,
)
_TAIL_EN: Final = regex(
    r"\s+(?:any ?more|any longer|after all|now|at all|these days|it turns out)\b.*$", re.IGNORECASE
)
_NO_ALLERGY: Final = regex(
    r"(?:(?:do|does) not|no longer) have (?:any |an )?allerg(?:y|ies)(?: any ?more)?$"
    r"|(?:am|is|are) (?:not|no longer) allergic(?: to anything)?(?: any ?more| after all)?$"
    r"|have no allergies$"
    r"|(?:已经|并)*(?:没有?|不再?|不会再?)(?:什么|任何|对任何东西)?过敏(?:史|症|原)?(?:了|的)?$",
    re.IGNORECASE,
)
_NO: Final = r"(?:not|no longer)(?! (?:only|just|even|yet|so|very|sure|too)\b)"
_TOLD_EN: Final = (
    (regex(rf"(am|is|are) {_NO}(?: being)? ", re.IGNORECASE), r"\1 "),
    (regex(r"(?:(?:do|does) not|no longer) (?=\w)", re.IGNORECASE), ""),
    (regex(r"(?:have |has )?(?:stopped|quit) (?:taking|using) ", re.IGNORECASE), "take "),
    (regex(r"(?:am|is) (?:now |finally )?off (?:the |my )?(?=[a-z])", re.IGNORECASE), "take "),
    (regex(r"(?:have |has )?(?:stopped|quit) working ", re.IGNORECASE), "work "),
    (
        regex(
            r"(?:have |has )?(?:just |finally )?(?:sold(?: off)?|scrapped|totall?ed|rehomed|"
            r"gave away|given away|got(?:ten)? rid of) (?=my |our |the )",
            re.IGNORECASE,
        ),
        "own ",
    ),
    (regex(r"(?:have |has )?moved (?:out of|away from) ", re.IGNORECASE), "live in "),
    (
        regex(
            r"(?:my|the) (?P<v>[\w -]{3,30}?) (?:diagnosis )?(?:was|is|turned out to be) "
            r"(?:a misdiagnosis|misdiagnosed|wrongly diagnosed)$",
            re.IGNORECASE,
        ),
        r"have \g<v>",
    ),
)
_TOLD_ZH: Final = (
    (regex(r"^(?:已经|现在)?不(?:再|是)?(?=对)"), ""),
    (regex(r"^(对.{1,20}?)(?:已经|并|完全)*(?:没有|没|不会再?|不再|不)(?=过敏)"), r"\1"),
    (regex(r"^(?:已经|并|从来|根本)*(?:没有?得?|不再有|没患)(?!.*(?:因为|所以))"), "有"),
    (regex(r"^(?:已经|早就?|也|都)*(?:不再|不)(?=在|住|吃|是|会|懂|服用)"), ""),
    (
        regex(
            r"^(?:已经|早就?|也|都)*不(?:再)?在(?P<v>[^，。]{2,12}?)(?:那边?|公司)?(?:上班|工作|干|做|待)?(?=了$)"
        ),
        r"在\g<v>工作",
    ),
    (regex(r"^(?:已经|早就?|也|都)*不(?:再)?(?:做|当|干)(?=[^，。]{2,10}了$)"), "是"),
    (regex(r"^(?:已经|现在|决定|打算|也)*不(?:再|想)?(?=考[^，。]{1,8}了$)"), "准备"),
    (regex(r"^(?:把|将)(.{1,16}?)(?:给)?(?:卖|送人|处理)掉?(?=了|$)"), r"有\1"),
    (regex(r"^卖掉?了(?=.)"), "有"),
    (regex(r"^(.{1,12}?)(?:其实)?是(?:被)?误诊的?$"), r"有\1"),
)


def ending(clause: Clause, rules: RuleSet) -> Finding | None:
    """What a clause says is so no longer, or never was; `rules` read what is told."""
    if clause.subject in PETS or _noun(clause.subject_words) in PETS:
        return _pet_gone(clause)
    text = clause.predicate
    if _NO_ALLERGY.match(text) is not None:
        return _ended("allergy", "过敏" if clause.language == "zh" else "allergies", clause)
    before = _BEFORE.search(clause.text) is not None
    told = _TOLD_EN if clause.language == "en" else _TOLD_ZH
    for denial, instead in told:
        if (match := denial.match(text)) is None:
            continue
        plain = match.expand(instead) + text[match.end() :]
        if clause.language == "en":
            plain = _TAIL_EN.sub("", plain)
        found = rules.first(plain)
        if found is None or found.attribute not in (_CEASED if before else _NEVER_WAS):
            continue
        if found.ends or (found.attribute in ("employer", "residence") and not _named(found)):
            continue
        return _ended(found.attribute, found.value, clause)
    return None


def _pet_gone(clause: Clause) -> Finding | None:
    if _DIED.match(clause.predicate) is None:
        return None
    found = _ended("pet", clause.subject, clause)
    return replace(found, subject="user")


def _ended(attribute: str, value: str, clause: Clause) -> Finding:
    denied = f"不再{value}" if clause.language == "zh" else f"not {value}"
    return Finding(attribute, denied, replaces=value, ends=True, importance=0.75)


def _named(found: Finding) -> bool:
    return not found.value[:1].isascii() or found.value[:1].isupper()


def _noun(words: str) -> str:
    """The noun of "my cat Miso"."""
    return words.lower().removeprefix("my ").removeprefix("our ").partition(" ")[0]


_TAKEN_UP: Final = regex(
    r"^(?:我|咱们?)?(?:现在|如今|目前|改|转而|转)(?:改|都|只|开始|主要)*"
    r"(?:喝|吃)上?(?P<z>[^，。了]{1,10}?)(?:了|啦)?$"
    r"|^(?:i |we )?(?:now )?(?:only )?(?:drink|eat|have) (?P<e>[^,;.]{2,30}?)"
    r"(?: now| these days| instead)$",
    re.IGNORECASE,
)
_GIVEN_UP: Final = regex(
    r"\b(?:any ?more|any longer|no longer|stopped|gave up|quit)\b|不再?[喝吃].*了|戒", re.IGNORECASE
)


def taken_up(clause: Clause) -> Finding | None:
    """ "I drink pu-erh now", 现在喝普洱, after what was given up in the same sentence."""
    match = _TAKEN_UP.match(clause.text.rstrip("。.!！"))
    before = clause.sentence.partition(clause.text)[0]
    if match is None or not _GIVEN_UP.search(before):
        return None
    return liking(match["z"] or match["e"], LIKE)
