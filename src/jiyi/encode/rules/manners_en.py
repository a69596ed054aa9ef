"""English instructions about the form of what is written, with no word that says they stand:
"use UK spelling", "no bullet points", "prices in euros please"."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Finding
from jiyi.encode.rules.topics import rule_topic
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_FORM: Final = (
    r"(?:emojis?|bullet points|bullets|tables|headings|headers|markdown|bold(?: text)?|italics|"
    r"pleasantries|jargon|small talk|disclaimers?|filler|fluff|preambles?|intros|introductions|"
    r"exclamation marks|metaphors|analogies|buzzwords|slang|swearing|compliments|flattery|"
    r"(?:uk|us|british|american|canadian|australian) (?:spelling|english)|oxford commas?|"
    r"24 ?h(?:ours?)?(?: (?:time|clock|format))?|(?:24|12)[- ]hour (?:time|clock|format)|am/pm|"
    r"iso (?:dates?|format)|[YMD]{2,4}[-/.][YMD]{2}[-/.][YMD]{2,4}|"
    r"euros|dollars|pounds|yen|yuan|rmb|metric|imperial|celsius|fahrenheit|snake_case|camelcase|"
    r"camel case|snake case|kebab-case|pascalcase|tabs|spaces|semicolons|type hints|docstrings|"
    r"(?:code )?comments|commit messages|variable names|function names|single quotes|"
    r"double quotes|full sentences|plain (?:english|text|language)|simple words|simple language|"
    r"short sentences|short paragraphs|prose)"
)
_WRITE: Final = regex(
    r"^(?:please |just |always )*(?:(?P<no>no(?: more)?|skip|drop|avoid|leave out|less|fewer|"
    r"go easy on)"
    r"|use|write|put|show|keep|stick to|stick with|format|spell|prefer|give me|answer|reply|"
    r"respond|"
    r"talk) (?P<rest>[^?]{2,90})$",
    re.IGNORECASE,
)
_HAS_FORM: Final = regex(rf"(?<![\w-]){_FORM}(?![\w-])", re.IGNORECASE)
_AT_HAND: Final = regex(
    r"\b(?:this|that|these|those|it|here|above|below|the|an?|my|again|instead of|for now|one|two|"
    r"three|four|five|six|seven|eight|ten|[3-9]|\d{3,})\b",
    re.IGNORECASE,
)
_KINDS: Final = regex(
    r"^(?:all |any |the |my )?(?:prices|dates|times|temperatures|distances|weights|measurements|"
    r"amounts|recipes|units|numbers|costs|(?:code )?comments|variable names|answers|replies|"
    r"summaries|citations) (?:in|as|(?:should|must|have to|need to) be(?: in|"
    r" as)?) (?P<v>[^?,;]{2,40})$",
    re.IGNORECASE,
)
_LEVEL: Final = regex(
    r"^(?:please |always )*(?:explain|talk|answer|write|teach|describe)(?: to me| things| stuff|"
    r" everything|"
    r" concepts| code)* (?:like|as if|as though) I (?:am|were|was) (?P<v>[^?,;]{2,40})$",
    re.IGNORECASE,
)
_LIMIT: Final = regex(
    r"^(?:please |always )*(?:keep|limit|cap)(?: all| every)? (?!it\b|this\b|that\b|the\b|them\b|"
    r"me\b)"
    r"(?:[\w'-]+ ){0,2}[\w'-]+ (?:under|below|to|at|within|shorter than|less than|no longer than) "
    r"(?:about |around |at most |max(?:imum)? )?(?:\d+|two|three|four|five|ten|half an|an|"
    r"one) [\w ]{2,20}$",
    re.IGNORECASE,
)
_YOURS: Final = regex(
    r"^(?:please |always |never )*(?P<no>(?:do not|stop|avoid|never) )?(?:start|begin|end|finish|"
    r"open|close|"
    r"fill|pad|sign|format|keep|make|preface)(?:ing)? (?:all |each of |every one of )?(?:your |"
    r"every |each )"
    r"(?:replies|reply|answers?|responses?|messages?|sentences?|emails?|"
    r"explanations?)\b[^?]{2,80}$",
    re.IGNORECASE,
)
_HABITS: Final = regex(
    r"^(?:please |just )*(?:do not|stop|quit|no need to|you do not (?:need|have) to) "
    r"(?:apologi[sz](?:e|ing)|repeat(?:ing)?|sugar-?coat(?:ing)?|explain(?:ing)?|lectur(?:e|ing)|"
    r"prais(?:e|ing)|flatter(?:ing)?|hedg(?:e|ing)|rambl(?:e|ing)|waffl(?:e|ing)|guess(?:ing)?|"
    r"mak(?:e|ing) (?:up|things up|stuff up)|invent(?:ing)?|assum(?:e|ing)|swear(?:ing)?|"
    r"thank(?:ing)? me|greet(?:ing)? me|remind(?:ing)? me|summari[sz](?:e|ing)|"
    r"ask(?:ing)? me (?:to|for|if|"
    r"whether)|us(?:e|ing) (?:my name|so many|that many|big words|"
    r"long words))\b(?P<what>[^?]{0,80})$",
    re.IGNORECASE,
)
_OF_THE_MOMENT: Final = regex(
    r"\b(?:this|that|these|those|it|now|yet|today|here|again|until|for now|the (?:code|text|first|"
    r"last|"
    r"second|answer|rest))\b",
    re.IGNORECASE,
)


# A cheap test: nearly every clause fails it.
_OPENS: Final = regex(
    r"(?:please |just |always |never |all |any |the |my |every )*(?:no|skip|drop|avoid|leave|less|"
    r"fewer|go|"
    r"use|write|put|show|keep|stick|format|spell|prefer|give|answer|reply|respond|talk|teach|"
    r"describe|"
    r"explain|limit|cap|start|begin|end|finish|open|close|fill|pad|sign|make|preface|do not|stop|"
    r"quit|"
    r"you do not|prices|dates|times|temperatures|distances|weights|measurements|amounts|recipes|"
    r"units|"
    r"numbers|costs|code|comments|variable|answers|replies|summaries|citations)",
    re.IGNORECASE,
)


def manner(text: str) -> Finding | None:
    """The instruction about form that a clause gives, contractions spelled out."""
    if _OPENS.match(text) is None:
        return None
    if (match := _HABITS.match(text)) is not None:
        return None if _OF_THE_MOMENT.search(match["what"]) else _rule(text, "dont")
    if (match := _YOURS.match(text)) is not None:
        return _rule(text, "dont" if match["no"] or "never" in text.lower() else "do")
    if _LEVEL.match(text) or _LIMIT.match(text) or _KINDS.match(text):
        return _rule(text, "do")
    match = _WRITE.match(text)
    rest = match["rest"].removeprefix("the ") if match is not None else ""
    if match is None or not _HAS_FORM.search(rest) or _AT_HAND.search(rest):
        return None
    return _rule(text, "dont" if match["no"] else "do")


def _rule(about: str, value: str) -> Finding | None:
    topic = rule_topic(about)
    if len(topic) < 3:
        return None
    return Finding(with_topic("instruction", topic), value, importance=0.7, tags=("instruction",))
