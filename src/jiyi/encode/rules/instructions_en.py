"""English standing instructions: how the user wants things done from now on."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.answers import about_answers
from jiyi.encode.rules.contractions import spelled_out
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.manners_en import manner
from jiyi.encode.rules.topics import rule_topic
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_STANDING: Final = regex(
    r"\b(?:from now on|from here on|going forward|in (?:the )?future|henceforth|from today|"
    r"as a rule|every time(?! step)|each time(?! step)|whenever|"
    r"by default|at all times|under no circumstances|starting (?:today|now)|for all future|"
    r"any ?time|until further notice|next time|"
    r"without exception)\b",
    re.IGNORECASE,
)
_TO_REMEMBER: Final = regex(
    r"(?:please )?(?:always )?(?:remember to|(?:do not|don['’]t) (?:ever )?forget to|"
    r"make sure to|be sure to|see to it that you) "
    r"(?:always |never |also )?(?:run|send|check|include|add|put|write|save|test|review|use|ask|"
    r"mention|update|notify|cite|keep|call|confirm|verify|back up|"
    r"format|round|log|tag|sign|attach|leave|set|start|end)",
    re.IGNORECASE,
)
# "Remind me to stretch every hour", "don't call me on Sundays": no single time is meant.
_AGAIN_AND_AGAIN: Final = regex(
    r"^(?:please )?(?:remind|tell|ask|send|e-?mail|message|ping|give|text|wake|check|back up|"
    r"review|run|"
    r"update|summari[sz]e|post|log|water) .*\b(?:(?:every|each) (?:hour|day|morning|evening|night|"
    r"week|month|"
    r"year|quarter|\w+day|other \w+|\d+ \w+)|on (?:\w+days|weekends|weekdays)|daily|weekly|"
    r"monthly)$",
    re.IGNORECASE,
)
_TRAILING: Final = regex(r"(?:[\s,]+(?:please|thanks|thx|pls|thank you|ok|okay))+$", re.IGNORECASE)
# What comes before the order itself: "from now on", "every time you write SQL,".
_OPENING: Final = regex(
    r"^(?:(?:from now on|from here on|going forward|in (?:the )?future|as a rule|by default|"
    r"next time|at all times|please|kindly|starting (?:today|now))[\s,:]+"
    r"|(?:every time|each time|whenever|any ?time|when|if|before|after|for|in|on|"
    r"with) [^,]{2,70},\s*)+",
    re.IGNORECASE,
)
# What an agent does in the world. "Don't deploy on Fridays" holds until it is taken back, while
# "don't add a title" is about the text at hand.
_DEEDS: Final = (
    r"deploy(?:ing)?|push(?:ing)?|merg(?:e|ing)|commit(?:ting)?|releas(?:e|ing)|ship(?:ping)?|"
    r"publish(?:ing)?|upgrad(?:e|ing)|updat(?:e|ing)|"
    r"install(?:ing)?|uninstall(?:ing)?|restart(?:ing)?|reboot(?:ing)?|shut(?:ting)? down|"
    r"delet(?:e|ing)|remov(?:e|ing)|drop(?:ping)?|overwrit(?:e|ing)|"
    r"e-?mail(?:ing)?|text(?:ing)?|call(?:ing)?|contact(?:ing)?|notify(?:ing)?|remind(?:ing)?|"
    r"ping(?:ing)?|disturb(?:ing)?|wak(?:e|ing)|interrupt(?:ing)?|"
    r"schedul(?:e|ing)|book(?:ing)?|buy(?:ing)?|order(?:ing)?|pay(?:ing)?|charg(?:e|ing)|"
    r"spend(?:ing)?|shar(?:e|ing)|send(?:ing)?|forward(?:ing)?|post(?:ing)?|"
    r"auto-?\w+|sync(?:ing)?|back(?:ing)? up|refactor(?:ing)?|touch(?:ing)?|modify(?:ing)?|"
    r"renam(?:e|ing)|approv(?:e|ing)|sign(?:ing)?|invit(?:e|ing)|"
    r"cancel(?:l?ing)?|us(?:e|ing)|run(?:ning)?|access(?:ing)?|upload(?:ing)?|download(?:ing)?|"
    r"format(?:ting)?|clos(?:e|ing)|open(?:ing)?|migrat(?:e|ing)"
)
_VERBS: Final = (
    rf"{_DEEDS}|write|reply|respond|answer|speak|talk|give|show|keep|put|include|add|round|"
    rf"start|end|begin|address|test|warn|ask|check|verify|confirm|"
    r"review|save|export|print|return|sort|translate|summari[sz]e|explain|quote|cite|list|"
    r"provide|mention|plan|avoid|skip|ignore|leave|make|be|stick|"
    r"follow|prefer|default|wait|refer|suggest|recommend|convert|display|log|document|name|"
    r"label|mark|tag|wrap|indent|cc|copy|message|apologi[sz]e|"
    r"assume|change|edit|create|turn|set|report|double[- ]check|proofread|attach|sugarcoat|"
    r"repeat|generate|bother|work|present|capitali[sz]e|spell|"
    r"abbreviate|highlight|number|group|split|limit|store|encrypt|tell|do|go|take|bring|get|"
    r"treat|consult|seek|obtain"
)
_ORDER: Final = regex(
    r"^(?:please\s+|kindly\s+|you (?:should|must|need to|have to|are to)\s+|i (?:want|need|"
    r"would like|expect) you to\s+|"
    r"(?:make|be) sure (?:to |that )?|remember to\s+|do not forget to\s+|ensure (?:that )?)*"
    r"(?P<always>always |only )?"
    rf"(?P<neg>do not (?P<ever>ever )?|(?P<never>never (?:ever )?)|stop |avoid |no more |"
    rf"refrain from )?"
    rf"(?P<always2>always |only |just |automatically )?(?P<verb>{_VERBS})\b",
    re.IGNORECASE,
)
_DEED: Final = regex(rf"(?:{_DEEDS})\b", re.IGNORECASE)
# "Write 'n/a' for missing values": what to write, where.
_ENTER: Final = regex(
    r"^(?:please )?(?:write|put|enter|mark|use|type|print) (?:['\"“‘][^'\"”’]{1,12}['\"”’]) "
    r"(?:for|when|where|if|in|instead)\b",
    re.IGNORECASE,
)
_PLEASE_USE: Final = regex(
    r"^please (?:always )?(?:use|stick to|follow|prefer|spell|round|default to|sign off|format|"
    r"write (?:dates|numbers|times|names))\b"
    r"(?!.*\b(?:this|these|the (?:following|above|same|first|second|attached|word|term|template|"
    r"information|data|text)|below|here|it|them)\b)",
    re.IGNORECASE,
)
_MUST: Final = regex(
    r"^(?P<who>[\w' -]{2,50}?) (?P<modal>must|shall|should|need to|needs to|have to|has to|"
    r"can not|may not|are not allowed to|is not allowed to)"
    r"(?P<not> not| never| always)? (?P<rest>.{3,150})$",
    re.IGNORECASE,
)
# What somebody should feel is no rule for an agent: "my team must trust me".
_INNER: Final = regex(
    r"(?:trust|know|believe|feel|love|like|respect|understand|be (?:proud|happy|there|kidding))\b",
    re.IGNORECASE,
)
_NO_KIND: Final = regex(
    r"(?:which|because|who|that|as|if|when|it|this|there|they|he|she|i|\w+ing)\b", re.IGNORECASE
)
# "Your shoes must have seen a lot": a guess.
_GUESSED: Final = regex(r"(?:your|you|that|this|it|they|he|she)\b", re.IGNORECASE)
_ALL_OF_A_KIND: Final = regex(
    r"(?:all|every|each|any|no|our|my)\b.*|(?!which\b|because\b|who\b|as\b|if\b|when\b|the\b|"
    r"these\b|those\b|there\b|you\b|they\b|it\b|this\b|that\b)(?:[\w'-]+ ){0,3}[\w-]{2,}(?<!s)s",
    re.IGNORECASE,
)
_ALLOWED: Final = regex(
    r"^(?:(?P<g>\w+ing\b.{0,80}?|auto(?:matic)?[\w -]{2,50}?) (?:is|are) (?:now |totally |"
    r"perfectly |completely |actually )?"
    r"(?P<ok>fine|ok(?:ay)?|allowed|permitted|acceptable|forbidden|banned|prohibited|off[- ]limits|"
    r"not (?:ok(?:ay)?|fine|allowed|permitted)|no longer (?:ok(?:ay)?|fine|allowed|permitted|"
    r"forbidden|banned|prohibited))"
    rf"|you (?:can|may|are allowed to|are free to)(?: now| again| always| go ahead and| just|"
    rf" also)* (?P<a>(?:{_DEEDS})\b.{{3,100}}?)"
    rf"|feel free to (?P<f>(?:{_DEEDS})\b.{{3,100}}?)|it is (?:now )?(?:fine|ok(?:ay)?|alright|"
    rf"allowed) to (?P<t>(?:{_DEEDS})\b.{{3,100}}?)"
    r"|go ahead and (?P<j>.{3,100}?))(?: again| now| from now on| any ?time| any ?more)*$",
    re.IGNORECASE,
)
_NEGATIVE: Final = regex(
    r"\b(?:not|never|stop|avoid|no more|refrain|no need|forbidden|banned|prohibited|"
    r"off[- ]limits|nobody|no one)\b|n't",
    re.IGNORECASE,
)
_NO_LONGER_BANNED: Final = regex(r"no longer (?:forbidden|banned|prohibited)", re.IGNORECASE)
# Said for the moment, or to nobody: "don't worry", "never give up", "let me know".
_MOMENT: Final = regex(
    r"\b(?:breathe|smile|haha|lol|(?:call|address|refer to|name) (?:me|us)(?! (?:before|after|on|"
    r"at|between|during|unless|when|if|while)\b)|worry|bother|mind|"
    r"hesitate|"
    r"be (?:sad|afraid|shy|silly|so)|forget (?:it|that)|cry|panic|get me wrong|give up|give in|"
    r"call it a (?:day|night)|let me know|tell me (?:that|what|the|about)|"
    r"ask (?:me )?(?:more|that|this)|stop (?:asking|there|it)|make me|say (?:never|that)|feel|"
    r"want|need help|get (?:me )?started|see you|thank|believe|be better|"
    r"know what|have to (?:say|admit)|go with the|use (?:this|that|it|these|the (?:above|"
    r"following|same))|a moment|right now|this time|for now)\b",
    re.IGNORECASE,
)
_AT_HAND: Final = regex(r"\b(?:this|that|it|these|those|an?|back to me|yet|again)\b", re.IGNORECASE)


def english(
    clause: Clause, *, task: bool, aside: bool = False, alone: bool = False
) -> Finding | None:
    """The standing instruction that an English clause gives, if it gives one.

    `task`: the turn hands over a task or a document; then only what is said to stand stands.
    `aside`: the turn says much else; then the same holds for instructions about the answers.
    `alone`: the turn says nothing else; then there is no task for which "write" could be meant.
    """
    whole = spelled_out(clause.text.rstrip(" .!"))
    text = _OPENING.sub("", whole)
    standing = _STANDING.search(clause.sentence) is not None
    firm = (
        standing
        or _AGAIN_AND_AGAIN.search(whole) is not None
        or "remember" in clause.marks
        or (_TO_REMEMBER.match(whole) is not None and not task)
    )
    if (special := about_answers(clause, whole, standing=firm)) is not None and (
        firm or not (task or aside) or (alone and special.attribute != "reply_language")
    ):
        return special
    if _MOMENT.search(whole) or _tells_of_self(clause, text):
        return None
    if clause.subject != "user" and not firm:
        return None
    if _ENTER.match(whole):
        return _rule(whole, "do", 0.7)
    if (found := _order(clause, whole, text, firm=firm, task=task)) is not None:
        return found
    if (alone or not (task or aside)) and (form := manner(_TRAILING.sub("", whole))) is not None:
        return form
    if task and not standing:
        return None
    return _must(whole, text, firm=firm) or _allowed(text, firm=firm)


def _tells_of_self(clause: Clause, text: str) -> bool:
    """Whether "I" does something; "I want you to" is an order."""
    return clause.subject_words in ("I", "We", "we") and not text.lower().startswith("i ")


def _must(whole: str, text: str, *, firm: bool) -> Finding | None:
    """ "All invoices must include …": of a kind of things, or said to stand."""
    match = _MUST.match(text)
    if match is None or _NO_KIND.match(match["who"]) or _INNER.match(match["rest"]):
        return None
    if _GUESSED.match(match["who"]) and not firm:
        return None
    strong = match["modal"].lower() in ("must", "shall") or match["not"] is not None
    if firm or (strong and _ALL_OF_A_KIND.fullmatch(match["who"])):
        denied = _NEGATIVE.search(match["modal"] + (match["not"] or "")) is not None
        return _rule(whole, "dont" if denied else "do", 0.75)
    return None


def _allowed(text: str, *, firm: bool) -> Finding | None:
    """ "Deploying on Fridays is fine", "you can merge again"."""
    match = _ALLOWED.match(text)
    if match is None or (match["j"] and not firm):
        return None
    what = next(match[group] for group in ("g", "a", "f", "t", "j") if match[group])
    verdict = match["ok"] or ""
    denied = _NEGATIVE.search(verdict) is not None or "no longer" in verdict.lower()
    return _rule(what, "dont" if denied and not _NO_LONGER_BANNED.search(verdict) else "do", 0.65)


def _order(clause: Clause, whole: str, text: str, *, firm: bool, task: bool) -> Finding | None:
    match = _ORDER.match(text)
    if match is None or not _at_head(clause, firm=firm):
        return None
    always = bool(
        match["always"]
        or match["never"]
        or match["ever"]
        or (match["always2"] or "").lower() == "always "
    )
    if match["always"] and match["always"].lower() == "only " and not firm:
        always = False
    if firm or (always and not task):
        return _rule(whole, "dont" if match["neg"] else "do", 0.8)
    if task:
        return None
    if match["neg"] and _DEED.match(match["verb"]) and not _AT_HAND.search(text):
        return _rule(whole, "dont", 0.7)
    if _PLEASE_USE.match(whole):
        return _rule(whole, "do", 0.65)
    return None


def _at_head(clause: Clause, *, firm: bool) -> bool:
    """Whether an order stands at the head of its sentence or after a pause; elsewhere the same
    words go on with what somebody else does ("they always remind me")."""
    if firm:
        return True
    before = clause.sentence[: max(0, clause.sentence.find(clause.text))].rstrip()
    return len(before.split()) <= 2 or before[-1] in ",;:.—-"


def _rule(about: str, value: str, importance: float) -> Finding | None:
    topic = rule_topic(about)
    if len(topic) < 3 or len(about.split()) < 2:
        return None
    return Finding(
        with_topic("instruction", topic), value, importance=importance, tags=("instruction",)
    )
