"""English statements about family, health, abilities, possessions, days and goals."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import MAX_VALUE, Finding, Rule, rule
from jiyi.encode.rules.topics import trimmed
from jiyi.encode.rules.values_en import BE, STOP, V, fact
from jiyi.text.patterns import regex


def _family(match: re.Match[str]) -> Finding | None:
    return Finding(
        "family", trimmed(match["v"]), importance=0.7, tags=("family", match["kin"].lower())
    )


def _pet(match: re.Match[str]) -> Finding | None:
    if re.match(r"\w+ed\b", match["v"]):
        return None  # "have always liked turtles"
    return Finding("pet", trimmed(match["v"]), importance=0.6)


_ABSTRACT: Final = (
    r"(?:\w*(?:tion|ment|ness|ity|ance|ence|ism|ing|ache|ship|hood)s?|questions?|problems?|issues?|"
    r"ideas?|"
    r"points?|plans?|doubts?|cold|fever|cough|flu|hunch|deadlines?|calls?|exams?|tests?|dates?|"
    r"class|"
    r"classes|lectures?|bugs?|errors?|files?|lists?|functions?|arrays?|strings?|tables?|methods?|"
    r"scripts?|"
    r"datasets?|models?|choice|chance|moment|minutes?|seconds?|hours?|days?|weeks?|months?|years?|"
    r"break|"
    r"look|try|go|guess|clue|theory|theories|requests?|favou?rs?|concerns?|complaints?|comments?|"
    r"notes?|"
    r"thoughts?|reasons?|goals?|dreams?|crush|hangover|life|job|interviews?|quiz|essay|paper|"
    r"papers|"
    r"homework|tasks?|projects?|options?|examples?|versions?|tabs?|rows?|columns?|numbers?|words?|"
    r"lines?|"
    r"pages?|things?|ways?|times?|bit|lot|few|couple|big|good|bad|great|nice|new|hard|long|quick|"
    r"reason|"
    r"sense|right|problem|trip|flight|party|date|fight|argument|talk|chat|walk|drink|meal|snack|"
    r"shower|"
    r"nap|cup|glass|photo|picture|image|screenshot|video|text|message|email|letter|link|url|code|"
    r"key|"
    r"answer|result|output|input|value|variable|object|case|client|customer|boss|meeting|turn)"
)


def _hours(match: re.Match[str]) -> Finding | None:
    end = "start" if match["do"].lower().startswith("start") else "end"
    return Finding(f"schedule/{match['t'].lower()} {end}", trimmed(match["v"]), importance=0.6)


def _possession(match: re.Match[str]) -> Finding | None:
    value = re.sub(r"^(?:an?)\s+", "", trimmed(match["v"]))
    return Finding("possession", value, importance=0.5, confidence=0.8)


_KIN: Final = (
    r"(?P<kin>wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|brothers?|sisters?|"
    r"siblings?|sons?|"
    r"daughters?|kids?|child(?:ren)?|twins?|bab(?:y|ies)|grand(?:son|daughter|children|kids|"
    r"child)s?|nephews?|"
    r"nieces?|cousins?|stepsons?|stepdaughters?|toddlers?)"
)
_PET: Final = (
    r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|bunn(?:y|ies)|parrots?|hamsters?|"
    r"guinea pigs?|horses?|"
    r"ponies|pony|turtles?|tortoises?|goldfish|fish|snakes?|lizards?|geckos?|ferrets?|chickens?|"
    r"goats?|"
    r"budgies?|canar(?:y|ies)|corgis?|poodles?|labradors?|huskies|husky|beagles?|retrievers?|"
    r"terriers?|greyhounds?|collies?|spaniels?|shepherds?|dachshunds?|chihuahuas?|pugs?|bulldogs?|"
    r"whippets?|pomeranians?|ragdolls?|cockatiels?|gerbils?|axolotls?)"
)
_COUNT: Final = r"(?:an?|one|two|three|four|five|six|\d+|several|twin|no)"
_DEVICE: Final = (
    r"(?:iphone|ipad|macbook|imac|mac mini|pixel|galaxy|thinkpad|laptop|desktop|phone|tablet|"
    r"kindle|camera|"
    r"headphones?|earbuds|monitor|keyboard|mouse|printer|router|raspberry pi|nas|playstation|"
    r"ps5|xbox|switch|"
    r"drone|watch|projector|3d printer|synthesi[sz]er|guitar|piano|violin|drum kit|telescope|"
    r"speaker|air fryer|"
    r"steam deck|chromebook|vr headset|smart ?watch|apple watch|fitbit|garmin|airpods|e-?reader|"
    r"kobo|"
    r"synth|espresso machine|coffee machine|sewing machine|robot vacuum|server|gpu|graphics card)s?"
)
_VEHICLE: Final = (
    r"(?:car|truck|van|suv|motorcycle|motorbike|scooter|bike|bicycle|e-bike|tesla|toyota|honda|"
    r"ford|bmw|audi|"
    r"mercedes|volvo|subaru|mazda|nissan|hyundai|kia|volkswagen|vw|porsche|jeep|lexus|prius|"
    r"civic|corolla|vespa|moped|lambretta|trike|canoe|kayak|"
    r"model [3sxy]|golf|camry|sedan|pickup|boat|sailboat|camper|rv|byd|skoda|peugeot|renault|"
    r"fiat|mini cooper)"
)
_TIME: Final = (
    r"(?:\d{1,2}(?::\d\d)?\s*(?:am|pm|a\.m\.|p\.m\.|o'clock)?|noon|midnight|dawn|sunrise)"
)


RULES: Final[tuple[Rule, ...]] = (
    # family and pets
    rule(
        rf"(?:am|is|are|got|{BE} getting) (?:happily |recently |newly |finally |still |"
        rf"now )?(?P<v>married|single|divorced|engaged|widowed|separated|"
        rf"in a (?:long-distance )?relationship)(?: to (?!the|a)[^,;]+)?",
        fact("marital"),
        "married|single|divorced|engaged|widowed|separated|relationship",
    ),
    rule(
        rf"(?:have got|has got|have|has|welcomed|am expecting|are expecting|am a (?:mother|"
        rf"father|parent|mom|dad) (?:of|to)) (?P<v>(?:(?:{_COUNT}|older|younger|little|big|baby|"
        rf"grown|adult|small|young|newborn|teenage|beautiful|amazing|wonderful|lovely|and|sons?|"
        rf"daughters?|boys?|girls?|brothers?|sisters?|cousins?|"
        rf"\d+[- ]year[- ]old),? ){{0,7}}?{_KIN}\b(?!['’])[^,;]{{0,60}})",
        _family,
        "have|has|had|welcomed|expecting|of|to",
    ),
    rule(
        rf"(?:have|has|own|owns|adopted|have adopted|got|have got|bought|keep|keeps|raise|"
        rf"raises|rescued)(?: a pet| my)? (?P<v>(?:(?!(?:to|the|for|"
        rf"about|from|had|been|love|fear|passion|spot|thing)\b)"
        rf"[\w'-]+ ){{0,5}}?{_PET}\b(?: (?:named|called) [\w ]+)?(?: and [^,;]{{2,40}})?)",
        _pet,
    ),
    rule(
        rf"my (?:\w+ )?(?P<v>(?P<p>{_PET})(?:'s name is| is (?:called|named)) [\w -]+)",
        _pet,
        "called|named|name",
    ),
    # health
    rule(
        rf"(?:am|is|are) (?:also |severely |highly |deathly |very |slightly |"
        rf"mildly )*allergic to (?P<v>.{{2,{MAX_VALUE}}}?){STOP}",
        fact("allergy", importance=1.0),
        "allergic",
    ),
    rule(
        r"(?:have|has|suffer from|suffers from|developed) (?:an? |some |severe |bad |mild |"
        r"seasonal )*(?P<v>[\w -]{2,40}?)(?:[- ]allergy|allergies)\b(?!\s+to)",
        fact("allergy", importance=1.0),
        "allerg",
    ),
    rule(
        rf"(?:have|has) (?:an? |severe |bad |mild )*allerg(?:y|ies) to {V}",
        fact("allergy", importance=1.0),
        "allerg",
    ),
    rule(
        r"(?:am|is|are) (?P<v>(?:lactose|gluten|fructose|histamine)[- ]intolerant|"
        r"intolerant (?:of|to) [^,;]+)",
        fact("allergy", importance=0.95),
        "intolerant",
    ),
    rule(
        r"(?:have(?: got)?|has(?: got)?|get|gets|suffer|suffers|suffering|am suffering|"
        r"is suffering|was diagnosed|"
        r"were diagnosed|am diagnosed|got diagnosed|have been diagnosed|has been diagnosed|live|"
        r"lives|struggle|struggles|am living)(?: from| with)? (?:an? |severe |chronic |mild |"
        r"type |high |low |bad |also )*(?P<v>(?:type [12] )?(?:diabetes|asthma|hypertension|"
        r"high blood pressure|blood pressure|cholesterol|migraines?|epilepsy|arthritis|adhd|"
        r"autism|anxiety(?: disorder)?|depression|insomnia|ibs|crohn's(?: disease)?|"
        r"celiac(?: disease)?|coeliac|gout|eczema|psoriasis|anemia|anaemia|hypothyroidism|"
        r"thyroid \w+|heart (?:disease|condition|problems?)|kidney \w+|back (?:pain|problems?)|"
        r"(?:bad|dodgy|weak|trick|injured|dislocated|frozen|slipped) (?:knee|back|hip|shoulder|"
        r"ankle|neck|"
        r"disc|wrist|heart|stomach|hearing|eyesight)|hay fever|fibromyalgia|sciatica|tendinitis|"
        r"glaucoma|"
        r"parkinson'?s|long covid|multiple sclerosis|rosacea|acne|hepatitis|sleep apn[oe]+a|cancer|"
        r"ptsd|ocd|bipolar(?: disorder)?|dyslexia|"
        r"colou?r blindness|hearing loss|scoliosis|osteoporosis|reflux|gerd|ulcers?|vertigo|"
        r"tinnitus|lupus|endometriosis|pcos|panic attacks?|concussion|(?:torn|broken|sprained|"
        r"fractured) [\w ]{3,20}))",
        fact("condition", importance=0.9),
    ),
    rule(
        r"(?:am|is|are) (?P<v>diabetic|asthmatic|coeliac|celiac|(?:\d+ (?:weeks|months) )?pregnant|"
        r"colou?r[- ]?blind|deaf|blind|"
        r"epileptic|dyslexic|autistic|an? (?:wheelchair user|cancer survivor|diabetic|"
        r"recovering alcoholic|insomniac))",
        fact("condition", importance=0.9),
    ),
    rule(
        r"(?:take|takes|am taking|is taking|am on|is on|was prescribed|"
        r"started taking) (?P<v>[^,;()]{0,50}?(?:\d+ ?mg(?: of [\w -]{2,30})?|pills?|tablets?|"
        r"medication|insulin|statins?|metformin|ibuprofen|aspirin|antidepressants?|antibiotics?|"
        r"inhaler|blood thinners?|beta[- ]?blockers?|steroids|antihistamines?|painkillers?|hrt|"
        r"the pill|"
        r"\w{3,}(?:pril|sartan|olol|statin|azole|cillin|mycin|oxetine|pram|aline|azepam|prazole|"
        r"tadine|formin|gliptin|parin|xaban|dipine|thyroxine|profen)|vitamins?(?: [a-z]\d?)?|"
        r"supplements?)\b(?: of [\w -]{2,30})?)",
        fact("medication", importance=0.9),
    ),
    rule(
        r"(?:has |have |just )*put me on (?:an? |the |some )?(?P<v>[\w -]{3,40}?)(?= (?:last|in|"
        r"for|a)\b|$)",
        lambda m: Finding("medication", trimmed(m["v"]), importance=0.9, subject="user"),
        "put me on",
    ),
    rule(rf"my blood type is {V}", fact("blood_type", importance=0.8), "blood"),
    rule(
        r"(?:am|is) (?P<v>\d(?:'|’| ?ft| feet)[ \d\"”in]*|1[.,]\d\d ?m|\d{3} ?cm)(?: tall)?",
        fact("height"),
    ),
    rule(
        r"(?:am|is) (?:now )?(?:down|up) to (?P<v>\d[\d.]* ?(?:kg|kilos?|lbs?|pounds?|stone))",
        fact("weight"),
        " to ",
    ),
    rule(
        r"(?:am|is) (?P<v>(?:left|right)[- ]handed|ambidextrous)",
        fact("detail/handedness", importance=0.55),
        "handed|ambidextrous",
    ),
    rule(
        r"(?:weigh|weighs|my weight is) (?:about |around )?(?P<v>\d[\d.]* ?(?:kg|kilos?|lbs?|"
        r"pounds?|stone))",
        fact("weight"),
        "weigh",
    ),
    rule(
        r"(?:am|is|are|became|went|have gone|have become|am now|has become|turned|am going|eat|"
        r"eats|follow a|follow an|am on a|am on the|am on|follow|on a|on) (?:a |an |strict |"
        r"strictly |lifelong |mostly )*(?P<v>vegetarian|vegan|pescatarian|flexitarian|"
        r"keto(?:genic)?|paleo|halal|kosher|gluten[- ]free|dairy[- ]free|plant[- ]based|"
        r"low[- ]carb|low[- ]sodium|mediterranean)\b",
        fact("diet", importance=0.9),
    ),
    rule(
        r"(?:do not|never|quit|gave up|stopped|am not a) (?P<v>smok(?:e|er|ing)|vap(?:e|ing))",
        fact("smoking", value="no"),
        "smok|vap",
    ),
    rule(
        r"(?:am|is|are|have been|has been) (?:now )?(?P<v>sober|teetotal)\b",
        fact("drinking", value="no"),
        "sober|teetotal",
    ),
    rule(
        r"(?:smoke|smokes)\b(?! detector| alarm)|am a (?:heavy |light |social )?smoker",
        fact("smoking", value="yes"),
        "smok",
    ),
    rule(
        r"(?:do not|never|quit|gave up|stopped) (?P<v>drink(?:ing)?(?: alcohol)?|alcohol)\s*$",
        fact("drinking", value="no"),
        "drink|alcohol",
    ),
    # abilities and means
    rule(
        rf"(?:speak|speaks|am learning|is learning|have been learning|am fluent in|is fluent in|"
        rf"know some|can speak) (?P<v>(?:(?:fluent|some|a little|basic|native|both|"
        rf"a bit of) )?(?:English|Chinese|Mandarin|Cantonese|Japanese|Korean|French|German|"
        rf"Italian|Spanish|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Polish|Russian|"
        rf"Ukrainian|Greek|Turkish|Arabic|Hebrew|Hindi|Urdu|Bengali|Tamil|Vietnamese|Thai|"
        rf"Indonesian|Malay|Swahili|Latin|Esperanto|Yoruba|Igbo|Hausa|"
        rf"Twi)\b[^;()]{{0,50}}?){STOP}",
        fact("language"),
    ),
    rule(
        rf"my (?:native|first|mother|second) (?:language|tongue) is {V}",
        fact("language"),
        "language|tongue",
    ),
    rule(
        rf"(?:am|is) (?:(?:really |very |quite )?good at|great at|skilled (?:at|in|with)|"
        rf"proficient (?:in|at|with)|experienced (?:in|with)|an expert (?:in|on|at)|"
        rf"well versed in|fluent in|excellent at) {V}",
        fact("skill"),
        "good|great|skilled|proficient|expert|versed|fluent|experienced|excellent",
    ),
    rule(
        rf"(?:drive|drives|ride|rides|own|owns|have|has|bought|got|have bought|just bought|"
        rf"leased|lease) (?:an? |the |my )?(?P<v>(?:[\w-]+ ){{0,4}}?{_VEHICLE}\b(?: \w+){{0,2}}?"
        rf"){STOP}",
        fact("vehicle", unless=regex(r"wash|ride|insurance|loan|crash", re.IGNORECASE)),
        "driv|rid|own|ha|bought|got|leas",
    ),
    rule(rf"my (?:new |old |current )?car is (?:an? |the )?{V}", fact("vehicle"), "car"),
    rule(
        rf"(?:have|has|own|owns|use|uses|bought|got|just bought|have bought|upgraded to|"
        r"am using|am on(?= an? )|am typing on(?= an? )|ordered|just got|picked up) (?:an? |the |"
        r"my |two |"
        rf"three )?(?P<v>(?:[\w.-]+ ){{0,4}}?{_DEVICE}\b(?: (?:[A-Z0-9][\w-]*|pro|max|mini|air|"
        rf"ultra|plus)){{0,3}})",
        fact("device", importance=0.5),
    ),
    rule(
        r"my (?:new |work |current |main )?(?:phone|laptop|computer|tablet|camera|e-?reader|watch|"
        r"console|"
        rf"desktop|pc) is (?:an? |the )?(?P<v>(?-i:[A-Z]|i[A-Z])[^,;()]{{1,40}}?|(?:iphone|pixel|"
        r"macbook|"
        rf"thinkpad|galaxy|kindle|ipad)\b[^,;()]{{0,30}}?){STOP}",
        fact("device", importance=0.5),
        "is",
    ),
    rule(
        r"(?:own|owns) (?P<v>(?:an?|two|three|several|some|my own) (?:[\w'-]+ ){0,3}?[\w-]{3,})$",
        fact("possession", importance=0.5),
        "own",
    ),
    rule(
        rf"(?:have|has|have got|has got) (?P<v>(?:an?|two|three|"
        rf"four) (?:(?!{_ABSTRACT}\b|(?:to|of|for|with|about|in|on|from|at|that|who|right|left)\b)"
        rf"[\w'-]+ ){{0,2}}(?!{_ABSTRACT}\b)[\w-]{{3,}})$",
        _possession,
        "have|has",
    ),
    rule(
        rf"(?:wake up|wakes up|get up|gets up) (?:every day |daily |usually )?(?:at|around|"
        rf"by) (?P<v>{_TIME})",
        lambda m: Finding("schedule/wake up", trimmed(m["v"])),
        "up",
    ),
    rule(
        rf"(?:go to bed|goes to bed|go to sleep|sleep) (?:at|around|by|before) (?P<v>{_TIME})",
        lambda m: Finding("schedule/bedtime", trimmed(m["v"])),
        "bed|sleep",
    ),
    rule(
        r"(?:work|works) (?:on |from )?(?P<v>(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|"
        r"sun)(?:days?)?\b"
        r"[^,;()]{0,40})$",
        lambda m: Finding("schedule/work", trimmed(m["v"])),
        "work",
    ),
    rule(
        r"(?P<do>start|starts|finish|finishes|leave|leaves) (?P<t>work|school|uni|college|nursery|"
        r"my shift|"
        rf"the night shift|class|classes)(?: usually| always)? (?:at|around|by) (?P<v>{_TIME})$",
        _hours,
        "start|finish|leav",
    ),
    rule(
        r"(?:am|is|are) in (?P<v>\d{1,2}(?:st|nd|rd|th) grade|(?:year|grade) \d{1,2}|kindergarten|"
        r"preschool|"
        r"reception|sixth form|nursery)(?: now)?$",
        fact("grade", importance=0.6),
        "grade|year|kindergarten|school|reception|form|nursery",
    ),
    rule(
        rf"(?:work|works) (?P<v>from {_TIME} (?:to|until|till) {_TIME}|{_TIME}\s*(?:-|to|"
        rf"–)\s*{_TIME})",
        lambda m: Finding("schedule/work", trimmed(m["v"])),
        "work",
    ),
    rule(
        rf"(?:my )?new years?['’]?s? resolution(?: is|:)? (?:to )?{V}", fact("goal"), "resolution"
    ),
    rule(
        rf"(?:my (?:main |ultimate |long-term |short-term |biggest |primary |big )?(?:goal|aim|"
        rf"dream|objective|resolution|target|ambition)s?(?: for [^,;]{{2,30}}| this \w+)? (?:is|"
        rf"are) (?:to )?){V}",
        fact("goal", importance=0.7),
        "goal|aim|dream|objective|resolution|target|ambition",
    ),
    rule(
        rf"(?:(?:am|is|are) (?:training|studying|preparing|saving(?: up)?|practi[sc]ing|aiming|"
        rf"working) (?:for|towards?) ){V}",
        fact("goal", importance=0.6),
        " for |toward",
    ),
    rule(
        r"(?:am|is|are) trying to (?P<v>(?:lose|gain|eat (?:less|more|health)|cut (?:down|back|"
        r"out)|quit|"
        r"give up|get (?:fit|in shape|pregnant|better at)|learn|save|drink (?:less|more)|"
        r"sleep (?:more|"
        r"better)|read more|walk more|conceive|stop (?:smok|drink|eat)|build (?:muscle|up)|reduce|"
        r"spend "
        r"less|become)[^;()\n]{0,80})",
        fact("goal", importance=0.6),
        "trying to",
    ),
    rule(
        r"would (?:like|love) to (?P<v>(?:become|be an?|learn (?!more|about)|own|move to|live in|"
        r"retire|"
        r"visit|travel to|run a|open an?|start an?|publish|study) ?[^;()\n]{2,80})",
        lambda m: Finding("goal", trimmed(m["v"]), importance=0.5, confidence=0.75),
        "would",
    ),
    rule(
        r"(?:(?:plan|hope|aim|aspire|intend)(?:s|ed)? to|(?:am|is|are) (?:planning|aiming|"
        r"hoping) to|want to (?:become|be an?|learn|start|open|build|write|run|buy|move|visit|"
        r"read \d+|retire|"
        r"travel|lose|save|get into|master|improve)|have decided to|"
        r"decided to) (?P<v>[^;()\n]{3,100})",
        lambda m: Finding("goal", trimmed(m.group()), importance=0.55, confidence=0.8),
        " to ",
    ),
)
