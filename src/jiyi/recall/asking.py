"""Turns that state nothing: a question, or something merely supposed, is no answer by itself."""

from __future__ import annotations

import re
from typing import Final

from jiyi.text.patterns import regex
from jiyi.text.sentences import sentences

_LONGEST: Final = 400
"""Characters: a longer text says something somewhere."""

_ASKS: Final = regex("[?？]\\s*[\"'”’」』)）]*$|(?:吗|呢|么)[。.!！~～…\\s]*$")
_SUPPOSES: Final = regex(
    r"^\W*(?:suppose|supposing|imagine|assume|assuming|pretend|what if|if (?:only )?i\b|if we\b"
    r"|假如|假设|如果|要是|假使|倘若|设想|想象)",
    re.IGNORECASE,
)


def states_nothing(text: str) -> bool:
    """Whether every sentence asks or supposes."""
    if len(text) > _LONGEST:
        return False
    spans = sentences(text)
    return bool(spans) and all(
        _ASKS.search(part) or _SUPPOSES.search(part)
        for part in (text[start:end].strip() for start, end in spans)
    )
