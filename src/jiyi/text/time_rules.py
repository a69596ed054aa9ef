"""What a rule for one kind of time expression is made of, and the pieces both languages share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from jiyi.text.patterns import regex
from jiyi.text.periods import (
    Period,
    add_months,
    day_period,
    midnight,
    minute_period,
    month_period,
    week_period,
    year_period,
)

if TYPE_CHECKING:
    from collections.abc import Callable

RuleKind = Literal["date", "clock", "part"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern with its meaning: `resolve(match, now)` gives a period of naive local time.

    None, ValueError and OverflowError mean that the match is no time after all. A "clock" time
    lies on the anchor's day until it is joined with a date beside it; a "part" of the day
    ("晚上", "in the morning") means nothing until it is joined.
    """

    pattern: re.Pattern[str]
    resolve: Callable[[re.Match[str], datetime], Period | None]
    kind: RuleKind = "date"


def rule(
    pattern: str,
    resolve: Callable[[re.Match[str], datetime], Period | None],
    kind: RuleKind = "date",
) -> Rule:
    """A rule whose pattern matches whatever the case."""
    return Rule(regex(pattern, re.IGNORECASE), resolve, kind)


class DayPart(NamedTuple):
    """A part of the day in hours from midnight; beyond 24 it runs into the next day."""

    first: int
    last: int

    def on(self, day: date) -> Period:
        start = midnight(day)
        return Period(
            start + timedelta(hours=self.first), start + timedelta(hours=self.last), "range"
        )

    def hour(self, spoken: int) -> int:
        """The hour on the 24-hour clock of an hour said with this part: 下午3点 is 15.

        Twelve at night is 24, the end of that day; small hours stay on their own day.
        """
        if spoken > 12:
            return spoken
        if self.first >= 18:
            return spoken + 12 if spoken >= 5 else spoken
        if self.first >= 11:
            return spoken + 12 if spoken < 11 else spoken
        return 0 if spoken == 12 and self.first == 0 else spoken


_UNIT_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
FEW: Final = (2, 7)
"""What "a few days ago" covers, in units."""


def shifted(now: datetime, value: float, unit: str) -> Period | None:
    """The minute, day, week, month or year that lies `value` units from now (negative: before)."""
    today = now.date()
    if unit in {"minute", "hour"}:
        return minute_period(now + timedelta(minutes=value * (60 if unit == "hour" else 1)))
    if unit == "day":
        if value != int(value):
            return minute_period(now + timedelta(days=value))
        return day_period(today + timedelta(days=int(value)))
    if unit == "week":
        return week_period(today + timedelta(days=round(7 * value)))
    months = _UNIT_MONTHS[unit] * value
    if months != int(months):
        return day_period(today + timedelta(days=round(months * 30.44)))
    there = add_months(today.replace(day=1), int(months))
    if unit in {"month", "quarter"} or value != int(value):
        return month_period(there.year, there.month)
    return year_period(there.year)


def few(now: datetime, sign: int, unit: str) -> Period | None:
    """A few units before (-1) or after (+1) now: everything from two to seven of them."""
    near = shifted(now, sign * FEW[0], unit)
    far = shifted(now, sign * FEW[1], unit)
    if near is None or far is None:
        return None
    first, last = (far, near) if sign < 0 else (near, far)
    return Period(first.start, last.end, "range")


def stretch(now: datetime, sign: int, amount: int, unit: str) -> Period | None:
    """The last (-1) or the next (+1) so many units, today included: "in the past three days"."""
    there = shifted(now, sign * amount, unit)
    if there is None or there.start is None or there.end is None:
        return None
    today = day_period(now.date())
    if unit in {"minute", "hour"}:
        moment = minute_period(now)
        first, last = (there.start, moment.end) if sign < 0 else (moment.start, there.end)
    elif unit == "day":
        first, last = (there.start, today.end) if sign < 0 else (today.start, there.end)
    else:
        months = _UNIT_MONTHS.get(unit, 0) * amount
        days = 0 if months else 7 * amount
        edge = midnight(add_months(now.date(), sign * months) + timedelta(days=sign * days))
        first, last = (edge, today.end) if sign < 0 else (today.start, edge + timedelta(days=1))
    return Period(first, last, "range")


_FUTURE: Final = regex(
    r"\b(?:will|won't|going to|gonna|plan|plans|planning|planned|upcoming|remind|scheduled?|need to"
    r"|have to|has to|want to|let's|should|shall|can|could|tomorrow|booked|meeting)\b|'ll\b"
    r"|[要会将约订]|打算|准备|计划|提醒|安排|想|得去|记得|之前|截止",
    re.IGNORECASE,
)
_PAST: Final = regex(
    r"\b(?:was|were|did|had|went|got|came|saw|met|made|took|gave|told|said|bought|found|felt|ate"
    r"|been|just|[a-z]{2,}ed)\b|[了过]|刚",
    re.IGNORECASE,
)
_BORDERS: Final = ".。!！?？;；\n"


def lean(match: re.Match[str]) -> int:
    """Whether the sentence around a match speaks of the past (-1), the future (1) or neither."""
    text = match.string
    start = max(text.rfind(mark, 0, match.start()) for mark in _BORDERS) + 1
    ends = [text.find(mark, match.end()) for mark in _BORDERS]
    end = min((e for e in ends if e >= 0), default=len(text))
    start, end = max(start, match.start() - 60), min(end, match.end() + 60)
    around = text[start : match.start()] + " " + text[match.end() : end]
    if _FUTURE.search(around):
        return 1
    return -1 if _PAST.search(around) else 0


def near_weekday(today: date, weekday: int, direction: int) -> date:
    """The weekday meant without "last" or "next": today or before (-1), today or after (1), or
    that of this week (0)."""
    if direction < 0:
        return today - timedelta(days=(today.weekday() - weekday) % 7)
    if direction > 0:
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    return today + timedelta(days=weekday - today.weekday())
