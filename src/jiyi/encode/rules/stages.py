"""Stages of a life that are over: what was so then (小时候, 2015年) is no state of today."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.slots import family_of
from jiyi.text.patterns import regex

_PAST: Final = regex(
    r"小时候|小的时候|儿时|童年|年轻时|年轻的时候|早年|当年|当时|那时候?|那会儿|那几?年|曾经?|"
    r"(?:以前|之前|从前|过去|原来|原先)(?!的)|"
    r"(?<!从)(?:上|读|念)?(?:小学|初中|中学|高中|大学|研究生|读书|上学|留学|实习|当兵)(?:的)?(?:时候?|期间)|"
    r"去年|前年|大前年"
)
_YEAR: Final = regex(r"(?<![\d从自])((?:19|20)\d\d)年(?!.{0,6}(?:开始|至今|以来|起|到现在))")
_SINCE: Final = regex(r"(?:从|自).{1,10}(?:开始|起|以来|到现在|至今)|一直|至今|到现在|还是|就开始")
# What happened then and holds on: 2015年搬到上海.
_BEGUN: Final = regex(
    r"搬|迁|加入|入职|跳槽|开始|买|养了|换|改|毕业|结婚|离婚|确诊|查出|得了|成为|当上|升|戒|定居|"
    r"拿到|考|领养|学会|离职|辞职|调|转"
)
_LASTING: Final = frozenset(
    [
        "name",
        "birthday",
        "birth_year",
        "hometown",
        "nationality",
        "ethnicity",
        "gender",
        "zodiac",
        "school",
        "education",
        "major",
        "certificate",
        "marital",
        "children",
        "family",
    ]
)
"""Attributes that a past stage does not end: where somebody grew up, and what they studied."""


def as_of_then(clause: Clause, finding: Finding, said_at: datetime) -> Finding:
    """The finding without its place among what is so today, when its clause tells of a stage that
    is over; it stays as something that was."""
    if finding.attribute is None or finding.ends or family_of(finding.attribute) in _LASTING:
        return finding
    if finding.value == "stopped" or not _is_over(clause, said_at):
        return finding
    return replace(
        finding, attribute=None, tags=finding.labels(clause.language), replaces=None, strength=0
    )


def _is_over(clause: Clause, said_at: datetime) -> bool:
    if clause.language != "zh" or not clause.text.endswith(clause.predicate):
        return False
    before = clause.text[: len(clause.text) - len(clause.predicate)]
    year = _YEAR.search(before)
    past = _PAST.search(before) is not None or (year is not None and int(year[1]) < said_at.year)
    return past and not _SINCE.search(before) and not _BEGUN.search(clause.predicate)
