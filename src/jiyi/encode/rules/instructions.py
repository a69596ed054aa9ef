"""Standing instructions of both languages: how the user wants things done from now on."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.topics import rule_topic, trimmed
from jiyi.encode.slots import with_topic

# --- what makes a sentence a standing instruction ---------------------------------------------------

_DO_NOT_FORGET_EN: Final = re.compile(
    r"(?:please )?(?:remember to|(?:do not|don['’]t) forget to|make sure|be sure to|ensure)\b", re.IGNORECASE
)
_STANDING_EN: Final = re.compile(
    r"\b(?:from now on|from here on|going forward|in (?:the )?future|henceforth|from today|as a rule|every time|"
    r"each time|whenever|by default|at all times|under no circumstances|starting (?:today|now)|for all future|"
    r"in all (?:future|your|my)|any ?time|until further notice|next time)\b",
    re.IGNORECASE,
)
_HEAD_EN: Final = re.compile(
    r"^(?:please\s+|kindly\s+|you (?:should|must|need to|can|may|have to|are to)\s+|i (?:want|need|would like|'d like|expect) you to\s+|"
    r"i (?:would )?(?:prefer|rather) (?:that )?you\s+|make sure (?:to |that |you )?|be sure to |remember to\s+|"
    r"do not forget to\s+|ensure (?:that )?)*"
    r"(?P<neg>do not (?:ever )?|never (?:ever )?|stop |avoid |no more |refrain from |no need to |quit )?"
    r"(?P<always>always |only |just )?"
    r"(?P<verb>use|write|reply|respond|answer|speak|talk|give|show|send|keep|put|include|add|format|round|start|"
    r"end|begin|address|call|deploy|push|commit|merge|run|test|upgrade|update|install|restart|delete|remove|"
    r"notify|remind|warn|ask|check|verify|confirm|review|save|back up|backup|export|print|return|sort|order|"
    r"translate|summari[sz]e|explain|quote|cite|list|provide|mention|schedule|book|plan|avoid|skip|ignore|"
    r"leave|make|be|stick|follow|prefer|default|wait|let|call|refer|suggest|recommend|convert|display|log|"
    r"document|name|label|mark|tag|wrap|indent|sign|cc|copy|forward|share|contact|email|message|text|disturb|"
    r"interrupt|apologi[sz]e|assume|change|touch|modify|edit|create|open|close|turn|set|report|pay|order|"
    r"auto-?\w+|double[- ]check|proofread|attach|sugarcoat|repeat|generate|bother|buy|charge|spend|work)\b",
    re.IGNORECASE,
)
_MUST_EN: Final = re.compile(
    r"^(?P<who>(?:the |all |every |each |any |our |my |your )?[\w' -]{2,50}?) "
    r"(?P<modal>must|should|shall|need to|needs to|have to|has to|can not|may not|must not|should not|are not allowed to|"
    r"is not allowed to|are never to|should always|should never|must always|must never) (?P<rest>.{3,150})$",
    re.IGNORECASE,
)
_ALLOWED_EN: Final = re.compile(
    r"^(?:(?P<g>\w+ing\b.{0,80}?|(?:automatic |auto-?)?[\w -]{3,50}?) (?:is|are) (?:now |totally |perfectly |completely |actually )?"
    r"(?P<ok>fine|ok(?:ay)?|allowed|permitted|acceptable|welcome|forbidden|banned|prohibited|not (?:ok(?:ay)?|fine|allowed|permitted)|"
    r"no longer (?:ok(?:ay)?|fine|allowed|forbidden|banned))"
    r"|(?:you|we) (?:can|may|are allowed to|are free to)(?: now| again| always| go ahead and| just)* (?P<a>.{3,100}?)"
    r"|feel free to (?P<f>.{3,100}?)|it is (?:now )?(?:fine|ok(?:ay)?|alright|allowed) to (?P<t>.{3,100}?)"
    r"|(?:go ahead and|just) (?P<j>.{3,100}?))(?: again| now| from now on| any ?time| any ?more)*$",
    re.IGNORECASE,
)
_STANDING_ZH: Final = re.compile(
    r"以后|今后|往后|从现在[起开]始?|从今[天以]?[起后]|从今往后|每次|每回|一律|统一(?!战线)|总是|始终|永远|下次|默认|凡是|任何时候|"
    r"无论何时|所有的?[^，。]{1,10}都[要得用必]|长期|不管什么时候"
)
_MUST_ZH: Final = re.compile(
    r"^(?P<who>[^，。]{0,24}?)(?P<modal>必须|务必|一定要|一定得|一定不要|千万别|千万不要|千万要|不准|不许|不得|严禁|禁止|切勿|请勿|绝对不能|绝不能|不能|不可以|不要再?|别再?|"
    r"应该|应当|需要|要)(?P<rest>[^，。]{1,60})$"
)
_IMPERATIVE_ZH: Final = re.compile(
    r"^(?:请|麻烦|你)?(?:给我|帮我|跟我|和我|对我|替我|在|把|用|按|以|先|尽量|最好|直接|自动|默认|只|都|就|回[答复]|回复|报告|代码|文档|"
    r"邮件|表格|图表|日期|金额|价格|输出|写|称呼|提醒|保留|使用|采用|附上|标注|注明|列出|不要|别|不用|无需|避免|禁止)"
)
_ALLOW_ZH: Final = re.compile(
    r"^(?:(?:如果|要是|只要|一旦)?有(?P<c>新版本?|更新|新的)[^，。]{0,6}?)?(?:你|就|都|也|以后|现在|之后|今后|可以|能|允许|尽管|放心|随时|直接|自动|"
    r"不用问我?|不必问我?|没问题|就行)*(?P<v>[^，。]{1,40}?)(?P<ok>吧|就行|就好|就可以了?|即可|也行|也可以|没问题|没关系|都行|了|可以的?|是可以的|无所谓)?$"
)
_ALLOW_WORD_ZH: Final = re.compile(
    r"可以|允许|直接|自动|尽管|放心|随时|没问题|没关系|也行|就行|即可|都行|不用问|不必问|无妨"
)
_NEG_ZH: Final = re.compile(
    r"不要|不用|不必|无需|不准|不许|不得|不能|不可|禁止|严禁|切勿|请勿|勿|别|避免|绝不|停止|杜绝|取消"
)
_NEG_EN: Final = re.compile(
    r"\b(?:not|never|stop|avoid|no more|refrain|no need|forbidden|banned|prohibited|without|quit|nobody|no one|no longer (?:ok|okay|fine|allowed))\b|n't",
    re.IGNORECASE,
)
_OBJECT_ZH: Final = re.compile(r"[^不要别用的了我你他请把都就也还在再、 ]")

# --- instructions that have a slot of their own -----------------------------------------------------

_LANGUAGES: Final = {
    "chinese": "Chinese", "mandarin": "Chinese", "中文": "Chinese", "汉语": "Chinese", "普通话": "Chinese",
    "english": "English", "英文": "English", "英语": "English", "japanese": "Japanese", "日文": "Japanese",
    "日语": "Japanese", "french": "French", "法语": "French", "法文": "French", "german": "German",
    "德语": "German", "德文": "German", "spanish": "Spanish", "西班牙语": "Spanish", "korean": "Korean",
    "韩语": "Korean", "韩文": "Korean", "russian": "Russian", "俄语": "Russian", "italian": "Italian",
    "portuguese": "Portuguese", "dutch": "Dutch", "arabic": "Arabic", "cantonese": "Cantonese",
    "粤语": "Cantonese", "繁体": "Traditional Chinese", "简体": "Simplified Chinese",
}  # fmt: skip
_LANGUAGE: Final = "|".join(_LANGUAGES)
_REPLY_LANGUAGE: Final = re.compile(
    rf"\b(?:reply|respond|answer|speak|talk|write|communicate|chat|converse)\b(?: \w+){{0,3}}? (?:in|using) (?P<a>{_LANGUAGE})\b"
    rf"|(?:回[复答]|说|讲|交流|沟通|对话|聊|答复|写)?[^，。]{{0,4}}?(?:用|改用|使用|换成|改成|以|换)(?P<b>{_LANGUAGE})(?:来)?(?:回[复答]|说|讲|交流|沟通|跟我|和我|对话|聊|答复|$|吧|就)"
    rf"|(?:回[复答]|交流|沟通|答复|对话)[^，。]{{0,6}}?(?P<c>{_LANGUAGE})"
    rf"|\b(?:use|prefer) (?P<d>{_LANGUAGE}) (?:in|for|when)\b[^.]{{0,20}}(?:repl|answer|respon)",
    re.IGNORECASE,
)
_REPLY_ABOUT: Final = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|respond|tone|summaries|with me|to me)\b"
    r"|回[复答]|答复|说话|解释|语气|讲|回应|内容|说得?|写得?",
    re.IGNORECASE,
)
_STYLES: Final = (
    ("brief", re.compile(r"\b(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|to the point|succinct|terse|one[- ]liners?|less verbose)\b|简短|简洁|简明|精简|简单(?:点|些|明了)|言简意赅|长话短说|短一?点|别太长|不要太长|少废话|别啰嗦|不要啰嗦", re.IGNORECASE)),
    ("detailed", re.compile(r"\b(?:detailed|in detail|longer|thorough(?:ly)?|step[- ]by[- ]step|verbose|elaborate|in[- ]depth|comprehensive)\b|详细|详尽|具体(?:点|些|一点)|展开说|深入|长一点|一步一步|分步骤", re.IGNORECASE)),
    ("formal", re.compile(r"\b(?:formal(?:ly)?|professional(?:ly)?|polite(?:ly)?)\b|正式|专业(?:点|些|一点)|礼貌", re.IGNORECASE)),
    ("casual", re.compile(r"\b(?:casual(?:ly)?|informal(?:ly)?|friendly|relaxed|conversational)\b|随意|轻松|口语化?|活泼|亲切|幽默|别太正式|不要太正式", re.IGNORECASE)),
    ("direct", re.compile(r"\b(?:blunt|direct(?:ly)?|straight(?:forward)?|sugar-?coat|no fluff|honest)\b|直接(?:点|说|一点)|直白|别绕|不要绕弯|开门见山", re.IGNORECASE)),
)  # fmt: skip
_UNITS: Final = re.compile(
    r"\b(metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|miles|kilograms|pounds)\b|(公制|英制|摄氏度?|华氏度?|公里|英里|公斤|千克|市斤|米制)",
    re.IGNORECASE,
)
_UNITS_VERB: Final = re.compile(
    r"\b(?:use|in|prefer|convert|stick to|show|give|units?)\b|用|换成|改成|显示|单位|换算", re.IGNORECASE
)

_REQUEST_EN: Final = re.compile(
    r"\b(?:this|these|the following|above|below|a|an|me (?:a|an|some|the|more)|us|one|two|three|\d+|some|the) "
    r"(?:\w+[ -]){0,3}(?:list|summary|email|letter|story|poem|plan|draft|table|example|code|function|script|"
    r"version|outline|paragraph|essay|article|report|sentence|text|idea|names?|title|description|recipe|ideas|"
    r"examples|options|tips|details?|info(?:rmation)?|breakdown|overview|explanation|steps|guide)s?\b",
    re.IGNORECASE,
)


def instruction(clause: Clause) -> Finding | None:
    """The standing instruction that a clause gives, if it gives one."""
    return _english(clause) if clause.language == "en" else _chinese(clause)


# What comes before the order itself: "from now on", "every time you write SQL,".
_OPENING_EN: Final = re.compile(
    r"^(?:(?:from now on|from here on|going forward|in (?:the )?future|as a rule|by default|next time|at all times|please)[\s,:]+"
    r"|(?:every time|each time|whenever|any ?time|when|if|before|after|for|in|on|with) [^,]{2,70},\s*)+",
    re.IGNORECASE,
)


def _english(clause: Clause) -> Finding | None:
    whole = clause.text.rstrip(" .!")
    text = _OPENING_EN.sub("", whole)
    standing = _STANDING_EN.search(clause.sentence) is not None
    marked = "remember" in clause.marks
    own = clause.subject_words in ("I", "we", "We", "i")
    if (special := _special(clause, whole, standing or marked)) is not None:
        return special
    marked = marked or _DO_NOT_FORGET_EN.match(text) is not None
    always = re.search(r"\b(?:always|never|must|do not ever)\b|n't ever\b", text, re.IGNORECASE) is not None
    if (match := _HEAD_EN.match(_plain(text))) is not None and (
        not own or re.match(r"i ", _plain(text), re.IGNORECASE)
    ):
        negative = match["neg"] is not None
        if standing or marked or match["always"] in ("always ", "Always ") or always or negative:
            if negative and not (standing or marked or always) and _is_moment(text):
                return None
            return _rule(
                clause, whole, "dont" if negative else "do", 0.8 if standing or always else 0.7
            )
        return None
    if own or clause.subject != "user":
        return None
    if (match := _MUST_EN.match(_plain(text))) is not None and (
        standing
        or marked
        or match["modal"].lower()
        in (
            "must",
            "must not",
            "must always",
            "must never",
            "should always",
            "should never",
            "shall",
            "are not allowed to",
            "is not allowed to",
        )
    ):
        if re.match(
            r"(?:it|this|that|there|they|you|i|we|he|she|what|which)\b", match["who"], re.IGNORECASE
        ) and not (standing or marked):
            return None
        return _rule(clause, text, "dont" if _NEG_EN.search(match["modal"]) else "do", 0.75)
    if (match := _ALLOWED_EN.match(_plain(text))) is not None:
        what = next((match[g] for g in ("g", "a", "f", "t", "j") if match[g]), "")
        if match["j"] and not (standing or marked):
            return None
        if match["g"] and (not re.match(r"\w+ing\b|auto", match["g"], re.IGNORECASE) and not standing):
            return None
        bad = match["ok"] is not None and _NEG_EN.search(match["ok"]) is not None
        if re.search(r"no longer (?:forbidden|banned)", match["ok"] or "", re.IGNORECASE):
            bad = False
        return _rule(clause, what, "dont" if bad else "do", 0.65)
    if standing and marked:
        return _rule(clause, text, "dont" if _NEG_EN.search(text) else "do", 0.7)
    return None


def _chinese(clause: Clause) -> Finding | None:
    text = clause.text if clause.subject_words in ("", clause.lead) else clause.text
    standing = _STANDING_ZH.search(clause.sentence) is not None
    marked = "remember" in clause.marks
    if (special := _special(clause, text, standing or marked)) is not None:
        return special
    if (
        clause.subject_words.startswith(("我", "咱"))
        and not clause.lead
        and not text.startswith(("我要求", "我希望你", "我需要你", "我想让你", "我要你"))
    ):
        return None
    core = re.sub(r"^(?:我要求|我希望你?|我需要你|我想让你|我要你)", "", text)
    here = _STANDING_ZH.search(text)
    negative = _NEG_ZH.search(core) is not None
    ordered = re.match(r"(?:以后|今后|往后|从现在[起开]始?|从今[天以]?[起后]?)[，,]", clause.sentence) is not None
    if here or (
        standing
        and (
            ordered or _IMPERATIVE_ZH.match(core) or _MUST_ZH.match(core) or _ALLOW_WORD_ZH.search(core))
    ):
        if len(_OBJECT_ZH.findall(_STANDING_ZH.sub("", core))) < 2 or _is_fact(core):
            return None
        ordered = re.match(r"以后|今后|往后|从现在|从今", clause.sentence) and not clause.subject_words
        if not (
            ordered
            or _IMPERATIVE_ZH.match(_STANDING_ZH.sub("", core).lstrip("，, "))
            or _MUST_ZH.match(core)
            or _ALLOW_WORD_ZH.search(core)
            or re.search(r"[都就要用叫按以把给]|吧$", core)
        ):
            return None
        return _rule(clause, core, "dont" if negative else "do", 0.8)
    if (match := _MUST_ZH.match(core)) is not None:
        strong = match["modal"] not in (
            "应该",
            "应当",
            "需要",
            "要",
            "不能",
            "不可以",
            "别",
            "不要",
            "别再",
            "不要再",
        )
        if strong or marked:
            return _rule(clause, core, "dont" if negative else "do", 0.75)
        if (
            match["modal"] in ("别", "不要", "别再", "不要再", "不能", "不可以")
            and (not match["who"] or len(match["who"]) >= 2)
            and not _is_moment(core)
        ):
            return _rule(clause, core, "dont", 0.7)
        return None
    if marked and _IMPERATIVE_ZH.match(core):
        return _rule(clause, core, "dont" if negative else "do", 0.75)
    if (
        _ALLOW_WORD_ZH.search(core)
        and (match := _ALLOW_ZH.match(core)) is not None
        and (match["c"] or match["ok"] or "change" in clause.marks)
    ):
        if _is_fact(core) or len(rule_topic(core)) < 2 or _is_moment(core):
            return None
        return _rule(clause, core, "do", 0.65)
    return None


def _special(clause: Clause, text: str, standing: bool) -> Finding | None:
    """Instructions about language, style and units of the answers, which have their own slots."""
    if (match := _REPLY_LANGUAGE.search(text)) is not None:
        word = next(group for group in match.groups() if group).lower()
        imperative = not clause.subject_words.startswith(("I", "we", "我")) or standing
        if (
            imperative
            and not _NEG_EN.search(text)
            and not _NEG_ZH.search(text)
            and not _REQUEST_EN.search(text)
        ):
            return Finding("reply_language", _LANGUAGES[word], importance=0.85)
    if standing or re.match(
        r"(?:please |always |keep |make |be |don't |do not |i (?:prefer|like|want))|请|回[复答]|说话|语气",
        text,
        re.IGNORECASE,
    ):
        if _REPLY_ABOUT.search(text):
            for value, pattern in _STYLES:
                if pattern.search(text):
                    if _REQUEST_EN.search(text) and not standing:
                        return None
                    family = "length" if value in ("brief", "detailed") else "tone"
                    return Finding(with_topic("reply_style", family), value, importance=0.8)
        if (unit := _UNITS.search(text)) is not None and _UNITS_VERB.search(text):
            return Finding(
                with_topic("units", _unit_topic(unit.group())), unit.group().lower(), importance=0.8
            )
    return None


def _unit_topic(word: str) -> str:
    word = word.lower()
    if re.match(r"celsius|fahrenheit|摄氏|华氏", word):
        return "temperature"
    if re.match(r"kilom|miles|公里|英里", word):
        return "distance"
    if re.match(r"kilog|pounds|公斤|千克|市斤", word):
        return "weight"
    return ""


def _rule(clause: Clause, about: str, value: str, importance: float) -> Finding | None:
    topic = rule_topic(about)
    if len(topic) < 2:
        return None
    return Finding(
        with_topic("instruction", topic), value, importance=importance, tags=_tags(clause)
    )


def _tags(clause: Clause) -> tuple[str, ...]:
    return ("要求",) if clause.language == "zh" else ("instruction",)


def _is_fact(text: str) -> bool:
    """ "以后" and "总是" also occur in plain statements about the past and the self."""
    return bool(
        re.search(
            r"^(?:他|她|它)|了以后|以后(?:才|就会|再说|还)|之后|毕业以后|结婚以后|总是(?:很|会|觉得|忘|迟|失眠|做梦|睡)",
            text,
        )
    )


def _is_moment(text: str) -> bool:
    """Orders for this moment only: "don't worry", 别担心."""
    return bool(
        re.search(
            r"\b(?:worry|bother|mind|know|think|understand|mention it|be (?:sad|afraid|shy|silly|so)|forget|cry|panic|get me wrong|"
            r"care|see|wait|give up|ask more|make me|tell me|stop|feel|want|need|let)\b"
            r"|担心|着急|客气|生气|难过|紧张|怕|急|哭|闹|吵|走|笑|说了|这样|那样|介意|误会|想太多|放弃|多想|管我|骗我|提了|废话|光说|等了",
            text,
            re.IGNORECASE,
        )
    )


def _plain(text: str) -> str:
    for short, full in (("n't", " not"), ("n’t", " not"), ("'d", " would"), ("I'd", "I would")):
        text = text.replace(short, full)
    return re.sub(r"\bca not\b", "can not", text)


def is_negative_rule(text: str) -> bool:
    """Whether an instruction forbids."""
    return bool(_NEG_EN.search(text) or _NEG_ZH.search(trimmed(text)))
