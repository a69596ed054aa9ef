"""Turns that state nothing: a question, something merely supposed, the order to forget something or
the remark that it is not known is no answer by itself."""

from __future__ import annotations

import re
from typing import Final

from jiyi.recall.topics import topics
from jiyi.text.kept import kept
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK
from jiyi.text.sentences import clauses, sentences
from jiyi.text.terms import query_terms

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
_MARKS: Final = (
    *"?？吗呢么假如设要倘想忘删抹除不没别",
    *("suppos", "imagin", "assum", "pretend", "what if", "if "),
    *("forget", "rememb", "delete", "erase", "remove", "wipe"),
    *("n't", "n’t", " not ", "have no", "no idea", "nothing is", "never "),
)
"""One of these stands in every text that states nothing. Many texts have none, and looking for them
one by one takes a tenth of what a pattern takes."""
_FORGETS: Final = regex(
    r"^\W*(?:(?:please|now|ok(?:ay)?|and|can you|could you|would you|you can|just)[\s,]+)*"
    r"(?:forget\b|(?:do not|don['’]t) remember\b|stop remembering\b|(?:delete|erase|remove|wipe)"
    r" (?:what|that|all|everything|anything|the (?:fact|memory|memories)|my (?:data|memories))\b)"
    r"|^\W*(?:请|麻烦|你|帮我|那|就|快|把)*(?:忘掉|忘了|忘记|别再?记|不要再?记"
    r"|(?:删掉|删除|清除|抹掉)(?:我|关于|刚才|那条|这条|所有|全部))"
    r"|^\W*把.{1,40}(?:忘掉|忘了|删掉|删了|抹掉)(?:吧|了)?\W*$",
    re.IGNORECASE,
)
_DENIES: Final = regex(
    r"^\W*(?:(?:sorry|but|well|hm+|unfortunately|i'm afraid|i am afraid)[\s,]+)*"
    r"(?:i (?:do not|don['’]t) (?:know|have|recall|remember|see|find)\b|i(?: am|['’]m) not sure\b"
    r"|i have (?:no|nothing)\b|no idea\b|(?:you|nobody) (?:have not|haven['’]t|never|did not"
    r"|didn['’]t) (?:told|tell|mentioned?|said|say)\b|nothing is (?:known|recorded|stored)\b)"
    r"|^\W*(?:(?:抱歉|对不起|不好意思|很遗憾|目前|但是?|我|这个|也|还)[，,、\s]*)*"
    r"(?:不知道|不清楚|不记得|不确定|没有(?:关于|相关|找到|记录|这方面|查到)|没(?:找|查)到|没有?记[住录过])"
    r"|^\W*(?:您|你)(?:好像|似乎|还|也)*没有?(?:告诉|说|提|跟我)",
    re.IGNORECASE,
)
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
    """Whether every sentence asks, supposes, orders to forget or says that something is not known.

    A sentence that says something before it asks ("I have moved to Lyon, can you help me find a
    dentist?") states it.
    """
    if len(text) > _LONGEST:
        return False
    lowered = text.lower()
    return any(mark in lowered for mark in _MARKS) and _all_ask(text)


def only_repeats(text: str, question: str) -> bool:
    """Whether what states nothing is about nothing but what `question` asks: it cannot hold the
    answer, however near its words are."""
    if _FORGETS.search(text):
        return True
    named = {term for phrase in topics(text) for term in query_terms(phrase)}
    return named <= query_terms(question).keys()


@kept(_KEPT)
def _all_ask(text: str) -> bool:
    spans = sentences(text)
    return bool(spans) and all(_only_asks(text[start:end].strip()) for start, end in spans)


def _only_asks(sentence: str) -> bool:
    if _SUPPOSES.search(sentence) or _FORGETS.search(sentence):
        return True
    parts = [sentence[start:end] for start, end in clauses(sentence)]
    if _ASKS.search(sentence):
        return all(map(_says_nothing, parts[:-1]))
    return bool(_DENIES.search(sentence)) and all(map(_says_nothing, parts))


def _says_nothing(part: str) -> bool:
    return _words(part) < _FEWEST or bool(_INTERROGATIVE.search(part)) or bool(_DENIES.search(part))


def _words(text: str) -> float:
    return len(_WORD.findall(text)) + len(_HAN.findall(text)) * 2 / 3
