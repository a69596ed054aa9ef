"""Likes and dislikes, each filling `preference/<object>`; the English rules."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Builder, Finding, Rule, rule
from jiyi.encode.rules.topics import object_topic, trimmed
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

SUBJECT: Final = "{subject}"
"""Stands for the subject of the clause: "Dune is my favourite book" says so of Dune."""

LIKE: Final = "like"
DISLIKE: Final = "dislike"
MAX_TOPIC: Final = 48

_NOT_OBJECT: Final = regex(
    r"^(?:sure|does|is|are|and|or|i|we|about|with|it|this|that|them|these|those|him|her|you|me|"
    r"us|one|ones|from|of|in|everywhere|so|not|how|what|when|where|who|why|if|whether|"
    r"(?:option|choice|version|number|idea|point|step|plan|part) ?#?\d?\b|#\d|last time|"
    r"(?:the )?[\w ]{0,24}(?:idea|plan|option|version|approach|suggestion)s?$|the (?:idea|way|"
    r"fact|sound|look|plan|approach|suggestion|first|second|third|last|new|one|rest|thought|"
    r"part|point|structure|details?|example|focus|clarity)|"
    r"your|that's|things?|everything|anything|something|nothing|each other|myself|the same|both|"
    r"all|"
    r"to (?:know|see|hear|get|ask|have|make|understand|think|say|add|start|try|go|do|be|discuss|"
    r"talk|use|take|"
    r"keep|focus|move|work on|look|find|finalize|review|set|proceed|continue|begin|confirm|"
    r"explore|learn more))\b|"
    r"^(?:也|还|就|了|先|第[一二三四五\d]|你|他|她|它|这|那|什么|哪|怎么|谁|的|了|我|吗|上|看你|"
    r"听你)",
    re.IGNORECASE,
)
_END_EN: Final = (
    r"(?=\s+(?:but|because|since|although|though|so|when|while|if|and (?:i|my|we|he|she)|"
    r"more than|over|than|"
    r"better than|rather than|instead|these days|now|too|as well|at the moment|(?:last|"
    r"this) (?:week|month|"
    r"year|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)|in (?:19|20)\d\d|(?:\w+ )?\w+ (?:days?|weeks?|months?|"
    r"years?) ago|for good|recently|yesterday|"
    r"that (?:i|we|he|she))\b|\s*[,;(:]|\s*$|\.\s)"
)
_OBJ_EN: Final = (
    # "running a quiet, friendly workshop" is one thing, "tea, coffee" are two
    rf"(?P<v>[^,;()\n]{{0,60}}?\ban? \w+(?:, \w+){{1,2}} \w[^,;()\n]{{1,60}}?{_END_EN}"
    rf"|[^,;()\n]{{2,80}}?{_END_EN})"
)


# "I like the breakdown" is about what lies on the table, "I like the sea" is not.
_AT_HAND: Final = regex(
    r"(?:the|these|those|a lot of|all of|some of|its|his|their|this|that)\s", re.IGNORECASE
)
_KNOWN_THINGS: Final = regex(
    r"the (?:[A-Z]|sea|seaside|ocean|beach|mountains?|outdoors|countryside|city|rain|snow|cold|"
    r"heat|sun|summer|winter|autumn|fall|spring|forests?|"
    r"woods|desert|night|dark|gym|theatre|theater|cinema|opera|ballet|library|piano|guitar|"
    r"violin|cello|drums|blues|news|smell|taste|sound|"
    r"feeling of|color|colour|idea of living|(?:north|south|west|east)\b|\w+ies\b|\d0s)"
)


def liking(
    topic_text: str, value: str, *, strength: int = 1, confidence: float = 0.9
) -> Finding | None:
    """A finding for a liking or disliking of what `topic_text` names."""
    text = trimmed(topic_text)
    if (
        not text
        or _NOT_OBJECT.match(text)
        or (_AT_HAND.match(text) and not _KNOWN_THINGS.match(text))
    ):
        return None
    topic = object_topic(text)
    if not topic or len(topic) > MAX_TOPIC or _NOT_OBJECT.match(topic):
        return None
    return Finding(
        with_topic("preference", topic),
        value,
        importance=0.55 + 0.1 * strength,
        confidence=confidence,
        strength=strength,
    )


def _build(value: str, strength: int = 1) -> Builder:
    def build(match: re.Match[str]) -> Finding | None:
        return liking(match["v"], value, strength=strength)

    return build


def _favourite(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    if not value or len(value) > 60 or _NOT_OBJECT.match(value):
        return None
    topic = object_topic(match["t"] or "")
    return Finding(with_topic("favourite", topic), value, importance=0.65, strength=2)


def _prefer(match: re.Match[str]) -> Finding | None:
    """ "tea over coffee": what is preferred; the other is the thing it is preferred to."""
    return liking(match["v"], LIKE, strength=1)


_ADV_EN: Final = (
    r"(?:also |really |absolutely |truly |totally |just |still |always |usually |generally |"
    r"both |much |strongly |very much |kind of |do )*"
)

RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?:is|are|was) (?:now |currently |still |definitely |by far |easily )*(?P<w>my|"
        r"our) (?:all-time |absolute |current |"
        r"new )*favou?rite(?: (?P<t>[\w' -]{2,40}?))?(?: (?:now|right now|these days|"
        r"of all time|ever))*$",
        lambda m: Finding(
            with_topic("favourite", object_topic(m["t"] or "")),
            SUBJECT,
            importance=0.65,
            strength=2,
        ),
        "favo",
    ),
    rule(
        rf"my (?:all-time |absolute |current |new |personal |number one )*(?:favou?rite|"
        rf"go-to)(?: (?P<t>[\w' -]{{2,40}}?))?(?: (?:right now|now|at the moment|these days|"
        rf"of all time|ever|currently))* (?:is|are|would be|has (?:always )?been|has become|"
        rf"became)(?: now| currently| definitely| probably| still)* {_OBJ_EN}",
        _favourite,
        "favo|go-to",
    ),
    rule(
        r"(?P<v>(?!it\b|this\b|that\b|he\b|she\b|they\b)[\w' -]{2,40}?) (?:is|are) (?:now |"
        r"currently |still |definitely |by far )*my (?:all-time |absolute |current |new |"
        r"personal )*(?:favou?rite|go-to)(?: (?P<t>[\w' -]{2,40}?))?(?: (?:now|right now|"
        r"these days|of all time|ever))*\s*$",
        _favourite,
        "favo|go-to",
    ),
    rule(
        rf"(?:can not stand|could not stand|can not bear|detest|detests|loathe|loathes|despise|"
        rf"despises|absolutely hate|am disgusted by|{_ADV_EN}hate|{_ADV_EN}hates) (?!to (?:say|"
        rf"ask|bother|break|admit|be|interrupt)){_OBJ_EN}",
        _build(DISLIKE, 3),
        "hate|stand|bear|detest|loathe|despise|disgusted|sick of|tired of",
    ),
    rule(
        rf"(?:do not|does not|did not|never|no longer|can not)(?: really| particularly|"
        rf" actually| even| much| generally| usually)* (?:like|likes|love|enjoy|care for|want|"
        rf"fancy|dig)(?: to (?:eat|drink|watch|play|use|have|wear|do))? {_OBJ_EN}(?:any ?more|"
        rf"any longer)?",
        lambda m: (
            None
            if re.match(r"(?:do|does|did) not(?: \w+)* want", m.group(), re.IGNORECASE)
            else liking(m["v"], DISLIKE, strength=2)
        ),
        "like|love|enjoy|care for|fancy|dig",
    ),
    rule(
        rf"(?:dislike|dislikes|am not (?:a (?:big |huge )?fan of|fond of|into|keen on|"
        rf"crazy about)|is not (?:a fan of|fond of|into|keen on)|am no fan of|have (?:a |"
        rf"an )?(?:strong )?(?:aversion|dislike) (?:to|of|for)|am averse to|am over|"
        rf"have gone off|went off) {_OBJ_EN}",
        _build(DISLIKE, 2),
        "dislike|fan|fond|into|keen|crazy|aversion|averse|over| off",
    ),
    rule(
        rf"(?:do not|does not|no longer) (?:drink|eat|play|watch|do|listen to|wear) {_OBJ_EN}",
        lambda m: (
            liking(re.sub(r"\s*any ?(?:more|longer)$", "", m["v"]), "stopped", strength=2)
            if re.search("any ?more|any longer|no longer", m.string, re.IGNORECASE)
            else None
        ),
        "any|longer",
    ),
    rule(
        rf"(?:do not|does not|can not|never|will not|refuse to) (?:eat|drink|consume|"
        rf"touch|tolerate|digest)(?: any)? {_OBJ_EN}",
        _build("avoid", 2),
        "eat|drink|consume|touch",
    ),
    rule(
        rf"(?:eat|eats|like|likes|drink|drinks) (?:everything|anything|most things|all (?:foods?|"
        r"vegetables|fruits?|meats?))(?:,)? (?:except(?: for)?|but|apart from|other than|"
        rf"besides) {_OBJ_EN}",
        _build("avoid", 2),
        "except|but|apart|other|besides",
    ),
    rule(
        r"no (?P<v>(?!problem|rush|need|idea|way|reason|difference|issue|worries|more|one|time|"
        r"thanks|luck|"
        r"plans?|questions?|big)[\w -]{2,24}?) for (?:me|us)$",
        _build("avoid", 2),
        "no ",
    ),
    rule(
        rf"(?:avoid|avoids|am avoiding|stay away from|steer clear of) (?:eating |drinking |"
        rf"using )?{_OBJ_EN}",
        _build("avoid", 2),
        "avoid|away|clear",
    ),
    rule(
        rf"(?:have |has )?(?:stopped|quit|gave up|given up|cut out|have stopped|am done with|"
        rf"have quit|kicked) (?:eating |drinking |playing |watching |doing |"
        rf"the habit of )?(?!using\b)(?!my job|work|for|to\b|at\b|by\b|smoking){_OBJ_EN}",
        lambda m: liking(m["v"], "stopped", strength=2),
        "stop|quit|g|cut out|done|kicked",
    ),
    rule(
        r"(?:am|is) (?:now |completely |finally )?off (?P<v>(?!to\b|work|sick|duty|today|tomorrow|"
        r"for\b|on\b|the\b|"
        r"my\b|now\b|here|home|school|topic|base|track|balance|season|grid|by\b|with\b|in\b|at\b|"
        r"and\b)"
        r"[\w -]{3,24}?)(?: now| for good| at the moment| these days)?$",
        lambda m: liking(m["v"], "stopped", strength=2),
        "off ",
    ),
    rule(
        rf"used to (?:like|love|enjoy|drink|eat|play|adore) {_OBJ_EN}",
        lambda m: liking(m["v"], "stopped", confidence=0.75),
        "used to",
    ),
    rule(
        rf"{_ADV_EN}(?:love|loves|adore|adores|am (?:obsessed with|crazy about|passionate about|"
        rf"addicted to|in love with|mad about)|is (?:obsessed with|crazy about|"
        rf"passionate about)|can not live without|live for) (?!to (?:hear|know|see|get|ask|chat|"
        rf"learn more|help))(?!(?:how|that|when|what|it|this|you)\b){_OBJ_EN}",
        _build(LIKE, 3),
        "love|adore|obsessed|crazy|passionate|addicted|live without|mad about|live for",
    ),
    rule(
        rf"(?:would |'d )?(?:much |strongly |really |generally |usually |always )*(?:prefer|"
        rf"prefers|favou?r|favou?rs|have a preference for|am partial to|lean towards?|"
        rf"would rather (?:have|use|get|eat|drink)) (?!(?:to|that|if|it|not) (?:you|we|be|"
        rf"i)\b){_OBJ_EN}",
        _prefer,
        "prefer|favo|partial|lean|rather",
    ),
    rule(
        r"would (?:much |always )?rather (?!not\b|you\b|we\b|have\b|be\b|it\b|"
        r"that\b)(?P<v>[\w' -]{2,40}?) "
        r"than [^,;]{2,40}$",
        lambda m: liking(m["v"], LIKE),
        "rather",
    ),
    rule(
        rf"{_ADV_EN}(?:like|likes|enjoy|enjoys|am (?:really |very |quite )?(?:fond of|into|"
        rf"keen on|a (?:big |huge |massive |real )?(?:fan of|lover of))|is (?:fond of|into|"
        rf"keen on|a (?:big |huge )?fan of)|have a soft spot for|am a sucker for|"
        rf"have always (?:liked|loved|enjoyed)|have come to (?:like|love|enjoy)|"
        rf"have grown to (?:like|love)|(?:have |has )?started to (?:like|enjoy)|am getting into|"
        rf"got into(?! an?\b)|fancy) (?!(?:how|that|when|what|it|this|you|the (?:idea|way|sound|"
        rf"look|plan))\b){_OBJ_EN}",
        _build(LIKE, 1),
        "like|enjoy|fond|into|keen|fan|love|soft spot|sucker|fancy",
    ),
    rule(
        r"am (?:a |an )(?P<v>[\w -]{2,20}?) (?:person|lover|fan|enthusiast|fanatic|nerd|buff|"
        r"addict|junkie|geek)\s*$",
        lambda m: (
            liking(m["v"], LIKE, strength=2)
            if not re.match(
                r"(?:huge|big|massive|real|true|total|such|morning|night|people|busy|good|bad|"
                r"private|quiet|simple|practical|visual)\b",
                m["v"],
                re.IGNORECASE,
            )
            else Finding(
                "personality",
                trimmed(m.group().removeprefix("am ").removeprefix("a ")),
                importance=0.5,
            )
        ),
        "person|lover|fan|enthusiast|nerd|buff|addict|junkie|geek",
    ),
    rule(
        r"(?:drink|drinks|eat|eats|have|has) (?P<v>(?:[\w-]+ ){0,3}?(?:coffee|tea|matcha|"
        r"espresso|latte|beer|wine|milk|juice|cola|coke|soda|water|oatmeal|yogh?urt|smoothies?|"
        r"noodles|rice|salad|fish|meat|chicken|eggs|bread|fruit|kombucha))(?: (?:every|each|"
        r"in the|for breakfast|at|all|with|daily|a lot|now|instead|again|these days)\b.*)?\s*$",
        lambda m: liking(m["v"], LIKE) if m.group().lower().startswith(("drink", "eat")) else None,
        "drink|eat",
    ),
    rule(
        r"(?:play|plays|collect|collects|support|supports|practi[sc]es?) (?!(?:an?|this|that|it|"
        r"some|my|our|"
        rf"his|her|their|with|in|at|on|for|around|along|all|two|more|less|every|music|games?)\b)"
        rf"(?P<v>[^,;()\n]{{2,40}}?)(?: online| a lot)?{_END_EN}",
        _build(LIKE, 1),
        "play|collect|support|practi",
    ),
    rule(
        r"(?:am|is) (?:an? )?(?:bit of an? |total |huge |real |big )?(?P<v>night owl|early bird|"
        r"morning person|"
        r"introvert|extrovert|homebody|bookworm|perfectionist|workaholic|people person|minimalist|"
        r"introverted|extroverted|vegetarian at heart)$",
        lambda m: Finding("personality", m["v"], importance=0.5),
        "owl|bird|person|vert|homebody|bookworm|perfectionist|workaholic|minimalist",
    ),
    rule(
        rf"my (?:hobby|hobbies|interests?|passions?|pastimes?) (?:is|are|includes?) {_OBJ_EN}",
        lambda m: Finding("hobby", trimmed(m["v"]), importance=0.6),
        "hobb|interest|passion|pastime",
    ),
)
