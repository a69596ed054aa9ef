"""Instructions that take others back, in both languages: "stop using tables", 不用表格了."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.preferences_en import LIKE, liking
from jiyi.encode.slots import family_of
from jiyi.text.patterns import regex
from jiyi.types import Draft

_STOP_USING: Final = regex(
    r"^(?:please )?(?:stop|quit) using (?P<a>[^,;.]{2,40}?)(?: from now on| please)*$"
    r"|^(?:请|以后)*(?:别|不要)再?用(?P<b>[^，。]{1,16}?)(?:了|啦)?$",
    re.IGNORECASE,
)
_NO_MORE_ZH: Final = regex(
    r"^(?:以后|现在|你|就|也)*(?:不用|别|不要|不必|不需要)(?:再|用|每次都?)*(?P<a>[^，。我你这那]{2,10}?)(?:了|啦)$"
)

Earlier = Iterable[tuple[Draft, str]]
"""Facts said before, newest first."""


def revoked(clause: Clause, earlier: Earlier) -> Finding | None:
    """不用表格了 after 以后用表格回答: the instruction holds no longer."""
    match = _NO_MORE_ZH.match(clause.text) if clause.language == "zh" else None
    if match is None:
        return None
    for draft, _ in earlier:
        slot = draft.slot
        if slot is None or family_of(slot.attribute) not in ("instruction", "format"):
            continue
        if match["a"] in draft.text:
            return Finding(slot.attribute, "dont", importance=0.7, tags=("要求",))
    return None


def dropped(clause: Clause, earlier: Earlier) -> Finding | None:
    """ "Stop using tables" after "I like tables": the liking has ended as well."""
    match = _STOP_USING.match(clause.text.rstrip(".!。！ "))
    if match is None:
        return None
    thing = match["a"] or match["b"]
    stopped = liking(thing, "stopped", strength=2)
    for draft, _ in earlier:
        slot = draft.slot
        if stopped and slot and (slot.attribute, slot.value) == (stopped.attribute, LIKE):
            text = f"I no longer like {thing}" if match["a"] else f"我不再喜欢{thing}"
            return replace(stopped, text=text)
    return None
