"""English statements cut into clauses, each with its subject told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from jiyi.encode.rules.contractions import spelled_out
from jiyi.encode.rules.finding import Clause, Context, Mark
from jiyi.encode.rules.subjects_en import DEEDS, JOINED, subject_of
from jiyi.text.patterns import regex

_VERB: Final = (
    r"(?:live|lived|work|worked|use|used|prefer|love|like|hate|dislike|enjoy|have|drive|drove|"
    r"speak|study|"
    r"studied|teach|taught|own|play|run|moved|switched|started|stopped|quit|joined|left|"
    r"graduated|went|"
    r"bought|got|finished|am|want|need|plan|don['’]?t|do not|can['’]?t|cannot|always|never|usually|"
    r"currently|"
    r"collect|paint|grow|grew|take|weigh|wear|drink|eat|hope|adore|manage|lead|run|write|code|"
    r"lives|works|loves|hates|drives|speaks|studies|teaches|owns)"
)
_SUBJECT_AHEAD: Final = (
    r"(?:I(?:m|ve)?\b|I['’]|we(?:ve)?\b|we['’]|my\b|our\b|(?:he|she)s?\b|they(?:re)?\b|"
    r"(?:he|she|they)['’]|please\b|"
    r"(?:his|her|their) name\b|every(?:one|body) calls\b|(?:people|ppl) call\b|"
    r"(?:it|there)\b|(?:the|this|that)\b(?= (?:[\w'’-]+ ){1,6}?(?:is|are|was|were|will|would|has|"
    r"have|had|can|could|should|must|may|does|did|do|got|gets|goes|went|came|comes|runs?|uses?|"
    r"needs?|"
    r"takes?|starts?|ends?|costs?|works?|opens?|closes?|\w+ed)\b|[\w '’-]{0,40}['’](?:s|re|ll) |"
    r" (?:is|was|will|would|has|can)\b|['’])|"
    # "in grams, never in cups" is one order.
    r"don['’]?t\b|never\b(?! (?:in|on|at|with|by|to|from|as|before|after|for|during|straight)\b)|"
    r"always\b|from now on\b)"
)
# Where a new clause begins. "tea and coffee" is no border; "tea and I work" and "tea and hate" are.
_BORDER: Final = regex(
    rf"\s*[,;:—–]\s*(?:(?:and|but|so|yet|because|since|although|though|while|whereas|then|also|"
    rf"or)\s+)?"
    rf"(?={_SUBJECT_AHEAD})"
    rf"|\s*[,;—–]\s*(?:(?:and|but|so|yet|then)\s+)(?={_VERB}\b)"
    rf"|\s+(?:and|but|so|because|since|although|(?:even\s+)?though|even\s+if|while|whereas)\s+"
    rf"(?={_SUBJECT_AHEAD})"
    rf"|\s+(?:and|but)\s+(?=(?:now|today|nowadays|these days|currently),? (?:I|we|my|our|he|she)\b)"
    rf"|\s+(?:and|but)\s+(?:(?:also|then|now|really|still)\s+)?(?={_VERB}\b)"
    r"|\s+(?:and|but)\s+(?=(?:(?:now|currently|originally) )?(?:living|based|working|studying) "
    r"(?:in|at|as|for)\b)"
    rf"|\s*[,;]\s*(?=(?:now|nowadays|these days|currently),? (?:I(?:['’]?m)?|we|my|our|he|she)\b)"
    rf"|\s*;\s*|\s+[—–]\s+|\s+-\s+",
    re.IGNORECASE,
)
_CAPITAL_BORDER: Final = regex(
    rf"\s*,\s*(?:(?:and|but|while)\s+)?(?=(?!I\b)[A-Z][a-z]+ (?:{DEEDS})\b)"
)

_FILLER: Final = regex(
    r"(?:(?:well|so|oh|ah|yo|hiya|heya|howdy|sup|um+|uh+|hmm+|hey|hi(?: there)?|hello|ok(?:ay)?|"
    r"yes|yeah|yep|yup|"
    r"no(?=\s*[,.!:;—–-]|\s+(?:i|we|my|it|that|wait|sorry|actually|you|thanks)\b)|"
    r"nope|nah|sure|right|"
    r"and|but|also|plus|besides|btw|by the way|anyway|anyways|honestly|frankly|basically|look|"
    r"listen|see|"
    r"you know(?: what)?|i mean|fyi|"
    r"(?:it )?turns out(?: that)?|for context|for the record|just so you know|"
    r"just to let you know|"
    r"good news|bad news|update|quick update|heads up|to be honest|tbh|in fact|as a matter of fact|"
    r"the thing is|the truth is|as you know|as i said|like i said|as i mentioned|like|because|"
    r"since(?! (?:19|20)\d\d)|although|"
    r"though|while|then|first of all|finally|thanks|thank you|great|cool|nice|alright|sorry|wow|"
    r"lol|haha|"
    r"one (?:more|other) thing|another thing|i should mention(?: that)?|i should add that|"
    r"did you know|guess what|"
    r"to clarify|for me|as for me|at the moment|these days|nowadays|currently|lately|recently|"
    r"right now|now(?=,? (?:i(?:m|ve)?|we|my|our)\b)|"
    r"as of (?:today|now|this \w+|last \w+)|starting (?:today|now)|since then|personally|"
    r"in general|"
    r"generally|usually|normally|typically|most days|every day|in my free time|in my spare time|"
    r"at work|at home|on weekends|outside of work|bro|dude|man)"
    r"(?:\s*[,.!:;—–-]+\s*|\s+)|(?:my (?:dear )?(?:guy|friends?|man|dear))\s*[,.!]+\s+"
    r"(?=(?:i|we|my|our)\b))",
    re.IGNORECASE,
)
_TAIL: Final = regex(
    r"(?:[\s,]+(?:btw|by the way|lol|lmao|haha+|tho|though|fyi|thanks|thx|pls|please|plz|xx?|"
    r"(?:it['’]?s |it is )?(?:nice|good|great|glad|pleased) to (?:e-?)?meet (?:you|u)(?: all)?|"
    r"if (?:that|it) helps|just so you know|in case (?:that|it) (?:helps|matters)|[:;]-?[)D(P]+|"
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF]+))+$",
    re.IGNORECASE,
)
_HEDGE: Final = regex(
    r"\b(?:maybe|perhaps|probably|possibly|might|i (?:think|guess|believe|suppose|feel like|"
    r"assume)|i'?m not sure|"
    r"not sure (?:if|whether)|apparently|supposedly|i heard|could be|may be|i may|we may|seems?|"
    r"likely|"
    r"kind of|sort of|kinda|sorta|somewhat|i could|potentially|not certain|if i remember)\b",
    re.IGNORECASE,
)
_HEDGE_HEAD: Final = regex(
    r"(?:maybe|perhaps|probably|possibly|apparently|supposedly|i (?:think|guess|believe|suppose|"
    r"assume|heard)"
    r"(?: that)?)[\s,]+",
    re.IGNORECASE,
)
_EMPHASIS: Final = regex(
    r"\b(?:important(?:ly)?|crucial|critical|essential|must|never|always|absolutely|definitely|"
    r"deal-?breaker|"
    r"non-negotiable|strictly|make sure|remember|don't forget|do not forget|key|urgent|"
    r"mandatory|vital|"
    r"under no circumstances|at all costs|life-threatening|severe(?:ly)?|deadly)\b|!{2,}"
)
_SHOUTED: Final = regex(r"\b[A-Z]{4,}\b")
_REMEMBER: Final = regex(
    r"(?:please\s+)?(?:also\s+)?(?:remember|(?<=please )note|take note|keep in mind|"
    r"don['’]t forget|do not forget|bear in mind|"
    r"make a (?:mental )?note|memori[sz]e)(?: it| this| for (?:later|next time|the future))?"
    r"(?:\s+that|\s*[:,—-]|\s+(?=(?:my|i|we|our|the)\b))\s*",
    re.IGNORECASE,
)
_CHANGE: Final = regex(
    r"^(?:actually|scratch that|correction|wait|no wait|on second thought|change of plans?|"
    r"never ?mind|"
    r"sorry|oops|typo|i meant|make that|rather|instead)\b[\s,.:;—-]*",
    re.IGNORECASE,
)
_ADVERB: Final = regex(
    r"(?:really|actually|also|just|currently|now|still|usually|normally|generally|always|often|"
    r"mostly|"
    r"recently|already|definitely|absolutely|honestly|personally|totally|truly|even|then|"
    r"finally|simply|"
    r"basically|typically|mainly|do(?! not\b)|both|all|probably|maybe|sometimes|only|ever|so|"
    r"quite|pretty|"
    r"very|primarily|firmly|genuinely|strongly|particularly|especially|rarely|secretly|"
    r"officially|kind of|sort of|"
    r"kinda|since|lately|first|eventually|obviously|certainly|literally)\s+",
    re.IGNORECASE,
)
# A time in front of the subject is skipped when the subject is looked for, and stays in the text.
_CARRIED: Final = regex(rf"{_VERB}\b", re.IGNORECASE)
_WHEN: Final = regex(
    r"(?:back )?(?:(?:last|next|this|on|in|since|every|each|by) (?:the )?(?:past |coming )?"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:last|next|this|in|since|by|early|"
    r"late)(?: early| late| the| mid)* "
    r"(?:week|weekend|month|year|quarter|spring|summer|autumn|fall|winter|morning|evening|"
    r"afternoon|night|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:19|20)\d\d)"
    r"(?: (?:19|20)\d\d|,? \d{1,2}(?:st|nd|rd|th)?)?|yesterday|today|tomorrow|tonight|"
    r"earlier today|the other day|"
    r"(?:a|an|one|two|three|four|five|six|seven|a few|a couple of|several|\d+) (?:days?|weeks?|"
    r"months?|years?|hours?) ago|"
    r"in (?:a|two|three|\d+) (?:days?|weeks?|months?)|on [a-z]+ \d{1,2}(?:st|nd|rd|th)?|"
    r"at the (?:end|beginning) of [a-z ]{3,16}|"
    r"after [\w ]{2,30}(?=,)|when (?:i|we) (?:was|were) [\w ]{1,24}?(?=,|\s+(?:i|we|my)\b)|"
    r"(?:from|between) (?:19|20)\d\d (?:to|until|till|and|-|–) (?:19|20)\d\d|"
    r"as an? (?:child|kid|teenager|student|boy|girl)|(?:many |some )?(?:years|decades) ago|"
    r"for (?:breakfast|lunch|dinner)|"
    r"in the (?:morning|evening|afternoon)s?)"
    r"(?: (?:morning|afternoon|evening|night))?\s*,?\s+",
    re.IGNORECASE,
)
# What somebody else says or thinks is their word, not a fact.
_SAYS: Final = regex(
    r"(?:always |also |just |often |recently )*(?:sa(?:ys?|id|ying)|thinks?|thought|tells?|told|"
    r"believes?|asked|suggested?|recommend(?:s|ed)?|"
    r"claims?|insists?|mentioned|is saying|feels?)\b",
    re.IGNORECASE,
)
_PRONOUN: Final = regex(r"\b(?:he|she|they)\b", re.IGNORECASE)
# "am currently based" is "am based"; "have been living" is "am living".
_INNER: Final = regex(
    rf"^(am|is|are|was|were|have|has|do not|does not|can not|will|would|have been|"
    rf"has been) (?:{_ADVERB.pattern})+",
    re.IGNORECASE,
)
_BEEN: Final = regex(
    r"^(?:have|has) been (?=\w+ing\b|(?:an? |based |employed |allergic |married |single |sober|"
    r"vegan|"
    r"vegetarian|pescatarian|diabetic))",
    re.IGNORECASE,
)


def clauses(start: int, sentence: str, context: Context) -> Iterator[Clause]:
    """The clauses of one sentence that begins at `start` of its turn, in order."""
    for begin, end in _cuts(sentence):
        clause = _parse(start + begin, sentence[begin:end], sentence, context)
        if clause is not None:
            yield clause


def _cuts(sentence: str) -> Iterator[tuple[int, int]]:
    borders = [m.span() for m in _BORDER.finditer(sentence)]
    borders += [m.span() for m in _CAPITAL_BORDER.finditer(sentence)]
    start = 0
    for left, right in sorted(borders):
        if left > start:
            if _REMEMBER.fullmatch(f"{sentence[start:left].strip()}:"):
                continue
            if _CHANGE.fullmatch(sentence[start:left].strip()):
                continue
            if _holds_together(sentence[start:left].strip(), sentence[left:right].strip()):
                continue
            yield start, left
            start = right
    if start < len(sentence):
        yield start, len(sentence)


def _holds_together(before: str, border: str) -> bool:
    """Whether what stands before a border is no clause: "my sister and I …", "last Friday, I …"."""
    if border.lower() == "and":
        return JOINED.fullmatch(before) is not None
    after = before.lower().startswith("after")  # "after that, we …" tells no time
    return border == "," and not after and _WHEN.fullmatch(f"{before}, ") is not None


def _parse(start: int, text: str, sentence: str, context: Context) -> Clause | None:
    marks: set[Mark] = set()
    head = text
    moved = True
    while moved:
        moved = False
        for pattern, mark in _HEADS:
            if (match := pattern.match(head)) is not None and match.end():
                head = head[match.end() :]
                moved = True
                if mark is not None:
                    marks.add(mark)
                break
    if _HEDGE.search(text) or (len(text) < len(sentence) and _HEDGE_HEAD.match(sentence)):
        marks.add("hedge")
    if _EMPHASIS.search(text) or _SHOUTED.search(text):
        marks.add("emphasis")
    bare = _TAIL.sub("", head.rstrip(" \t\n.!,;:…~")).rstrip(" .!,")
    if len(bare) < 2 and not bare.isdigit():
        return None
    verbatim = bare if "remember" in marks else head.rstrip(" \t\n,;:")
    begin = start + text.rfind(head)
    return _with_subject((begin, verbatim), bare, sentence, context, frozenset(marks))


_ASIDE: Final = regex(r"(?<=\w) \([^()]{1,24}\)(?= \w)")
_HEADS: Final[tuple[tuple[re.Pattern[str], Mark | None], ...]] = (
    (_FILLER, None),
    (_CHANGE, "change"),
    (_REMEMBER, "remember"),
    (_HEDGE_HEAD, "hedge"),
)


def _with_subject(
    place: tuple[int, str], head: str, sentence: str, context: Context, marks: frozenset[Mark]
) -> Clause | None:
    begin, verbatim = place
    plain = _ASIDE.sub("", spelled_out(head)) if "(" in head else spelled_out(head)
    if (when := _WHEN.match(plain)) is not None:
        plain = plain[when.end() :]
    inside = not sentence.lstrip().startswith(verbatim[:12])
    inherited = context.inherited
    found = subject_of(
        plain, context, carried=inside and _CARRIED.match(plain) is not None, inside=inside
    )
    if found is None or (found.name != context.speaker and _SAYS.match(found.rest)):
        return None
    told_anew = "change" in marks or plain.endswith(" now")
    if inherited and not told_anew and (found.resolved or not found.words):
        marks |= {"hedge"}
    resolved = None
    if found.resolved:
        resolved = _PRONOUN.sub(lambda _: found.words, verbatim, count=1)
        resolved = resolved[:1].upper() + resolved[1:]
    return Clause(
        span=(begin, begin + len(verbatim)),
        text=verbatim,
        language="en",
        subject=found.name,
        predicate=_without_adverbs(found.rest, found.words).strip(),
        lead=found.lead,
        resolved=resolved,
        marks=marks,
        subject_words=found.words,
        sentence=sentence,
    )


def _without_adverbs(rest: str, words: str) -> str:
    """What is said, without adverbs; "have been living" is "am living"."""
    while (adverb := _ADVERB.match(rest)) is not None:
        rest = rest[adverb.end() :]
    verb = "am " if words in ("I", "we", "We") else "is "
    return _BEEN.sub(verb, _INNER.sub(r"\1 ", rest))
