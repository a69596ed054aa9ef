"""How single things are shown: ids, dates and ages, numbers, and texts that others wrote."""

from __future__ import annotations

from datetime import datetime

from jiyi.recall.age import age_in_words

SHORT = 8  # characters of an id's random tail that people see and may type

# The control pictures of Unicode stand at the same distance from U+2400 as the controls from 0.
_CONTROLS = {n: 0x2400 + n for n in range(32) if chr(n) not in "\n\t"} | dict.fromkeys(
    range(127, 160), 65533
)


def short(id: str) -> str:
    """The random tail of an id, enough to tell memories apart; commands accept it."""
    return id[-SHORT:]


def age(moment: datetime, now: datetime) -> str:
    """How long ago, in words."""
    return age_in_words(moment, now, "en")


def day(moment: datetime | None) -> str:
    """The date as it was where it was told, or a dash."""
    return "–" if moment is None else moment.strftime("%Y-%m-%d")


def day_and_age(moment: datetime | None, now: datetime) -> str:
    return "–" if moment is None else f"{day(moment)}\n{age(moment, now)}"


def visible(text: str) -> str:
    """Text as it may be shown: control characters, which could steer a terminal, as symbols."""
    return text.translate(_CONTROLS)


def number_of(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
