"""What holds from a day to come, in both languages: "from next month I'll live in Berlin",
下个月起我搬到上海. It is read like the same statement about today, and dated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.slots import family_of
from jiyi.text.patterns import regex
from jiyi.text.time_expressions import find_times

if TYPE_CHECKING:
    from jiyi.text.time_expressions import TimeMention

_BEGINS: Final = regex(
    r"\b(?:from|starting|beginning|as of|effective)\b|(?<![一对])起(?!来|床|飞|点|码|初)|开始|以后",
    re.IGNORECASE,
)
_FROM: Final = regex(
    r"\b(?:from|starting|beginning|as of|effective)(?: on| the)?\s+$", re.IGNORECASE
)
_PREFIX_EN: Final = regex(
    r"^(?:(?:will|shall|am going to|is going to|are going to)(?: be)?|am|is|are)\s+(?=\w)",
    re.IGNORECASE,
)
_WORK_EN: Final = regex(
    r"^(?:start(?:ing)?(?: (?:work|working|a (?:new )?job))? at|join(?:ing)?|work(?:ing)? "
    r"(?:at|for))\s+",
    re.IGNORECASE,
)
_HOME_EN: Final = regex(
    r"^(?:be )?(?:mov(?:e|ing)|relocat(?:e|ing)|liv(?:e|ing)|stay(?:ing)?)(?: over| out| back)?"
    r" (?:to|in)\s+",
    re.IGNORECASE,
)
_USE_EN: Final = regex(
    r"^(?:us(?:e|ing)|switch(?:ing)? to|mov(?:e|ing) to using)\s+", re.IGNORECASE
)
_PREFIX_ZH: Final = regex(r"^(?:(?:就|会|将要?|要|准备|打算|计划|正式)(?!求))+")
_TRAILING: Final = regex(r"[\s,，]*(?:from|starting|beginning|as of|effective|从|自)?[\s,，]*$")
_LONGEST_DAY: Final = 30  # characters of a day that stands alone before its clause
_NOT_PLANNED: Final = frozenset(
    [
        *("plan", "goal", "schedule", "detail", "birthday", "instruction", "preference"),
        *("procedure", "habit", "decision", "name", "relation", "alias"),
    ]
)
"""Families that are about what is to come anyway, or that hold at once."""

_OPENING: Final = regex(r"(?: on(?:wards?)?)?,? I(?P<verb>['’]ll|['’]m| will| am|)\s+")
_SHORT: Final = {"'ll": "will", "’ll": "will", "'m": "am", "’m": "am", " will": "will", " am": "am"}

Read = Callable[[Clause], Iterable[Finding | None]]


def planned(
    clause: Clause, said_at: datetime, read: Read
) -> tuple[Clause, Finding, TimeMention] | None:
    """A fact that a clause says holds from a day to come, with that day, and the clause with it.

    Args:
        read: the rules for what holds today.
    """
    if not _BEGINS.search(clause.sentence or clause.text):
        return None
    clause = _with_day(clause)
    start = next((m for m in find_times(clause.text, said_at) if _begins(m, clause, said_at)), None)
    if start is None:
        return None
    if (opening := _OPENING.match(clause.text, start.span[1])) is not None:
        # "From January I'll …": the day is no part of who is spoken of.
        verb = _SHORT.get(opening["verb"], opening["verb"])
        predicate = f"{verb} {clause.text[opening.end() :]}".strip()
        clause = replace(clause, subject="user", subject_words="I", predicate=predicate)
    today = replace(clause, predicate=_as_today(clause, start))
    for finding in read(today):
        if finding is None or finding.attribute is None or finding.ends:
            continue
        if family_of(finding.attribute) not in _NOT_PLANNED and finding.holds() == "one":
            return clause, replace(finding, event=None, kind="semantic", durable=True), start
    return None


def _with_day(clause: Clause) -> Clause:
    """The clause with the day that stands before it, cut off by a comma: 从下个月起，我的…"""
    before, found, _ = clause.sentence.partition(clause.text)
    day = before.rstrip(" ,，")
    if not found or not day or not _BEGINS.search(day) or len(day) > _LONGEST_DAY:
        return clause
    start = clause.span[0] - len(before)
    return replace(
        clause,
        text=before + clause.text,
        span=(start, clause.span[1]),
        lead="",
        resolved=None,
    )


def _begins(mention: TimeMention, clause: Clause, said_at: datetime) -> bool:
    if mention.start is None or mention.start <= said_at:
        return False
    return mention.end is None or _FROM.search(clause.text[: mention.span[0]]) is not None


def _as_today(clause: Clause, start: TimeMention) -> str:
    """The predicate as if it held already: without its day, and in the present."""
    words = clause.text[slice(*start.span)]
    predicate = clause.predicate
    if (place := predicate.find(words)) >= 0:
        before = _TRAILING.sub("", predicate[:place])
        predicate = f"{before} {predicate[place + len(words) :].lstrip(' ,，')}".strip()
    if clause.language == "zh":
        return _PREFIX_ZH.sub("", predicate)
    predicate = _PREFIX_EN.sub("", predicate)
    for pattern, today in ((_WORK_EN, "work at "), (_HOME_EN, "live in "), (_USE_EN, "use ")):
        if pattern.match(predicate):
            return pattern.sub(today, predicate, count=1)
    return f"am {predicate}" if predicate.split(" ")[0].endswith("ing") else predicate
