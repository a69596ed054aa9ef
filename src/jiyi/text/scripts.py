"""Which characters belong to which script: the one place that holds the ranges."""

from __future__ import annotations

import re
from typing import Final

from jiyi.text.patterns import regex

HAN: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters with 々〆〇, as the inside of a regular expression's character class."""

CJK: Final = HAN + "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uac00-\ud7a3"
"""Scripts that are searched by characters and pairs: Chinese, kana, hangul syllables."""


def without(ranges: str, characters: str) -> str:
    """A character class of ranges without some characters: "a-e" without "c" is "a-bd-e"."""
    cuts = sorted(map(ord, characters))
    result: list[str] = []
    for first, last in re.findall("(.)-(.)", ranges, re.DOTALL):
        start = ord(first)
        for cut in (*(c for c in cuts if ord(first) <= c <= ord(last)), ord(last) + 1):
            if start < cut:
                result.append(f"{chr(start)}-{chr(cut - 1)}")
            start = cut + 1
    return "".join(result)


EMOJI: Final = (
    "\u2600-\u27bf\u2b50\u2b55\U0001f1e6-\U0001f1ff\U0001f300-\U0001f64f\U0001f680-\U0001f6ff"
    "\U0001f900-\U0001f9ff\U0001fa70-\U0001faff"
)

han_pattern: Final = regex(f"[{HAN}]")
