"""A move that is still to come, in both languages: a plan, and no change of home yet."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.products import PRODUCTS
from jiyi.encode.rules.topics import trimmed
from jiyi.encode.rules.values_en import STOP
from jiyi.text.patterns import regex

_EN: Final = regex(
    rf"(?:(?:am|is|are) (?:moving|relocating)|(?:will|(?:am|is|are) (?:going|about) to) (?:be )?"
    rf"(?:move|moving|relocate))(?: back| out| over)?(?: from [^,;]{{2,30}}?)? to "
    rf"(?P<v>(?:the )?(?-i:[A-Z])[^,;()]{{1,50}}?){STOP}",
    re.IGNORECASE,
)
_ZH: Final = regex(
    r"(?:要|就要|会|将要?|就|马上|快要|即将)*(?:搬家?|迁)(?:到|去|回)(?P<v>[^，。了]{2,20}?)(?:了|住|去)*$"
)
_AHEAD_ZH: Final = regex(
    r"明年|后年|明天|后天|下个?(?:周|月|星期|礼拜|季度|学期|半年)|年底|月底|过(?:几天|两天|段时间)|"
    r"要搬|要迁|会搬|将要?搬|马上|即将|快要"
)


def planned_move(clause: Clause) -> Finding | None:
    """The place that somebody says they are going to move to."""
    if clause.language == "en":
        match, topic = _EN.match(clause.predicate), "move"
        if not (clause.subject_words or clause.lead):
            return None
    else:
        match, topic = _ZH.match(clause.predicate), "搬家"
        if not _AHEAD_ZH.search(clause.text):
            return None
    place = trimmed(match["v"]) if match is not None else ""
    if not place or place.lower() in PRODUCTS:
        return None
    return Finding(f"plan/{topic}", place, kind="episodic", importance=0.65, event="plan")
