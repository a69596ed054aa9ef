"""Whom an English clause speaks of: the speaker, somebody by a name or by what they are to the
speaker, somebody spoken of before; or nobody, where people leave "I am" out."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jiyi.encode.rules.finding import Context
from jiyi.text.patterns import regex

RELATIONS: Final = (
    "wife|husband|spouse|partner|girlfriend|boyfriend|fiancée?|ex[- ]wife|ex[- ]husband|mother|"
    "father|"
    "mom|mum|dad|mommy|daddy|parents|son|daughter|kids?|child(?:ren)?|baby|toddler|brother|"
    "sister|siblings?|"
    "twins?|grandmother|grandfather|grandma|grandpa|granddaughter|grandson|aunt|uncle|cousin|"
    "niece|nephew|"
    "(?:mother|father|brother|sister|son|daughter)-in-law|step-?(?:mother|father|mom|mum|dad|son|"
    "daughter|brother|sister)|half[- ](?:brother|sister)|hubby|nan|nana|granny|gran|grandad|"
    "granddad|"
    "auntie|folks|in-?laws|"
    "friend|best friend|roommate|flatmate|housemate|neighbou?r|colleague|co-?worker|teammate|"
    "boss|(?:line )?manager|"
    "supervisor|assistant|mentor|mentee|teacher|coach|doctor|dentist|therapist|landlord|tenant|"
    "client|"
    "customer|intern|business partner|co-?founder|team lead|lead|advisor|professor|classmate|"
    "student|mate|buddy|pal|bestie|schoolmate|guest|tutor|instructor|trainer|nanny|"
    "youngest|eldest|oldest|firstborn|little one|babysitter|lawyer|accountant|nurse|barber|"
    "hairdresser|driver|pastor|godmother|godfather|"
    "godson|goddaughter|grandparents|ex|fiance|pen ?pal|investor|employee|"
    "subordinate|apprentice|"
    "dog|cat|puppy|kitten|rabbit|parrot|hamster|horse|bird|turtle|fish|pet"
)
_NAME: Final = r"(?:[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,2}|[\u4e00-\u9fff]{2,4})"
# Whom "and I" goes on from: "my sister and I", "Omar and I".
_WITH_ME: Final = (
    rf"(?:(?i:my|our) (?:[\w'-]+ ){{0,2}}?(?:{RELATIONS}|(?i:family|team|folks|group|band|crew))s?"
    rf"(?: {_NAME})?|(?!(?:I|Im|You|He|She|They|It|We)\b){_NAME})"
)
JOINED: Final = regex(
    rf"(?:(?i:and|but|so|then|well|yes|also|yesterday|today|tonight|(?:last|this|next) \w+)"
    rf"[\s,]+){{0,3}}{_WITH_ME}"
)
DEEDS: Final = (
    "is|was|has|works|lives|loves|likes|hates|prefers|uses|moved|joined|left|studies|studied|"
    "speaks|"
    "drives|owns|can|does|will|got|became|runs|leads|manages|turned|turns|handles|reviews|signs|"
    "covers|approves|maintains|oversees|looks after|takes|keeps|died|passed|ran|retired|graduated|"
    "won|bought|had|went|sleeps|writes|translates|cooks|needs|teaches|plays|enjoys"
)
"""What somebody with a name does or is: tells a name before it from other words with a capital."""
_MINE: Final = regex(r"(?:my|our)\b", re.IGNORECASE)
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
    rf"(?:(?P<first>(?:{_WITH_ME}\s+and\s+)?(?:I|[Ww]e))\b\s*"
    r"|(?P<known>(?i:my|"
    rf"our)\s+(?:{_NOUN}\s+){{0,2}}?(?P<noun>(?=[a-z\u4e00-\u9fff]){_NOUN}(?:['’]s\s+[a-z][\w-]+)?)"
    rf"(?:\s+from\s+[\w ]{{2,20}}?)?)\s+(?={_OF_PERSONS}\b)"
    rf"|(?P<kin>(?i:my|our)\s+(?:(?:older|younger|elder|little|big|eldest|youngest|oldest|late|"
    rf"new|old|twin|"
    rf"only|current|former|dear|close|good|best|\d+[- ]year[- ]old|two|three|four|other|direct|"
    rf"line)\s+){{0,2}}"
    rf"(?P<relation>{RELATIONS})s?(?:\s*,?\s+(?P<name>{_NAME}),?)?)(?P<own>['’]s)?\s+"
    r"(?!(?:appointment|visit|check-?up|session|fee|bill|food|bed|house|school|bag|seat|room|"
    r"office|"
    r"club|party|shower|meeting)s?\b)"
    rf"|(?P<bare>(?i:mum|mom|dad|grandma|grandpa|granny|grandad))(?P<bareown>['’]s)?\s+"
    rf"(?=(?:is|was|has|had|lives?|works?|likes?|loves?|hates?|needs?|turned|turns|got|moved|"
    rf"just|used|died|birthday|phone|number|name)\b)"
    rf"|(?P<some>(?i:(?:an?|another)\s+{_CLOSE}(?P<one>{RELATIONS})\s+of\s+(?:mine|ours)"
    rf"|one\s+of\s+(?:my|our)\s+{_CLOSE}(?P<ones>{RELATIONS})s?)"
    rf"(?:\s*,?\s+(?P<called>{_NAME}),?)?)\s+"
    rf"|(?P<pronoun>(?i:he|she|they))\b\s*"
    rf"|(?P<other>{_NAME})(?P<otherown>['’]s)?\s+(?=(?:{DEEDS}|birthday|email|phone|number|"
    rf"favou?rite|age|job|name|wife|husband)\b))",
)
# What people type without "I am" or "I have" before it.
_DROPPED: Final = regex(
    r"(?:(?:currently|originally|now|also|still|severely|mostly|just) )*"
    r"(?:from (?:the )?(?-i:[A-Z\u4e00-\u9fff][\w-]*(?: [A-Z][\w-]*){0,2})(?=$|[,.]| (?:but|and|"
    r"originally|here))"
    r"|(?:based in|living in|born (?:and raised )?in) (?-i:[A-Z\d\u4e00-\u9fff])"
    r"|moving (?:house|home|out|in with)|trying to (?:quit|lose|gain|cut|eat|learn|save|get (?:fit|"
    r"in shape))"
    r"|born and raised in|allergic to|(?:working|employed) (?:as|at|for)|studying (?!this|the)|"
    r"learning (?!this|the|from|how)\w|"
    r"training for an?|(?:flying|moving|relocating) to (?-i:[A-Z\u4e00-\u9fff])|not (?:a (?:big |"
    r"huge )?fan of|big on|into|"
    r"keen on)|doing an? (?:phd|master|degree|course|bachelor)|taking an? [\w ]{0,20}(?:course|"
    r"class)|"
    r"taking (?:the|a) [\w ]{0,12}off|saving (?:up )?for an?|(?:going|planning) to (?:visit|fly|"
    r"move|start|travel|spend|buy|"
    r"study|retire)|self[- ]employed \w+"
    r"|(?P<plan>(?:dentist|doctor['’]?s?|gp|vet|job|hair|team|video|zoom)? ?(?:meeting|appointment|"
    r"interview|lunch|dinner|call|exam|check-?up|party|wedding|viewing) (?:with|at|in|on|"
    r"for) .*\b(?:"
    r"tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next \w+|at \d+|on the \d+)\b)"
    r"|(?P<been>been) (?:sober|vegan|vegetarian|married|single|clean|living|working|using|learning|"
    r"playing|in [A-Z]|at [A-Z]|with my)\b.*\b(?:for|since)\b)",
    re.IGNORECASE,
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


_LEFT_OUT: Final = {"am": "I'm ", "have": "I've ", "have a": "I have a "}


class Subject(NamedTuple):
    """Who a clause speaks of: the slot's subject, the words for it, and what is said of it.

    `resolved`: a pronoun stood for it. `carried`: nothing did, and it goes on. `left_out`: the
    "am" or "have" that was left out with an "I" ("allergic to bees", "been sober for a year").
    """

    name: str
    words: str
    rest: str
    resolved: bool = False
    carried: bool = False
    left_out: str = ""

    @property
    def lead(self) -> str:
        """The words to put in front of the clause, so that it stands alone."""
        if self.left_out:
            return _LEFT_OUT[self.left_out]
        return f"{self.words} " if self.carried and self.words else ""


def subject_of(plain: str, context: Context, *, carried: bool, inside: bool) -> Subject | None:
    """Who a clause speaks of; None when of nobody known.

    Args:
        plain: the clause spelled out, from its subject on.
        carried: it may go on with the subject of the clause before.
        inside: it does not open its sentence.
    """
    match = _SUBJECT.match(plain)
    if match is None or (match["other"] and _NOT_NAMES.fullmatch(match["other"].split()[0])):
        return _unnamed(plain, context, carried=carried, inside=inside)
    rest = plain[match.end() :]
    if match["pronoun"]:
        if context.other is None:
            return None
        context.speaks_of(context.other, context.other_words)
        return Subject(context.other, context.other_words, rest, resolved=True)
    found = _named(match, rest, context)
    context.speaks_of(found.name, found.words)
    return found


def _named(match: re.Match[str], rest: str, context: Context) -> Subject:
    if match["first"]:
        alone = match["first"] in ("I", "we", "We")
        found = Subject(context.speaker, match["first"] if alone else "we", rest)
    elif match["known"]:
        kin = _RELATION.fullmatch(match["noun"])
        noun = kin["relation"].lower() if kin is not None else match["noun"]
        found = Subject(noun, match["known"], rest)
    elif match["some"]:
        noun = (match["one"] or match["ones"]).lower()
        found = Subject(match["called"] or noun, match["some"].rstrip(","), rest)
    elif match["bare"]:
        words = match["bare"]
        found = Subject(words.lower(), words, ("my " if match["bareown"] else "") + rest)
    elif match["kin"]:
        name = match["name"] or match["relation"].lower()
        found = Subject(name, match["kin"].rstrip(","), ("my " if match["own"] else "") + rest)
    else:
        name = match["other"]
        found = Subject(name, name, ("my " if match["otherown"] else "") + rest)
    return found


def _unnamed(plain: str, context: Context, *, carried: bool, inside: bool) -> Subject:
    """A clause without a subject: somebody left out "I am", it goes on with the subject of the
    clause before, or it is the speaker's."""
    own = not inside or context.last in (None, context.speaker)
    if own and (dropped := _DROPPED.match(plain)) is not None:
        left_out = "have" if dropped["been"] else "have a" if dropped["plan"] else "am"
        rest = f"{left_out} {plain.removesuffix(' here')}"
        return Subject(context.speaker, "", rest, left_out=left_out)
    if carried and context.last is not None:
        return Subject(context.last, context.last_words, plain, carried=True)
    if _MINE.match(plain):
        context.speaks_of(context.speaker, "I")
    return Subject(context.speaker, "", plain)
