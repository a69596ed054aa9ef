"""English expressions of time and what they mean at a given moment."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final

from jiyi.text.holidays import EN_HOLIDAY_PATTERN, EN_HOLIDAYS
from jiyi.text.numerals import EN_NUMBER, en_number
from jiyi.text.patterns import regex
from jiyi.text.periods import (
    AUTUMN,
    SPRING,
    SUMMER,
    WINTER,
    Period,
    add_months,
    day_period,
    days_period,
    midnight,
    minute_period,
    month_period,
    near_holiday,
    near_year,
    part_of_year,
    quarter_period,
    season_period,
    third_of_month,
    week_period,
    weekend_period,
    year_period,
)
from jiyi.text.time_rules import DayPart, Rule, few, lean, near_weekday, rule, shifted, stretch
from jiyi.text.words import MONTHS, WEEKDAYS

_MONTHS: Final = {name[:3]: i + 1 for i, name in enumerate(MONTHS)}
_WEEKDAYS: Final = {name[:3]: i for i, name in enumerate(WEEKDAYS)}
_SEASONS: Final = {
    "spring": SPRING, "summer": SUMMER, "autumn": AUTUMN, "fall": AUTUMN, "winter": WINTER,
}  # fmt: skip
_DAY_PARTS: Final = {
    "morning": DayPart(5, 12), "afternoon": DayPart(12, 18), "evening": DayPart(17, 24),
    "night": DayPart(18, 28),
}  # fmt: skip
_ORDINALS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
}  # fmt: skip
_SEASON: Final = "|".join(_SEASONS)
# "haven't met in three days", "the best in 5 years": how long, not when
_LASTING: Final = regex(
    r"(?:n['’]t|\b(?:not|never|first|most|best|worst|only|once|twice|times))\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_UNITS: Final = {
    "minute": "minute", "min": "minute", "hour": "hour", "hr": "hour", "day": "day", "night": "day",
    "week": "week", "month": "month", "year": "year", "yr": "year", "decade": "decade",
    "quarter": "quarter", "weekend": "week",
}  # fmt: skip

# May and March are also verbs: they count with a capital only, and alone after a preposition only.
_MONTH_NAME: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|(?-i:M(?:ar(?:ch)?|ay|AY|ARCH)))\b\.?"
)
_SURE_MONTH: Final = (
    r"(?-i:(?:January|February|April|June|July|August|September|October|November|December))\b"
)
_WEEKDAY_NAME: Final = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?"
)
_YEAR: Final = r"(?:1[89]|20)[0-9]{2}(?![0-9.,]?[0-9])"
_DAY: Final = r"(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?"
_STEP: Final = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "upcoming": 1}
_WHICH: Final = rf"(?P<which>this|{'|'.join(_STEP)})"


def _month_of(match: re.Match[str]) -> int:
    return _MONTHS[match["month"][:3].lower()]


def _day_of(match: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", match["day"]))


def _third_of(part: str) -> int:
    return (
        0
        if re.search("early|beginning|start", part, re.IGNORECASE)
        else 1
        if "mid" in part.lower()
        else 2
    )


def _half_of(part: str) -> str:
    return ("start", "middle", "end")[_third_of(part)]


def _date(match: re.Match[str], now: datetime) -> Period | None:
    """8 May 2023, May 8th, the 8th of May"""
    month, day = _month_of(match), _day_of(match)
    year = int(match["year"]) if match["year"] else near_year(now.date(), month, day)
    last = match.groupdict().get("last")
    if last:
        first = date(year, month, day)
        return days_period(first, int(re.sub(r"\D", "", last)) - day + 1)
    return day_period(date(year, month, day))


def _month(match: re.Match[str], now: datetime) -> Period | None:
    """May 2023, in May, last May, early June"""
    month = _month_of(match)
    which = (match.groupdict().get("which") or "").lower()
    if match.groupdict().get("year"):
        year = int(match["year"])
    elif which in _STEP:
        year = now.year
        if _STEP[which] < 0 and month >= now.month:
            year -= 1
        elif _STEP[which] > 0 and month <= now.month:
            year += 1
    elif which == "this":
        year = now.year
    else:
        year = near_year(now.date(), month)
    if match["part"]:
        return third_of_month(year, month, _third_of(match["part"]))
    return month_period(year, month)


def _year(match: re.Match[str], _now: datetime) -> Period | None:
    year = int(match["year"])
    return part_of_year(year, _half_of(match["part"])) if match["part"] else year_period(year)


def _decade(match: re.Match[str], _now: datetime) -> Period | None:
    start = int(match["decade"])
    if start < 100:
        start += 1900 if start >= 30 else 2000
    return year_period(start, 10)


def _numeric(match: re.Match[str], _now: datetime) -> Period | None:
    """5/8/2023: month first, unless that cannot be."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    return day_period(date(year, second, first) if first > 12 else date(year, first, second))


def _word(match: re.Match[str], now: datetime) -> Period | None:
    word = " ".join(match["word"].lower().split())
    today = now.date()
    if word == "last night":
        return _DAY_PARTS["night"].on(today - timedelta(days=1))
    if word == "tonight":
        return _DAY_PARTS["night"].on(today)
    steps = {
        "yesterday": -1,
        "today": 0,
        "tomorrow": 1,
        "the day before yesterday": -2,
        "the day after tomorrow": 2,
    }
    return day_period(today + timedelta(days=steps[word]))


def _this_part(match: re.Match[str], now: datetime) -> Period | None:
    return _DAY_PARTS[match["part"].lower()].on(now.date())


def _relative(match: re.Match[str], now: datetime) -> Period | None:
    """last week, next month, this weekend, the end of last year, the week before last"""
    groups = match.groupdict()
    which = (groups.get("which") or "").lower()
    step = _STEP.get(which, 0)
    if groups.get("twice"):
        step = -2 if "before" in groups["twice"].lower() else 2
    unit = match["unit"].lower()
    part = groups.get("part")
    today = now.date()
    if unit == "week":
        return week_period(today + timedelta(days=7 * step))
    if unit == "weekend":
        return weekend_period(today + timedelta(days=7 * step))
    if unit == "month":
        first = add_months(today.replace(day=1), step)
        if part:
            return third_of_month(first.year, first.month, _third_of(part))
        return month_period(first.year, first.month)
    if unit == "quarter":
        first = add_months(today.replace(day=1), 3 * step)
        return quarter_period(first.year, (first.month + 2) // 3)
    if unit == "decade":
        return year_period((today.year // 10 + step) * 10, 10)
    year = today.year + step
    return part_of_year(year, _half_of(part)) if part else year_period(year)


def _season(match: re.Match[str], now: datetime) -> Period | None:
    """last summer, summer of 2022, this winter"""
    season = _SEASONS[match["season"].lower()]
    if match["year"]:
        return season_period(int(match["year"]), season)
    which = (match["which"] or "").lower()
    candidates = [season_period(now.year + shift, season) for shift in range(-2, 3)]
    today = midnight(now.date())
    if _STEP.get(which, 0) < 0:
        return [p for p in candidates if p.end is not None and p.end <= today][-1]
    if _STEP.get(which, 0) > 0:
        return next(p for p in candidates if p.start is not None and p.start > today)
    if season == WINTER and now.month <= 2:
        return candidates[1]
    return candidates[2]


def _weekday(match: re.Match[str], now: datetime) -> Period | None:
    """last Friday (the one before today), next Friday (of next week), on Friday"""
    weekday = _WEEKDAYS[match["weekday"][:3].lower()]
    today = now.date()
    which = (match["which"] or "").lower()
    if which in {"last", "past", "previous"}:
        return day_period(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    if which == "next":
        return day_period(today + timedelta(days=7 - today.weekday() + weekday))
    if which in {"coming", "upcoming"}:
        return day_period(today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1))
    return day_period(near_weekday(today, weekday, lean(match) if not which else 0))


def _weekend(match: re.Match[str], now: datetime) -> Period | None:
    return weekend_period(near_weekday(now.date(), 5, lean(match)))


def _other_day(match: re.Match[str], now: datetime) -> Period | None:
    return few(now, -1, _UNITS[match["unit"].lower()])


def _ago(match: re.Match[str], now: datetime) -> Period | None:
    """three days ago, a couple of weeks ago, half a year ago, in two months, an hour from now"""
    groups = match.groupdict()
    sign = 1 if groups.get("ahead") or groups.get("in") else -1
    if groups.get("in") and _LASTING.search(match.string, 0, match.start()):
        return None
    unit = _UNITS[match["unit"].lower().removesuffix("s")]
    text = " ".join(match["amount"].lower().split())
    if text.endswith(("few", "several")):
        return few(now, sign, unit)
    only_half = text.startswith("half")
    amount = 0 if only_half else en_number(text)
    if amount is None or amount > 999:
        return None
    half = only_half or groups["half"] or groups["and_half"]
    return shifted(now, sign * (amount + 0.5 if half else amount), unit)


def _stretch(match: re.Match[str], now: datetime) -> Period | None:
    """the last three days, over the past two weeks, the next couple of months"""
    unit = _UNITS[match["unit"].lower().removesuffix("s")]
    text = match["amount"].lower()
    amount = 7 if text.endswith(("few", "several")) else en_number(text)
    ahead = _STEP[match["side"].lower()] > 0
    return stretch(now, 1 if ahead else -1, amount, unit) if amount and amount <= 999 else None


def _holiday(match: re.Match[str], now: datetime) -> Period | None:
    name = " ".join(match["holiday"].lower().replace("’", "'").split())
    holiday = EN_HOLIDAYS[name]
    which = (match["which"] or "").lower()
    if match["year"]:
        year = int(match["year"])
    elif which in _STEP:
        year = now.year
        there = holiday.first(year)
        if _STEP[which] < 0 and there >= now.date():
            year -= 1
        elif _STEP[which] > 0 and there <= now.date():
            year += 1
    else:
        year = near_holiday(now.date(), holiday.first)
    return days_period(holiday.first(year), holiday.days)


def _quarter(match: re.Match[str], now: datetime) -> Period | None:
    quarter = int(match["q"]) if match["q"] else _ORDINALS[match["ordinal"].lower()]
    year = match["year"] or match["of"]
    return quarter_period(int(year) if year else now.year, quarter)


def _clock(match: re.Match[str], now: datetime) -> Period | None:
    """3pm, 3:30 p.m., 15:30, noon: on the anchor's day until joined with a date."""
    if match["word"]:
        hour, minute = (12, 0) if match["word"].lower() == "noon" else (0, 0)
    else:
        hour = int(match["hour"] or match["hour24"])
        minute = int(match["minute"] or match["minute24"] or 0)
        half = match["half"]
        if half:
            if not 1 <= hour <= 12:
                return None
            hour = hour % 12 + (12 if half.lower().startswith("p") else 0)
    if hour > 24 or minute > 59:
        return None
    return minute_period(midnight(now.date()) + timedelta(hours=hour, minutes=minute))


_AMOUNT: Final = (
    rf"(?P<amount>half an?|(?:a )?couple(?: of)?|(?:a )?few|several|{EN_NUMBER})"
    rf"(?P<half> and a half)?[\s-]+(?P<unit>(?:{'|'.join(_UNITS)})s?)"
    "(?P<and_half> and a half)?"
)
# What makes a lone month or year a date.
_AFTER_PREPOSITION: Final = (
    r"(?:(?<=\b(?:in|by|of|to) )|(?<=\b(?:since|until|after) )"
    r"|(?<=\bfrom )|(?<=\btill )|(?<=\bbefore )|(?<=\bduring )|(?<=\bbetween )|(?<=\byear ))"
)
_SOME_PART: Final = (
    r"(?P<part>early|mid|late|(?:the )?(?:beginning|start|middle|end) of)[- ](?:the )?"
)
_PART: Final = rf"(?:{_SOME_PART})?"
_MONTH: Final = rf"(?P<month>{_MONTH_NAME})"
_OPT_YEAR: Final = rf"(?:,?\s+(?P<year>{_YEAR}))?"

HINT: Final = regex(
    r"[0-9]|\b(?:today|tonight|yesterday|tomorrow|noon|midnight|morning|afternoon|evening"
    rf"|(?:{'|'.join(_UNITS)})s?|{_SEASON}|(?:{_WEEKDAY_NAME})|{_MONTH_NAME}|{EN_HOLIDAY_PATTERN})",
    re.IGNORECASE,
)
"""Every text with an English time has one of these."""

RULES: Final[tuple[Rule, ...]] = (
    rule(rf"\b(?P<day>{_DAY})\s+(?:of\s+)?{_MONTH}{_OPT_YEAR}", _date),
    rule(
        rf"\b{_MONTH}\s+(?:the\s+)?(?P<day>{_DAY})(?![0-9:]|\s?[ap]\.?m)"
        rf"(?:\s?[-–]\s?(?P<last>{_DAY})(?![0-9]))?{_OPT_YEAR}",
        _date,
    ),
    rule(rf"\b{_PART}{_MONTH},?\s+(?:of\s+)?(?P<year>{_YEAR})", _month),
    rule(rf"{_AFTER_PREPOSITION}{_PART}{_MONTH}(?!\s?[0-9])", _month),
    rule(rf"\b{_SOME_PART}{_MONTH}(?!\s?[0-9])", _month),
    rule(rf"\b{_WHICH}\s+{_PART}{_MONTH}(?!\s?[0-9])", _month),
    rule(rf"\b{_PART}(?P<month>{_SURE_MONTH})(?!\s?[0-9])", _month),
    rule(rf"{_AFTER_PREPOSITION}{_PART}(?P<year>{_YEAR})\b(?!-[0-9])", _year),
    rule(rf"\b{_SOME_PART}(?P<year>{_YEAR})\b(?!-[0-9])", _year),
    rule(r"\b(?:the )?(?P<decade>(?:19|20)[0-9]0|(?<=the )[2-9]0)['’]?s\b", _decade),
    rule(
        r"(?<![0-9/])(?P<first>[0-9]{1,2})/(?P<second>[0-9]{1,2})/(?P<year>(?:19|20)[0-9]{2})"
        r"(?![0-9/])",
        _numeric,
    ),
    rule(
        r"\b(?P<word>the\s+day\s+before\s+yesterday|the\s+day\s+after\s+tomorrow|yesterday|today"
        r"|tomorrow|tonight|last\s+night)\b",
        _word,
    ),
    rule(r"\bthis\s+(?P<part>morning|afternoon|evening)\b", _this_part),
    rule(
        rf"\b{_PART}(?:the\s+)?{_WHICH}\s+(?P<unit>week|weekend|month|quarter|year|decade)\b",
        _relative,
    ),
    rule(
        r"\bthe\s+(?P<unit>week|weekend|month|year)\s+(?P<twice>before\s+last|after\s+next)\b",
        _relative,
    ),
    rule(
        r"\b(?P<part>(?:the )?(?:beginning|start|middle|end) of)\s+the\s+(?P<unit>month|year)\b",
        _relative,
    ),
    rule(
        rf"\b(?:{_WHICH}|the|in|of)\s+(?P<season>{_SEASON})(?:(?:\s+of)?\s+(?P<year>{_YEAR}))?\b",
        _season,
    ),
    rule(rf"\b(?P<which>)(?P<season>{_SEASON})(?:\s+of)?\s+(?P<year>{_YEAR})\b", _season),
    rule(r"\b(?:over|on|at|during)\s+the\s+weekend\b", _weekend),
    rule(r"\bthe\s+other\s+(?P<unit>day|night|week)\b", _other_day),
    rule(rf"\b(?:{_WHICH}\s+)?(?P<weekday>{_WEEKDAY_NAME})", _weekday),
    rule(rf"\b{_AMOUNT}\s+(?:ago\b|back\b|(?P<ahead>from\s+(?:now|today))\b)", _ago),
    rule(rf"\b(?P<in>in)\s+(?:about\s+)?{_AMOUNT}\b(?!['’])", _ago),
    rule(rf"\b(?P<side>last|past|previous|next|coming)\s+{_AMOUNT}\b", _stretch),
    rule(
        rf"\b(?:{_WHICH}\s+)?(?P<holiday>{EN_HOLIDAY_PATTERN})\b(?:\s+day\b)?"
        rf"(?:\s+(?:of\s+|in\s+)?(?P<year>{_YEAR}))?",
        _holiday,
    ),
    rule(
        rf"\b(?:(?-i:Q)(?P<q>[1-4])(?:\s+(?P<year>{_YEAR}))?"
        rf"|(?P<ordinal>{'|'.join(_ORDINALS)})\s+quarter\s+(?:of\s+)?(?P<of>{_YEAR}))\b",
        _quarter,
    ),
    rule(
        r"(?<![0-9:.])(?:(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2}))?\s?(?P<half>[ap]\.?m\b\.?)"
        r"|(?P<hour24>[01]?[0-9]|2[0-3]):(?P<minute24>[0-5][0-9])(?![0-9:])"
        r"|\b(?P<word>noon|midnight)\b)",
        _clock,
        "clock",
    ),
    rule(
        r"\b(?:in\s+the\s+|at\s+)?(?P<part>morning|afternoon|evening|night)\b", _this_part, "part"
    ),
)
