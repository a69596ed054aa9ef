"""Which of the two languages a text is mostly in."""

from __future__ import annotations

from typing import Final, Literal

from jiyi.text.patterns import regex
from jiyi.text.scripts import HAN

Language = Literal["zh", "en"]

_UNITS: Final = regex(f"([{HAN}])|[^\\W\\d_{HAN}]+")
_WORD_WEIGHT: Final = 1.7
"""One English word says about as much as 1.7 Chinese characters (a Chinese word has 1.5–2)."""


def language_of(text: str) -> Language:
    """The language of most of the text: Chinese characters against words of other scripts.

    A text with neither (numbers, emoji) counts as English.
    """
    han = words = 0
    for match in _UNITS.finditer(text):
        if match.group(1):
            han += 1
        else:
            words += 1
    return "zh" if han and han >= words * _WORD_WEIGHT else "en"
