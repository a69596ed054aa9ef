"""Likings and habits that are taken up again, in both languages: "jazz has grown on me again",
"I eat meat again", 又开始吃肉了."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.preferences_en import LIKE, liking
from jiyi.encode.rules.products import is_product
from jiyi.encode.rules.topics import thing_topic, trimmed
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_GROWN: Final = regex(
    r"(?P<v>[\w' -]{2,40}?)(?: has| have| is| are|['’]s|['’]ve) "
    r"(?:really |finally |slowly |now |also )*"
    r"(?:grown|growing) on me(?: again| lately| recently| now| a lot)*$",
    re.IGNORECASE,
)
_VERBS: Final = (
    r"(?P<verb>eat|drink|smok|us|play|watch|listen|do)(?:e|ing|s)?(?: to)?"
    r"(?: (?P<v>[^,;.]{2,40}?))?"
)
_AGAIN: Final = regex(
    rf"(?:(?:have |has )?(?:just |recently )?(?:started|begun|began|resumed|taken up|took up|"
    rf"went back to|gone back to)(?: to)? |(?:am|is|are) (?:now )?|(?:now )?){_VERBS} again"
    rf"(?: now| these days| lately)?$"
    rf"|(?:am|is|are) back (?:to|on) (?P<verb2>eat|drink|smok|us|play|watch|listen)ing(?: to)?"
    rf"(?: (?P<v2>[^,;.]{{2,40}}?))?(?: again| now| these days)*$",
    re.IGNORECASE,
)
_AGAIN_ZH: Final = regex(
    r"^(?:我们?|咱们?)?(?:现在|最近|已经|终于|如今|今年)*"
    r"(?:(?:又|再次|再度)(?:重新)?(?:开始|能|可以|恢复|敢)|重新(?:开始|能|可以|恢复)?)"
    r"(?P<verb>吃|喝|抽|用|玩|听|看|打|练|弹)(?!到|见|得)(?:上|起|回)?(?P<v>[^，。了来]{1,10}?)(?:来)?(?:了|啦)$"
    r"|^(?:我们?|咱们?)?(?:现在|最近|已经|终于)*又(?P<verb2>吃|喝|抽|用|玩|听|弹)(?:起|上|回)"
    r"(?P<v2>[^，。了来]{1,10}?)(?:来)?(?:了|啦)$"
)
_NO_OBJECT: Final = regex(
    r"(?:alone|out|in|at|too|late|well|lunch|dinner|breakfast|together|with|here|there|it|this|that|"
    r"these|those|a lot|less|more|from|for|my|the same)\b|^(?:多|醉|完|饱|错|东西|饭|药|班|一)",
    re.IGNORECASE,
)


def regained(clause: Clause) -> Finding | None:
    """What the speaker likes, or does as a habit, again."""
    text = clause.text.strip().rstrip(".!。！ ")
    if (match := _GROWN.match(text)) is not None:
        found = liking(match["v"], LIKE, strength=2)
        return None if found is None or not match["v"].strip() else _of_speaker(found)
    if clause.language == "en":
        match = (
            _AGAIN.match(clause.predicate) if clause.subject_words in ("I", "We", "we") else None
        )
    else:
        match = _AGAIN_ZH.match(text) if clause.subject == "user" else None
    if match is None:
        return None
    verb = match["verb"] or match["verb2"]
    return _taken_up(verb.lower(), trimmed(match["v"] or match["v2"] or ""))


def _of_speaker(found: Finding) -> Finding:
    """Of whoever says "on me", although the thing is the subject."""
    return Finding(
        found.attribute,
        found.value,
        importance=found.importance,
        confidence=found.confidence,
        strength=found.strength,
        subject="user",
    )


def _taken_up(verb: str, thing: str) -> Finding | None:
    if verb == "smok" or (verb == "抽" and thing == "烟"):
        return Finding("smoking", "yes", importance=0.7)
    if verb == "drink" and not thing:
        return Finding("drinking", "yes", importance=0.7)
    if not thing or _NO_OBJECT.match(thing) or " with " in thing:
        return None
    if verb in ("us", "用"):
        if not is_product(thing):
            return None
        return Finding(with_topic("tool", thing_topic(thing)), thing, importance=0.6)
    return liking(thing, LIKE, strength=2)
