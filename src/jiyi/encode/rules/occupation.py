"""The second fact of "I work at Acme as a nurse" and 在字节做前端: what somebody does there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.topics import trimmed
from jiyi.text.patterns import regex

_EN: Final = regex(
    r"\bas (?:an? |the |their |its )?(?P<v>[^,;()]{2,60}?)(?=\s+(?:at|for|in|with|since|now|"
    r"and)\b|\s*$|\.)",
    re.IGNORECASE,
)
_ZH: Final = regex(
    r"(?:工作|上班|任职|就职)?[，,]?(?:当|做|担任|任|干)(?P<v>(?!事|了|过|完|饭|梦|"
    r"一)[^，。]{2,14}?)(?:工作)?(?:的|了|呢)*$"
)


def occupation(clause: Clause) -> Finding | None:
    """The occupation named beside an employer, in a text of its own."""
    chinese = clause.language == "zh"
    match = (_ZH if chinese else _EN).search(clause.predicate)
    if match is None:
        return None
    job = trimmed(match["v"])
    if not job or job.lower().startswith(("well", "of ", "a result")):
        return None
    who = clause.subject_words or ("我" if chinese else "I")
    if chinese:
        text = f"{who}做{job}"
    else:
        verb = "work" if who in ("I", "We", "we") else "works"
        text = f"{who} {verb} as {match.group()[3:].strip()}"
    return Finding("occupation", job, importance=0.8, text=text)


_FIRM_EN: Final = regex(
    r"(?:am|is|are|work(?:s|ing)?) .*? (?:at|for|with) "
    r"(?P<v>(?:the )?(?-i:[A-Z\u4e00-\u9fff])[^,;()]{1,40}?)(?=\s+(?:in|since|now|for|and)\b|$)",
    re.IGNORECASE,
)


_SCHOOL_EN: Final = regex(
    r"(?:study|studying|studies|am studying|is studying|major(?:ing)?) .*? at (?P<v>(?:the )?"
    r"(?-i:[A-Z\u4e00-\u9fff])[^,;()]{1,50}?)(?=\s+(?:in|since|now|for)\b|$)",
    re.IGNORECASE,
)


def school(clause: Clause) -> Finding | None:
    """The school named beside a field of study: "studying law at Leeds"."""
    predicate = clause.predicate.removeprefix("am ").removeprefix("is ")
    match = _SCHOOL_EN.match(predicate) if clause.language == "en" else None
    if match is None:
        return None
    who = clause.subject_words or "I"
    verb = "study" if who in ("I", "We", "we") else "studies"
    return Finding(
        "school", trimmed(match["v"]), importance=0.7, text=f"{who} {verb} at {match['v']}"
    )


def employer(clause: Clause) -> Finding | None:
    """The employer named beside an occupation: "I'm a backend dev at Acme"."""
    match = _FIRM_EN.match(clause.predicate) if clause.language == "en" else None
    if match is None or not clause.subject_words:
        return None
    who = clause.subject_words
    verb = "work" if who in ("I", "We", "we") else "works"
    return Finding(
        "employer", trimmed(match["v"]), importance=0.8, text=f"{who} {verb} at {match['v']}"
    )


def beside(finding: Finding, clause: Clause) -> Iterator[Finding]:
    """The second fact of a clause, beside the one that was found in it."""
    seconds = {
        "employer": occupation,
        "workplace": occupation,
        "occupation": employer,
        "major": school,
    }
    second = seconds.get(finding.attribute or "")
    found = second(clause) if second is not None else None
    if found is not None:
        yield found
