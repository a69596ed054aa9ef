"""Small numbers as people write them: 15, fifteen, 十五, 两, a couple of, 半."""

from __future__ import annotations

from typing import Final

ZH_DIGITS: Final = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "两": 2,
    "俩": 2,
}

_EN_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_EN_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
EN_NUMBERS: Final = (
    {word: i for i, word in enumerate(_EN_SMALL.split())}
    | {word: 10 * (i + 2) for i, word in enumerate(_EN_TENS.split())}
    | {"a": 1, "an": 1}
)
EN_NUMBER: Final = (
    "[0-9]{1,4}|(?:twenty|thirty|forty|fifty)[- ](?:one|two|three|four|five|six|seven|eight|nine)|"
    + "|".join(sorted(EN_NUMBERS, key=len, reverse=True))
)
"""Pattern of a count in English text (lower case)."""


def zh_number(text: str) -> int | None:
    """The value of 15, 十五, 二十, 一百二十, 二〇 or 两; None when it is no number."""
    if text.isascii():
        return int(text) if text.isdigit() else None
    if "十" not in text and "百" not in text:
        digits = [ZH_DIGITS.get(c) for c in text]
        if not digits or None in digits:
            return None
        return int("".join(map(str, digits)))
    total = 0
    hundreds, sign, rest = text.rpartition("百")
    if sign:
        count = ZH_DIGITS.get(hundreds)
        if count is None:
            return None
        total = count * 100
    tens, sign, ones = rest.rpartition("十")
    if sign:
        count = 1 if tens in {"", "零"} else ZH_DIGITS.get(tens)
        if count is None:
            return None
        total += count * 10
    ones = ones.lstrip("零〇")
    if not ones:
        return total
    unit = ZH_DIGITS.get(ones)
    return None if unit is None else total + unit


def en_number(text: str) -> int | None:
    """The value of 15, fifteen, twenty-one, a, or a couple of; None when it is no number."""
    word = text.lower()
    if "couple" in word:
        return 2
    if word.isascii() and word.isdigit():
        return int(word)
    if word in EN_NUMBERS:
        return EN_NUMBERS[word]
    tens, _, ones = word.replace("-", " ").partition(" ")
    if tens in EN_NUMBERS and ones in EN_NUMBERS:
        return EN_NUMBERS[tens] + EN_NUMBERS[ones]
    return None
