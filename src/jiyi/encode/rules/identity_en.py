"""English statements about who somebody is: name, age, origin, home, contact."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import MAX_VALUE, Finding, Rule, rule
from jiyi.encode.rules.products import PRODUCTS
from jiyi.encode.rules.topics import trimmed
from jiyi.encode.rules.values_en import BE, STOP, V, fact
from jiyi.text.patterns import regex

_PLACE_NOT: Final = regex(
    r"^(?:the (?:moment|end|middle|past|future|zone|same|mood|dark|process|loop|hope|fear)|"
    r"a (?:hurry|rush|meeting|"
    r"bubble|way|world|place where|good|bad|different|constant)|peace|harmony|denial|pain|fear|"
    r"love|trouble|"
    r"charge|need|touch|front|line|general|particular|fact|theory|it|this|that|them|him|her|"
    r"total|chaos|poverty)\b",
    re.IGNORECASE,
)


def _moved(match: re.Match[str]) -> Finding | None:
    """ "Moved from Vim to Emacs" is no change of home."""
    if any(word.lower() in PRODUCTS for word in (trimmed(match["o"] or ""), trimmed(match["v"]))):
        return None
    return fact("residence", importance=0.8)(match)


RULES: Final[tuple[Rule, ...]] = (
    # name, age, origin
    rule(
        rf"my (?:full |real |first |last |given |legal )?name (?:is|was)(?: now)? {V}",
        fact("name", importance=0.9),
        "name",
    ),
    rule(
        rf"(?:{BE} (?:called|named) (?=(?-i:[A-Z]))|am called (?=[a-z]{{3,12}}(?:$|,| and))(?!into|"
        r"away|back|"
        rf"upon|over)){V}",
        fact("name", importance=0.9),
        "called|named",
    ),
    rule(
        rf"(?:go|goes) by (?:the (?:name|nickname) (?:of )?)?{V}",
        fact("nickname", importance=0.8),
        " by ",
    ),
    rule(
        rf"(?:please\s+)?(?:you (?:can|may|should) )?(?:just )?call (?:me|us)(?: by)? "
        r"(?!crazy|maybe|when|if|old[- ]fashioned|later|back|tomorrow|after|before|at\b|on\b|"
        r"an?\b|the\b|"
        rf"biased|naive|weird|stupid|picky|paranoid|lazy|cynical|sentimental){V}",
        fact("nickname", importance=0.9),
        "call ",
    ),
    rule(
        rf"(?:please )?(?:address|refer to) me (?:as|by) {V}",
        fact("nickname", importance=0.9),
        " me ",
    ),
    rule(
        r"(?:(?:my (?:friends|family|colleagues|coworkers|mates)|people|they|most people) (?:all |"
        r"just )?"
        rf"call me|every(?:one|body) (?:just )?calls me|"
        rf"my nickname is) {V}",
        fact("nickname", importance=0.8),
        "call|nickname",
    ),
    rule(
        r"(?:am|is|are|turned|turn|just turned|will be|will turn) (?:about |around |almost |"
        r"nearly )?(?P<v>\d{1,3})(?: years? old| yo\b|\s*$|(?= (?:now|this|last|next|in|and|on|"
        r"yesterday|today)))",
        fact("age", importance=0.7),
        "0|1|2|3|4|5|6|7|8|9",
    ),
    rule(
        r"(?:am|is|are) (?:about |almost |nearly |only )?(?P<v>\d{1,2} (?:weeks?|months?) old)",
        fact("age", importance=0.6),
        "old",
    ),
    rule(r"my age is (?P<v>\d{1,3})", fact("age"), "age"),
    rule(
        rf"my birthday (?:is|falls)(?: on| in)? {V}", fact("birthday", importance=0.8), "birthday"
    ),
    rule(
        r"(?:am|was|were) born (?:on|in) (?P<v>(?:19|20)\d\d)(?=\s*$| in (?-i:[A-Z]))",
        fact("birth_year", importance=0.8),
        "born",
    ),
    rule(
        r"(?:am|was|were|is) born on (?P<v>[^;()\n]{3,30}?)(?:\s+(?:in (?-i:[A-Z])[a-z]+)|\s*$)",
        fact("birthday", importance=0.8),
        "born",
    ),
    rule(
        rf"(?:am|was|were|is) (?:born(?: and raised)?|"
        rf"raised) in (?P<v>(?-i:[A-Z])[^,;()\d]{{1,60}}?){STOP}",
        fact("hometown"),
        "born|raised",
    ),
    rule(rf"(?:grew|grow) up (?:in|on|near) {V}", fact("hometown"), " up "),
    rule(
        r"(?:am|is|are|come|comes|hail|hails) (?:originally "
        r")?from (?P<v>(?:the )?(?-i:[A-Z\u4e00-\u9fff])[^"
        rf",;()]{{1,60}}?){STOP}",
        fact("hometown"),
        "from",
    ),
    rule(rf"my (?:home ?town|home country) is {V}", fact("hometown"), "home"),
    rule(
        r"(?:am|is|are) (?:an? )?(?P<v>American|British|Canadian|Australian|French|German|"
        r"Italian|Spanish|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Polish|Russian|"
        r"Ukrainian|Greek|Turkish|Chinese|Taiwanese|Japanese|Korean|Indian|Pakistani|Nigerian|"
        r"Kenyan|Ghanaian|Egyptian|Brazilian|Mexican|Argentinian|Irish|Scottish|Swiss|Austrian|"
        r"Belgian|Vietnamese|Thai|Filipino|Indonesian|Singaporean|Malaysian)(?: citizen|"
        r" national)?\s*$",
        fact("nationality"),
    ),
    rule(
        r"(?:am|is|are) (?:an? )?(?:practi[sc]ing |devout |lapsed )?(?P<v>buddhist|muslim|"
        r"christian|catholic|"
        r"jewish|hindu|sikh|atheist|agnostic|protestant|mormon|quaker|taoist|baptist|methodist|"
        r"lutheran)$",
        fact("religion"),
        "ist|muslim|christian|catholic|jewish|hindu|sikh|agnostic|protestant|mormon|quaker|"
        "lutheran",
    ),
    rule(rf"my (?:star sign|zodiac sign|zodiac) is {V}", fact("zodiac"), "sign|zodiac"),
    rule(rf"my (?:pronouns|gender) (?:is|are) {V}", fact("gender"), "pronoun|gender"),
    # home
    rule(
        r"(?:live|lives|am living|is living|are living) at (?P<v>\d+[a-z]? [A-Z][^;()\n]{3,80})$",
        fact("address", importance=0.8),
        " at ",
    ),
    rule(
        rf"(?:live|lives|living|reside|resides|am living|is living|are living|{BE} based|"
        rf"{BE} located|{BE} staying)(?: now| alone| together)? (?:(?:full[- ]time )?(?:in|at|"
        rf"near|on|around|outside(?: of)?) )(?P<v>[^,;()\n]{{1,{MAX_VALUE}}}?){STOP}",
        fact("residence", importance=0.8, unless=_PLACE_NOT),
        "liv|resid|based|located|staying",
    ),
    rule(
        rf"(?:have |has )?(?:just |recently )?(?:moved|relocated)(?: back| out| over| house|"
        rf" away)?(?: from (?P<o>[^,;]{{2,40}}?))? to {V}",
        _moved,
        "moved|relocated",
    ),
    rule(rf"(?:have |has )?settled(?: down)? in {V}", fact("residence", importance=0.8), "settled"),
    rule(
        rf"my (?:home )?(?:current )?(?:home|address|apartment|flat|house) (?:is|"
        rf"has moved) (?:in|at|on|near|to) {V}",
        fact("residence", importance=0.8),
        "is |moved",
    ),
    rule(
        rf"my (?:home |mailing |postal |shipping |delivery |email |new |"
        rf"current )*address is(?: now)? (?P<v>.{{3,{MAX_VALUE}}})$",
        lambda m: Finding("email" if "@" in m["v"] else "address", trimmed(m["v"]), importance=0.8),
        "address",
    ),
    rule(
        r"(?:am|is|are) (?:in|on) (?:the )?(?P<v>[\w+-]+(?: [a-z]+)?) time(?: ?zone)?$",
        fact("timezone", importance=0.8),
        "time",
    ),
    rule(rf"my time ?zone is {V}", fact("timezone", importance=0.8), "zone"),
    # contact
    rule(
        r"(?:(?:you |u )?(?:can |may )?(?:always )?)?(?:reach|contact|e-?mail|mail|write(?: to)?|"
        r"message) me "
        r"(?:at|on|under) (?P<v>[\w.+-]+@[\w-]+\.[\w.-]+\w)",
        fact("email", importance=0.8),
        "@",
    ),
    rule(
        r"(?:(?:you |u )?(?:can |may )?(?:always )?)?(?:reach|contact|call|text|ring|message) me "
        r"(?:at|on|under) (?P<v>\+?\d[\d() -]{5,}\d)",
        fact("phone", importance=0.8),
        " me ",
    ),
    rule(
        r"am (?P<v>@\w[\w.]+) on (?:github|twitter|x|instagram|insta|linkedin|discord|telegram|"
        r"slack|"
        r"tiktok|reddit|mastodon|bluesky|threads)",
        fact("account"),
        "@",
    ),
    rule(
        r"my (?:(?:work|personal|private|new|office|mobile|cell|"
        r"home) )*(?:e-?mail)(?: address)? is(?: now)? (?P<v>\S+@\S+)",
        fact("email", importance=0.8),
        "mail",
    ),
    rule(
        r"my (?:(?:work|personal|private|new|office|mobile|cell|home) )*(?:phone|mobile|cell|"
        r"telephone|contact|whatsapp)(?: phone)?(?: number)? is(?: now)? (?P<v>\+?[\d() -]{5,})",
        fact("phone", importance=0.8),
        "is",
    ),
    rule(
        r"(?:(?:have |have got |got )(?:an? |my )?new (?:(?:phone|mobile|cell|telephone) )?number"
        r"(?: now)?[:, ]+(?:it is )?|my (?:new |current )?number (?:is|has changed to)(?: now)? )"
        r"(?P<v>\+?\d[\d() -]{5,}\d)",
        fact("phone", importance=0.8),
        "number",
    ),
    rule(
        r"my (?P<t>github|twitter|insta(?:gram)?|ig|tiktok|snapchat|mastodon|bluesky|youtube|"
        r"linkedin|discord|telegram|slack|wechat|steam|"
        rf"reddit)(?: (?:handle|username|user name|account|id|name))? is {V}",
        fact("account"),
        "is",
    ),
)
