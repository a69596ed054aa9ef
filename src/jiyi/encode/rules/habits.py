"""What somebody does again and again, in both languages."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.text.patterns import regex

_EN: Final = regex(
    r"\b(?:usually|(?<!not )normally|typically|regularly|every (?:day|morning|evening|night|week|"
    r"weekend|"
    r"month|other day|year|summer|winter|\w+day)|"
    r"(?:once|twice|three times|four times|five times|\d+ times) (?:a|per) (?:day|week|month|"
    r"year)|on (?:weekends|weekdays|\w+days)|most (?:days|mornings|evenings|weekends)|"
    r"(?:\w+day )?(?:mornings|evenings|nights))\b",
    re.IGNORECASE,
)
_EN_VERB: Final = regex(
    r"(?:do |go |play|run|swim|work|cook|read|write|meditate|walk|bike|cycle|train|practi[sc]e|"
    r"study|teach|meet|call|visit|eat|drink|skip|have|take|attend|volunteer|"
    r"paint|sing|dance|jog|lift|hike|climb|clean|shop|bake|garden|fish|journal|stretch|nap|"
    r"commute|fly|travel|watch|listen|babysit|coach|lead|host|review|plan|prep|"
    r"meal-prep|batch|check|stay|sleep|fast|stream|record|publish|post|donate|go\b)",
    re.IGNORECASE,
)
_ZH: Final = regex(
    r"每(?:天|周|月|年|晚|个?周末|个?(?:周|星期)[一二三四五六日天]|隔)(?!的)|一周[一二三四五六\d]次|"
    r"每周[一二三四五六\d]次|平时(?=.{2})|通常|经常|周末(?:一般|都|通常|会|总)|工作日"
)
_ZH_VERB: Final = regex(
    r"去|跑|游|骑|打|练|做|写|读|看|听|学|教|开|吃|喝|睡|走|爬|画|弹|唱|跳|健身|锻炼|带|陪|回|"
    r"给|和|跟|复盘|整理|打扫|买|逛|遛|坐|通勤|加班|值班|出差|直播|记"
)

_ZH_MEANT: Final = regex(r"打算|准备|计划|回去|回头|以后会|之后会|接下来|会把|想要?(?!起|到|象)")


def habit(clause: Clause) -> Finding | None:
    """A habit that the clause tells of the speaker or of somebody close."""
    if not clause.subject_words:
        return None
    if clause.language == "en":
        told = _EN.search(clause.text) is not None and _EN_VERB.match(clause.predicate) is not None
        tag = "habit"
    else:
        told = (
            _ZH.search(clause.text) is not None
            and _ZH_VERB.search(clause.predicate) is not None
            and _ZH_MEANT.search(clause.text) is None
        )
        tag = "习惯"
    if not told or len(clause.predicate) < 4:
        return None
    return Finding(None, tags=(tag,), importance=0.55, confidence=0.85)
