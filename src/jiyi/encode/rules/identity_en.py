"""English statements about who somebody is: name, home, work, family, health, means."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import MAX_VALUE, Builder, Clause, Finding, Rule, rule
from jiyi.encode.rules.topics import object_topic, trimmed
from jiyi.encode.slots import with_topic

# Where a value ends: at what no longer belongs to it.
_STOP: Final = (
    r"(?=\s+(?:and (?:i|we|my|she|he|they)|but|because|since|so that|so i|which|who|where|when|while|"
    r"for (?:about |over |almost |nearly )?(?:\d+|a|two|three|four|five|six|seven|eight|ten|many|several|"
    r"a few|the (?:last|past)) (?:years?|months?|weeks?|days?|decades?)|since|these days|now|at the moment|"
    r"right now|currently|these|(?:last|next) (?:week|month|year|spring|summer|fall|autumn|winter|\w+day)|this (?:week|month|"
    r"year)|a (?:few|couple)|(?:two|three|\d+) (?:years?|months?|weeks?|days?) ago|yesterday|today|recently|"
    r"with my|to be|too|as well|again|anymore|any more|instead|in (?:late |early |mid[- ]?)?(?:(?:19|20)\d\d|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|fall)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|from now on|actually)\b"
    r"|\s*[,;(:]|\s+-|\s*$|\.\s|\.$)"
)
_V: Final = rf"(?P<v>[^,;()\n]{{1,{MAX_VALUE}}}?)" + _STOP
_BE: Final = r"(?:am|is|are|was|were|being|be)"

_JOBS: Final = (
    r"(?:engineer|developer|programmer|designer|teacher|professor|lecturer|nurse|doctor|physician|surgeon|"
    r"dentist|pharmacist|veterinarian|vet|lawyer|attorney|paralegal|judge|accountant|auditor|analyst|"
    r"architect|scientist|researcher|chemist|biologist|physicist|mathematician|statistician|economist|"
    r"writer|author|editor|journalist|reporter|translator|interpreter|copywriter|photographer|"
    r"videographer|filmmaker|artist|illustrator|painter|sculptor|musician|singer|composer|actor|actress|"
    r"dancer|chef|cook|baker|barista|bartender|waiter|waitress|driver|pilot|captain|sailor|soldier|"
    r"officer|firefighter|paramedic|detective|guard|electrician|plumber|carpenter|mechanic|technician|"
    r"welder|machinist|operator|farmer|gardener|florist|tailor|hairdresser|barber|stylist|librarian|"
    r"manager|director|consultant|administrator|coordinator|supervisor|executive|founder|co-?founder|"
    r"ceo|cto|cfo|coo|vp|president|owner|entrepreneur|freelancer|contractor|recruiter|marketer|"
    r"salesperson|salesman|saleswoman|cashier|secretary|receptionist|assistant|intern|trainee|apprentice|"
    r"student|undergraduate|postdoc|phd candidate|postgraduate|trainer|coach|therapist|psychologist|"
    r"counsell?or|psychiatrist|social worker|banker|trader|broker|investor|realtor|agent|planner|"
    r"strategist|producer|streamer|youtuber|blogger|hustler|tutor|principal|priest|pastor|nun|monk|"
    r"sysadmin|devops|sre|dba|tester|qa|lead|specialist|inspector|surveyor|geologist|astronomer|"
    r"courier|postman|nanny|midwife|radiologist|optician|butcher|fisherman|miner|builder|janitor|"
    r"politician|diplomat|historian|archaeologist|philosopher|linguist|curator|retiree|homemaker|"
    r"housewife|stay-at-home (?:mom|dad|parent))s?"
)
_PLACE_NOT: Final = re.compile(
    r"^(?:the (?:moment|end|middle|past|future|zone|same|mood|dark|process|loop|hope|fear)|a (?:hurry|rush|meeting|"
    r"bubble|way|world|place where|good|bad|different|constant)|peace|harmony|denial|pain|fear|love|trouble|"
    r"charge|need|touch|front|line|general|particular|fact|theory|it|this|that|them|him|her|total|chaos|poverty)\b",
    re.IGNORECASE,
)
_ABSTRACT: Final = re.compile(
    r"^(?:it|this|that|these|those|them|him|her|you|me|us|here|there|so|what|how|something|anything|nothing|"
    r"everything|not|more|less|going|trying|able|about|done|ready|sure|sorry|glad|happy|fine|good|ok(?:ay)?)\b",
    re.IGNORECASE,
)


def _fact(
    attribute: str,
    *,
    importance: float = 0.7,
    value: str | None = None,
    unless: re.Pattern[str] = _ABSTRACT,
) -> Builder:
    """A builder for one attribute whose value is the group `v`, or `value`."""

    def build(match: re.Match[str]) -> Finding | None:
        found = trimmed(match["v"]) if value is None else value
        if not found or unless.search(found):
            return None
        if value is None:
            found = re.sub(r"^(?:a|an|the)\s+(?=[a-z])", "", found)
        return Finding(attribute, found, importance=importance)

    return build


def _ended(attribute: str) -> Builder:
    def build(match: re.Match[str]) -> Finding | None:
        found = trimmed(match["v"])
        if not found or _ABSTRACT.search(found):
            return None
        return Finding(attribute, f"not {found}", replaces=found, ends=True, importance=0.7)

    return build


def _topic(family: str, *, importance: float = 0.5) -> Builder:
    """A slot whose topic is the group `t`."""

    def build(match: re.Match[str]) -> Finding | None:
        found, topic = trimmed(match["v"]), object_topic(match["t"])
        if not found or _ABSTRACT.search(found) or not topic or len(topic) > 40:
            return None
        return Finding(with_topic(family, topic), found, importance=importance)

    return build


def _family(match: re.Match[str]) -> Finding | None:
    return Finding(
        "family", trimmed(match["v"]), importance=0.7, tags=("family", match["kin"].lower())
    )


def _pet(match: re.Match[str]) -> Finding | None:
    return Finding("pet", trimmed(match["v"]), importance=0.6)


_KIN: Final = (
    r"(?P<kin>wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|brothers?|sisters?|siblings?|sons?|"
    r"daughters?|kids?|child(?:ren)?|twins?|bab(?:y|ies)|grand(?:son|daughter|children|kids|child)s?|nephews?|"
    r"nieces?|cousins?|stepsons?|stepdaughters?|toddlers?)"
)
_PET: Final = (
    r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|bunn(?:y|ies)|parrots?|hamsters?|guinea pigs?|horses?|"
    r"ponies|pony|turtles?|tortoises?|goldfish|fish|snakes?|lizards?|geckos?|ferrets?|chickens?|goats?|"
    r"budgies?|canar(?:y|ies)|corgis?|poodles?|labradors?|huskies|husky|beagles?|retrievers?|terriers?)"
)
_COUNT: Final = r"(?:an?|one|two|three|four|five|six|\d+|several|twin|no)"
_DEVICE: Final = (
    r"(?:iphone|ipad|macbook|imac|mac mini|pixel|galaxy|thinkpad|laptop|desktop|phone|tablet|kindle|camera|"
    r"headphones?|earbuds|monitor|keyboard|mouse|printer|router|raspberry pi|nas|playstation|ps5|xbox|switch|"
    r"drone|watch|projector|3d printer|synthesi[sz]er|guitar|piano|violin|drum kit|telescope|speaker|air fryer|"
    r"espresso machine|coffee machine|sewing machine|robot vacuum|server|gpu|graphics card)s?"
)
_VEHICLE: Final = (
    r"(?:car|truck|van|suv|motorcycle|motorbike|scooter|bike|bicycle|e-bike|tesla|toyota|honda|ford|bmw|audi|"
    r"mercedes|volvo|subaru|mazda|nissan|hyundai|kia|volkswagen|vw|porsche|jeep|lexus|prius|civic|corolla|"
    r"model [3sxy]|golf|camry|sedan|pickup|boat|sailboat|camper|rv|byd|skoda|peugeot|renault|fiat|mini cooper)"
)
_TIME: Final = (
    r"(?:\d{1,2}(?::\d\d)?\s*(?:am|pm|a\.m\.|p\.m\.|o'clock)?|noon|midnight|dawn|sunrise)"
)

RULES: Final[tuple[Rule, ...]] = (
    # name, age, origin
    rule(
        rf"my (?:full |real |first |last |given |legal )?name (?:is|was)(?: now)? {_V}",
        _fact("name", importance=0.9),
        "name",
    ),
    rule(rf"{_BE} (?:called|named) {_V}", _fact("name", importance=0.9), "called|named"),
    rule(
        rf"(?:go|goes) by (?:the (?:name|nickname) (?:of )?)?{_V}",
        _fact("nickname", importance=0.8),
        " by ",
    ),
    rule(
        rf"(?:please\s+)?(?:you (?:can|may|should) )?(?:just )?call (?:me|us)(?: by)? {_V}",
        _fact("nickname", importance=0.9),
        "call ",
    ),
    rule(
        rf"(?:please )?(?:address|refer to) me (?:as|by) {_V}",
        _fact("nickname", importance=0.9),
        " me ",
    ),
    rule(
        rf"(?:my (?:friends|family|colleagues|coworkers) call me|everyone calls me|my nickname is) {_V}",
        _fact("nickname", importance=0.8),
        "call|nickname",
    ),
    rule(
        r"(?:am|is|are|turned|turn|just turned|will be|will turn) (?:about |around |almost |nearly )?(?P<v>\d{1,3})(?: years? old| yo\b|\s*$|(?= (?:this|last|next|in|and|on|yesterday|today)))",
        _fact("age", importance=0.7),
        "0|1|2|3|4|5|6|7|8|9",
    ),
    rule(r"my age is (?P<v>\d{1,3})", _fact("age"), "age"),
    rule(
        rf"my birthday (?:is|falls)(?: on| in)? {_V}", _fact("birthday", importance=0.8), "birthday"
    ),
    rule(
        r"(?:am|was|were) born (?:on|in) (?P<v>(?:19|20)\d\d)\s*$",
        _fact("birth_year", importance=0.8),
        "born",
    ),
    rule(rf"(?:am|was|were|is) born on (?P<v>[^;()\n]{{3,30}}?)(?:\s+(?:in [A-Z][a-z]+)|\s*$)", _fact("birthday", importance=0.8), "born"),
    rule(
        rf"(?:am|was|were|is) (?:born(?: and raised)?|raised) in (?P<v>[A-Z][^,;()\d]{{1,60}}?){_STOP}",
        _fact("hometown"),
        "born|raised",
    ),
    rule(rf"(?:grew|grow) up in {_V}", _fact("hometown"), "up in"),
    rule(
        rf"(?:am|is|are|come|comes|hail|hails) (?:originally )?from (?P<v>(?:the )?[A-Z][^,;()]{{1,60}}?){_STOP}",
        _fact("hometown"),
        "from",
    ),
    rule(rf"my (?:home ?town|home country) is {_V}", _fact("hometown"), "home"),
    rule(
        r"(?:am|is|are) (?:an? )?(?P<v>American|British|Canadian|Australian|French|German|Italian|Spanish|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Polish|Russian|Ukrainian|Greek|Turkish|Chinese|Taiwanese|Japanese|Korean|Indian|Pakistani|Nigerian|Kenyan|Ghanaian|Egyptian|Brazilian|Mexican|Argentinian|Irish|Scottish|Swiss|Austrian|Belgian|Vietnamese|Thai|Filipino|Indonesian|Singaporean|Malaysian)(?: citizen| national)?\s*$",
        _fact("nationality"),
    ),
    rule(rf"my (?:star sign|zodiac sign|zodiac) is {_V}", _fact("zodiac"), "sign|zodiac"),
    rule(rf"my (?:pronouns|gender) (?:is|are) {_V}", _fact("gender"), "pronoun|gender"),
    # home
    rule(
        rf"(?:live|lives|living|reside|resides|am living|is living|are living|{_BE} based|{_BE} located|{_BE} staying)(?: now| alone| together)? (?:(?:full[- ]time )?(?:in|at|near|on|around|outside(?: of)?) )(?P<v>[^,;()\n]{{1,{MAX_VALUE}}}?){_STOP}",
        _fact("residence", importance=0.8, unless=_PLACE_NOT),
        "liv|resid|based|located|staying",
    ),
    rule(
        rf"(?:have |has )?(?:just |recently )?(?:moved|relocated)(?: back| out| over| house| away)?(?: from [^,;]{{2,40}}?)? to {_V}",
        _fact("residence", importance=0.8),
        "moved|relocated",
    ),
    rule(
        rf"(?:have |has )?settled(?: down)? in {_V}", _fact("residence", importance=0.8), "settled"
    ),
    rule(
        rf"my (?:home )?(?:current )?(?:home|address|apartment|flat|house) (?:is|has moved) (?:in|at|on|near|to) {_V}",
        _fact("residence", importance=0.8),
        "is |moved",
    ),
    rule(
        rf"my (?:home |mailing |postal |shipping |delivery |email |new |current )*address is(?: now)? (?P<v>.{{3,{MAX_VALUE}}})$",
        lambda m: Finding(
            "email" if "@" in m["v"] else "address", trimmed(m["v"]), importance=0.8
        ),
        "address",
    ),
    rule(rf"my time ?zone is {_V}", _fact("timezone", importance=0.8), "zone"),
    # contact
    rule(
        r"my (?:(?:work|personal|private|new|office|mobile|cell|home) )*(?:e-?mail)(?: address)? is(?: now)? (?P<v>\S+@\S+)",
        _fact("email", importance=0.8),
        "mail",
    ),
    rule(
        r"my (?:(?:work|personal|private|new|office|mobile|cell|home) )*(?:phone|mobile|cell|telephone|contact|whatsapp)(?: phone)?(?: number)? is(?: now)? (?P<v>\+?[\d() -]{5,})",
        _fact("phone", importance=0.8),
        "is",
    ),
    rule(
        rf"my (?P<t>github|twitter|instagram|linkedin|discord|telegram|slack|wechat|steam|reddit)(?: (?:handle|username|user name|account|id|name))? is {_V}",
        _fact("account"),
        "is",
    ),
    rule(
        rf"(?:study|studies|studied|am studying|am a (?:student|freshman|sophomore|junior|senior)|go|went|attend|attended)(?: [\w ]{{2,30}})? (?:at|to) (?P<v>(?:the )?(?:[A-Z][\w'.-]*(?: (?:of|and|for|[A-Z][\w'.-]*)){{0,5}} )?(?:University|College|School|Institute|Academy|MIT|UCLA|ETH|LSE|Stanford|Harvard|Oxford|Cambridge|Yale)\b[^,;()]{{0,40}}?){_STOP}",
        _fact("school"),
    ),
    # work
    rule(
        rf"(?:work|works|working|am working|is working|are working|have worked|has worked|{_BE} employed|{_BE} working) (?:full[- ]time |part[- ]time |remotely |mainly )?(?:at|for|with) (?P<v>(?!home|night|least|my|myself|the moment|it|this|that|them|him|her|you|clients|people|kids|children|a (?:living|while)|\d)[^,;()\n]{{1,80}}?)(?:\s+as\b|{_STOP}|\s+in\b|\s+on\b)",
        _fact("employer", importance=0.8),
        "work|employed",
    ),
    rule(
        rf"(?:have |has )?(?:just |recently )?(?:joined|started (?:working )?at|started a (?:new )?job (?:at|with)|got (?:a (?:new )?job|hired|an offer) (?:at|by|from)|got hired by|accepted (?:a job|an offer) (?:at|from|with)|switched jobs to|changed jobs to|moved (?:over )?to work (?:at|for)) (?P<v>(?!the (?:gym|club|call|meeting|team|group|class|army|course)|a |an |my |in\b)[^,;()\n]{{1,80}}?)(?:\s+as\b|{_STOP}|\s+in\b)",
        _fact("employer", importance=0.8),
        "join|start|job|hired|offer|work",
    ),
    rule(
        rf"(?:have |has )?(?:just |recently )?(?:left|quit|resigned from|got (?:fired|laid off) (?:from|by)|{_BE} (?:fired|laid off) (?:from|by)) (?P<v>[A-Z][^,;()\n]{{1,60}}?){_STOP}",
        _ended("employer"),
        "left|quit|resigned|fired|laid off",
    ),
    rule(
        rf"my (?:new |current )?(?:employer|company) is(?: called)? {_V}",
        _fact("employer", importance=0.8),
        "employer|company",
    ),
    rule(
        rf"(?:work|works|working|worked|am working|is working|am employed|got a job|have a job|started) (?:[^,;]{{1,60}}? )?as (?:an? |the )?(?P<v>[^,;()\n]{{1,80}}?)(?:\s+(?:at|for|in|with)\b|{_STOP})",
        _fact("occupation", importance=0.8),
        " as ",
    ),
    rule(
        rf"my (?:new |current |day |main )?(?:job|occupation|profession|role|job title|title|position) (?:is|has changed to) (?:that of )?(?:an? |the )?{_V}",
        _fact("occupation", importance=0.8),
        "job|occupation|profession|role|title|position",
    ),
    rule(
        rf"(?:am|is|are|became|have become|has become|{_BE} promoted to|got promoted to|{_BE} now|am working as) (?:now )?(?:an? |the )?(?P<v>(?:(?!not|about|in|with|for|to|of|at|on|the|my|your|that|so|very|too|going|trying|doing|being|thinking|working|looking|checking|here|like|just|a|an|as|and|or\b)[\w/&+#.-]+ ){{0,4}}?{_JOBS})\b(?!['’]|-)(?!\s+of (?:the|this|that|my|fun|all)\b)",
        _fact("occupation", importance=0.8),
    ),
    rule(
        r"(?:am|is|are) (?P<v>retired|unemployed|self-employed|between jobs|freelancing|on (?:maternity|paternity|parental|sick) leave)",
        _fact("occupation", importance=0.7),
    ),
    rule(
        rf"(?:am|is|are) (?:in charge of|responsible for) {_V}",
        _fact("responsibility", importance=0.6),
        "charge|responsible",
    ),
    rule(
        rf"(?:work|works|am|is) (?:in|on) the {_V}(?<=team|ment)\b",
        _fact("department"),
        "team|department",
    ),
    rule(
        r"(?:have|has) (?:worked|been) (?:there|here|in (?:this|the) [\w ]+|as [\w ]+|at [\w ]+) for (?P<v>(?:about |over |almost )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty)\+? years?)",
        _fact("work_years"),
        "years|year",
    ),
    rule(
        r"(?:have|has) (?P<v>(?:about |over |almost |more than )?(?:\d+|[a-z]+(?:-[a-z]+)?)\+? years?)(?: of)? (?:[\w-]+ )*experience",
        _fact("work_years"),
        "experience",
    ),
    rule(
        r"work(?:s|ing)? (?P<v>remotely|from home|in the office|hybrid|night shifts?|nights|from a co-?working space|part[- ]time|full[- ]time)",
        _fact("workplace"),
        "work",
    ),
    # education
    rule(
        rf"(?:study|studies|studied|am studying|is studying|{_BE} majoring in|major(?:ed|s)? in|{_BE} doing (?:a|my) (?:master's?|phd|degree|bachelor's?) in) (?P<v>(?!for\b|at\b|hard|with\b|abroad|every|a lot|the|this|that|how|in\b|on\b|alone|from|together|late|everything|harder|more|and|while|your|about|it\b)[^,;()\n]{{2,60}}?)(?:\s+(?:at|in)\b|{_STOP})",
        _fact("major"),
        "stud|major|doing",
    ),
    rule(rf"(?:graduated|{_BE} graduating|will graduate) from {_V}", _fact("school"), "graduat"),
    rule(
        r"(?:have|has|hold|holds|earned|got|received|completed|finished) (?:a |an |my |her |his )?(?P<v>(?:phd|ph\.d\.|doctorate|master's?|mba|bachelor's?|b\.?sc?\.?|m\.?sc?\.?|associate|degree)\b(?: degree)?(?: (?:in|of|from) [^,;()]{2,60})?)",
        _fact("education"),
        "phd|ph.d|doctor|master|mba|bachelor|sc|associate|degree",
    ),
    # family and pets
    rule(
        rf"(?:am|is|are|got|{_BE} getting) (?:happily |recently |newly |finally |still |now )?(?P<v>married|single|divorced|engaged|widowed|separated|in a (?:long-distance )?relationship)(?: to (?!the|a)[^,;]+)?",
        _fact("marital"),
        "married|single|divorced|engaged|widowed|separated|relationship",
    ),
    rule(
        rf"(?:have got|has got|have|has|had|welcomed|am expecting|are expecting|am a (?:mother|father|parent|mom|dad) (?:of|to)) (?P<v>(?:[\w-]+,? ){{0,6}}?{_KIN}\b(?!['’])[^,;]{{0,60}})",
        _family,
        "have|has|had|welcomed|expecting|of|to",
    ),
    rule(
        rf"(?:have|has|own|owns|adopted|have adopted|got|have got|bought|keep|keeps|raise|raises|rescued)(?: a pet| my)? (?P<v>(?:[\w'-]+ ){{0,5}}?{_PET}\b(?: (?:named|called) [\w ]+)?(?: and [^,;]{{2,40}})?)",
        _pet,
    ),
    rule(
        rf"my (?:\w+ )?(?P<v>(?P<p>{_PET})(?:'s name is| is (?:called|named)) [\w -]+)",
        _pet,
        "called|named|name",
    ),
    # health
    rule(
        rf"(?:am|is|are) (?:also |severely |highly |deathly |very |slightly |mildly )*allergic to (?P<v>.{{2,{MAX_VALUE}}}?){_STOP}",
        _fact("allergy", importance=1.0),
        "allergic",
    ),
    rule(
        r"(?:have|has|suffer from|suffers from|developed) (?:an? |some |severe |bad |mild |seasonal )*(?P<v>[\w -]{2,40}?)(?:[- ]allergy|allergies)\b(?!\s+to)",
        _fact("allergy", importance=1.0),
        "allerg",
    ),
    rule(
        rf"(?:have|has) (?:an? |severe |bad |mild )*allerg(?:y|ies) to {_V}",
        _fact("allergy", importance=1.0),
        "allerg",
    ),
    rule(
        r"(?:am|is|are) (?P<v>(?:lactose|gluten|fructose|histamine)[- ]intolerant|intolerant (?:of|to) [^,;]+)",
        _fact("allergy", importance=0.95),
        "intolerant",
    ),
    rule(
        r"(?:have|has|suffer|suffers|suffering|am suffering|is suffering|was diagnosed|were diagnosed|am diagnosed|got diagnosed|have been diagnosed|has been diagnosed|live|lives|struggle|struggles|am living)(?: from| with)? (?:an? |severe |chronic |mild |type |high |low |bad |also )*(?P<v>(?:type [12] )?(?:diabetes|asthma|hypertension|high blood pressure|blood pressure|cholesterol|migraines?|epilepsy|arthritis|adhd|autism|anxiety(?: disorder)?|depression|insomnia|ibs|crohn's(?: disease)?|celiac(?: disease)?|coeliac|gout|eczema|psoriasis|anemia|anaemia|hypothyroidism|thyroid \w+|heart (?:disease|condition|problems?)|kidney \w+|back (?:pain|problems?)|bad (?:knee|back)|sleep apn[oe]+a|cancer|ptsd|ocd|bipolar(?: disorder)?|dyslexia|colou?r blindness|hearing loss|scoliosis|osteoporosis|reflux|gerd|ulcers?|vertigo|tinnitus|lupus|endometriosis|pcos|panic attacks?|concussion|(?:torn|broken|sprained|fractured) [\w ]{3,20}))",
        _fact("condition", importance=0.9),
    ),
    rule(
        r"(?:am|is|are) (?P<v>diabetic|asthmatic|pregnant|colou?r[- ]?blind|deaf|blind|epileptic|dyslexic|autistic|an? (?:wheelchair user|cancer survivor|diabetic|recovering alcoholic|insomniac))",
        _fact("condition", importance=0.9),
    ),
    rule(
        r"(?:take|takes|am taking|is taking|am on|is on|was prescribed|started taking) (?P<v>[^,;()]{0,50}?(?:\d+ ?mg(?: of [\w -]{2,30})?|pills?|tablets?|medication|insulin|statins?|metformin|ibuprofen|aspirin|antidepressants?|antibiotics?|inhaler|vitamins?(?: [a-z]\d?)?|supplements?)\b(?: of [\w -]{2,30})?)",
        _fact("medication", importance=0.9),
    ),
    rule(rf"my blood type is {_V}", _fact("blood_type", importance=0.8), "blood"),
    rule(
        r"(?:am|is) (?P<v>\d(?:'|’| ?ft| feet)[ \d\"”in]*|1[.,]\d\d ?m|\d{3} ?cm)(?: tall)?",
        _fact("height"),
    ),
    rule(
        r"(?:weigh|weighs|my weight is) (?:about |around )?(?P<v>\d[\d.]* ?(?:kg|kilos?|lbs?|pounds?|stone))",
        _fact("weight"),
        "weigh",
    ),
    rule(
        r"(?:am|is|are|became|went|have gone|have become|am now|has become|turned|am going|eat|eats|follow a|follow an|am on a|am on the|am on|follow|on a|on) (?:a |an |strict |strictly |lifelong |mostly )*(?P<v>vegetarian|vegan|pescatarian|flexitarian|keto(?:genic)?|paleo|halal|kosher|gluten[- ]free|dairy[- ]free|plant[- ]based|low[- ]carb|low[- ]sodium|mediterranean)\b",
        _fact("diet", importance=0.9),
    ),
    rule(
        r"(?:do not|never|quit|gave up|stopped|am not a) (?P<v>smok(?:e|er|ing)|vap(?:e|ing))",
        _fact("smoking", value="no"),
        "smok|vap",
    ),
    rule(
        r"(?:smoke|smokes)\b(?! detector| alarm)|am a (?:heavy |light |social )?smoker",
        _fact("smoking", value="yes"),
        "smok",
    ),
    rule(
        r"(?:do not|never|quit|gave up|stopped) (?P<v>drink(?:ing)?(?: alcohol)?|alcohol)\s*$",
        _fact("drinking", value="no"),
        "drink|alcohol",
    ),
    # abilities and means
    rule(
        rf"(?:speak|speaks|am learning|is learning|have been learning|am fluent in|is fluent in|know some|can speak) (?P<v>(?:(?:fluent|some|a little|basic|native|both|a bit of) )?(?:English|Chinese|Mandarin|Cantonese|Japanese|Korean|French|German|Italian|Spanish|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Polish|Russian|Ukrainian|Greek|Turkish|Arabic|Hebrew|Hindi|Urdu|Bengali|Tamil|Vietnamese|Thai|Indonesian|Malay|Swahili|Latin|Esperanto|Yoruba|Igbo|Hausa|Twi)\b[^;()]{{0,50}}?){_STOP}",
        _fact("language"),
    ),
    rule(
        rf"my (?:native|first|mother|second) (?:language|tongue) is {_V}",
        _fact("language"),
        "language|tongue",
    ),
    rule(
        rf"(?:am|is) (?:(?:really |very |quite )?good at|great at|skilled (?:at|in|with)|proficient (?:in|at|with)|experienced (?:in|with)|an expert (?:in|on|at)|well versed in|fluent in|excellent at) {_V}",
        _fact("skill"),
        "good|great|skilled|proficient|expert|versed|fluent|experienced|excellent",
    ),
    rule(
        rf"(?:drive|drives|ride|rides|own|owns|have|has|bought|got|have bought|just bought|leased|lease) (?:an? |the |my )?(?P<v>(?:[\w-]+ ){{0,4}}?{_VEHICLE}\b(?: \w+){{0,2}}?){_STOP}",
        _fact("vehicle", unless=re.compile(r"wash|ride|insurance|loan|crash", re.IGNORECASE)),
        "driv|rid|own|ha|bought|got|leas",
    ),
    rule(rf"my (?:new |old |current )?car is (?:an? |the )?{_V}", _fact("vehicle"), "car"),
    rule(
        rf"(?:have|has|own|owns|use|uses|bought|got|just bought|have bought|upgraded to|am using|ordered|just got|picked up) (?:an? |the |my |two |three )?(?P<v>(?:[\w.-]+ ){{0,4}}?{_DEVICE}\b(?: (?:[A-Z0-9][\w-]*|pro|max|mini|air|ultra|plus)){{0,3}})",
        _fact("device", importance=0.5),
    ),
    rule(
        rf"(?:wake up|wakes up|get up|gets up) (?:every day |daily |usually )?(?:at|around|by) (?P<v>{_TIME})",
        lambda m: Finding("schedule/wake up", trimmed(m["v"])),
        "up",
    ),
    rule(
        rf"(?:go to bed|goes to bed|go to sleep|sleep) (?:at|around|by|before) (?P<v>{_TIME})",
        lambda m: Finding("schedule/bedtime", trimmed(m["v"])),
        "bed|sleep",
    ),
    rule(
        rf"(?:work|works) (?P<v>from {_TIME} (?:to|until|till) {_TIME}|{_TIME}\s*(?:-|to|–)\s*{_TIME})",
        lambda m: Finding("schedule/work", trimmed(m["v"])),
        "work",
    ),
    rule(
        rf"(?:my (?:main |ultimate |long-term |short-term |biggest |primary |big )?(?:goal|aim|dream|objective|resolution|target|ambition)s?(?: for [^,;]{{2,30}}| this \w+)? (?:is|are) (?:to )?){_V}",
        _fact("goal", importance=0.7),
        "goal|aim|dream|objective|resolution|target|ambition",
    ),
    rule(
        rf"(?:(?:am|is) (?:training|studying|preparing|saving(?: up)?|practi[sc]ing|aiming|working) (?:for|towards?) ){_V}",
        _fact("goal", importance=0.6),
        " for |toward",
    ),
    rule(
        r"(?:(?:plan|hope|aim|aspire|intend)(?:s|ed)? to|(?:am|is) (?:planning|aiming|hoping) to|want to (?:become|be|learn|start|open|build|write|run|buy|move|visit|travel|lose|save|get into|master|improve)|have decided to|decided to) (?P<v>[^;()\n]{3,100})",
        lambda m: Finding("goal", trimmed(m.group()), importance=0.55, confidence=0.8),
        " to ",
    ),
)
