"""Erasing what is asked for by a question word, in both languages: "forget where I live", "forget
everything about X", 忘掉我多大."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.results import Erase
from jiyi.encode.rules.topics import trimmed
from jiyi.text.patterns import regex

_ASK: Final = (
    r"(?:^|[.!;,]\s+)(?:(?:please|now|ok(?:ay)?|and|can you|could you|would you|you can|you should|"
    r"i want you to|i(?:'d| would) like you to|just)[\s,]+)*"
)
_VERB: Final = r"(?:forget|delete|erase|remove|wipe|purge)(?: the fact of)?"
REMEMBER_NO_MORE: Final = r"(?:(?:do not|don['’]t) remember|stop remembering)"
KEEP_NO_MORE: Final = r"(?:(?:do not|don['’]t) (?:keep|store|save)|stop (?:keeping|storing|saving))"
_END: Final = r"(?:\s+(?:please|now|for good|completely|entirely|again|too|as well))*\s*[.!]*\s*$"
_ALL_ABOUT: Final = regex(
    rf"{_ASK}{_VERB} (?:everything|anything|all(?: (?:the )?(?:facts|details|memories|"
    rf"info(?:rmation)?"
    rf"|things))?|whatever)(?: (?:that )?(?:you know|we (?:said|discussed)|i (?:said|told you)|"
    rf"there is))? (?:about|on|regarding|concerning|related to) (?P<a>[^.,;!?\n]{{2,60}}?){_END}",
    re.IGNORECASE,
)
_WH_EN: Final = regex(
    rf"{_ASK}(?:{_VERB}|{REMEMBER_NO_MORE}|{KEEP_NO_MORE}) (?:about )?"
    rf"(?P<a>(?:where|how|what|who|when|which|whether)\b[^.,;!?\n]*?\b(?:i|my|we|our)\b[^.,;!?\n]{{0,40}}?){_END}",
    re.IGNORECASE,
)
_WH_ZH: Final = regex(
    r"(?:^|[，,。；！]\s*)(?:请|麻烦|你|帮我|把|就|快|赶紧|可以)*(?:忘掉|忘了|忘记|删掉|删除|清除|抹掉|"
    r"(?:别|不要)再?记(?:着|住|得)?)"
    r"(?P<a>我(?:们)?[^，。！？]{0,14}?(?:哪[里儿个]?|多大|几岁|什么|谁|多少|几[号点]|怎么称呼)"
    r"[^，。！？]{0,8}?)(?:了|吧)*[。！!]*$"
)
DO_NOT_FORGET: Final = regex(
    r"(?:别|不要|不能|千万别|可别|没|不会|不)(?:忘|删)|\b(?:don't|do not|never|won't|can't|"
    r"cannot) (?:forget|delete|remove|erase)\b",
    re.IGNORECASE,
)
# The word of the slot that a question asks for.
_SLOT_WORDS: Final = (
    (regex(r"how old|多大|几岁", re.IGNORECASE), "age", "年龄"),
    (
        regex(r"\bwork (?:for|at)|where\b.*\bwork|哪.*(?:工作|上班)", re.IGNORECASE),
        "employer",
        "公司",
    ),
    (regex(r"\bdo for (?:work|a living)|什么工作|做什么", re.IGNORECASE), "job", "职业"),
    (
        regex(r"where\b.*\b(?:live|home)|住.*哪|哪.*住", re.IGNORECASE),
        "where I live",
        "住在哪里",
    ),
    (regex(r"where\b.*\bfrom|哪里人", re.IGNORECASE), "hometown", "老家"),
    (regex(r"\b(?:name is|am called)|叫什么", re.IGNORECASE), "name", "姓名"),
    (regex(r"\b(?:birthday|born)|生日", re.IGNORECASE), "birthday", "生日"),
    (
        regex(r"\b(?:earn|paid|make|salary)\b|工资|挣多少|赚多少", re.IGNORECASE),
        "salary",
        "工资",
    ),
    (regex(r"\bdrive\b|开什么车", re.IGNORECASE), "car", "开什么车"),
    (regex(r"allerg|过敏", re.IGNORECASE), "allergy", "过敏"),
    (regex(r"\bweigh|多重|体重", re.IGNORECASE), "weight", "体重"),
    (regex(r"\btall\b|多高|身高", re.IGNORECASE), "height", "身高"),
)
_OWN: Final = regex(r"^(?:my|our|the)\s+", re.IGNORECASE)


def asked_to_forget(start: int, sentence: str) -> Erase | None:
    """What a sentence that begins at `start` of its turn asks to erase by a question word."""
    match = _ALL_ABOUT.search(sentence)
    if match is not None and not re.fullmatch(r"me|us|it|that|this", match["a"], re.IGNORECASE):
        return Erase(_OWN.sub("", trimmed(match["a"])), span_of(start, match))
    for pattern, chinese in ((_WH_EN, False), (_WH_ZH, True)):
        if (match := pattern.search(sentence)) is not None:
            for asked, en, zh in _SLOT_WORDS:
                if asked.search(match["a"]):
                    return Erase(zh if chinese else en, span_of(start, match))
    return None


def span_of(start: int, match: re.Match[str]) -> tuple[int, int]:
    """The span in the turn of a match in the sentence that begins at `start`."""
    text = match.group()
    left = len(text) - len(text.lstrip(" ,，;；.。!！"))
    return (start + match.start() + left, start + match.start() + len(text.rstrip()))
