"""Texts that others wrote, as they may be shown."""

from __future__ import annotations

from typing import Final

# The control pictures of Unicode stand at the same distance from U+2400 as the controls from 0.
_CONTROLS: Final = {n: 0x2400 + n for n in range(32) if chr(n) not in "\n\t"} | dict.fromkeys(
    (*range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), 0xFFFD
)


def visible(text: str) -> str:
    """Text as it may be shown: characters that steer what is shown, as symbols."""
    return text.translate(_CONTROLS)
