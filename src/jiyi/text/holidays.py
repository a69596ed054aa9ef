"""When holidays fall: fixed days, nth weekdays, Easter, and the Chinese lunar calendar."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

# One number a lunar year from 2000 to 2050, in the form of the published tables: bits 15–4 say
# which of the twelve months have 30 days, bits 3–0 name the leap month (0: none), bit 16 says
# that the leap month has 30 days.
_LUNAR_YEARS: Final = (
    0x0C960, 0x0D954, 0x0D4A0, 0x0DA50, 0x07552, 0x056A0, 0x0ABB7, 0x025D0, 0x092D0, 0x0CAB5,
    0x0A950, 0x0B4A0, 0x0BAA4, 0x0AD50, 0x055D9, 0x04BA0, 0x0A5B0, 0x15176, 0x052B0, 0x0A930,
    0x07954, 0x06AA0, 0x0AD50, 0x05B52, 0x04B60, 0x0A6E6, 0x0A4E0, 0x0D260, 0x0EA65, 0x0D530,
    0x05AA0, 0x076A3, 0x096D0, 0x04AFB, 0x04AD0, 0x0A4D0, 0x1D0B6, 0x0D250, 0x0D520, 0x0DD45,
    0x0B5A0, 0x056D0, 0x055B2, 0x049B0, 0x0A577, 0x0A4B0, 0x0AA50, 0x1B255, 0x06D20, 0x0ADA0,
    0x14B63,
)  # fmt: skip
_FIRST_LUNAR_YEAR: Final = 2000
_FIRST_LUNAR_DAY: Final = date(2000, 2, 5)


def _month_lengths(info: int) -> list[tuple[int, int]]:
    """(month, days) of a lunar year in order, the leap month right after its namesake."""
    leap = info & 0xF
    months: list[tuple[int, int]] = []
    for month in range(1, 13):
        months.append((month, 30 if info & (0x10000 >> month) else 29))
        if month == leap:
            months.append((-month, 30 if info & 0x10000 else 29))
    return months


def lunar_date(year: int, month: int, day: int) -> date:
    """The solar date of a day of the lunar `year` (2000–2050). ValueError outside these years."""
    index = year - _FIRST_LUNAR_YEAR
    if not 0 <= index < len(_LUNAR_YEARS):
        raise ValueError(f"no lunar calendar for {year}")
    days = sum(length for info in _LUNAR_YEARS[:index] for _, length in _month_lengths(info))
    for number, length in _month_lengths(_LUNAR_YEARS[index]):
        if number == month:
            break
        days += length
    return _FIRST_LUNAR_DAY + timedelta(days=days + day - 1)


def easter(year: int) -> date:
    """Western Easter Sunday, by the anonymous Gregorian computus (Nature, 20 April 1876)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, n: int) -> date:
    """The nth weekday (Monday is 0) of a month; n = -1 is the last."""
    if n > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
    following = date(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=(following.weekday() - weekday - 1) % 7 + 1)


def _qingming(year: int) -> date:
    # Day of April in the 21st century: the usual solar-term formula with C = 4.81.
    short = year % 100
    return date(year, 4, int(short * 0.2422 + 4.81) - short // 4)


def _fixed(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _lunar(month: int, day: int, shift: int = 0) -> Callable[[int], date]:
    return lambda year: lunar_date(year, month, day) + timedelta(days=shift)


def _weekday(month: int, weekday: int, n: int) -> Callable[[int], date]:
    return lambda year: nth_weekday(year, month, weekday, n)


class Holiday(NamedTuple):
    """`first(year)` is its first day, `days` how long it is kept."""

    first: Callable[[int], date]
    days: int = 1


_SPRING_FESTIVAL: Final = Holiday(_lunar(1, 1), 7)
_CHRISTMAS: Final = Holiday(_fixed(12, 25))
_LABOUR_DAY: Final = Holiday(_fixed(5, 1))
_MID_AUTUMN: Final = Holiday(_lunar(8, 15))
_DRAGON_BOAT: Final = Holiday(_lunar(5, 5))
_NATIONAL_DAY: Final = Holiday(_fixed(10, 1), 7)

ZH_HOLIDAYS: Final = {
    "元旦": Holiday(_fixed(1, 1)),
    "情人节": Holiday(_fixed(2, 14)),
    "妇女节": Holiday(_fixed(3, 8)),
    "清明": Holiday(_qingming),
    "劳动节": _LABOUR_DAY,
    "五一": _LABOUR_DAY,
    "青年节": Holiday(_fixed(5, 4)),
    "儿童节": Holiday(_fixed(6, 1)),
    "六一": Holiday(_fixed(6, 1)),
    "教师节": Holiday(_fixed(9, 10)),
    "国庆": _NATIONAL_DAY,
    "十一假期": _NATIONAL_DAY,
    "十一黄金周": _NATIONAL_DAY,
    "万圣节": Holiday(_fixed(10, 31)),
    "双十一": Holiday(_fixed(11, 11)),
    "双11": Holiday(_fixed(11, 11)),
    "双十二": Holiday(_fixed(12, 12)),
    "平安夜": Holiday(_fixed(12, 24)),
    "圣诞": _CHRISTMAS,
    "跨年夜": Holiday(_fixed(12, 31)),
    "母亲节": Holiday(_weekday(5, 6, 2)),
    "父亲节": Holiday(_weekday(6, 6, 3)),
    "感恩节": Holiday(_weekday(11, 3, 4)),
    "复活节": Holiday(easter),
    # The eve belongs to the new year it opens: 今年除夕 is said in spring of this year.
    "除夕": Holiday(_lunar(1, 1, -1)),
    "大年三十": Holiday(_lunar(1, 1, -1)),
    "年三十": Holiday(_lunar(1, 1, -1)),
    "大年初一": Holiday(_lunar(1, 1)),
    "大年初二": Holiday(_lunar(1, 2)),
    "大年初三": Holiday(_lunar(1, 3)),
    "春节": _SPRING_FESTIVAL,
    "过年": _SPRING_FESTIVAL,
    "元宵": Holiday(_lunar(1, 15)),
    "端午": _DRAGON_BOAT,
    "七夕": Holiday(_lunar(7, 7)),
    "中秋": _MID_AUTUMN,
    "重阳": Holiday(_lunar(9, 9)),
    "腊八": Holiday(lambda year: lunar_date(year - 1, 12, 8)),
}
"""Chinese names, without a trailing 节 or 假期."""

EN_HOLIDAYS: Final = {
    "new year's day": Holiday(_fixed(1, 1)),
    "new year's eve": Holiday(_fixed(12, 31)),
    "new years eve": Holiday(_fixed(12, 31)),
    "valentine's day": Holiday(_fixed(2, 14)),
    "valentines day": Holiday(_fixed(2, 14)),
    "st. patrick's day": Holiday(_fixed(3, 17)),
    "april fools' day": Holiday(_fixed(4, 1)),
    "independence day": Holiday(_fixed(7, 4)),
    "fourth of july": Holiday(_fixed(7, 4)),
    "4th of july": Holiday(_fixed(7, 4)),
    "halloween": Holiday(_fixed(10, 31)),
    "veterans day": Holiday(_fixed(11, 11)),
    "christmas eve": Holiday(_fixed(12, 24)),
    "christmas day": _CHRISTMAS,
    "christmas": _CHRISTMAS,
    "xmas": _CHRISTMAS,
    "boxing day": Holiday(_fixed(12, 26)),
    "easter sunday": Holiday(easter),
    "easter": Holiday(easter),
    "good friday": Holiday(lambda year: easter(year) - timedelta(days=2)),
    "memorial day": Holiday(_weekday(5, 0, -1)),
    "mother's day": Holiday(_weekday(5, 6, 2)),
    "father's day": Holiday(_weekday(6, 6, 3)),
    "labor day": Holiday(_weekday(9, 0, 1)),
    "thanksgiving day": Holiday(_weekday(11, 3, 4)),
    "thanksgiving": Holiday(_weekday(11, 3, 4)),
    "black friday": Holiday(lambda year: nth_weekday(year, 11, 3, 4) + timedelta(days=1)),
    "chinese new year": _SPRING_FESTIVAL,
    "lunar new year": _SPRING_FESTIVAL,
    "spring festival": _SPRING_FESTIVAL,
    "mid-autumn festival": _MID_AUTUMN,
    "dragon boat festival": _DRAGON_BOAT,
}
"""English names in lower case. Labor Day, Thanksgiving and the parents' days as in the US."""

EN_HOLIDAY_PATTERN: Final = "|".join(
    re.escape(name).replace(r"\ ", r"\s+").replace("'", "['’]")
    for name in sorted(EN_HOLIDAYS, key=len, reverse=True)
)
