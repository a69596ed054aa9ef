"""How people introduce themselves in English: "I'm Priya, 29, a nurse from Porto", "Ravi here"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding, RuleSet
from jiyi.encode.rules.persons import NO_NAME
from jiyi.text.patterns import regex

_GREETED: Final = regex(
    r"\s*(?:hi+|hello|hey+|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening))\b"
    r"|\bintro(?:duction|ducing|duce)?\b|\b(?:nice|pleased|good|glad) to (?:e-?)?meet\b",
    re.IGNORECASE,
)
_CAPITAL_NAME: Final = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2}"
_INTRODUCED: Final = regex(
    rf"(?:am|(?P<this>[Tt]his is)) (?P<v>{_CAPITAL_NAME})(?:,? (?:and )?(?P<rest>[^;]{{2,120}}))?$"
    rf"|(?P<here>{_CAPITAL_NAME}) here$"
)
_PART: Final = regex(
    r",\s*(?:and )?|\s+(?=from (?-i:[A-Z]))|\s+(?=(?:living|based) in (?-i:[A-Z]))|"
    r"\s+and (?=(?:an?|from|living|working)\b)"
)
_PART_OPENS: Final = regex(
    r"\d{1,3}(?: years? old| yo)?$|(?:an?|the|from|living|based|working|born|originally|married|"
    r"single|currently|now|studying|retired|self-employed)\b",
    re.IGNORECASE,
)
_STATES: Final = regex(
    r"(?:\w+(?:ing|ed)|Same|Over|Right|Still|Nobody|Nothing|Everyone|Somebody|You|Vegan|Vegetarian|Single|Sorry|Fine|Ok(?:ay)?|OK|Not|New|Done|Back|Here|"
    r"Ready|"
    r"Happy|Glad|Just|So|In|At|From|On|Also|Welsh|Czech|Slovak|Greek|Swede|Dane|Finn|Pole|Turk|"
    r"Brit|"
    r"Scot|Aussie|Kiwi|Hindu|Sikh|Team|Senior|Junior|Head|Director|CEO|CTO|CFO|Deaf|Blind|ADHD|"
    r"Gen|Type|Great|Perfect|Good|Nice|Amazing|Awesome|Sparta|Batman|Insane|Wrong)\b"
)
_OWN_AFTER: Final = regex(r"\b(?:I|i|my|we)\b|\b(?i:im|ive)\b")
_AGED: Final = regex(
    r"(?P<be>am|is) (?P<what>an? (?:(?P<age>\d{1,3})[- ]years?[- ]old )?(?P<job>[^,;]{3,60}?))"
    r"(?P<home> (?:originally )?from (?:the )?(?-i:[A-Z\u4e00-\u9fff])[^,;]{1,30}"
    r"| (?:based|living) in [^,;]{2,30})?$",
    re.IGNORECASE,
)


def introduction(clause: Clause, rules: RuleSet, turn: str) -> list[Finding]:
    """ "I'm Priya Nair, a structural engineer from Porto": the name, the job, where from. A single
    name alone ("I'm French") may be no name: it counts where something of that kind follows, or
    where the turn greets somebody."""
    if clause.language != "en":
        return []
    if (several := _aged(clause, rules)) is not None:
        return several
    match = _INTRODUCED.match(clause.predicate)
    if match is None:
        return []
    name = match["v"] or match["here"]
    if NO_NAME.match(name) or _STATES.match(name):
        return []
    greeted = _GREETED.search(turn) is not None
    first = not turn[: clause.span[0]].strip()
    here = match["v"] is None or match["this"] is not None
    if here and (clause.subject_words or not (greeted or (first and match["here"]))):
        return []
    if not here and clause.subject_words != "I":
        return []
    return _introduced(name, match["rest"] or "", rules, sure=greeted or here) or (
        _alone(name, clause, turn) if not match["rest"] and first else []
    )


def _alone(name: str, clause: Clause, turn: str) -> list[Finding]:
    """A name with nothing behind it, at the head of a turn that goes on about its speaker."""
    goes_on = " " in name or _OWN_AFTER.search(turn, clause.span[1]) is not None
    return [Finding("name", name, importance=0.9)] if goes_on else []


def _introduced(name: str, rest: str, rules: RuleSet, *, sure: bool) -> list[Finding]:
    """A name, and what the parts behind it say; without such a part only where it is `sure`."""
    found = [Finding("name", name, importance=0.9)]
    parts = [part for part in _PART.split(rest) if part]
    if parts and not _PART_OPENS.match(parts[0]):
        return []
    for part in parts:
        finding = rules.first(f"am {part}") if _PART_OPENS.match(part) else None
        if finding is not None:
            found.append(replace(finding, text=f"I'm {part}"))
    return found if sure or len(found) > 1 else []


def _aged(clause: Clause, rules: RuleSet) -> list[Finding] | None:
    """ "A 31 year old teacher from Ohio": the age, the job, where from."""
    match = _AGED.match(clause.predicate)
    if match is None or not (match["age"] or match["home"]) or not clause.subject_words:
        return None
    be = match["be"]
    job = rules.first(f"{be} a {match['job']}")
    if job is None or job.attribute not in ("occupation", "school", "education"):
        return None
    who = clause.subject_words if be == "is" else "I"
    said = [(job, f"{'an' if match['job'][0].lower() in 'aeiou' else 'a'} {match['job']}")]
    for part in (
        f"{match['age']} years old" if match["age"] else "",
        (match["home"] or "").strip(),
    ):
        if part and (finding := rules.first(f"{be} {part}")) is not None:
            said += [(finding, part)]
    return [replace(finding, text=f"{who} {be} {part}") for finding, part in said]
