"""English statements cut into clauses, each with its subject told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jiyi.encode.rules.finding import Clause, Context, Mark
from jiyi.text.patterns import regex

RELATIONS: Final = (
    "wife|husband|spouse|partner|girlfriend|boyfriend|fiancée?|ex[- ]wife|ex[- ]husband|mother|"
    "father|"
    "mom|mum|dad|mommy|daddy|parents|son|daughter|kids?|child(?:ren)?|baby|toddler|brother|"
    "sister|siblings?|"
    "twins?|grandmother|grandfather|grandma|grandpa|granddaughter|grandson|aunt|uncle|cousin|"
    "niece|nephew|"
    "mother-in-law|father-in-law|brother-in-law|sister-in-law|stepmother|stepfather|stepson|"
    "stepdaughter|"
    "friend|best friend|roommate|flatmate|housemate|neighbou?r|colleague|co-?worker|teammate|"
    "boss|manager|"
    "supervisor|assistant|mentor|mentee|teacher|coach|doctor|dentist|therapist|landlord|tenant|"
    "client|"
    "customer|intern|business partner|co-?founder|team lead|lead|advisor|professor|classmate|"
    "student|mate|buddy|pal|bestie|schoolmate|guest|tutor|instructor|trainer|nanny|"
    "babysitter|lawyer|accountant|nurse|barber|hairdresser|driver|pastor|godmother|godfather|"
    "godson|goddaughter|in-laws|grandparents|ex|fiance|pen ?pal|investor|employee|"
    "subordinate|apprentice|"
    "dog|cat|puppy|kitten|rabbit|parrot|hamster|horse|bird|turtle|fish|pet"
)
_NAME: Final = r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,2}"

_VERB: Final = (
    r"(?:live|lived|work|worked|use|used|prefer|love|like|hate|dislike|enjoy|have|drive|drove|"
    r"speak|study|"
    r"studied|teach|taught|own|play|run|moved|switched|started|stopped|quit|joined|left|"
    r"graduated|went|"
    r"bought|got|finished|am|want|need|plan|don't|do not|can't|cannot|always|never|usually|"
    r"currently|"
    r"collect|paint|grow|grew|drink|eat|hope|adore|manage|lead|run|write|code|"
    r"lives|works|loves|hates|drives|speaks|studies|teaches|owns)"
)
_SUBJECT_AHEAD: Final = (
    r"(?:I\b|I['’]|we\b|we['’]|my\b|our\b|he\b|she\b|they\b|(?:he|she|they)['’]|please\b|"
    r"(?:his|her|their) name\b|"
    r"(?:the|this|that|it|there)\b|don['’]t\b|never\b|always\b|from now on\b)"
)
# Where a new clause begins. "tea and coffee" is no border; "tea and I work" and "tea and hate" are.
_BORDER: Final = regex(
    rf"\s*[,;:—–]\s*(?:(?:and|but|so|yet|because|since|although|though|while|whereas|then|also|"
    rf"or)\s+)?"
    rf"(?={_SUBJECT_AHEAD})"
    rf"|\s*[,;—–]\s*(?:(?:and|but|so|yet|then)\s+)(?={_VERB}\b)"
    rf"|\s+(?:and|but|so|because|since|although|though|while|whereas)\s+(?={_SUBJECT_AHEAD})"
    rf"|\s+(?:and|but)\s+(?=(?:now|today|nowadays|these days|currently),? (?:I|we|my|our|he|she)\b)"
    rf"|\s+(?:and|but)\s+(?:(?:also|then|now|really|still)\s+)?(?={_VERB}\b)"
    rf"|\s*;\s*|\s+[—–]\s+|\s+-\s+",
    re.IGNORECASE,
)
_CAPITAL_BORDER: Final = regex(
    r"\s*,\s*(?:and|but|while)\s+(?=[A-Z][a-z]+ (?:is|was|works?|lives?|has|loves?|likes?|"
    r"hates?)\b)"
)

_FILLER: Final = regex(
    r"(?:(?:well|so|oh|ah|um+|uh+|hmm+|hey|hi(?: there)?|hello|ok(?:ay)?|yes|yeah|yep|yup|no|"
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
    r"i should mention(?: that)?|i should add that|did you know|guess what|"
    r"to clarify|for me|as for me|at the moment|these days|nowadays|currently|lately|recently|"
    r"right now|now(?=,? (?:i|we|my|our)\b)|"
    r"as of (?:today|now|this \w+|last \w+)|starting (?:today|now)|since then|personally|"
    r"in general|"
    r"generally|usually|normally|typically|most days|every day|in my free time|in my spare time|"
    r"at work|at home|on weekends|outside of work|bro|dude|man)"
    r"(?:\s*[,.!:;—–-]+\s*|\s+)|(?:my (?:dear )?(?:guy|friends?|man|dear))\s*[,.!]+\s+"
    r"(?=(?:i|we|my|our)\b))",
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
    r"sorry|oops|i meant|make that|rather|instead)\b[\s,.:;—-]*",
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
_MINE: Final = regex(r"(?:my|our)\b", re.IGNORECASE)
_PRONOUN: Final = regex(r"\b(?:he|she|they)\b", re.IGNORECASE)
# "am currently based" is "am based"; "have been living" is "am living".
_INNER: Final = regex(
    rf"^(am|is|are|was|were|have|has|do not|does not|can not|will|would|have been|"
    rf"has been) (?:{_ADVERB.pattern})+",
    re.IGNORECASE,
)
_BEEN: Final = regex(
    r"^(?:have|has) been (?=\w+ing\b|an? |based |employed |allergic |married )", re.IGNORECASE
)
_CONTRACTION: Final = regex(
    r"\bwon['’]t\b|\b(?:can['’]t|cannot)\b|n['’]t\b|['’](?:m|ve|re|ll)\b"
    r"|\b(?:I|we|you|he|she|they)['’]d\b|\b(?:he|she|it|that|there|here|who)['’]s\b"
    r"|\bIm\b|\blet['’]s\b",
    re.IGNORECASE,
)
_SPELLED_OUT: Final = {
    "won't": "will not",
    "can't": "can not",
    "cannot": "can not",
    "n't": " not",
    "'m": " am",
    "'ve": " have",
    "'re": " are",
    "'ll": " will",
    "im": "I am",
    "let's": "let us",
}
_ENDINGS: Final = {"d": " would", "s": " is"}
_NOUN: Final = (
    r"(?!(?:do|does|did|is|are|was|were|has|have|had|will|can|not|no|never|who|that|and|or|but|to|"
    r"both|all|also|still|now|always|often|just|only|\w+ly)\b)[\w-]+"
)
_RELATION: Final = regex(rf"(?P<relation>{RELATIONS})s?", re.IGNORECASE)
# Only people do these: whoever stands before them after "my" is who it is about.
_OF_PERSONS: Final = (
    r"(?:lives? (?:in|on|at|near)|works? (?:at|for|as|in)|(?:is|are) (?:severely |very |also )?"
    r"(?:allergic|(?:a )?vegan|(?:a )?vegetarian|married|divorced|pregnant|diabetic|retired)|"
    r"speaks|studies|loves|likes|hates|enjoys|prefers|drives|(?:was|were) born|grew up|"
    r"has (?:diabetes|asthma|a (?:dog|cat|son|daughter|wife|husband))|"
    r"graduated|works out|suffers from|teaches)"
)
_CLOSE: Final = r"(?:(?:very|good|close|old|dear|former|new|best|younger|older)\s+){0,2}"
_SUBJECT: Final = regex(
    rf"(?:(?P<first>I|[Ww]e)\b\s*"
    rf"|(?P<known>(?i:my|our)\s+(?:{_NOUN}\s+){{0,2}}?(?P<noun>(?=[a-z]){_NOUN}(?:['’]s\s+[a-z][\w-]+)?)"
    rf"(?:\s+from\s+[\w ]{{2,20}}?)?)\s+(?={_OF_PERSONS}\b)"
    rf"|(?P<kin>(?i:my|our)\s+(?:(?:older|younger|elder|little|big|eldest|youngest|oldest|late|"
    rf"new|old|twin|"
    rf"only|current|former|dear|close|good|best|\d+[- ]year[- ]old|two|three|four|other|direct|"
    rf"line)\s+){{0,2}}"
    rf"(?P<relation>{RELATIONS})s?(?:\s*,?\s+(?P<name>{_NAME}),?)?)(?P<own>['’]s)?\s+"
    rf"|(?P<some>(?i:(?:an?|another)\s+{_CLOSE}(?P<one>{RELATIONS})\s+of\s+(?:mine|ours)"
    rf"|one\s+of\s+(?:my|our)\s+{_CLOSE}(?P<ones>{RELATIONS})s?)"
    rf"(?:\s*,?\s+(?P<called>{_NAME}),?)?)\s+"
    rf"|(?P<pronoun>(?i:he|she|they))\b\s*"
    rf"|(?P<other>{_NAME})(?P<otherown>['’]s)?\s+(?=(?:is|was|has|works|lives|loves|likes|hates|"
    rf"prefers|uses|"
    rf"moved|joined|left|studies|studied|speaks|drives|owns|can|does|will|got|became|runs|leads|"
    rf"manages|turned|turns|"
    rf"birthday|email|phone|number|favou?rite|age|job|name|wife|husband|teaches|plays|enjoys)\b))",
)
_NOT_NAMES: Final = regex(
    r"(?:you|i|we|he|she|they|the|this|that|these|those|it|there|here|what|when|where|who|why|"
    r"how|if|so|but|and|please|yes|no|not|everyone|everything|nothing|something|someone|today|"
    r"tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|"
    r"february|march|april|may|june|july|august|september|october|november|december|thanks|"
    r"hello|hi|hey|good|great|our|my|your|his|her|their|each|every|all|some|most|many|both|one|"
    r"life|work|money|time|love|let|use|never|always|don)",
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
            yield start, left
            start = right
    if start < len(sentence):
        yield start, len(sentence)


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
    bare = head.rstrip(" \t\n.!,;:…~")
    if len(bare) < 2:
        return None
    verbatim = bare if "remember" in marks else head.rstrip(" \t\n,;:")
    begin = start + text.rfind(head)
    return _with_subject((begin, verbatim), bare, sentence, context, frozenset(marks))


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
    plain = _spelled_out(head)
    if (when := _WHEN.match(plain)) is not None:
        plain = plain[when.end() :]
    inside = not sentence.lstrip().startswith(verbatim[:12])
    inherited = context.inherited
    found = _subject(plain, context, inside=inside)
    if found is None or (found.name != context.speaker and _SAYS.match(found.rest)):
        return None
    if inherited and (found.resolved or not found.words):
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
        lead=f"{found.words} " if found.carried and found.words else "",
        resolved=resolved,
        marks=marks,
        subject_words=found.words,
        sentence=sentence,
    )


class _Subject(NamedTuple):
    """Who a clause speaks of: the slot's subject, the words for it, and what is said of it.

    `resolved`: a pronoun stood for it. `carried`: nothing did.
    """

    name: str
    words: str
    rest: str
    resolved: bool = False
    carried: bool = False


def _subject(plain: str, context: Context, *, inside: bool) -> _Subject | None:
    """None when a clause speaks of nobody known. `inside`: it does not open its sentence."""
    match = _SUBJECT.match(plain)
    if match is None or (match["other"] and _NOT_NAMES.fullmatch(match["other"].split()[0])):
        if context.last is not None and inside and _CARRIED.match(plain):
            return _Subject(context.last, context.last_words, plain, carried=True)
        if _MINE.match(plain):
            context.speaks_of(context.speaker, "I")
        return _Subject(context.speaker, "", plain)
    rest = plain[match.end() :]
    if match["pronoun"]:
        if context.other is None:
            return None
        context.speaks_of(context.other, context.other_words)
        return _Subject(context.other, context.other_words, rest, resolved=True)
    if match["first"]:
        found = _Subject(context.speaker, match["first"], rest)
    elif match["known"]:
        kin = _RELATION.fullmatch(match["noun"])
        noun = kin["relation"].lower() if kin is not None else match["noun"]
        found = _Subject(noun, match["known"], rest)
    elif match["some"]:
        noun = (match["one"] or match["ones"]).lower()
        found = _Subject(match["called"] or noun, match["some"].rstrip(","), rest)
    elif match["kin"]:
        name = match["name"] or match["relation"].lower()
        found = _Subject(name, match["kin"].rstrip(","), ("my " if match["own"] else "") + rest)
    else:
        name = match["other"]
        found = _Subject(name, name, ("my " if match["otherown"] else "") + rest)
    context.speaks_of(found.name, found.words)
    return found


def _without_adverbs(rest: str, words: str) -> str:
    """What is said, without adverbs; "have been living" is "am living"."""
    while (adverb := _ADVERB.match(rest)) is not None:
        rest = rest[adverb.end() :]
    verb = "am " if words in ("I", "we", "We") else "is "
    return _BEEN.sub(verb, _INNER.sub(r"\1 ", rest))


def _spelled_out(text: str) -> str:
    if "'" in text or "’" in text or "annot" in text or "Im " in text:
        return _CONTRACTION.sub(_full_form, text)
    return text


def _full_form(match: re.Match[str]) -> str:
    short = match.group()
    full = _SPELLED_OUT.get(short.lower().replace("’", "'"))
    return full if full is not None else short[:-2] + _ENDINGS[short[-1].lower()]
