"""What was given up, in two Chinese clauses: 我以前抽烟，2020年戒了; 我不在阿里了，去了拼多多."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.preferences_en import liking
from jiyi.encode.rules.topics import trimmed
from jiyi.encode.rules.values_zh import VAGUE
from jiyi.text.patterns import regex

_QUIT: Final = regex(
    r"(?:已经|早就?|后来|去年|前年|就|都|也|给|完全|彻底|现在)*戒(?:掉)?了?$|(?:现在|后来)(?:已经|"
    r"早就?|都)*不(?P<verb>[抽吸喝吃玩])了$"
)
_TAKEN: Final = regex(r"(?P<verb>[抽吸喝吃玩])(?P<v>烟|酒|[^，。了过]{1,8}?)(?:的|了)?$")
_WENT: Final = regex(
    r"(?:现在|后来|跳槽|转)*(?:去|到|来|进|加入)了?(?P<v>[^，。]{2,12}?)(?:上班|工作)?(?:了)?$"
)


def given_up_after(clause: Clause) -> Finding | None:
    """What the clause says was given up, of what the sentence told before it."""
    match = _QUIT.match(clause.predicate) if clause.language == "zh" else None
    before = clause.sentence.partition(clause.text)[0].rstrip(" ，,")
    if match is None or not before:
        return None
    told = _TAKEN.search(before)
    if told is None or (match["verb"] and match["verb"] != told["verb"]):
        return None
    text = f"{before}，{clause.text}"
    if told["v"] in ("烟", "酒"):
        attribute = "smoking" if told["v"] == "烟" else "drinking"
        return Finding(
            attribute, "不抽" if told["v"] == "烟" else "不喝", importance=0.75, text=text
        )
    found = liking(told["v"], "stopped", strength=2)
    return (
        None
        if found is None
        else Finding(found.attribute, "stopped", importance=found.importance, text=text)
    )


def new_employer(clause: Clause, last: Finding | None) -> Finding | None:
    """Where somebody works now, right after they said where no longer."""
    if clause.language == "en" or last is None or not last.ends or last.attribute != "employer":
        return None
    match = _WENT.match(clause.predicate)
    place = trimmed(match["v"]) if match is not None else ""
    if not place or VAGUE.search(place) or re.search(r"家|学校|国|旅|玩", place):
        return None
    return Finding("employer", place, importance=0.8, replaces=last.replaces)
