"""When two memories say the same in other words: what consolidation may put together.

Wider than `wording`, because a merge of consolidation is checked over both whole texts and can be
undone. A text is cut into clauses, a clause into pieces at the words that only frame it: who
speaks, that it is liked, wished or asked for, politeness, particles. The pieces are its gist.
Whatever changes the meaning (numbers, names, negation, tense, conditions) stays a piece, so that
texts with one gist say one thing.
"""

from __future__ import annotations

import re
from typing import Final

from jiyi.resolve.wording import singular
from jiyi.text.kept import until_erased
from jiyi.text.normalise import canonical
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK

Gist = frozenset[str] | tuple[str, ...]
"""The pieces of a clause, without order where order carries no meaning."""

_BORDER: Final = regex(r"[;；,，。!！?？\n()（）【】\[\]]+|\.(?=\s|$)|\s[-–—]+\s")
_LABEL: Final = regex(r"^(?:[^:：]{1,12}|[a-z ]{1,30})[:：](?!//|\d)\s*")
_WORD: Final = regex(f"[{CJK}]+|[^\\W_{CJK}]+(?:[-'’.@:/+&,_][^\\W_{CJK}]+)*(?:\\+\\+|#)?")
_HAN: Final = regex(f"[{CJK}]+")

# Longest first, because 喜欢 holds nothing that 最喜欢 does not.
_FRAME_ZH: Final = regex(
    "比较喜欢|特别喜欢|非常喜欢|习惯于|更愿意|倾向于|的时候|的方式|的形式|"
    "用户|本人|自己|喜欢|喜爱|偏好|偏爱|热爱|倾向|习惯|愿意|平时|平常|一直|通常|一般|总是|"
    "特别|非常|比较|十分|尽量|最好|务必|记得|麻烦|请|以后|今后|方式|形式|的话|一点|一些|一下|"
    "对我说|给我|跟我|向我|我们|我|爱|需|应该|应当|就|都|也|很|挺|蛮|更|的|地|得|了|着|呢|吧|啊|呀|"
    "是|用|以|把|来|在|中|里|时"
)
_FRAME_WORDS: Final = (
    "a an the i i'm me my mine we our your user be am is are it its that this of in on with for as "
    "to like likes love loves enjoy enjoys prefer prefers please keep give should always usually "
    "generally really very quite just also so much do does when whenever and something"
)
_FRAME_EN: Final = frozenset(_FRAME_WORDS.split())
_FAN: Final = regex(r"\ba (?:big |huge )?fan\b|\ba (?:lot|bit)\b")
_WANT: Final = regex(r"\b(?:i'd|i would|would) like\b|\bwants?\b|\bneeds?\b")
_TELLING_ZH: Final = {
    "答复": "回答",
    "回复": "回答",
    "简短": "简洁",
    "精简": "简洁",
    "简明": "简洁",
}
_TELLING_EN: Final = {
    **dict.fromkeys(("reply", "response", "respond", "answering"), "answer"),
    **dict.fromkeys(("brief", "short", "briefly", "succinct"), "concise"),
}
# What the speaker likes or asks for has no order: concise answers, answers that are concise. In any
# other statement the order says who does what to whom.
_MANNER_EN: Final = r"(?: (?:am|do|really|also|usually|always|just|quite|very|much))*"
_MANNER_ZH: Final = (
    "(?:们|平时|平常|一直|通常|一般|总是|特别|非常|比较|还是|更|都|也|很|最|就|蛮|挺)*"
)
_FREE: Final = regex(
    rf"\b(?:i|i['’]m|user){_MANNER_EN} (?:likes?|loves?|enjoys?|prefers?|a (?:big |huge )?fan)\b"
    rf"|(?:我|用户){_MANNER_ZH}(?:喜欢|喜爱|爱|偏好|偏爱|热爱|倾向|习惯)"
    r"|\bplease\b|\bshould\b|请|麻烦|尽量|最好|务必|应该|应当"
)
# Words after which the order of what they join is the meaning: tea to coffee, 从甲到乙.
_RELATES: Final = regex(
    r"\b(?:to|than|from|before|after|over|under|not|instead|rather|for|if|unless|by|into)\b"
    r"|比|从|到|先|后|前|给|被|不|没|别|换|改|代替"
)
_CONDITION: Final = regex(
    r"\b(?:if|unless|except|but|only when|used to|no longer|maybe|perhaps|however|although)\b"
    r"|如果|假如|要是|除非|除了|但|可是|不过|曾经|以前|不再|可能|也许|虽然"
)


@until_erased(8192)
def gists(text: str) -> tuple[Gist, ...]:
    """The gist of each clause, in order; a clause that only frames has none."""
    plain = re.sub(r"n['’]t\b", " not", canonical(text))
    found: list[Gist] = []
    for clause in _BORDER.split(plain):
        said = _LABEL.sub("", clause.strip())
        if pieces := _pieces(_WANT.sub(" wanted ", _FAN.sub(" ", said))):
            free = _FREE.search(said) is not None and _RELATES.search(said) is None
            found.append(frozenset(pieces) if free else tuple(pieces))
    return tuple(found)


def gist_key(text: str) -> frozenset[Gist] | None:
    """Equal for texts that say the same, clause by clause in any order; None for a text with too
    little in it to tell."""
    found = frozenset(gists(text))
    telling = any(len(piece) > 1 for gist in found for piece in gist)
    return found if telling else None


def covers(longer: str, shorter: str) -> bool:
    """Whether every clause of one text is a clause of the other, which only adds further ones.

    A condition or exception anywhere in the longer text may bear on what both say: then not.
    """
    small, big = gist_key(shorter), gist_key(longer)
    if small is None or big is None or not small < big:
        return False
    return _CONDITION.search(canonical(longer)) is None


def _pieces(clause: str) -> list[str]:
    pieces: list[str] = []
    for word in _WORD.findall(clause):
        if not _HAN.fullmatch(word):
            plain = singular(word)
            if word not in _FRAME_EN and plain not in _FRAME_EN:
                pieces.append(_TELLING_EN.get(plain, plain))
            continue
        pieces += [_TELLING_ZH.get(part, part) for part in _FRAME_ZH.split(word) if part]
    return pieces
