"""What changed between two wordings, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final, Literal, NamedTuple

from jiyi.text.scripts import CJK

_WORD: Final = re.compile(rf"[{CJK}]|[^\W{CJK}]+|\s+|[^\w\s]")


class Piece(NamedTuple):
    """A stretch of text that both have, only the new one, or only the old one."""

    change: Literal["same", "new", "old"]
    text: str


def differences(old: str, new: str) -> tuple[Piece, ...]:
    """The new text with what it lost and gained, in reading order."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    pieces: list[Piece] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            pieces.append(Piece("same", "".join(before[a:b])))
            continue
        if b > a:
            pieces.append(Piece("old", "".join(before[a:b])))
        if d > c:
            pieces.append(Piece("new", "".join(after[c:d])))
    return tuple(pieces)
