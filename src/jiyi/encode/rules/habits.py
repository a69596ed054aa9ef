"""What somebody does again and again, in both languages."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.text.patterns import regex

_EN: Final = regex(
    r"\b(?:usually|(?<!not )normally|typically|regularly|every (?:other |second |third )?(?:day|"
    r"morning|evening|night|week|"
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
_COUNTED: Final = regex(r"[\d两二三四五六七八九十]|一[次回顿杯]")
_ZH: Final = regex(
    r"每(?:天|周|月|年|晚|半年|季度|[两三几隔]天|[两三]周|个?周末|个?(?:周|"
    r"星期)[一二三四五六日天]|隔)(?!的)|一周[一二三四五六\d]次|"
    r"(?:一|每)(?:周|天|个?月|年)(?!内|里|之)[^，。]{0,4}[一二两三四五六\d]+[次杯支片粒包顿]|"
    r"每周[一二三四五六\d]次|平时(?=.{2})|通常|经常|一般(?!的|般|来说|情况|人|性)|周末(?:一般|都|"
    r"通常|会|总)|工作日"
)
# Whatever people do; how they feel about it is no habit.
_ZH_NOT: Final = regex(
    r"(?:[^，。]{0,6}(?:很|好(?!几)|太(?!极|阳)|真|特别|非常|超级?|挺)[^，。]{1,4}$)|都?(?:想[你他她死]|累|"
    r"困|烦|忙|开心|觉得|感觉|不|没|"
    r"在想|是|有(?!课|氧|会|例会|[^，。]*习惯$)|[这那你您])|[^，。]{0,1}$"
)

_ZH_MEANT: Final = regex(
    r"听起来|能让|融入|把[它这那]|打算|准备|计划|回去|回头|以后会|之后会|接下来|会把|(?<!冥)想要?(?!起|到|象)"
)

_ANOTHER_ZH: Final = regex(r"[他她它]")


def habit(clause: Clause) -> Finding | None:
    """A habit that the clause tells of the speaker or of somebody close."""
    if not clause.subject_words:
        return None
    if clause.language == "en":
        told = _EN.search(clause.text) is not None and _EN_VERB.match(clause.predicate) is not None
        tag = "habit"
    else:
        done = _ZH.sub("", clause.predicate, count=1).lstrip("都也就还会")
        if not done and _COUNTED.search(clause.predicate):
            done = clause.predicate
        told = _ZH.search(clause.text) is not None and _ZH_NOT.match(done) is None
        told = told and _ZH_MEANT.search(clause.text) is None
        if clause.lead and _ANOTHER_ZH.search(clause.text):
            return None  # 蔬菜粥她平时也爱喝: hers
        tag = "习惯"
    if not told or len(clause.predicate) < (4 if clause.language == "en" else 2):
        return None
    return Finding(None, tags=(tag,), importance=0.55, confidence=0.85)
