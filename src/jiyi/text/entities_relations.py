"""Where a text says how two names hang together: "my sister Anna", 我妹妹小红."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from jiyi.text.entities_aliases import EN_NAME
from jiyi.text.entities_roles import EN_ROLES, ROLES, ZH_ROLES
from jiyi.text.names import EN_NO_NAMES, ZH_NO_NAMES, ZH_SURNAMES
from jiyi.text.patterns import regex
from jiyi.text.scripts import HAN, han_pattern
from jiyi.text.sentences import sentences

Found = tuple[str | None, str, str]
"""(whose, relation, name); None for the one who speaks."""

_PERSON: Final = r"[A-ZÀ-Þ][\w’-]+(?: [A-ZÀ-Þ][\w’-]+){0,2}"
_SPEAKER: Final = regex(rf"^({_PERSON}): ")
_NAME: Final = rf"(?P<name>{_PERSON})"
_WHOSE: Final = rf"(?:\b(?i:my|our)|(?P<whose>{_PERSON})['’]s)"
_WHICH: Final = "(?:(?:older|younger|elder|little|big|best|old|new|twin|dear) )*"
_ROLE: Final = rf"{_WHICH}(?P<role>{EN_ROLES})"
_GONE: Final = r"(?<!ex-)(?<!former )"
_ENGLISH: Final[tuple[re.Pattern[str], ...]] = (
    regex(rf"{_WHOSE} {_ROLE},? {_NAME}"),
    regex(
        rf"{_WHOSE} {_ROLE}(?:['’]s name)? (?:is|was named|is named|is called|goes by)"
        rf" (?:now |called |named )?{_NAME}"
    ),
    regex(rf"{_NAME}(?:, | is | was )(?:now )?{_WHOSE} {_GONE}{_ROLE}\b"),
    regex(rf"{_NAME}, (?:the|a|an) {_ROLE} of (?P<whose>{_PERSON})"),
    regex(rf"\b(?i:a|an|one) {_ROLE} of mine,? (?:called |named )?{_NAME}"),
)
_ORGANISATION: Final = rf"(?P<name>{EN_NAME})"
_WHO: Final = rf"(?:(?P<whose>{_PERSON})|\bI)"
_ENGLISH_VERBS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (
        regex(
            rf"{_WHO} (?:now |currently )?(?:works?|is working|am working) (?:at|for) (?:the )?"
            rf"{_ORGANISATION}"
        ),
        "employer",
    ),
    (
        regex(rf"{_WHO} (?:now |currently )?(?:lives?|is living|am living) in {_ORGANISATION}"),
        "residence",
    ),
    (regex(rf"(?P<whose>{_PERSON}) (?:is|got) (?:married|engaged) to {_NAME}"), "partner"),
    (regex(rf"\bI(?:['’]m| am| got) (?:married|engaged) to {_NAME}"), "partner"),
    (regex(rf"{_WHO} (?:founded|co-founded|runs?|owns?) {_ORGANISATION}"), "runs"),
)

_ZH: Final = f"[{HAN}]"
_ZH_NAME: Final = (
    f"(?:[小老阿](?![师家板妈爸人头]){_ZH}|[{ZH_SURNAMES}]{_ZH}{{1,2}}"
    "|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?)"
)
_VERBS: Final = "是在也很都和跟说要会有住从去来的今明昨最喜爱想把给被让已刚就特每"
_ZH_AFTER: Final = f"(?:(?!{_ZH})|(?=[{_VERBS}]))"
_ZH_PERSON: Final = f"(?P<name>{_ZH_NAME}?){_ZH_AFTER}"
_ZH_GIVEN: Final = f"(?P<name>{_ZH_NAME}?|{_ZH}{{2,3}}?){_ZH_AFTER}"
_ZH_WHOSE: Final = f"(?:(?:我们?|咱们?)(?:家|的|们家的)?|(?P<whose>{_ZH_NAME})的)"
_CHINESE: Final[tuple[re.Pattern[str], ...]] = (
    regex(f"{_ZH_WHOSE}(?:[大二三小老好亲]|最好的)?(?P<role>{ZH_ROLES}){_ZH_PERSON}"),
    regex(
        f"{_ZH_WHOSE}(?:[大二三小老好亲]|最好的)?(?P<role>{ZH_ROLES})(?:的名字)?(?:现在)?"
        f"(?:名叫|叫做?|名字叫|是叫){_ZH_GIVEN}"
    ),
    regex(f"{_ZH_WHOSE}(?P<role>{ZH_ROLES})(?:现在)?(?:换成了?)?是{_ZH_PERSON}"),
    regex(
        f"(?:^|[，。；！\\s])(?P<name>{_ZH_NAME})是{_ZH_WHOSE}(?:[大二三小老好亲]|最好的)?"
        f"(?P<role>{ZH_ROLES})(?!{_ZH}?的)"
    ),
)
_ZH_WHO: Final = (
    f"(?:(?:^|[，。；！\\s]|{ZH_ROLES})(?P<whose>{_ZH_NAME}?)|(?<![{HAN}])我)"
    "(?:现在|目前|一直|刚刚?)?"
)
_ZH_PLACE: Final = (
    f"(?P<name>(?![那这])(?:(?!一家|一个|家里|家中|外地|的)[{HAN}A-Za-z0-9]){{2,14}}?)"
    "(?<![里内中前后上下边面])"
)
_JOB_ZH: Final = f"(?:上班|工作(?![台室区间坊])|任职|就职|当{_ZH}|做{_ZH}|负责)"
_CHINESE_VERBS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (
        regex(
            f"{_ZH_WHO}在{_ZH_PLACE}(?:上班|工作(?![台室区间坊])|任职|就职|当{_ZH}|做{_ZH}|负责)"
        ),
        "employer",
    ),
    (regex(f"{_ZH_WHO}(?:就职于|任职于|供职于|入职了?){_ZH_PLACE}(?=[，。；！]|$)"), "employer"),
    (regex(f"{_ZH_WHO}住在{_ZH_PLACE}(?=[，。；！]|$)"), "residence"),
    (regex(f"{_ZH_WHO}(?:和|跟|与)(?P<name>{_ZH_NAME}?)(?:结婚|订婚|领证)"), "partner"),
)
_ROLE_EN: Final = regex(rf"(?:{EN_ROLES})\b")
_VERB_EN: Final = regex(r"\b(?:works?|working|lives?|living|married|engaged|founded|runs?|owns?)\b")
_ROLE_ZH: Final = regex(ZH_ROLES)
_VERB_ZH: Final = regex("在.+(?:上班|工作|职|[当做负])|职|入职|住在|结婚|订婚|领证")
"""Without one of these no pattern fits: a cheap test before them."""

_DENIED: Final = regex(
    r"\bnot\b|n['’]t\b|[？?]|不是|没有|并非|不在|不再|\bno longer\b", re.IGNORECASE
)


def find_relations(text: str) -> list[Found]:
    """(whose, relation, name) as `text` says it, in the order of saying; whose is None for the one
    who speaks."""
    if not any(sign.search(text) for sign in (_ROLE_EN, _VERB_EN, _ROLE_ZH, _VERB_ZH)):
        return []
    speaker = _SPEAKER.match(text)
    found: dict[Found, None] = {}
    for start, end in sentences(text):
        sentence = text[start:end]
        if _DENIED.search(sentence):
            continue
        facts = [*_in_english(sentence)]
        if han_pattern.search(sentence):
            facts += _in_chinese(sentence)
        for whose, relation, name in facts:
            if name and whose not in (name, ""):
                owner = whose if whose is not None or speaker is None else speaker[1]
                found[owner, relation, name] = None
    return list(found)


def _in_english(sentence: str) -> Iterator[Found]:
    for pattern in _ENGLISH if _ROLE_EN.search(sentence) else ():
        for match in pattern.finditer(sentence):
            yield _of(match), ROLES[match["role"].lower()], _name(match["name"])
    for pattern, relation in _ENGLISH_VERBS if _VERB_EN.search(sentence) else ():
        for match in pattern.finditer(sentence):
            yield _of(match), relation, _name(match["name"])


def _of(match: re.Match[str]) -> str | None:
    whose = match.groupdict().get("whose")
    return None if whose is None else _name(whose)


def _name(name: str) -> str:
    words = name.rstrip(".").split(" ")
    while words and (words[0].lower() in EN_NO_NAMES or words[0].endswith("ly")):
        words = words[1:]
    while words and (words[-1].lower() in EN_NO_NAMES or words[-1].islower()):
        words = words[:-1]
    return " ".join(words)


def _in_chinese(sentence: str) -> Iterator[Found]:
    for pattern in _CHINESE if _ROLE_ZH.search(sentence) else ():
        for match in pattern.finditer(sentence):
            if match["name"][:2] not in ZH_NO_NAMES:
                yield match["whose"], ROLES[match["role"]], match["name"]
    for pattern, relation in _CHINESE_VERBS if _VERB_ZH.search(sentence) else ():
        for match in pattern.finditer(sentence):
            if match["name"] not in ROLES:
                yield match["whose"], relation, match["name"]
