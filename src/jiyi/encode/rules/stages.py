"""Stages of a life that are over: what was so then (小时候, "in 2015") is no state of today."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding, RuleSet
from jiyi.encode.slots import family_of
from jiyi.text.patterns import regex

_PAST: Final = regex(
    r"小时候|小的时候|儿时|童年|年轻时|年轻的时候|早年|当年|当时|那时候?|那会儿|那几?年|曾经?|"
    r"(?:以前|之前|从前|过去|原来|原先)(?!的)|"
    r"(?<!从)(?:上|读|念)?(?:小学|初中|中学|高中|大学|研究生|读书|上学|留学|实习|当兵)(?:的)?(?:时候?|期间)|"
    r"去年|前年|大前年|(?:退休|结婚|转行|创业|离职|生孩子)之?前"
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


# What a verb in the past says of then, as it would be said of now.
_THEN_EN: Final = (
    (regex(r"used to be (?=an? |the |married|vegan|vegetarian|in |at )", re.IGNORECASE), "am "),
    (
        regex(
            r"used to (?=(?:live|work|study|own|drive|teach|play|run|speak|be)\b)", re.IGNORECASE
        ),
        "",
    ),
    (
        regex(
            r"(?:was|were) (?=(?:living|working|studying|based|employed|renting|married|engaged"
            r"|single|vegan|vegetarian|an? |the )\b)",
            re.IGNORECASE,
        ),
        "am ",
    ),
    (regex(r"lived (?=in|at|near|on|with|outside)", re.IGNORECASE), "live "),
    (regex(r"worked (?=at|for|as|in)", re.IGNORECASE), "work "),
    (regex(r"(?:studied|went to|attended) ", re.IGNORECASE), "study at "),
    (regex(r"owned ", re.IGNORECASE), "own "),
    (regex(r"drove (?=an? )", re.IGNORECASE), "drive "),
    (regex(r"had (?=an? |two |three )", re.IGNORECASE), "have "),
)
_WHEN_EN: Final = regex(
    r"\b(?:used to|back then|at (?:that|the) time|in those days|(?:when|while|before) (?:i|we) "
    r"(?:was|were|went|started|moved|got|had|met|studied|lived|worked)"
    r"|as an? (?:child|kid|teenager|student|intern|boy|girl)|(?:in|at) (?:college|university|"
    r"(?:high |primary )?school|my (?:youth|childhood|twenties|thirties))"
    r"|(?:many |some |\w+ )?(?:years|decades|months) ago)\b",
    re.IGNORECASE,
)
_YEARS_EN: Final = regex(
    r"\b(?:from|between) (?P<a>(?:19|20)\d\d) (?:to|until|till|and|-|–) (?P<b>(?:19|20)\d\d)\b"
    r"|\b(?:in|during|around|until|till) (?:\w+ )?(?P<y>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
# "I have lived in Leeds since 2015", "… for ten years": it began then and holds.
_STILL_EN: Final = regex(
    r"(?:have|has) (?P<v>lived|worked|studied|owned|driven|taught) ", re.IGNORECASE
)
_SINCE_EN: Final = regex(
    r"\bsince\b|\bfor (?:\w+ )?(?:\w+ )?(?:years|months|decades|ages)\b|\ball my life\b",
    re.IGNORECASE,
)
_BASE: Final = {
    "lived": "live",
    "worked": "work",
    "studied": "study",
    "owned": "own",
    "driven": "drive",
    "taught": "teach",
}


def still(clause: Clause) -> Clause:
    """ "Have lived in Leeds since 2015" as "live in Leeds since 2015"."""
    if clause.language != "en" or not _SINCE_EN.search(clause.text):
        return clause
    match = _STILL_EN.match(clause.predicate)
    if match is None:
        return clause
    verb = _BASE[match["v"].lower()]
    return replace(clause, predicate=f"{verb} {clause.predicate[match.end() :]}")


def formerly(clause: Clause, rules: RuleSet, said_at: datetime) -> Finding | None:
    """What an English clause says of a time that is over ("in 2015 I lived in Berlin"): it fills no
    place among what is so today, and holds for that time where it is named."""
    if clause.language != "en" or not (clause.subject_words or clause.subject != "user"):
        return None
    years = _years(clause.text, said_at)
    if years is None and not _WHEN_EN.search(clause.text):
        return None
    for then, now in _THEN_EN:
        if (match := then.match(clause.predicate)) is None:
            continue
        plain = now + _YEARS_EN.sub("", clause.predicate[match.end() :]).strip()
        found = rules.first(plain)
        if found is None or found.attribute is None or family_of(found.attribute) not in _OF_THEN:
            return None
        start, end = years or (None, None)
        return replace(
            found,
            attribute=None,
            tags=found.labels("en"),
            replaces=None,
            strength=0,
            held=(start, end),
        )
    return None


_OF_THEN: Final = frozenset(
    [
        *("residence", "employer", "workplace", "occupation", "position", "department", "school"),
        *("major", "marital", "diet", "pet", "vehicle", "device", "possession", "tool"),
    ]
)


def _years(text: str, said_at: datetime) -> tuple[datetime, datetime] | None:
    """The years that a text names, where they are over: half-open."""
    match = _YEARS_EN.search(text)
    if match is None or re.match(r"until|till", match.group(), re.IGNORECASE):
        return None
    first, last = int(match["a"] or match["y"]), int(match["b"] or match["y"])
    if not first <= last < said_at.year:
        return None
    zone = said_at.tzinfo
    return datetime(first, 1, 1, tzinfo=zone), datetime(last + 1, 1, 1, tzinfo=zone)


def as_of_then(clause: Clause, finding: Finding, said_at: datetime) -> Finding:
    """The finding without its place among what is so today, when its clause tells of a stage that
    is over; it stays as something that was."""
    if finding.attribute is None or finding.ends or family_of(finding.attribute) in _LASTING:
        return finding
    if finding.value == "stopped" or not _is_over(clause, said_at):
        return finding
    return replace(
        finding,
        attribute=None,
        tags=finding.labels(clause.language),
        replaces=None,
        strength=0,
        held=_year(clause.text, said_at),
    )


def _is_over(clause: Clause, said_at: datetime) -> bool:
    if clause.language != "zh" or not clause.text.endswith(clause.predicate):
        return False
    before = clause.text[: len(clause.text) - len(clause.predicate)]
    year = _YEAR.search(before)
    past = _PAST.search(before) is not None or (year is not None and int(year[1]) < said_at.year)
    return past and not _SINCE.search(before) and not _BEGUN.search(clause.predicate)


_SPAN_ZH: Final = regex(
    r"(?<!\d)(?P<a>(?:19|20)\d\d)年?(?:到|至|-|—|~|～)(?P<b>(?:19|20)\d\d)年?"
    r"|(?<!\d)(?P<y>(?:19|20)\d\d)年(?!\d)"
)


def _year(text: str, said_at: datetime) -> tuple[datetime | None, datetime | None]:
    """The years that a Chinese clause names, half-open; none of them where it names none."""
    match = _SPAN_ZH.search(text)
    if match is None:
        return None, None
    first, last = int(match["a"] or match["y"]), int(match["b"] or match["y"])
    if not first <= last < said_at.year:
        return None, None
    zone = said_at.tzinfo
    return datetime(first, 1, 1, tzinfo=zone), datetime(last + 1, 1, 1, tzinfo=zone)
