"""Remembered text shown to a model as data: inside a block that it cannot close by itself."""

from __future__ import annotations

import re
from typing import Final, Literal

Block = Literal["memory", "transcript"]
"""The two blocks of a context. Messages that carry them back are not taken for the user's words
(see `jiyi.encode.guard`)."""

# Characters nobody sees, with which a tag could be hidden, and controls except tab and line feed.
# U+200D stays: it joins the parts of one emoji.
_UNSEEN: Final = dict.fromkeys(
    code
    for first, last in (
        *((0, 8), (11, 31), (127, 159), (0xAD, 0xAD), (0x200B, 0x200C), (0x200E, 0x200F)),
        *((0x202A, 0x202E), (0x2060, 0x2069), (0xFEFF, 0xFEFF)),
    )
    for code in range(first, last + 1)
)
# Our own tags in any spelling, and the markers with which chat templates begin a role.
_MARKER: Final = re.compile(
    r"[<＜](?=[\s\u200d/／]*(?:memor(?:y|ies)|transcript)\b)|[<＜](?=[|｜])|[<＜](?=[<＜]?/?sys)",
    re.IGNORECASE,
)


def quoted(text: str) -> str:
    """One remembered text as it stands inside a block: no tag of ours, no role marker, no unseen
    characters; lines after the first are indented, so that none begins a list or a heading."""
    if text.isprintable():  # one line, with nothing unseen in it: by far the most
        plain = text.strip()
    else:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        plain = "\n  ".join(line.translate(_UNSEEN) for line in lines)
    return _MARKER.sub("‹", plain) if "<" in plain or "＜" in plain else plain


def opening(block: Block) -> str:
    return f"<{block}>"


def closing(block: Block) -> str:
    return f"</{block}>"
