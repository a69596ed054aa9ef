"""Periods of the calendar: a day, a week from Monday, a month, a season, and how to step them.

Everything here is naive local time; ends are exclusive. Years outside 1–9999 raise ValueError or
OverflowError, which `find_times` reads as "no date".
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Precision = Literal["minute", "day", "week", "month", "year", "range"]

SPRING, SUMMER, AUTUMN, WINTER = range(4)

FAR_DAYS: Final = 240
"""A date without a year is meant in the anchor's year, unless that is more than eight months
away: "in December", said in January, is last month."""


class Period(NamedTuple):
    """Half-open: `start` is inside, `end` is not. None is an open side."""

    start: datetime | None
    end: datetime | None
    precision: Precision


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001 (local time without a zone)


def day_period(day: date) -> Period:
    start = midnight(day)
    return Period(start, start + timedelta(days=1), "day")


def days_period(first: date, days: int) -> Period:
    """`days` days in a row; one day keeps the precision of a day."""
    start = midnight(first)
    return Period(start, start + timedelta(days=days), "day" if days == 1 else "range")


def week_period(day: date) -> Period:
    """The week from Monday that holds `day`."""
    start = midnight(day - timedelta(days=day.weekday()))
    return Period(start, start + timedelta(days=7), "week")


def weekend_period(day: date) -> Period:
    """Saturday and Sunday of the week that holds `day`."""
    return days_period(day + timedelta(days=5 - day.weekday()), 2)


def month_period(year: int, month: int, count: int = 1) -> Period:
    """`count` months from `month`, which may lie outside 1–12."""
    start = month_start(year, month)
    end = month_start(year, month + count)
    return Period(start, end, "month" if count == 1 else "range")


def month_start(year: int, month: int) -> datetime:
    years, index = divmod(month - 1, 12)
    return datetime(year + years, index + 1, 1)  # noqa: DTZ001


def year_period(year: int, count: int = 1) -> Period:
    return Period(
        month_start(year, 1), month_start(year + count, 1), "year" if count == 1 else "range"
    )


def quarter_period(year: int, quarter: int) -> Period:
    return month_period(year, 3 * quarter - 2, 3)


def season_period(year: int, season: int) -> Period:
    """Seasons of the north by whole months; the winter of a year begins in its December."""
    return month_period(year, 3 + 3 * season, 3)


def third_of_month(year: int, month: int, third: int) -> Period:
    """The first ten days (0), the next ten (1), or the rest of a month (2)."""
    start = month_start(year, month)
    end = start + timedelta(days=10 * (third + 1)) if third < 2 else month_start(year, month + 1)
    return Period(start + timedelta(days=10 * third), end, "range")


def part_of_year(year: int, part: str) -> Period:
    """A part by name, in whole months.

    start (January–February), middle (May–August), end (November–December), first and second half.
    """
    first, count = {
        "start": (1, 2),
        "middle": (5, 4),
        "end": (11, 2),
        "first": (1, 6),
        "second": (7, 6),
    }[part]
    return month_period(year, first, count)


def minute_period(moment: datetime) -> Period:
    start = moment.replace(second=0, microsecond=0)
    return Period(start, start + timedelta(minutes=1), "minute")


def add_months(day: date, months: int) -> date:
    """The same day of another month, or its last day."""
    years, index = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return date(year, index + 1, min(day.day, monthrange(year, index + 1)[1]))


def near_year(now: date, month: int, day: int = 1) -> int:
    """The year that is meant by a month (and day) named without one; see `FAR_DAYS`."""
    best: int | None = None
    for year in sorted(range(now.year - 4, now.year + 5), key=lambda y: abs(y - now.year)):
        if not 1 <= year <= 9999 or day > monthrange(year, month)[1]:
            continue
        if best is not None and abs(year - now.year) > 1:
            break
        there = date(year, month, day)
        if abs((there - now).days) <= FAR_DAYS:
            return year
        best = year if best is None else best
    if best is None:
        raise ValueError(f"no year near {now.year} has {month}-{day}")
    return best


def near_holiday(now: date, first: Callable[[int], date]) -> int:
    """The year meant by a holiday named without one; see `FAR_DAYS`."""
    if abs((first(now.year) - now).days) <= FAR_DAYS:
        return now.year
    return min((now.year - 1, now.year + 1), key=lambda year: abs((first(year) - now).days))
