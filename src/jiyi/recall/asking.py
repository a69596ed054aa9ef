"""Turns that state nothing: a question, or something merely supposed, is no answer by itself."""

from __future__ import annotations

import re
from typing import Final

from jiyi.text.kept import kept
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK
from jiyi.text.sentences import clauses, sentences

_LONGEST: Final = 200
"""Characters: a longer text says something somewhere."""

_FEWEST: Final = 4
"""Words from which a clause before the question says something; six characters of Chinese are four.
Shorter ones are addresses and openings ("by the way", 对了, 顺便问一下)."""

_KEPT: Final = 16_384
"""Texts of which it is kept whether they state something: the same turns come up again and again.
"""

_ASKS: Final = regex("[?？]\\s*[\"'”’」』)）]*$|(?:吗|呢|么)[。.!！~～…\\s]*$")
_SUPPOSES: Final = regex(
    r"^\W*(?:suppose|supposing|imagine|assume|assuming|pretend|what if|if (?:only )?i\b|if we\b"
    r"|假如|假设|如果|要是|假使|倘若|设想|想象)",
    re.IGNORECASE,
)
_MARKS: Final = (*"?？吗呢么假如设要倘想", "suppos", "imagin", "assum", "pretend", "what if", "if ")
"""One of these stands in every text that only asks or supposes. Most texts have none, and looking
for them one by one takes a tenth of what a pattern takes."""
_INTERROGATIVE: Final = regex(
    r"^\W*(?:(?:and|but|so|or|also|then)\s+)?(?:who|whom|whose|what|when|where|why|how|which|whether"
    r"|is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|might|has|have|had"
    r"|tell me|remind me|please)\b"
    r"|谁|什么|怎么|怎样|哪|几|多少|多久|多大|为何|是不是|有没有|能不能|可不可以|要不要|(?:吗|呢|么)\W*$",
    re.IGNORECASE,
)
_HAN: Final = regex(f"[{CJK}]")
_WORD: Final = regex(rf"[^\W_{CJK}]+(?:['’\-][^\W_{CJK}]+)*")


def states_nothing(text: str) -> bool:
    """Whether every sentence asks or supposes.

    A sentence that says something before it asks ("I have moved to Lyon, can you help me find a
    dentist?") states it.
    """
    if len(text) > _LONGEST:
        return False
    lowered = text.lower()
    return any(mark in lowered for mark in _MARKS) and _all_ask(text)


@kept(_KEPT)
def _all_ask(text: str) -> bool:
    spans = sentences(text)
    return bool(spans) and all(_only_asks(text[start:end].strip()) for start, end in spans)


def _only_asks(sentence: str) -> bool:
    if _SUPPOSES.search(sentence):
        return True
    if not _ASKS.search(sentence):
        return False
    parts = [sentence[start:end] for start, end in clauses(sentence)]
    return not any(
        _words(part) >= _FEWEST and not _INTERROGATIVE.search(part) for part in parts[:-1]
    )


def _words(text: str) -> float:
    return len(_WORD.findall(text)) + len(_HAN.findall(text)) * 2 / 3
