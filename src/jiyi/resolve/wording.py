"""When two wordings say the same: narrow on purpose, because a wrong merge loses a fact.

Everything that carries meaning stays in the key: numbers, names, codes, negation, tense, order.
Only what every speaker drops at will is left out: articles, intensifiers, modal particles, and
whether the user is called "I" or "the user".
"""

from __future__ import annotations

import re
from typing import Final

from jiyi.text.kept import until_erased
from jiyi.text.normalise import canonical, fold
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK

_WORD: Final = f"[^\\W_{CJK}]+"
_TOKEN: Final = regex(f"用户|本人|[{CJK}]|{_WORD}(?:[-'’.@:/+&,_]{_WORD})*(?:\\+\\+|#)?")
_RUN: Final = regex(f"[{CJK}]+")
_CONTRACTION: Final = (
    (re.compile(r"\bcan['’]?t\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"['’](?:m|re)\b"), " be"),
    (re.compile(r"['’]ll\b"), " will"),
    (re.compile(r"['’]ve\b"), " have"),
    (re.compile(r"['’]s\b"), ""),
)
_FILLER: Final = frozenset("的很也就呢吧啊呀哦嘛") | frozenset(
    ("a", "an", "the", "really", "very", "quite", "just", "also", "so", "please", "that")
)
_MORE_THAN_DETAIL: Final = frozenset("和与及或、不没别勿") | frozenset(
    ("and", "or", "nor", "but", "not", "no", "never", "without", "stop", "except")
)
_CODED: Final = regex(r"\d|[-+#@_/]")
_ALIKE: Final = {
    **dict.fromkeys(("i", "me", "my", "mine", "我", "用户", "本人"), "user"),
    **dict.fromkeys(("am", "is", "are"), "be"),
    **dict.fromkeys(("does", "did"), "do"),
    "has": "have",
    "您": "你",
}
# In front of a topic these add nothing: 喝咖啡 and 咖啡, "eating fish" and "fish".
_TOPIC_VERB_EN: Final = frozenset(["eat", "eating", "drink", "drinking", "use", "using"])
_TOPIC_VERB_ZH: Final = regex("^(?:吃|喝|使用|用)(?=.)")
_TOPIC_FILLER: Final = _FILLER | frozenset(["on", "in", "at", "of", "for"])
# 特别, 不过, 没错 and their like deny nothing.
_NEGATION: Final = regex(
    r"不(?!错|但|仅|管|论|止|久|断|妨|锈|得不|过(?!敏)|少(?!来))|没(?!错|关系|事儿?[，。]|准)|勿|禁止|避免"
    r"|(?<![特分级性区类辨识离个告判派鉴])别(?!人|墅|致|称|处|名|扭|的(?!再))"
    r"|\b(?:not?|never|stop|avoid|without|cease|nor)\b|n['’]t\b"
)


@until_erased(4096)
def statement_key(text: str) -> tuple[str, ...]:
    """What a statement says, word by word in order; equal keys are one statement.

    "I really like the tea." and "User likes tea" are equal; "Ann likes Bob" and "Bob likes Ann",
    "5 years" and "6 years", "was" and "is" are not.
    """
    plain = canonical(text)
    for pattern, replacement in _CONTRACTION:
        plain = pattern.sub(replacement, plain)
    tokens = (_ALIKE.get(token, token) for token in _TOKEN.findall(plain))
    return tuple(singular(token) for token in tokens if token not in _FILLER)


def contains(longer: str, shorter: str) -> bool:
    """Whether one statement holds every word of the other and adds only detail.

    A second thing ("tea and coffee"), a negation, a number or a code is more than detail.
    """
    big, small = set(statement_key(longer)), set(statement_key(shorter))
    extra = big - small
    return (
        bool(small)
        and small < big
        and not any(word in _MORE_THAN_DETAIL or _CODED.search(word) for word in extra)
    )


@until_erased(4096)
def topic_key(topic: str) -> frozenset[str]:
    """What a topic is about: its words without order ("friday deploys", "deploy on Fridays").

    A run of Chinese stays one word, because its order is its meaning (花茶, 茶花).
    """
    words: list[str] = []
    plain = _RUN.sub(lambda run: f" {run[0].replace('的', '')} ", fold(topic))
    for word in re.findall(f"[{CJK}]+|{_TOKEN.pattern}", plain):
        if word in _TOPIC_FILLER:
            continue
        words.append(_TOPIC_VERB_ZH.sub("", word) if _RUN.match(word) else singular(word))
    if len(words) > 1 and words[0] in _TOPIC_VERB_EN:
        del words[0]
    return frozenset(words)


def same_topic(one: str, other: str) -> bool:
    """Whether two topics differ in wording only."""
    key = topic_key(one)
    return bool(key) and key == topic_key(other)


def narrower_topic(one: str, other: str) -> bool:
    """Whether one topic is the other with a qualifier: 自动升级 and 升级, "auto updates" and
    "updates". What is qualified must be the same: 红色 is no wider 红色按钮."""
    keys = topic_key(one), topic_key(other)
    small, big = sorted(keys, key=lambda key: (len(key), sum(map(len, key))))
    if not small or small == big:
        return False
    if len(small) == len(big) == 1:
        (short,), (long,) = small, big
        return bool(_RUN.fullmatch(short)) and len(short) >= 2 and long.endswith(short)
    return small < big and _head(one) == _head(other)


def is_negative(text: str) -> bool:
    """Whether a statement or instruction forbids or denies something."""
    return _NEGATION.search(fold(text)) is not None


def value_key(value: str) -> str:
    """The form in which two values of a slot are compared: "Vue 3" and "vue3" are one value."""
    return re.sub(r"[\s\-_.,;!?。，、；！？·\"'’“”]+", "", fold(value)) or fold(value)


def _head(topic: str) -> str:
    words = re.findall(_TOKEN.pattern, fold(topic))
    return singular(words[-1]) if words else ""


def singular(word: str) -> str:
    """Plural nouns and third persons without their ending; words of digits and codes as they are.

    Weaker than a stemmer, because a stemmer joins words that differ in meaning (university,
    universe)."""
    if len(word) < 4 or not word.isascii() or not word.isalpha() or word.endswith(("ss", "us")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word.removesuffix("s")
