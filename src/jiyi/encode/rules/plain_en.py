"""Plain English statements that no other rule has a place for: "I teach maths", "my laptop runs
Linux", "I don't own a TV". Word classes are open, and closed against what passes: thoughts, talk,
work at the screen, things that are only pointed at. Kept as said, without a slot."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.text.patterns import regex
from jiyi.types import Turn

# What the rest of the conversation would have to tell, or whoever it is said to.
_POINTS: Final = regex(
    r"\b(?:this(?! (?:year|summer|winter|spring|autumn|fall|week))|that|these|those|it|its|them|"
    r"you|"
    r"your|yours|one|ones|something|anything|everything|nothing|someone|anyone|stuff|things?|such|"
    r"here|there|same|following|above|below|so far|yet|too|sorry|attention|my words|in (?:\d+|"
    r"a few|five|ten) (?:min\w*|hours?|sec\w*)|"
    r"lol|haha|lmao|jk|what|how|why|whether|if|"
    r"when i|now|"
    r"afraid (?:i|we|that|so|not)|"
    r"today|tonight|tomorrow|yesterday|currently|moment|anymore what|else|another|again)\b|[?？:]|"
    r"\.\.\.|…",
    re.IGNORECASE,
)
# Verbs of thinking, feeling, talking and asking, of work at the screen, and of the moment.
_PASSING_VERBS: Final = (
    r"think|guess|hope|feel|count|want|need|mean|know|understand|believe (?!in\b)|suppose|wonder|"
    r"see|"
    r"agree|accept|reject|approve|grant|describe|activate|suspect|don|reckon|"
    r"disagree|get|got|have|do (?!\w+ (?:\w+ )*?(?:before|after|every|for|at|in|on)\b|freelance|"
    r"the (?:cooking|"
    r"shopping|laundry|dishes|books|cleaning|accounts))|"
    r"be|am|are|is|was|were|can|could|will|would|shall|should|may|might|must|appreciate|promise|"
    r"remember|recall|forget|say|ask|tell|look|hear|doubt|wish|miss|apologi[sz]e|thank|bet|swear|"
    r"assume|expect|notice|find|keep (?!\w*(?:bees|chickens|hens|goats|sheep|a (?:diary|journal|"
    r"garden|blog)))|try|tend|seem|appear|sound|imagine|realise|realize|admit|love|like|hate|enjoy|"
    r"prefer|dislike|adore|plan|intend|aim|aspire|decide|choose|pick|consider|suggest|recommend|"
    r"propose|request|"
    r"beg|insist|worry|care|mind|dare|regret|fear|click|press|type|enter|paste|select|open|save|"
    r"install|download|upload|import|compile|debug|execute|restart|reload|refresh|scroll|log|"
    r"sign in|"
    r"login|call|add|remove|delete|change|set|put|let|make (?!\w*\s?(?:my own|jewel|furnit|cheese|"
    r"wine|"
    r"beer|bread|music|pottery|candles|\d|about \d|around \d))|give|take (?!care of|my (?:coffee|"
    r"tea)|lessons|classes|the (?:bus|train|tram|tube|metro|subway)|turns)|come|go (?!to (?:church|"
    r"mosque|"
    r"temple|the gym|work by)|\w+ing)|leave|stop|start|begin|wait|stay|sit|stand|lie|fall|lose|"
    r"hold|"
    r"show|test|check|follow|skip ahead|continue|proceed|return|receive|send|post|reply|answer|"
    r"respond|write (?:this|that|the)|help|run (?:the|this|that|it|into|out)|use (?:the|this|that)|"
    r"end up|face|deserve|owe|hear|vote for option|vow|crave|ought|used|let|quote|attach|include|"
    r"mention|note|refer|talk|speak (?:to|with|as)|confess|gather|trust (?:you|me|your)|fail|crash|"
    r"wake up (?:late|early)|rest|nap|laugh|cry|smile|die|kill|burn"
)
_PRESENT: Final = regex(
    rf"(?!(?:{_PASSING_VERBS})\b)(?!\w+(?:ed|ing)\b(?<!need)(?<!feed)(?<!breed)(?<!sing)(?<!bring))"
    r"(?!(?:went|had|did|saw|came|took|made|gave|found|lost|left|told|said|thought|knew|felt|kept|"
    r"paid|"
    r"sent|spent|met|ran|ate|drank|wrote|bought|brought|taught|caught|fell|woke|broke|chose|forgot|"
    r"heard|won|began|sold|stood|understood|sat|slept|built|shot|led|grew|drew|flew|rode|wore|tore|"
    r"threw|sang|swam|not|never|no|if|a|an|the|my|our|to|in|on|at|from|with|for|of|and|or|but|as|"
    r"by|"
    r"please|then|than|so|very|too|just|also|well|ok|okay|hi|hey|because|\w+ly)\b)"
    r"(?P<verb>[a-z]{2,14}) (?!(?:along|around|back|up|out|away|on|off|"
    r"over)$)(?P<rest>[^,;()]{2,110})",
    re.IGNORECASE,
)
_THIRD: Final = regex(
    r"(?!(?:says|thinks|wants|feels|looks(?! after)|seems|sounds|knows|means|hopes|tells|asks|"
    r"believes|"
    r"claims|"
    r"suggests|is|has|does|was|gets|keeps|tries|goes|comes|fails|crashes|hurts|shows|throws|"
    r"returns|"
    r"prints|gives|freezes|breaks|stops|smells|aches|makes|turns|happens|depends|matters|helps|"
    r"remains|appears|becomes|this|its|us|yes|always|thus|as|times|was|takes (?:too|so|forever)|"
    r"runs (?:out|away|off|over|fine|slow|slowly|into)|sometimes|towards|calls|sends|misses|"
    r"forgets|wins|loses|"
    r"sucks|rocks|rules|stinks|agrees|disagrees|laughs|cries)\b)"
    r"(?P<verb>[a-z]{2,}s) (?P<rest>[^,;()]{2,110})|does (?:all |most of )?the [^,;()]{3,60}"
)
_DENIED: Final = regex(
    rf"(?:do not|does not|never) (?!(?:{_PASSING_VERBS}|work(?! (?:on|at|in|with|for))|matter|"
    r"help|fit|apply|exist|happen)\b)[a-z]{3,14} (?!to\b|any\b$)[^,;()]{2,90}"
    r"|(?:do not|does not) have (?:an?|any) (?:[\w-]+ ){0,3}?(?:licen[cs]e|car|tv|television|phone|"
    r"garden|"
    r"oven|dishwasher|account|degree|passport|visa|kids|children|siblings|pets?|insurance|freezer|"
    r"microwave|balcony|smartphone|computer|laptop|printer|bike|partner|family)\b[^,;()]{0,40}$"
    r"|can ?not (?:(?:do|work|make|attend) )?(?:\w+day|weekend|evening|morning|"
    r"night)s?\b[^,;()]{0,40}$"
    r"|can (?:read|play|cook|drive|ride|swim|sew|knit|code|program|weld|juggle) [^,;()]{2,60}$",
    re.IGNORECASE,
)
_BEING: Final = regex(
    r"(?:am|are|is) (?:an? (?!bit\b|little\b|lot\b|few\b|fool\b|mess\b|wreck\b|failure\b|joke\b|"
    r"genius\b|"
    r"big deal|good (?:idea|point|one|question|thing)|great |while\b|idiot\b|moron\b|noob\b|"
    r"dummy\b|legend\b|huge |total |complete |disaster\b|nightmare\b|"
    r"dead\b|good\b|nice\b|bad\b|problem\b|shame\b|pain\b|hurry\b|rush\b|bummer\b|pity\b|mistake\b|"
    r"(?:\w+ )?(?:question|idea|example|way|error|bug|reason|issue|loop|day|week|time)\b)"
    r"[a-z][^,;()]{2,70}|(?:\w+[- ])(?:handed|sighted|footed|haired|eyed)|bilingual\b.{0,60}"
    r"|(?:scared|afraid|terrified|frightened|bad|terrible|rubbish|good with|close to|related to|"
    r"registered|covered by|insured) (?:of |at |with |in )?(?!being|hearing|"
    r"doing)[a-z][^,;()]{2,60}"
    r"|(?:in (?:my|his|her|their|the) (?:\w+ )?(?:early|mid|late)?[- ]?(?:teens|twenties|thirties|"
    r"forties|fifties|sixties|seventies|eighties|\d0s)|in (?:\d{1,2}(?:st|nd|rd|th) grade|"
    r"year \d{1,2}|grade \d{1,2})"
    r"|in the process of \w+ing [^,;()]{4,60}|"
    r"recovering from [^,;()]{3,40}|on (?!my\b|the (?:phone|bus|train|way|road|toilet|couch|sofa|"
    r"fence|same|right|verge)|it\b|a (?:call|break|bus|train|roll)|hold|board|time|track|holiday|"
    r"page|step|chapter|level|line|slide|episode|"
    r"fire|"
    r"edge|top|"
    r"vacation)\w[^,;()]{2,50})"
    r"|(?:renting|sharing|subletting|fostering|learning|renovating|raising|recovering|building|"
    r"developing|restoring|running|"
    r"organi[sz]ing|"
    r"hosting) (?:the|an?|my|our|to|\w+s) (?!"
    r"(?:\w+ )?(?:email|letter|list|message|script|test|error|issue|query|command))[^,;()]{2,80}"
    r"|not (?:religious|a morning person|a native|big on|into|vaccinated|registered|"
    r"on)\b[^,;()]{0,60}"
    r"|working on (?:an?|my|our) (?:[\w-]+ ){0,4}?(?:app|project|book|novel|thesis|album|startup|"
    r"game|website|"
    r"paper|dissertation|film|documentary|phd|podcast|degree|plugin|library|tool)\b[^,;()]{0,60}"
    r"|doing (?:my|an?) (?:a[- ]levels|gcses|phd|masters?|bachelors?|degree|apprenticeship|"
    r"residency)\b.{0,40}"
    r"|expecting (?:our|a|twins|my)\b[^,;()]{0,40})$",
    re.IGNORECASE,
)
_BEEN: Final = regex(
    r"(?:have|has) been to (?-i:[A-Z\u4e00-\u9fff])[^,;()]{2,60}"
    r"|(?:have|has) been (?:with|dating|seeing|together|friends|married)\b[^,;()]{0,40}\b(?:for|"
    r"since)\b"
    r"[^,;()]{2,30}"
    r"|(?:lived|studied|worked|volunteered|taught|served|trained|interned)(?: abroad)? (?:in|at|as|"
    r"for|with)"
    r"\b[^,;()]{2,50} for (?:an?|\w+|about \w+) (?:years?|months?|weeks?|summers?|semesters?|"
    r"terms?|decades?)",
    re.IGNORECASE,
)
_HAVING: Final = regex(
    r"(?:have|has|have got|has got|own|owns|keep|keeps|wear|wears|subscribe) "
    r"(?:(?:(?:an?|no|two|three|four|five|six|\d+|several|some|my own|full|both|to the?|braces|"
    r"contact) "
    r"(?:[\w'-]+ ){0,4}?)|)"
    r"(?:siblings|brothers|sisters|kids|children|season ticket|rail ?card|pass|permit|visa|"
    r"passport|"
    r"licen[cs]e|membership|subscription|insurance|mortgage|loan|garden|allotment|house|flat|"
    r"apartment|"
    r"cottage|cabin|farm|land|balcony|terrace|pool|sauna|solar panels?|heat pump|fireplace|garage|"
    r"shed|"
    r"workshop|studio|tools|collection|record player|tattoos?|braces|glasses|contacts|"
    r"contact lenses|"
    r"hearing aids?|scar|prosthe\w+|pacemaker|implants?|wheelchair|blog|podcast|channel|newsletter|"
    r"business|company|shop|store|side ?(?:hustle|project|business|gig)|startup|fear of|phobia|"
    r"savings|pension|desk|sewing machine|kiln|oven|grill|barbecue|telescope|cleaner|"
    r"accent|stutter|lisp|curfew|custody|roommates|flatmates|lodgers?|tenants?|employees|staff|"
    r"middle name|surname|green card|citizenship|steam deck)\b[^,;()]{0,60}$",
    re.IGNORECASE,
)
# "my X is …": what lasts of a thing: its kind, its name, its number, its place.
_MINE: Final = regex(
    r"(?i:my|our) (?P<thing>(?:[\w'’&/-]+ ){0,3}?[\w'’&/-]+) (?:is|are) (?:now |currently |"
    r"usually |always )?"
    r"(?P<what>(?:an?|called|named|in|at|on|from|near|due|based|made|open|written|\d|[A-Z@]|[£$€#])"
    r"[^;()]{0,90})$"
)
_NO_KIND: Final = regex(
    r"an? (?:\w+ )?(?:mess|disaster|nightmare|joke|pain|problem|shame|bit|lot|bummer|challenge|"
    r"good|bad|"
    r"great|nice|big|failure|success|question|struggle|hit|miss|secret|mystery|surprise|delight|"
    r"wreck|dream|blast|treat|total|complete|little|tad|work in progress)\b|in (?:the way|a |"
    r"trouble|danger|pain|"
    r"progress|love|shock)|on (?:fire|my|the way|hold|it|point)|at (?:risk|stake|least|\d+ ?%)|"
    r"open to|\d+ ?%|"
    r"made (?:up|me)|called off|from (?:this|that|the)",
    re.IGNORECASE,
)
_NO_THING: Final = regex(
    r"(?:.* )?(?:question|problem|issue|point|guess|idea|answer|concern|thought|opinion|mind|head|"
    r"heart|"
    r"day|week|morning|night|evening|mood|code|script|program|function|query|output|error|screen|"
    r"bet|mistake|bad|turn|fault|pleasure|go|god|dear|love|battery|internet|connection|tea|coffee|"
    r"dinner|lunch|breakfast|food|plan|task|assignment|homework|essay|text|table|first|last|next|"
    r"only|biggest|main|other|character|novel|story|hero)$"
    r"|.* (?:question|problem|issue|point|concern|way|thing|part|hope|dream|wish)$",
    re.IGNORECASE,
)
_WORDS: Final = regex(r"[\w\u4e00-\u9fff'’]+")


_PASSING: Final = 200
"""Characters of a turn. In a longer one such a statement is made in passing."""


def plain(clause: Clause, turn: Turn) -> Finding | None:
    """A lasting state that a clause tells of the speaker, their people and things. Not what is said
    in passing, nor among people who know each other."""
    if turn.name is not None or len(turn.text) > _PASSING:
        return None
    if clause.language != "en" or "hedge" in clause.marks:
        return None
    if clause.lead and not clause.lead.startswith(("I'm", "I've")):
        return None  # "So, don't waste time" after "I …" is said to somebody else
    own = clause.predicate.lower().startswith(("my ", "our "))
    if not (clause.subject_words or own) or len(_WORDS.findall(clause.text)) < 3:
        return None
    if _POINTS.search(clause.text):
        return None
    text = clause.predicate
    first = clause.subject_words in ("I", "We", "we")
    told = (
        _BEING.match(text)
        or _HAVING.match(text)
        or _DENIED.match(text)
        or _BEEN.fullmatch(text)
        or (_PRESENT.fullmatch(text) if first else None)
        or (_THIRD.fullmatch(text) if not own and not first else None)
        or _of_thing(text)
    )
    if told is None:
        return None
    return Finding(None, tags=("statement",), importance=0.5, confidence=0.8)


def _of_thing(text: str) -> re.Match[str] | None:
    """ "My bike is a Brompton", "our office is at 5 Market Street", "my laptop runs Linux"."""
    match = _MINE.match(text)
    if match is not None:
        kept = not _NO_THING.match(match["thing"]) and not _NO_KIND.match(match["what"])
        return match if kept else None
    match = _THING_DOES.match(text)
    return match if match is not None and not _NO_THING.match(match["thing"]) else None


_THING_DOES: Final = regex(
    r"(?:my|our) (?P<thing>(?:[\w'’&/-]+ ){0,3}?[\w'’&/-]+?) "
    r"(?:(?:runs|opens|closes|starts|begins|ends|costs|expires|leaves|needs|uses|has|supports|"
    r"holds|"
    r"belongs|lasts|faces|consists|covers|speaks|ships|live|need|run|use|have|start|cost|expire|"
    r"(?:is|are) (?:hosted|deployed|registered|insured|licensed|sponsored)))"
    r" (?!not\b|been\b|just\b|already\b|to (?:be|get|do)|a (?:problem|bug|lot|question|look|break)|"
    r"problems|issues|an (?:error|"
    r"issue)|help|slow|out|"
    r"fine|into|some|more)[^;()]{2,80}$",
    re.IGNORECASE,
)
