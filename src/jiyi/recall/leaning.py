"""Whether a question leans on the conversation: it does not say by itself what it is about.

`it`, 那个, "the morning one", 要上午的, "and in blue?", 什么时候到. Rules only, in both languages,
and careful: a question that names its subject is left alone, because words added to it would
only draw the search away.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from unicodedata import normalize

from jiyi.recall.light_words import (
    ATTRIBUTES_EN,
    ATTRIBUTES_ZH,
    FUNCTION_EN,
    FUNCTION_ZH,
    GENERIC_EN,
    GENERIC_ZH,
    HAN_RUN,
    LATIN_WORD,
    MEASURES_ZH,
    RELATIVE_EN,
    RELATIVE_ZH,
    VERBS_EN,
    VERBS_ZH,
    han_pattern_of,
    is_light_en,
)
from jiyi.text.patterns import regex
from jiyi.text.scripts import han_pattern

MAX_WORDS: Final = 24
"""A question longer than this says what it is about (English words, or Chinese characters / 2)."""

_I: Final = re.IGNORECASE

_ACKNOWLEDGEMENT: Final = regex(
    r"(?:ok(?:ay)?|yes|yeah|yep|no|nope|thanks?(?: you)?|thank you (?:very|so) much|great|cool|"
    r"nice|sure|fine|good|hello|hi|hey|bye|goodbye|good (?:morning|night|evening|afternoon)|got it|"
    r"i see|never ?mind|of course|please|"
    r"好的?|嗯+|行|可以|谢谢(?:你|您|啦|了)?|多谢|你好|您好|再见|拜拜|早|早上好|晚上好|下午好|晚安|对的?|是的?|"
    r"没事|没关系|不客气|知道了|明白了?|收到|辛苦了?)",
    _I,
)
# Who I am and who you are: light words only, and yet complete.
_IDENTITY: Final = regex(
    r"(?:so )?who (?:am i|are you)|what (?:can|do) you do|what are you|how are you(?: doing)?|"
    r"how old am i|what(?:'s| is) (?:my|your) name|what (?:day|time|date) is it(?: now| today)?|"
    r"我(?:到底)?是谁|你(?:到底)?是谁|您是谁|你能(?:做|干)什么|你会(?:做|干)?什么|我多大了?|我几岁了?|你好吗|"
    r"(?:现在|今天)?(?:是)?(?:几点|几号|星期几|周几|什么时间)了?",
    _I,
)

# --- English ----------------------------------------------------------------------------------

_ONE: Final = regex(
    r"\b(?:the|that|this|which|another|other|these|those)(?:\s+[\w'-]+){0,3}?\s+ones?\b"
    r"|\ban?\s+[\w'-]+\s+one\b|^(?:[\w'-]+\s+)ones?$",
    _I,
)
_NOT_ONE: Final = regex(
    r"\bones?\s+(?:of|day|time|hour|week|month|year|by one)\b|\b(?:no|every|any)\s+one\b", _I
)
_PRONOUN: Final = regex(r"\b(?:(it|its)|(they|them|their|theirs)|(he|she|him|her|his|hers))\b")
# An empty `it`: weather, time, judgements.
_EXPLETIVE: Final = regex(
    r"\bit(?:'s|\s+is|\s+was|\s+will\s+be|\s+would\s+be)?\s+(?:(?:going\s+to|gonna|will|would|"
    r"might|may|could|does|did)\s+)?(?:likely|rain\w*|snow\w*|sunny|cold|hot|warm|late|early|dark|"
    r"(?:seem|take|look|turn|matter)s?\b|took|possible|true|ok(?:ay)?|safe|legal|common|necessary|"
    r"worth|better|best|easy|hard|important|normal)"
    r"|\b(?:is|was|does|did|will|would|can)\s+it\s+(?:likely|rain\w*|snow\w*|sunny|cold|hot|warm|seem|"
    r"take|matter|possible|true|ok(?:ay)?|safe|legal|common|necessary|worth|better|best|easy|hard|"
    r"important|normal)\b"
    r"|\b(?:time|day|date)\s+is\s+it\b|\bhow(?:'s|\s+is)\s+it\s+going\b|\bma[dk]e\s+it\b",
    _I,
)
_DEMONSTRATIVE: Final = regex(
    r"\b(?:this|that|these|those)(?=\s*(?:[?.!,;]|$|\bagain\b|\btoo\b|\bthen\b))"
    r"|^(?:(?:and|but|so|or)\s+)?(?:this|that|these|those)(?:'s|\s+(?:is|was|are|were|will|does))\b"
    r"|\b(?:is|was|are|were|does|did|do|will|would|can|could|about|like|with|after|before)\s+"
    r"(?:this|that|these|those)\s+[\w'-]+\s*\??$",
    _I,
)
_TEMPORAL_EN: Final = regex(
    r"\b(?:this|that|these|those)\s+(?:morning|afternoon|evening|week\w*|month|year|day|days|time|"
    r"summer|winter|spring|autumn|fall|quarter|monday|tuesday|wednesday|thursday|friday|saturday|"
    r"sunday|january|february|march|april|may|june|july|august|september|october|november|"
    r"december)\b",
    _I,
)
_THAT_THING: Final = regex(r"\b(?:this|that|these|those|the same)\s+(?P<noun>[\w'-]+)", _I)
_WHAT_ABOUT: Final = regex(
    r"^(?:(?:and|ok|okay|so|but)\s+)?(?:what|how)\s+about\b|^same\s+(?:for|with|question)\b", _I
)
_ELSE: Final = regex(
    r"\b(?:what|who|where|when|how|anything|anyone|something|someone)\s+else\b"
    r"|^(?:any|the|are there any)\s+others?\b",
    _I,
)
_LEAD: Final = regex(r"^(?:and|or|but|also|plus|then)\b[\s,]*", _I)
_FRAGMENT: Final = regex(
    r"^(?:in|on|at|for|by|with|without|from|to|until|before|after|around|the|a|an)\b", _I
)
_ASKS: Final = regex(
    r"\b(?:who|what|when|where|why|how|which|is|are|was|were|do|does|did|can|could|will|would|"
    r"should|has|have|had|tell|show|list|find|give|remind)\b",
    _I,
)
_OWNER_EN: Final = regex(r"\b(?:i|me|my|mine|we|us|our|you|your)\b|'s\b(?!\s+(?:the|it))", _I)
_LATTER: Final = regex(
    r"\bthe\s+(?:latter|former|other|same|first|second|third|last|next)\s*\??$", _I
)

# --- Chinese ----------------------------------------------------------------------------------

_PRONOUN_ZH: Final = regex(r"(?<![其吉维排利无自])[他它](?![人乡杀日国])们?|(?<!其)她们?")
_DEMONSTRATIVE_ZH: Final = regex(
    # After 的 a clause says already which one: 我住的那个小区.
    r"(?<!的)(?:这|那)(?:个|些|款|件|台|本|部|家|位|条|间|份|张|种|辆|座|道|场|趟|班|样|里|儿|边|俩|几个)"
    r"|(?:前|后)者|其中|另(?:外)?一[个款件种家]|第[一二三四五1-5]个|上面(?:说|提)?的|刚才(?:说|提)?(?:到)?的"
    r"|(?:^|[，,。])(?:这|那)(?=是|要|可以|能|怎么|有什么|为什么|什么)|(?:该|此)(?=项目|产品|问题|方案)"
)
_TEMPORAL_ZH: Final = regex(
    r"(?:这|那)个?(?:月|周末|周|星期|礼拜|季度|学期|年|夏天|冬天|春天|秋天|暑假|寒假|假期|世纪|早上|上午|下午|晚上)"
    r"|(?:这|那)(?:天|几天|年|几年|时候|时|段时间|阵子)|那么|这么|怎么这|那就"
)
_THE_ONE_ZH: Final = regex(
    r"(?:那就|那|就|还是|我|想|先|再|都)*(?:要|选|来|换|买|订|拿|给我|改|用|看看|看)?"
    r"(?P<which>[^的谁哪怎什几多是吗呢]{1,6})的"
    r"(?:那?[个款件种班场家本台]|呢|吗|吧|有吗|有没有|可以吗?|行吗|也行|就行|好了?|多少钱|怎么样|什么时候.{0,4}|几点.{0,4}"
    r"|谢谢)*"
)
_THEN_ZH: Final = regex(r"(?:那|那么|还有|另外|然后|接着|以及)(?P<rest>.{0,8}?)(?:呢|吗)?")
_BARE_NE: Final = regex(r"(?!我|你|您)(?P<rest>.{1,5})呢")
_OWNER_ZH: Final = regex(r"我|你|您|咱")

# Measure words stay: they are parts of nouns that a pronoun can stand for (同事, 家人).
_NO_NOUN_ZH: Final = han_pattern_of(FUNCTION_ZH, RELATIVE_ZH, VERBS_ZH)
_LIGHT_OR_ATTRIBUTE_ZH: Final = han_pattern_of(
    FUNCTION_ZH, RELATIVE_ZH, VERBS_ZH, MEASURES_ZH, ATTRIBUTES_ZH
)
_ANY_LIGHT_ZH: Final = han_pattern_of(
    FUNCTION_ZH, RELATIVE_ZH, VERBS_ZH, MEASURES_ZH, ATTRIBUTES_ZH, GENERIC_ZH
)
_INTERROGATIVE_ZH: Final = regex(r"什么|谁|哪|怎|多少|多久|几|为啥|啥")
_EDGES: Final = " \t\r\n?？!！.。,，、~…;；:：\"'“”‘’"

SUBJECT_CHARACTERS: Final = 4
"""With so many characters of its own, a Chinese question names its subject despite a 那个."""


def leaning(query: str) -> str | None:
    """Why a question cannot be understood alone, in a few words, or None when it can."""
    text = " ".join(normalize("NFKC", query).replace("’", "'").split()).strip(_EDGES)
    if not text or _ACKNOWLEDGEMENT.fullmatch(text) or _IDENTITY.fullmatch(text):
        return None
    han = sum(len(run) for run in HAN_RUN.findall(text))
    words = LATIN_WORD.findall(text)
    if not han and not words:
        return None
    if han / 2 + len(words) > MAX_WORDS:
        return None
    if han_pattern.search(text):
        return _leaning_zh(text)
    return _leaning_en(text, words)


class _Question(NamedTuple):
    """An English question taken apart.

    `names` are words that name something, `content` all words but function words, `subject` those
    of them that are neither general verbs nor times.
    """

    text: str
    words: list[str]
    names: frozenset[str]
    content: list[str]
    subject: list[str]


def _leaning_en(text: str, words: list[str]) -> str | None:
    names = _names(text, words)
    content = [
        word for word in words if word in names or not is_light_en(word.lower(), FUNCTION_EN)
    ]
    subject = [
        word
        for word in content
        if word in names or not is_light_en(word.lower(), VERBS_EN, RELATIVE_EN)
    ]
    question = _Question(text, words, names, content, subject)
    if pronoun := _pronoun_en(question):
        return f"pronoun: {pronoun.lower()}"
    if follow_up := _follow_up_en(question):
        return f"follow-up: {follow_up.lower()}"
    return None if _OWNER_EN.search(text) else _no_subject_en(question)


def _pronoun_en(q: _Question) -> str | None:
    """The word that stands for something which the question does not name."""
    one = _ONE.search(q.text)
    if one and not _NOT_ONE.search(q.text) and len(q.subject) <= 3:
        return one.group()
    if pronoun := _open_pronoun(q.text, q.names):
        return pronoun
    plain = _TEMPORAL_EN.sub(" ", q.text)
    this = _DEMONSTRATIVE.search(plain)
    if this and len(q.subject) <= 2:
        return this.group()
    thing = _THAT_THING.search(plain)
    if thing and not q.names and len(q.subject) <= 3:
        noun = thing.group("noun").lower()
        if is_light_en(noun, GENERIC_EN, ATTRIBUTES_EN):
            return thing.group()
    latter = _LATTER.search(q.text)
    return latter.group() if latter and len(q.subject) <= 1 else None


def _follow_up_en(q: _Question) -> str | None:
    if (about := _WHAT_ABOUT.search(q.text)) and len(q.content) <= 4:
        return about.group()
    if (more := _ELSE.search(q.text)) and len(q.content) <= 2:
        return more.group()
    lead = _LEAD.search(q.text)
    if lead and not _ASKS.search(q.text) and len(q.content) <= 3:
        return lead.group().strip(" ,")
    return None


def _no_subject_en(q: _Question) -> str | None:
    if not q.names and all(is_light_en(word.lower(), ATTRIBUTES_EN) for word in q.subject):
        return "no subject"
    # "in blue?", "for two people?"
    fragment = _FRAGMENT.search(q.text) and not _ASKS.search(q.text)
    return "fragment" if fragment and len(q.words) <= 4 and not q.names else None


def _names(text: str, words: list[str]) -> frozenset[str]:
    """Words that name something: codes, and capitals that do not merely begin the sentence."""
    first = words[0] if words else ""
    return frozenset(
        word
        for word in words
        if any(char.isdigit() for char in word)
        or word[1:] != word[1:].lower()
        or (
            word[:1].isupper()
            and (word != first or text.casefold().count(word.casefold()) > 1)
            and not is_light_en(word.lower(), FUNCTION_EN, RELATIVE_EN)
        )
        or (
            word == first
            and word[:1].isupper()
            and not is_light_en(
                word.lower(), FUNCTION_EN, VERBS_EN, RELATIVE_EN, ATTRIBUTES_EN, GENERIC_EN
            )
        )
    )


def _open_pronoun(text: str, names: frozenset[str]) -> str | None:
    """The first pronoun that nothing before it in the question stands for."""
    plain = _EXPLETIVE.sub(" ", text)
    for match in _PRONOUN.finditer(plain.lower()):
        before = LATIN_WORD.findall(plain[: match.start()])
        nouns = [
            word
            for word in before
            if word in names or not is_light_en(word.lower(), FUNCTION_EN, VERBS_EN, RELATIVE_EN)
        ]
        # "What did Anna say about it?": a person who does something is not the `it`.
        if match.group(1) == "it" and nouns and all(word in names for word in nouns):
            nouns = [] if _ASKS.match(plain) else nouns
        if not nouns:
            return match.group()
    return None


def _leaning_zh(text: str) -> str | None:
    bare = text.replace(" ", "")
    if pronoun := _open_pronoun_zh(bare):
        return f"pronoun: {pronoun}"
    plain = _TEMPORAL_ZH.sub("", bare)
    demonstrative = _DEMONSTRATIVE_ZH.search(plain)
    if demonstrative and len(_content_zh(_ANY_LIGHT_ZH, plain)) < SUBJECT_CHARACTERS:
        return f"pronoun: {demonstrative.group().strip('，,。')}"
    if the_one := _THE_ONE_ZH.fullmatch(bare):
        return f"no noun: {the_one.group('which')}的"
    if (then := _THEN_ZH.fullmatch(bare)) and not _INTERROGATIVE_ZH.search(then.group("rest")):
        return "follow-up: " + bare[:2]
    if (ne := _BARE_NE.fullmatch(bare)) and not _INTERROGATIVE_ZH.search(ne.group("rest")):
        return "follow-up: 呢"
    if not _OWNER_ZH.search(bare) and not _content_zh(_LIGHT_OR_ATTRIBUTE_ZH, bare):
        return "no subject"
    return None


def _open_pronoun_zh(text: str) -> str | None:
    for match in _PRONOUN_ZH.finditer(text):
        if len(_content_zh(_NO_NOUN_ZH, text[: match.start()])) < 2:
            return match.group()
    return None


def _content_zh(light: re.Pattern[str], text: str) -> str:
    """The characters that are left of a Chinese or mixed text without its light words.

    An English word that says something counts as two Chinese characters, a code or name as four.
    """
    han = "".join(light.sub("", run) for run in HAN_RUN.findall(text))
    latin = [
        "○○" if word.islower() else "○○○○"
        for word in LATIN_WORD.findall(text)
        if not is_light_en(word.lower(), FUNCTION_EN, RELATIVE_EN)
    ]
    return han + "".join(latin)
