"""Which of many statements could contradict another at all: a look at their rare words.

A rule of `conflicts` only ever meets statements that are one statement apart from negations,
opposites, numbers and what `wording` drops. Whoever differs in any other word of length meets
nobody. That is far cheaper to see than what each says, so that only the few that are left are read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Final

from jiyi.resolve.wording import singular, topic_key
from jiyi.text.kept import until_erased
from jiyi.text.normalise import fold
from jiyi.text.scripts import CJK

if TYPE_CHECKING:
    from jiyi.types import Slot

_PIECE: Final = re.compile(f"[{CJK}]|[^\\W\\d_{CJK}]+")
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_SHORTEST: Final = 4  # letters of a word that tells; what contractions leave over is shorter

# Words that two statements of one frame may hold differently: fillers, negations, opposites, names
# of the user, what contractions stand for.
_WORDS: Final = (
    "really very quite just also please that mine user does will have cannot without never always "
    "like love enjoy dislike hate detest stand allow allowed permitted forbid forbidden prohibited "
    "banned enable enabled disable disabled switched turned"
)
_CHARACTERS: Final = frozenset("的很也就呢吧啊呀哦嘛我你您用户本人有不没未非无别") | frozenset(
    "勿喜欢爱吃喝讨厌恶反感允许准禁止需要必须打开启关闭掉停"
)
_MAY_DIFFER: Final = frozenset((*_WORDS.split(), *_CHARACTERS))

Told = tuple[str, str, "Slot | None", bool]
"""A live statement: id, text, slot, and whether all users of the tenant share it."""


def suspects(statements: Iterable[Told]) -> list[str]:
    """The ids of those that a rule of `conflicts` could tie to another one, in their order."""
    blocks: dict[Hashable, list[str]] = defaultdict(list)
    order: list[str] = []
    for id, text, slot, shared in statements:
        order.append(id)
        blocks[rare_words(text)].append(id)
        if slot is not None and (slot.cardinality == "one" or shared):
            blocks[place_of(slot)].append(id)
    met = {id for block in blocks.values() if len(block) > 1 for id in block}
    return [id for id in order if id in met]


def place_of(slot: Slot) -> tuple[str, ...]:
    """Equal for slots that are one place, in whatever words its topic stands."""
    family, _, topic = slot.attribute.partition("/")
    return (slot.subject, family, *(sorted(topic_key(topic)) or (topic,)))


def rare_words(text: str) -> frozenset[str]:
    """Equal for texts of one frame (see `conflicts`)."""
    plain = fold(text if text.isascii() else text.translate(_INVISIBLE))
    for mark in ("n't", "n’t"):
        if mark in plain:
            plain = plain.replace(mark, " ")
    return frozenset(filter(None, map(_telling, _PIECE.findall(plain))))


@until_erased(65_536)
def _telling(word: str) -> str:
    plain = singular(word)
    short = len(plain) < _SHORTEST and plain.isascii()
    return "" if short or word in _MAY_DIFFER or plain in _MAY_DIFFER else plain
