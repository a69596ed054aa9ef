"""Expressions of time in a text, resolved against the moment it was said.

`find_times` reads Chinese and English alike. Ranges are half-open, weeks start on Monday, and
everything is local to the anchor's zone. Durations ("for 5 years", 五年了) and habits ("every
Friday", 每周三) are no times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, Final, NamedTuple

from jiyi.text import times_en, times_zh
from jiyi.text.patterns import regex
from jiyi.text.periods import (
    Period,
    Precision,
    day_period,
    minute_period,
    month_period,
    year_period,
)
from jiyi.text.time_rules import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time named in a text: the character range that names it, and the half-open time range.

    `start` is inside, `end` is not; None is an open side ("since 2019", 春节前), never both.
    `precision` is the unit that was named, "range" for anything else.
    """

    span: tuple[int, int]
    start: datetime | None
    end: datetime | None
    precision: Precision


class _Found(NamedTuple):
    start: int
    end: int
    period: Period
    kind: str


def _iso(match: re.Match[str], _now: datetime) -> Period | None:
    """2023-05-08, 2023/5/8, 2023.5.8, 2023-05-08T10:30+08:00"""
    day = date(int(match["year"]), int(match["month"]), int(match["day"]))
    if match["hour"] is None:
        return day_period(day)
    moment = datetime(  # noqa: DTZ001 (the zone is added by find_times)
        day.year, day.month, day.day, int(match["hour"]), int(match["minute"])
    )
    zone = match["zone"]
    if zone:
        hours, minutes = (0, 0) if zone in "Zz" else (int(zone[1:3]), int(zone[-2:]))
        offset = timedelta(hours=hours, minutes=minutes) * (-1 if zone[0] == "-" else 1)
        moment = moment.replace(tzinfo=timezone(offset))
    return minute_period(moment)


def _iso_month(match: re.Match[str], _now: datetime) -> Period | None:
    return month_period(int(match["year"]), int(match["month"]))


def _year_range(match: re.Match[str], _now: datetime) -> Period | None:
    first, last = int(match["year"]), int(match["last"])
    return year_period(first, last - first + 1) if first < last else None


_SHARED: Final = (
    Rule(
        re.compile(
            r"(?<![0-9A-Za-z./-])(?P<year>(?:1[89]|20)[0-9]{2})(?P<sign>[-/.])(?P<month>1[0-2]|0?[1-9])"
            r"(?P=sign)(?P<day>3[01]|[12][0-9]|0?[1-9])(?![0-9]|[-/.][0-9A-Za-z])"
            r"(?:[T ](?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::[0-5][0-9](?:\.[0-9]+)?)?"
            r"(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?"
        ),
        _iso,
    ),
    Rule(
        re.compile(
            r"(?<![0-9A-Za-z./-])(?P<year>(?:19|20)[0-9]{2})[-/](?P<month>1[0-2]|0[1-9])(?![0-9/-])"
        ),
        _iso_month,
    ),
    Rule(
        re.compile(
            r"(?<![0-9A-Za-z./-])(?P<year>(?:19|20)[0-9]{2})(?:\s?年?[到至~～–-]\s?|\s+to\s+)"
            r"(?P<last>(?:19|20)[0-9]{2})(?![0-9/.-])年?"
        ),
        _year_range,
    ),
)
_DIGIT: Final = regex("[0-9]")


def _rules_for(text: str) -> Iterable[Rule]:
    """The rules worth trying: most texts name no time, and a look at one pattern tells."""
    if _DIGIT.search(text):
        yield from _SHARED
    if times_zh.HINT.search(text):
        yield from times_zh.RULES
    if times_en.HINT.search(text):
        yield from times_en.RULES


_HABIT: Final = regex(
    r"(?:每[逢个]?(?:[天周月年日]|星期)?[的在到]?|逢|\bevery\s|\beach\s|\bevery\s+other\s)$",
    re.IGNORECASE,
)
_DATE_CLOCK_GAP: Final = regex(r"\s?的?\s?|,?\s+(?:at\s+|around\s+|in\s+the\s+)?", re.IGNORECASE)
_CLOCK_DATE_GAP: Final = regex(r",?\s+(?:on\s+|of\s+)?(?:the\s+)?", re.IGNORECASE)
_RANGE_GAP: Final = regex(
    r"\s?(?:到|至|~|～|—|–|-|一直到|直到)\s?|,?\s+(?:to|until|till|through|thru)\s+", re.IGNORECASE
)
_AND_GAP: Final = regex(r"\s?[和与跟]\s?|\s+and\s+", re.IGNORECASE)
_BETWEEN: Final = regex(r"\bbetween\s+(?:the\s+)?$", re.IGNORECASE)
_BEFORE_WORD: Final = regex(
    r"(?:\b(?P<until>until|till|before|prior\s+to)|(?P<by>\bby))\s+(?:the\s+)?$|(?P<zh>直到|等到|截[至止]到?)$",
    re.IGNORECASE,
)
_AFTER_WORD: Final = regex(
    r"\b(?:(?P<since>since|starting(?:\s+in|\s+on)?|as\s+of)|(?P<after>after))\s+(?:the\s+)?$|(?P<zh>自从?)$",
    re.IGNORECASE,
)
_BEFORE_SIGN: Final = regex(
    r"\s?[之以]?前(?![后天年些几两半夕面往提男女任夫妻台端一二三四五六0-9])"
)
_AFTER_SIGN: Final = regex(r"\s?[之以]?后(?![天年半面来悔续台端果])")
_SINCE_SIGN: Final = regex(r"\s?(?:以来|起(?![来床点])|开始|至今|到现在)|\s+onwards?\b")


def find_times(text: str, anchor: datetime) -> list[TimeMention]:
    """The times that `text` names, in order, without overlaps.

    Args:
        text: anything; text without times gives an empty list.
        anchor: when it was said. Aware; the ranges are in its zone.
    """
    now = anchor.replace(tzinfo=None)
    matches = _without_overlaps(_matches(text, now, anchor.tzinfo))
    found = _join_ranges(text, _join_clocks(text, matches, now))
    mentions = []
    for item in found:
        period = item.period
        start = period.start.replace(tzinfo=anchor.tzinfo) if period.start else None
        end = period.end.replace(tzinfo=anchor.tzinfo) if period.end else None
        mentions.append(TimeMention((item.start, item.end), start, end, period.precision))
    return mentions


def _matches(text: str, now: datetime, zone: tzinfo | None) -> Iterable[_Found]:
    for rule in _rules_for(text):
        for match in rule.pattern.finditer(text):
            try:
                period = rule.resolve(match, now)
            except (ValueError, OverflowError):
                continue  # no such day (31 June), or outside the calendar
            if period is None:
                continue
            if period.start is not None and period.start.tzinfo is not None:
                # A time with an offset of its own is brought to the anchor's zone.
                period = minute_period(period.start.astimezone(zone).replace(tzinfo=None))
            habit = _HABIT.search(text, max(0, match.start() - 12), match.start())
            yield _Found(match.start(), match.end(), period, "habit" if habit else rule.kind)


def _without_overlaps(found: Iterable[_Found]) -> list[_Found]:
    """The earliest of overlapping matches, the longest of those that begin together."""
    result: list[_Found] = []
    end = 0
    for item in sorted(found, key=lambda f: (f.start, -f.end)):
        if item.start >= end:
            result.append(item)
            end = item.end
    return result


def _join_clocks(text: str, found: list[_Found], now: datetime) -> list[_Found]:
    """Put dates, parts of the day and clock times that stand together into one."""
    result: list[_Found] = []
    for item in found:
        joined = _with_clock(text, result[-1], item, now) if result else None
        if joined is None:
            result.append(item)
        else:
            result[-1] = joined
    return [item for item in result if item.kind not in {"part", "habit"}]


def _with_clock(text: str, first: _Found, second: _Found, now: datetime) -> _Found | None:
    gap = text[first.end : second.start]
    if first.kind in {"date", "habit", "part", "dated part"} and second.kind in {"clock", "part"}:
        if not _DATE_CLOCK_GAP.fullmatch(gap):
            return None
        day, hours = first, second
    elif first.kind in {"clock", "part"} and second.kind in {"date", "habit"}:
        if not _CLOCK_DATE_GAP.fullmatch(gap):
            return None
        day, hours = second, first
    else:
        return None
    if day.kind == "habit":
        return _Found(first.start, second.end, day.period, "habit")
    if day.kind == "date" and day.period.precision != "day":
        return None
    if day.kind in {"part", "dated part"} and hours.kind != "clock":
        return None
    period = _at(day.period, hours.period, now)
    kind = {"date": "dated part" if hours.kind == "part" else "moment", "part": "clock"}
    return _Found(first.start, second.end, period, kind.get(day.kind, "moment"))


def _at(day: Period, hours: Period, now: datetime) -> Period:
    """The hours, given on the anchor's day, on another day or inside a part of a day."""
    assert day.start is not None  # noqa: S101 (days and parts of days are closed)
    assert hours.start is not None and hours.end is not None  # noqa: S101, PT018
    base = day.start.replace(hour=0, minute=0)
    shift = base - now.replace(hour=0, minute=0, second=0, microsecond=0)
    if day.precision == "range" and day.start.hour >= 12 and hours.start.hour < 12:
        shift += timedelta(hours=12)
    return Period(hours.start + shift, hours.end + shift, hours.precision)


def _join_ranges(text: str, found: list[_Found]) -> list[_Found]:
    """X to Y, between X and Y, X 到 Y; then the open sides: before, after, since, 以前, 以来."""
    result: list[_Found] = []
    for item in found:
        joined = _as_range(text, result[-1], item) if result else None
        if joined is None:
            result.append(item)
        else:
            result[-1] = joined
    return [_with_side(text, item) for item in result]


def _as_range(text: str, first: _Found, second: _Found) -> _Found | None:
    gap = text[first.end : second.start]
    is_range = _RANGE_GAP.fullmatch(gap) is not None
    if not is_range and _AND_GAP.fullmatch(gap):
        is_range = _BETWEEN.search(text, 0, first.start) is not None or text.startswith(
            ("之间", "间"), second.end
        )
    start, end = first.period.start, second.period.end
    if second.period.precision == "minute":
        end = second.period.start
    if not is_range or start is None or end is None or start >= end or first.kind == "range":
        return None
    return _Found(first.start, second.end, Period(start, end, "range"), "range")


def _with_side(text: str, item: _Found) -> _Found:
    start, end = item.period.start, item.period.end
    before = _BEFORE_WORD.search(text, max(0, item.start - 16), item.start)
    if before:
        exclusive = (before["until"] or "").lower().startswith(("before", "prior"))
        return _open(item, before.start(), item.end, None, start if exclusive else end)
    after = _AFTER_WORD.search(text, max(0, item.start - 16), item.start)
    # 9点开始: an event that begins at nine, not everything since
    sign = None if item.period.precision == "minute" else _SINCE_SIGN.match(text, item.end)
    later = start if item.period.precision == "minute" else end
    if after or sign:
        first = after.start() if after else item.start
        last = sign.end() if sign else item.end
        return _open(item, first, last, later if after and after["after"] else start, None)
    if sign := _BEFORE_SIGN.match(text, item.end):
        return _open(item, item.start, sign.end(), None, start)
    if sign := _AFTER_SIGN.match(text, item.end):
        return _open(item, item.start, sign.end(), later, None)
    return item


def _open(
    item: _Found, first: int, last: int, start: datetime | None, end: datetime | None
) -> _Found:
    if start is None and end is None:
        return item
    return _Found(first, last, Period(start, end, "range"), "range")
