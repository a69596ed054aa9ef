"""Support that a memory only has through the words of its slot.

A fact is also indexed under the words for what it fills, so that "what town do I live in" finds "I
live in Porto". Those words speak of the one whose fact it is: a question that names something else
("the capital of France") is not answered by a home because both speak of a town. Nor is one that
compares all that the word stands for ("the largest city", 哪家公司最大): one's own is one of many.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jiyi.recall.intent import names_oneself, without_the_user
from jiyi.recall.light_words import (
    ATTRIBUTES_ZH,
    FUNCTION_ZH,
    HAN_RUN,
    MEASURES_ZH,
    RELATIVE_ZH,
    VERBS_ZH,
    han_pattern_of,
    word_list,
)
from jiyi.recall.topics import topics
from jiyi.text.patterns import regex
from jiyi.text.terms import query_terms, term_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jiyi.recall.candidate import Candidate

_KEPT: Final = 0.2  # of the support that only the words of a slot give
_LIGHT: Final = han_pattern_of(FUNCTION_ZH, RELATIVE_ZH, VERBS_ZH, ATTRIBUTES_ZH, MEASURES_ZH)
_UNKNOWN: Final = 2
_CLASSES: Final = frozenset(
    word_list(
        "residence hometown employer workplace occupation position department school major "
        "education pet vehicle device tool language nationality religion medication"
    )
)
"""Attributes whose words also stand for things of the world, of which one's own is one of many.
There is no largest hobby but somebody's."""
_SIZE_ZH: Final = "大小多少高低长短快慢远贵便宜好坏差难易冷热美强弱重轻老深忙累"
_COMPARES: Final = regex(
    # 最近, 最新, 最后 and "latest" say which of one's own; 最喜欢 and "favourite" are somebody's.
    r"[最更](?!近|新|后|先|初|早|晚|终|开始|喜|爱|想|讨厌|怕|常)"
    rf"|^(?:哪|什么)[^，。？?]{{1,6}}?(?:比较|较)?(?:[{_SIZE_ZH}]|便宜|漂亮|厉害|出名|有名)"
    r"(?:一些|一点|些|点)?[？?。啊呢呀]*$"
    r"|\b(?!(?:latest|newest|earliest|interest|request|test)\b)\w{3,}est\b|\bworst\b"
    r"|\b(?:most|least|more|less)\b(?! (?:recent|recently|often)\b)",
    re.IGNORECASE,
)


def take_back(
    candidates: Sequence[Candidate],
    query: str,
    support: Mapping[str, float],
    words_of: Callable[[str], Sequence[str]],
) -> None:
    """Lower the `matched` of memories that hold a word for their slot of what a question is about
    and nothing of something else that it names. A question about who asks is left alone.

    Args:
        support: what holding each term of the question says (see `support.support_weights`).
        words_of: the words that an attribute is indexed under.
    """
    text = without_the_user(query)
    if names_oneself(text):
        return
    compares = _COMPARES.search(text) is not None
    named: list[set[str]] | None = None
    for candidate in candidates:
        memory = candidate.stored.memory
        if memory is None or memory.slot is None:
            continue
        words = " ".join(words_of(memory.slot.attribute))
        own = set(term_weights(memory.text).counts)
        lent = set(query_terms(words))
        one_of_many = compares and memory.slot.attribute.partition("/")[0] in _CLASSES
        if not one_of_many:
            lent -= own
        borrowed = sum(weight for term, weight in support.items() if term in lent)
        if not borrowed:
            continue
        if named is None and not one_of_many:
            named = [set(query_terms(phrase)) for phrase in topics(text)]
        if (
            one_of_many
            or any(phrase.isdisjoint(own | lent) for phrase in named or ())
            or _more(text, memory.text + words)
        ):
            candidate.matched = max(0.0, candidate.matched - (1 - _KEPT) * borrowed)


def _more(question: str, known: str) -> bool:
    """Whether a Chinese question holds two characters or more that are neither known nor light."""
    left = {c for run in HAN_RUN.findall(_LIGHT.sub("", question)) for c in run}
    return len(left - set(known)) >= _UNKNOWN
