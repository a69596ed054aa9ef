"""English facts about things that have a time, a name or a way of being done: "standup is at 9:15",
"the main branch is called trunk", "commit messages are in English"."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.details import SUBJECT_NOT
from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.products import PRODUCTS
from jiyi.encode.rules.topics import thing_topic, trimmed
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex


def _named(match: re.Match[str]) -> Finding | None:
    """ "The main branch is called trunk"."""
    topic, value = thing_topic(match["t"]), trimmed(match["v"])
    if match["own"].lower() == "the" and _IN_A_TEXT.search(topic):
        return None
    if (
        not topic
        or SUBJECT_NOT.search(match["t"])
        or re.match(r"(?:off|out|for|by|up|it)\b", value)
    ):
        return None
    return Finding(with_topic("detail", f"{topic} name"), value, importance=0.6)


_IN_A_TEXT: Final = regex(
    r"\b(?:function|variable|class|method|file|hero|heroine|character|villain|book|movie|film|song|"
    r"planet|"
    r"command|library|package|parameter|argument|column|table|field|chapter|game|object|key|tag|"
    r"city)$"
)
_DAY: Final = (
    r"(?:every |each |on |most )*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|"
    r"thu|fri|"
    r"sat|sun)s?\b|day|weekdays?|weekends?|week|month|morning|evening|night|other (?:day|week)|"
    r"(?:second|first|third|last) \w+day|(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of (?:the|each|"
    r"every) month)?|"
    r"noon|midnight)"
)
_CLOCK: Final = (
    r"(?:(?:at|from|until|till|by|around|between) )*(?:\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|"
    r"p\.m\.|"
    r"o'clock|uhr|h)?|noon|midnight)(?: ?(?:-|–|to|and|until|till) ?(?:\d{1,2}(?:[:.]\d\d)? ?(?:am|"
    r"pm|"
    r"a\.m\.|p\.m\.|h)?|noon|midnight|late))?"
)
_TIMES: Final = rf"(?:(?:{_DAY}|{_CLOCK})(?:,? (?:and )?|$))+"
_WEEKLY: Final = regex(
    r"\bevery\b|\beach\b|days\b|\bweekends?\b|^(?:at |from |until |by )*\d|\d ?(?:am|pm)\b|"
    r"\bmonth\b",
    re.IGNORECASE,
)
_VERBS: Final = {
    "start": "start",
    "starts": "start",
    "begins": "start",
    "opens": "opening",
    "open": "opening",
    "closes": "closing",
    "close": "closing",
    "ends": "end",
    "finishes": "end",
}
_ONCE: Final = regex(
    r"(?:.* )?(?:flight|appointment|interview|exam|wedding|surgery|film|movie|match|train|bus|"
    r"concert|"
    r"funeral|delivery|deadline|it|this|that|today|date|birthday|anniversary|there|time|age|score|"
    r"rate|"
    r"price|cost|rent|salary|budget|number|answer|result|total|grade|level|sum|value)$",
    re.IGNORECASE,
)
_REGULAR: Final = regex(
    r".*\b(?:day|night|hours|class|practice|training|club|shift|lesson|rehearsal|market|"
    r"collection)$"
)


def _timetable(match: re.Match[str]) -> Finding | None:
    """What comes again at its hour or on its day: "standup is at 9:15", "we close at ten"."""
    topic, value = thing_topic(match["t"] or ""), trimmed(match["v"])
    verb = (match["verb"] or "").lower()
    if verb in ("is", "are", "is on", "are on", "runs", "meets"):
        if not topic or not (_WEEKLY.search(value) or _REGULAR.match(topic)):
            return None
        verb = ""
    if topic and (_ONCE.match(topic) or SUBJECT_NOT.search(topic) or len(topic.split()) > 4):
        return None
    if re.fullmatch(r"(?:at |from |until |by )?\d{1,3}", value) and not verb:
        return None  # "the score is 3"
    kind = (
        "closed"
        if verb.endswith(" closed")
        else "opening"
        if verb.endswith(" open")
        else _VERBS.get(verb, "")
    )
    name = f"{topic} {kind}".strip()
    return Finding(with_topic("schedule", name), value, importance=0.6) if name else None


_WAYS: Final = (
    r"(?:commit messages?|(?:code )?comments|docs|documentation|(?:unit |integration )?tests|specs|"
    r"fixtures|migrations|configs?|secrets|logs|assets|translations|variable names|branch names|"
    r"(?:feature |release |hotfix )?branches|(?:api )?keys?|tokens|credentials|prs|pull requests|"
    r"code reviews|releases|hotfixes|tickets|endpoints|timestamps|ids|"
    r"dates|invoices|reports|recipes|contracts|backups|passwords|photos)"
)


def _way(match: re.Match[str]) -> Finding | None:
    topic = thing_topic(match["t"])
    value = trimmed(match["v"])
    return Finding(with_topic("detail", topic), value, importance=0.55, confidence=0.8)


def _role(match: re.Match[str]) -> Finding | None:
    """ "The contact person at the council is Jim Boyle"."""
    return Finding(with_topic("detail", thing_topic(match["t"])), match["v"], importance=0.6)


def _price(match: re.Match[str]) -> Finding | None:
    topic = thing_topic(match["t"])
    if not topic or SUBJECT_NOT.search(match["t"]):
        return None
    return Finding(with_topic("detail", f"{topic} price"), trimmed(match["v"]), importance=0.6)


_MONEY: Final = (
    r"(?:[£$€¥]\d[\d.,]*k?|\d[\d.,]*k? ?(?:pounds|euros|dollars|quid|usd|eur|gbp|rmb|yuan|yen|"
    r"bucks|"
    r"francs|[£€$]))"
)

EN: Final[tuple[Rule, ...]] = (
    rule(
        r"(?P<t>(?:the|my|our) (?:[\w-]+ ){0,3}?(?:contact(?: person)?|person in charge|lead|owner|"
        r"designer|"
        r"developer|lawyer|accountant|editor|reviewer|maintainer|admin|organi[sz]er|host|coach|"
        r"supplier|"
        r"pm|product manager|project manager|caretaker|secretary|treasurer)(?: (?:at|for|of|in|on) "
        r"(?:the )?[\w ]{2,30}?)?) is (?:now )?(?P<v>(?-i:(?:(?:Dr|Mr|Mrs|Ms)\.? )?[A-Z][\w’'-]+"
        r"(?: [A-Z][\w’'-]+){0,2}|[\u4e00-\u9fff]{2,4}))(?: now)?$",
        _role,
        " is ",
    ),
    rule(
        rf"(?P<t>(?:(?:the|my|our) )?(?:[\w'’&/-]+ ){{0,3}}?[\w'’&/-]+) (?:is|are|costs?|"
        r"goes for) (?:about |around |"
        rf"now |only )?(?P<v>{_MONEY}(?: (?:a|an|per|each|for|plus) ?[\w ]{{0,30}})?)$",
        _price,
        " is | are |cost|goes for",
    ),
    rule(
        r"(?:do not|can not) (?:want to )?(?:spend|pay|afford|go) (?:any )?(?:more than|over|"
        r"above) "
        rf"(?P<v>{_MONEY}|\d[\d.,]*k?)",
        lambda m: Finding("detail/budget", f"at most {m['v']}", importance=0.6),
        "more than|over|above",
    ),
    rule(
        r"(?:max(?:imum)?|at most|no more than|up to|min(?:imum)?|"
        r"at least) \d[\d.,]* [\w ]{2,20} (?:per|for each|"
        r"for every|an?) [\w ]{2,20}$",
        lambda _: Finding(None, tags=("limit",), importance=0.6),
        "max|most|more|up to|min|least",
    ),
    rule(
        rf"(?P<t>(?:(?:the|my|our) )?(?:[\w'’&/-]+ ){{0,3}}?[\w'’&/-]+) (?P<verb>starts|begins|"
        r"opens|closes|"
        r"ends|finishes|runs|meets|is open|are open|is closed|are closed|is|are)(?: on|"
        rf" always)? (?P<v>{_TIMES})$",
        _timetable,
        "starts|begins|opens|closes|ends|finishes|runs|meets| is | are ",
    ),
    rule(
        rf"(?P<t>)(?P<verb>start|open|close|(?:am|are) (?:open|closed)) (?P<v>{_TIMES})$",
        _timetable,
        "start|open|close",
    ),
    rule(
        rf"(?P<t>(?:(?:the|my|our) )?(?:[\w'’&/-]+ ){{0,2}}?[\w'’&/-]+s) (?P<verb>start|open|close|"
        rf"end|finish) (?P<v>{_TIMES})$",
        _timetable,
        "start|open|close|end|finish",
    ),
    rule(
        rf"(?P<t>(?:(?:the|my|our|all) )*{_WAYS}) (?P<v>(?:are|is|live|lives|go out|goes out|go|"
        r"goes|need|needs|"
        r"follow|use|start|"
        r"end|sit|stay) (?:with|in|under|at least|into|as|on|by|to|an?|two|three|one|the|"
        rf"\d)\b[^,;()]{{2,60}})$",
        _way,
        " are | is |live|goes| go |need|follow|use|start| end|sit|stay",
    ),
    rule(
        r"(?:mostly |mainly )*(?:write|writes|am writing) "
        r"(?:in )?(?P<v>[A-Za-z][\w+#.]{1,20})(?= (?:these days|now|"
        r"at work|for)\b|$)",
        lambda m: (
            Finding(with_topic("tool", thing_topic(m["v"])), m["v"], importance=0.55)
            if m["v"].lower() in PRODUCTS
            else None
        ),
        "writ",
    ),
    rule(
        r"(?P<t>(?P<own>my|our|the) (?:[\w'/&-]+ ){0,4}?[\w'/&-]{2,}) (?:is|"
        r"are) (?:now )?(?:called|named|codenamed) "
        r"(?P<v>[^,;()\n]{2,40})$",
        _named,
        "called|named",
    ),
)
