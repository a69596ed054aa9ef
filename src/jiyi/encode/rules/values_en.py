"""What the English rules share: where a value ends, and how it becomes a finding."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import MAX_VALUE, Builder, Finding
from jiyi.encode.rules.topics import trimmed
from jiyi.text.patterns import regex

# Where a value ends: at what no longer belongs to it.
STOP: Final = (
    r"(?=\s+(?:and (?:i|we|my|she|he|they)|but|because|since|so that|so i|which|who|where|when|"
    r"while|"
    r"for (?:about |over |almost |nearly )?(?:\d+|a|two|three|four|five|six|seven|eight|ten|"
    r"many|several|"
    r"a few|the (?:last|past)) (?:years?|months?|weeks?|days?|decades?)|since|these days|now|"
    r"at the moment|"
    r"right now|currently|these|(?:last|next) (?:week|month|year|spring|summer|fall|autumn|"
    r"winter|\w+day)|this (?:week|month|"
    r"year)|a (?:few|couple)|(?:two|three|\d+) (?:years?|months?|weeks?|days?) ago|yesterday|"
    r"today|recently|"
    r"with my|to be|too|as well|again|originally|anymore|any more|instead|in (?:late |early |"
    r"mid[- ]?)?(?:(?:19|20)\d\d|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|spring|summer|autumn|winter|fall)|on (?:mon|tues|wednes|thurs|"
    r"fri|satur|sun)day|tomorrow|from now on|actually)\b"
    r"|\s*[,;(:]|\s+-|\s*$|\.\s|\.$)"
)
V: Final = rf"(?P<v>[^,;()\n]{{1,{MAX_VALUE}}}?)" + STOP
BE: Final = r"(?:am|is|are|was|were|being|be)"
ABSTRACT: Final = regex(
    r"^(?:it|this|that|these|those|them|him|her|you|me|us|here|there|so|what|how|something|"
    r"anything|nothing|"
    r"everything|not|more|less|going|trying|able|about|done|ready|sure|sorry|glad|happy|fine|"
    r"good|ok(?:ay)?)\b",
    re.IGNORECASE,
)


def fact(
    attribute: str,
    *,
    importance: float = 0.7,
    value: str | None = None,
    unless: re.Pattern[str] = ABSTRACT,
) -> Builder:
    """A builder for one attribute whose value is the group `v`, or `value`."""

    def build(match: re.Match[str]) -> Finding | None:
        found = trimmed(match["v"]) if value is None else value
        if not found or unless.search(found):
            return None
        if value is None:
            found = re.sub(r"^(?:a|an|the)\s+(?=[a-z])", "", found)
        return Finding(attribute, found, importance=importance)

    return build


def ended(attribute: str) -> Builder:
    def build(match: re.Match[str]) -> Finding | None:
        found = trimmed(match["v"])
        if not found or ABSTRACT.search(found):
            return None
        return Finding(attribute, f"not {found}", replaces=found, ends=True, importance=0.7)

    return build
