"""English statements about work and education."""

from __future__ import annotations

from typing import Final

from jiyi.encode.rules.finding import Rule, rule
from jiyi.encode.rules.values_en import BE, STOP, V, ended, fact

_JOBS: Final = (
    r"(?:engineer|developer|programmer|designer|teacher|professor|lecturer|nurse|doctor|"
    r"physician|surgeon|"
    r"dentist|pharmacist|veterinarian|vet|lawyer|attorney|paralegal|judge|accountant|auditor|"
    r"analyst|"
    r"architect|scientist|researcher|chemist|biologist|physicist|mathematician|statistician|"
    r"economist|"
    r"writer|author|editor|journalist|reporter|translator|interpreter|copywriter|photographer|"
    r"videographer|filmmaker|artist|illustrator|painter|sculptor|musician|singer|composer|actor|"
    r"actress|"
    r"dancer|chef|cook|baker|barista|bartender|waiter|waitress|driver|pilot|captain|sailor|soldier|"
    r"officer|firefighter|paramedic|detective|guard|electrician|plumber|carpenter|mechanic|"
    r"technician|"
    r"welder|machinist|operator|farmer|gardener|florist|tailor|hairdresser|barber|stylist|"
    r"librarian|"
    r"manager|director|consultant|administrator|coordinator|supervisor|executive|founder|"
    r"co-?founder|"
    r"ceo|cto|cfo|coo|vp|president|owner|entrepreneur|freelancer|contractor|recruiter|marketer|"
    r"salesperson|salesman|saleswoman|cashier|secretary|receptionist|assistant|intern|trainee|"
    r"apprentice|"
    r"student|undergraduate|postdoc|phd candidate|postgraduate|trainer|coach|therapist|"
    r"psychologist|"
    r"counsell?or|psychiatrist|social worker|banker|trader|broker|investor|realtor|agent|planner|"
    r"strategist|producer|streamer|youtuber|blogger|hustler|tutor|principal|priest|pastor|nun|monk|"
    r"sysadmin|devops|sre|dba|tester|qa|lead|specialist|inspector|surveyor|geologist|astronomer|"
    r"courier|postman|nanny|midwife|radiologist|optician|butcher|fisherman|miner|builder|janitor|"
    r"politician|diplomat|historian|archaeologist|philosopher|linguist|curator|retiree|homemaker|"
    r"housewife|stay[- ]at[- ]home (?:mom|mum|dad|parent|mother|father)|gp|dev|swe|sde|pm|"
    r"undergrad|postgrad|solicitor|barrister|trucker|postie|roofer|joiner|jeweller|potter|weaver|"
    r"brewer|sommelier|concierge|referee|umpire|jockey|athlete|footballer|comedian|magician|"
    r"podcaster|cop|ranger|hygienist|physio|osteopath|chiropractor|carer|caregiver|caretaker|"
    r"cleaner|bouncer|flight attendant|steward(?:ess)?|dispatcher|buyer|actuary|underwriter|clerk|"
    r"teller|notary|scrum master|controller|optometrist|instructor|lecturer|prof|exec|rep|admin|"
    r"[a-z]{2,}(?:keeper|smith|wright|maker|grapher|grammer|ologist|ician|herder|fighter|worker|"
    r"dresser|fitter|layer|dealer|walker|handler|guide|therapist|pathologist|technologist|sitter|"
    r"minder|cutter|seller|binder))s?"
)


RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?:study|studies|studied|am studying|is studying|goes|attends|am a (?:student|freshman|"
        r"sophomore|junior|"
        rf"senior)|go|went|attend|attended)(?: [\w ]{{2,30}})? (?:at|"
        rf"to) (?P<v>(?:the )?(?:(?-i:[A-Z])[\w'.-]*(?: (?:of|and|for|"
        rf"(?-i:[A-Z])[\w'.-]*)){{0,5}} )?(?:University|College|School|Institute|Academy|MIT|"
        rf"UCLA|ETH|LSE|Stanford|Harvard|Oxford|Cambridge|Yale)\b[^,;()]{{0,40}}?){STOP}",
        fact("school"),
    ),
    # work
    rule(
        rf"(?:work|works|am working|is working|are working|have worked|has worked|"
        rf"{BE} employed|{BE} working) (?:full[- ]time |part[- ]time |remotely |"
        rf"mainly )?(?:at|for|with) (?P<v>(?!home|night|least|my|myself|the moment|it|this|that|"
        rf"them|him|her|you|clients|people|kids|children|a (?:living|while)|"
        rf"\d)[^,;()\n]{{1,80}}?)(?:\s+as\b|{STOP}|\s+in\b|\s+on\b)",
        fact("employer", importance=0.8),
        "work|employed",
    ),
    rule(
        rf"(?:have |has )?(?:just |recently )?(?:joined|started (?:working )?at|"
        rf"started a (?:new )?job (?:at|with)|got (?:a (?:new )?job|hired|an offer) (?:at|by|"
        rf"from)|got hired by|accepted (?:a job|an offer) (?:at|from|with)|switched jobs to|"
        rf"changed jobs to|moved (?:over )?to work (?:at|for)) (?P<v>(?!the (?:gym|club|call|"
        rf"meeting|team|group|class|army|course)|a |an |my |in\b)[^,;()\n]{{1,80}}?)(?:\s+as\b|"
        rf"{STOP}|\s+in\b)",
        fact("employer", importance=0.8),
        "join|start|job|hired|offer|work",
    ),
    rule(
        rf"(?:have |has )?(?:just |recently )?(?:left|quit|resigned from|got (?:fired|"
        rf"laid off) (?:from|by)|{BE} (?:fired|laid off) (?:from|"
        rf"by)) (?P<v>(?-i:[A-Z])[^,;()\n]{{1,60}}?){STOP}",
        ended("employer"),
        "left|quit|resigned|fired|laid off",
    ),
    rule(
        r"(?:have|has) been (?:at|with) (?P<v>(?!home|it|me|my|the|him|her|them|you|us|work|war)"
        r"(?-i:[A-Z])[^,;()\n]{1,60}?)(?=\s+(?:for|since)\b)",
        fact("employer", importance=0.8),
        "been",
    ),
    rule(
        r"(?:report|reports|am reporting|reported) (?:directly )?to (?P<v>(?-i:[A-Z])[\w'’-]+"
        r"(?: (?-i:[A-Z])[\w'’-]+)?)(?: now| these days)?$",
        fact("manager", importance=0.65),
        "report",
    ),
    rule(rf"my major is {V}", fact("major"), "major"),
    rule(
        r"(?:make|makes|earn|earns|get paid|am paid) (?:about |around |"
        r"roughly )?(?P<v>[£$€]?\d[\d.,]*k?"
        r"(?: (?:euros?|pounds?|dollars?|quid|eur|usd|gbp))? (?:a|per|an) (?:year|month|week|hour|"
        r"day)"
        r"(?: (?:net|gross|before tax|after tax))?)",
        fact("salary"),
        "a |per |an ",
    ),
    rule(
        rf"my (?:new |current )?(?:employer|company) is(?: called)? {V}",
        fact("employer", importance=0.8),
        "employer|company",
    ),
    rule(
        rf"(?:work|works|worked|am working|is working|am employed|got a job|have a job|started|"
        rf"started working) (?:(?!out|hard)[^,;]{{1,40}}? )?as (?:an? |"
        rf"the )?(?P<v>[^,;()\n]{{1,80}}?)(?:\s+(?:at|for|in|with)\b|{STOP})",
        fact("occupation", importance=0.8),
        " as ",
    ),
    rule(
        rf"my (?:new |current |day |main )?(?:job|occupation|profession|role|job title|title|"
        rf"position) (?:is|has changed to) (?:that of )?(?:an? |the )?(?P<v>[^,;()\n]{{1,80}}?)"
        rf"(?:\s+(?:at|for|in|with)\b|{STOP})",
        fact("occupation", importance=0.8),
        "job|occupation|profession|role|title|position",
    ),
    rule(
        rf"(?:am|is|are|became|have become|has become|{BE} promoted to|got promoted to|"
        rf"(?:have|has) been promoted to|{BE} now|am working as) (?:now )?"
        rf"(?:an? |the )?(?P<v>(?:(?!not|no|about|in|with|for|"
        rf"to|of|at|on|the|my|your|that|so|very|too|going|trying|doing|being|thinking|working|"
        rf"looking|checking|getting|giving|making|taking|having|feeling|bringing|hoping|planning|here|like|just|a|an|as|and|"
        rf"or\b|"
        rf"\w+ing (?:between|around|with|through|the|my)\b)"
        rf"[\w/&+#.-]+ ){{0,4}}?{_JOBS})\b(?!['’]|-)"
        rf"(?!\s+of (?:the|this|that|my|fun|"
        rf"all)\b)",
        fact("occupation", importance=0.8),
    ),
    rule(
        r"(?:am|is|are) (?P<v>retired|unemployed|self-employed|between jobs|freelancing|"
        r"on (?:maternity|paternity|parental|sick) leave)",
        fact("occupation", importance=0.7),
    ),
    rule(
        rf"(?:am|is|are) (?:in charge of|responsible for) {V}",
        fact("responsibility", importance=0.6),
        "charge|responsible",
    ),
    rule(
        rf"(?:work|works|am|is) (?:in|on) the {V}(?<=team|ment)\b",
        fact("department"),
        "team|department",
    ),
    rule(
        r"(?:have|has) (?:worked|been) (?:there|here|in (?:this|the) [\w ]+|as [\w ]+|"
        r"at [\w ]+) for (?P<v>(?:about |over |almost )?(?:\d+|one|two|three|four|five|six|"
        r"seven|eight|nine|ten|fifteen|twenty)\+? years?)",
        fact("work_years"),
        "years|year",
    ),
    rule(
        r"(?:have|has) (?P<v>(?:about |over |almost |more than )?(?:\d+|"
        r"[a-z]+(?:-[a-z]+)?)\+? years?)(?: of)? (?:[\w-]+ )*experience",
        fact("work_years"),
        "experience",
    ),
    rule(
        r"work(?:s|ing)? (?P<v>remotely|from home|in the office|hybrid|night shifts?|nights|"
        r"from a co-?working space|part[- ]time|full[- ]time)",
        fact("workplace"),
        "work",
    ),
    # education
    rule(
        rf"(?:study|studies|studied|am studying|is studying|{BE} majoring in|major(?:ed|s)? in|"
        rf"{BE} doing (?:a|my) (?:master's?|phd|degree|bachelor's?) in) (?P<v>(?!for\b|at\b|"
        rf"hard|with\b|abroad|every|a lot|all\b|until|till|like\b|"
        rf"non-?stop|constantly|the|this|that|how|in\b|on\b|alone|from|together|late|"
        rf"everything|harder|more|and|while|your|about|it\b)[^,;()\n]{{2,60}}?)(?:\s+(?:at|"
        rf"in)\b|{STOP})",
        fact("major"),
        "stud|major|doing",
    ),
    rule(rf"(?:graduated|{BE} graduating|will graduate) from {V}", fact("school"), "graduat"),
    rule(
        r"(?:have|has|hold|holds|earned|got|received|completed|finished) (?:a |an |my |her |"
        r"his )?(?P<v>(?:phd|ph\.d\.|doctorate|master's?|mba|bachelor's?|b\.?sc?\.?|m\.?sc?\.?|"
        r"associate|degree)\b(?: degree)?(?: (?:in|of|from) [^,;()]{2,60})?)",
        fact("education"),
        "phd|ph.d|doctor|master|mba|bachelor|sc|associate|degree",
    ),
)
