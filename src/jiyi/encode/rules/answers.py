"""Instructions about the answers themselves, in both languages: their language, style and units.
Each has a slot of its own, so that a new one replaces the old."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_DENIED: Final = regex(r"\b(?:not|never|stop|avoid)\b|n't|不|别|没", re.IGNORECASE)
_LANGUAGES: Final = {
    word: language
    for language, words in (
        ("Chinese", "chinese|mandarin|中文|汉语|普通话"),
        ("English", "english|英文|英语"),
        ("Japanese", "japanese|日文|日语"),
        ("French", "french|法语|法文"),
        ("German", "german|德语|德文"),
        ("Spanish", "spanish|西班牙语"),
        ("Korean", "korean|韩语|韩文"),
        ("Russian", "russian|俄语"),
        ("Italian", "italian|意大利语"),
        ("Portuguese", "portuguese|葡萄牙语"),
        ("Dutch", "dutch|荷兰语"),
        ("Arabic", "arabic|阿拉伯语"),
        ("Cantonese", "cantonese|粤语"),
        ("Traditional Chinese", "繁体"),
        ("Simplified Chinese", "简体"),
    )
    for word in words.split("|")
}
_LANGUAGE: Final = "|".join(_LANGUAGES)
_REPLY_LANGUAGE: Final = regex(
    rf"\b(?:reply|respond|answer|speak|talk|write|communicate|chat|"
    rf"converse)\b(?: \w+){{0,3}}? (?:in|using) (?P<a>{_LANGUAGE})\b"
    rf"|(?:回[复答]|说|讲|交流|沟通|对话|聊|答复|写)?[^，。]{{0,4}}?(?:用|改用|使用|换成|改成|"
    rf"以|换)(?P<b>{_LANGUAGE})(?:中文|字|体)?(?:来)?(?:回[复答覆]|说|讲|交流|沟通|跟我|和我|对话|聊|答复|$|吧|"
    rf"就)"
    rf"|(?:回[复答]|交流|沟通|答复|对话)[^，。]{{0,6}}?(?P<c>{_LANGUAGE})"
    rf"|\bswitch (?:back |over )?to (?P<e>{_LANGUAGE})(?=$|[,.!]| (?:please|now|again|"
    r"from now on)\b)"
    rf"|\b(?:use|prefer) (?P<d>{_LANGUAGE}) (?:in|for|when)\b[^.]{{0,20}}(?:repl|answer|respon)",
    re.IGNORECASE,
)
# 变量名都用英文, "write commit messages in English": the language of something that is written, not
# that of the answers.
_OTHER_TEXT: Final = regex(
    rf"\b(?:write|speak|talk|chat)\b(?P<en>(?: \w+){{1,4}}?) (?:in|using) (?:{_LANGUAGE})\b"
    rf"|(?P<zh>[^，。]{{2,16}}?)(?:[都也要得请就]|一律|统一|全部|默认|尽量|最好)*(?:改用|使用|用|写成|换成|改成|以)"
    rf"(?:{_LANGUAGE})",
    re.IGNORECASE,
)
_TALK: Final = regex(
    r"\b(?:to|with|back|answers?|repl(?:y|ies)|responses?|everything|only|always|it|all)\b"
    r"|回|答|说|讲|交流|沟通|对话|聊|我|你|咱|您|输出|语言"
    r"|^(?:平时|平常|之后|接下来|接着|现在|今后|往后|以后|今天|这次|从.{1,4}[起始]|每次|默认|最好|尽量"
    r"|麻烦|还是|一直|始终|永远|任何时候|记住|记得|注意|请|都|一律|直接|统一|全部|务必|一定|必须"
    r"|只|要|就|先|[，、 ])+$",
    re.IGNORECASE,
)
_LEADS: Final = regex(
    r"^(?:以后|今后|往后|从现在[起开]始?|从今天?[起后]|从今往后|记住|记得|注意|请|麻烦|默认|另外"
    r"|还有|对了|[，,、：: ])+"
)
_REPLY_ABOUT: Final = regex(
    r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|respond|tone|summaries|"
    r"with me|to me)\b"
    r"|回[复答]|答复|说话|解释|语气|讲|回应|内容|说得?|写得?",
    re.IGNORECASE,
)
_STYLES: Final = (
    (
        "brief",
        regex(
            r"\b(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|to the point|succinct|terse|"
            r"one[- ]liners?|less verbose)\b|简短|简洁|简明|精简|简单(?:点|些|明了)|言简意赅|"
            r"长话短说|短一?点|别太长|不要太长|少废话|别啰嗦|不要啰嗦",
            re.IGNORECASE,
        ),
    ),
    (
        "detailed",
        regex(
            r"\b(?:detailed|in detail|longer|thorough(?:ly)?|step[- ]by[- ]step|verbose|"
            r"in[- ]depth|"
            r"comprehensive)\b|详细|详尽|具体(?:点|些|一点)|展开说|深入|长一点|一步一步|分步骤",
            re.IGNORECASE,
        ),
    ),
    (
        "formal",
        regex(
            r"\b(?:formal(?:ly)?|professional(?:ly)?|polite(?:ly)?)\b|正式|专业(?:点|些|一点)|礼貌",
            re.IGNORECASE,
        ),
    ),
    (
        "casual",
        regex(
            r"\b(?:casual(?:ly)?|informal(?:ly)?|friendly|relaxed|conversational)\b|随意|轻松|"
            r"口语化?|活泼|亲切|幽默|别太正式|不要太正式",
            re.IGNORECASE,
        ),
    ),
    (
        "direct",
        regex(
            r"\b(?:blunt|direct(?:ly)?|straight(?:forward)?|sugar-?coat|no fluff|honest)\b|"
            r"直接(?:点|说|一点)|直白|别绕|不要绕弯|开门见山",
            re.IGNORECASE,
        ),
    ),
)
_UNITS: Final = regex(
    r"\b(metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|miles|kilograms|pounds)\b|(公制|"
    r"英制|摄氏度?|华氏度?|公里|英里|公斤|千克|市斤|米制)",
    re.IGNORECASE,
)
_UNITS_VERB: Final = regex(
    r"\b(?:use|in|prefer|convert|stick to|show|give|units?)\b|用|换成|改成|显示|单位|换算",
    re.IGNORECASE,
)

_STYLE_ASKED: Final = regex(
    r"(?:please |always |keep |make |be |don't |do not |i (?:prefer|like|want))"
    r"|请|回[复答]|我?希望你|我想让你|我要你|用(?=公制|英制|摄氏|华氏|米制)|说话|语气",
    re.IGNORECASE,
)
_BE_EN: Final = regex(
    r"(?:please |just |always )*be (?:a bit |very |more |less )?(?P<how>brief|concise|succinct|"
    r"terse|direct|blunt|"
    r"formal|informal|casual|friendly|detailed|thorough)(?: with me)?(?:,? please)?$",
    re.IGNORECASE,
)
_UNITS_ASKED: Final = regex(
    r"(?:please |always |just )*(?:use|give me|show|write|stick to|prefer|keep|make|be|don't|"
    r"do not|"
    r"i (?:prefer|like|want))\b(?!.*\b(?:the|this|that|it|\d+)\b)|请|回[复答]|"
    r"我?希望你|我想让你|我要你|用(?=公制|英制|摄氏|华氏|米制)|说话|语气",
    re.IGNORECASE,
)
_REQUEST_EN: Final = regex(
    r"\b(?:this|these|the following|above|below|a|an|me (?:a|an|some|the|more)|us|one|two|three|"
    r"\d+|some|the) "
    r"(?:\w+[ -]){0,3}(?:list|summary|email|letter|story|poem|plan|draft|table|example|code|"
    r"function|script|"
    r"version|outline|paragraph|essay|article|report|sentence|text|idea|names?|title|"
    r"description|recipe|ideas|"
    r"examples|options|tips|details?|info(?:rmation)?|breakdown|overview|explanation|steps|"
    r"guide)s?\b",
    re.IGNORECASE,
)


_GIVEN_UP: Final = regex(
    rf"^(?:please |you can |you may |i want you to |from now on,? )*(?:(?P<stop>stop|quit|"
    rf"no longer|"
    rf"no need to|you (?:do not|don't) (?:have|need) to)|do not|don['’]t) (?:answer|repl|respond|"
    rf"speak|talk|writ|us|show|giv|chat)\w* (?:\w+ ){{0,3}}?(?P<a>{_LANGUAGE}|metric|imperial|"
    rf"celsius|"
    rf"fahrenheit|kilomet(?:er|re)s|miles|kilograms|pounds)(?: units?| degrees)?"
    rf"(?: (?:with|to) me)?(?P<more>(?: any ?more| any longer| again| from now on| please| now)*)$"
    rf"|^(?:以后|今后|请|你|就)*(?:不用|不必|不需要|无需|别|不要|停止|不)(?P<again>再)?(?:用|使用|以|说|讲)"
    rf"(?P<b>{_LANGUAGE}|公制|英制|摄氏度?|华氏度?|公里|英里|公斤|千克|市斤|米制)(?:单位|来)?"
    rf"(?:回[复答]|说|讲|交流|沟通|聊|答复)?(?:我)?(?P<le>了|啦)?$",
    re.IGNORECASE,
)


def given_up(clause: Clause) -> Finding | None:
    """ "Stop answering in French", 不用再用法语了: what was asked for holds no longer."""
    match = _GIVEN_UP.match(clause.text.strip().rstrip(".!。！"))
    if match is None or not (match["stop"] or match["more"] or match["again"] or match["le"]):
        return None
    word = (match["a"] or match["b"]).lower()
    denied = "不再用{}" if clause.language == "zh" else "not {}"
    if word in _LANGUAGES:
        attribute, value = "reply_language", _LANGUAGES[word]
    else:
        attribute, value = with_topic("units", _unit_topic(word)), word
    return Finding(attribute, denied.format(value), importance=0.75, replaces=value, ends=True)


def about_answers(clause: Clause, text: str, *, standing: bool) -> Finding | None:
    """Instructions about language, style and units of the answers, which have their own slots."""
    if (match := _REPLY_LANGUAGE.search(text)) is not None:
        word = next(group for group in match.groups() if group).lower()
        imperative = not clause.subject_words.startswith(("I", "we", "我")) or standing
        if re.search(r"\bwrite\b|写", match.group(), re.IGNORECASE) and not standing:
            return None
        asked = imperative and not _DENIED.search(text) and not _REQUEST_EN.search(text)
        if asked and not _of_something_else(text):
            return Finding("reply_language", _LANGUAGES[word], importance=0.85)
    if (be := _BE_EN.match(text)) is not None:
        return _style(next(value for value, pattern in _STYLES if pattern.search(be["how"])))
    if (standing or _STYLE_ASKED.match(text)) and _REPLY_ABOUT.search(text):
        style = next((value for value, pattern in _STYLES if pattern.search(text)), None)
        if style is not None:
            if _REQUEST_EN.search(text) and not standing:
                return None
            return _style(style)
    unit = _UNITS.search(text) if standing or _UNITS_ASKED.match(text) else None
    if unit is not None and _UNITS_VERB.search(text):
        return Finding(
            with_topic("units", _unit_topic(unit.group())), unit.group().lower(), importance=0.8
        )
    return None


def _of_something_else(text: str) -> bool:
    """Whether a language is asked for something that is written, and not for the answers."""
    match = _OTHER_TEXT.search(_LEADS.sub("", text))
    return match is not None and not _TALK.search(match["en"] or match["zh"])


def _style(value: str) -> Finding:
    family = "length" if value in ("brief", "detailed") else "tone"
    return Finding(with_topic("reply_style", family), value, importance=0.8)


def _unit_topic(word: str) -> str:
    word = word.lower()
    if re.match(r"celsius|fahrenheit|摄氏|华氏", word):
        return "temperature"
    if re.match(r"kilom|miles|公里|英里", word):
        return "distance"
    if re.match(r"kilog|pounds|公斤|千克|市斤", word):
        return "weight"
    return ""
