"""Chinese expressions of time and what they mean at a given moment."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from jiyi.text.holidays import ZH_HOLIDAYS
from jiyi.text.numerals import zh_number
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

if TYPE_CHECKING:
    from collections.abc import Mapping

_YEAR_WORDS: Final = {
    "大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "这一年": 0,
    "明年": 1, "下一年": 1, "后年": 2, "大后年": 3,
}  # fmt: skip
_DAY_WORDS: Final = {
    "大前天": -3, "前天": -2, "前日": -2, "前": -2, "昨天": -1, "昨日": -1, "昨": -1,
    "今天": 0, "今日": 0, "今": 0, "明天": 1, "明日": 1, "明": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
_DAY_PARTS: Final[Mapping[str, DayPart]] = {
    "凌晨": DayPart(0, 6), "清晨": DayPart(5, 8), "早上": DayPart(5, 10), "早晨": DayPart(5, 10),
    "早": DayPart(5, 10), "上午": DayPart(8, 12), "中午": DayPart(11, 14),
    "下午": DayPart(12, 18), "午后": DayPart(12, 16), "傍晚": DayPart(17, 20),
    "晚上": DayPart(18, 24), "晚间": DayPart(18, 24), "夜里": DayPart(20, 28),
    "晚": DayPart(18, 24), "夜": DayPart(20, 28), "半夜": DayPart(22, 28), "深夜": DayPart(22, 28),
}  # fmt: skip
_SEASONS: Final = {"春": SPRING, "夏": SUMMER, "秋": AUTUMN, "冬": WINTER}
_PARTS_OF_YEAR: Final = {
    "年初": "start", "年中": "middle", "年底": "end", "年末": "end", "年终": "end", "初": "start",
    "中": "middle", "底": "end", "末": "end", "上半年": "first", "下半年": "second",
}  # fmt: skip
_THIRDS: Final = {
    "上旬": 0, "初": 0, "月初": 0, "中旬": 1, "中": 1, "月中": 1, "下旬": 2, "底": 2, "末": 2,
    "月底": 2, "月末": 2,
}  # fmt: skip
_WEEKDAYS: Final = {c: i for i, c in enumerate("一二三四五六日")} | {
    "天": 6, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5, "7": 6,
}  # fmt: skip


def _any(words: Mapping[str, object]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_D: Final = "[0-9〇零一二三四五六七八九十]"
_YEAR: Final = (
    r"(?P<year>(?<![0-9])(?:1[89]|20)[0-9]{2}(?=\s?年)|[一二][〇零一二三四五六七八九]{3}(?=年)"
    rf"|(?<![0-9])[0-9]{{2}}(?=年{_D}{{1,2}}月)|(?P<year_word>{_any(_YEAR_WORDS)}))"
)
_MONTH: Final = (
    r"(?P<month>(?<![0-9第])(?:1[0-2]|0?[1-9])(?=\s?月)|(?<![一二三四五六七八九十几])"
    r"(?:十[一二]?|[一二三四五六七八九])(?=月)|正(?=月)|腊(?=月))"
)
_DAY: Final = (
    r"(?P<day>(?:[12][0-9]|3[01]|0?[1-9])|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
)
_DAY_UNIT: Final = r"\s?(?:[日号](?![楼线店门房桌院机球车位座馆厅公码]))"
_WEEK: Final = r"(?:周|星期|礼拜)"


def _year_of(match: re.Match[str], now: datetime) -> int | None:
    groups = match.groupdict()
    if groups.get("year_word"):
        return now.year + _YEAR_WORDS[groups["year_word"]]
    text = groups.get("year")
    if not text:
        return None
    value = zh_number(text)
    return value + 2000 if value is not None and value < 100 else value


def _month_of(text: str) -> int | None:
    value = {"正": 1, "腊": 12}.get(text) or zh_number(text)
    return value if value is not None and 1 <= value <= 12 else None


def _date(match: re.Match[str], now: datetime) -> Period | None:
    """[2023年|去年]5月[8日|初|中旬|底]"""
    month = _month_of(match["month"])
    if month is None:
        return None
    year = _year_of(match, now)
    day = zh_number(match["day"]) if match["day"] else None
    if year is None:
        year = near_year(now.date(), month, day or 1)
    if day is not None:
        last = int(match["last"] or day)
        return days_period(date(year, month, day), last - day + 1) if last >= day else None
    third = match["third"]
    return third_of_month(year, month, _THIRDS[third]) if third else month_period(year, month)


def _year(match: re.Match[str], now: datetime) -> Period | None:
    """2023年, 去年, with 底, 上半年, 第三季度, 夏天"""
    year = _year_of(match, now)
    if year is None:
        return None
    if match["part"]:
        return part_of_year(year, _PARTS_OF_YEAR[match["part"]])
    if match["quarter"]:
        quarter = zh_number(match["quarter"])
        return quarter_period(year, quarter) if quarter and quarter <= 4 else None
    if match["season"]:
        return season_period(year, _SEASONS[match["season"]])
    return year_period(year)


def _part_of_this_year(match: re.Match[str], now: datetime) -> Period | None:
    return part_of_year(now.year, _PARTS_OF_YEAR[match["part"]])


def _season(match: re.Match[str], now: datetime) -> Period | None:
    steps = {"去": -1, "上个": -1, "明": 1, "下个": 1}
    season = _SEASONS[match["season"]]
    year = now.year + steps.get(match["which"] or "", 0)
    # In January and February the winter of the year before is still going on.
    if season == WINTER and now.month <= 2:
        year -= 1
    return season_period(year, season)


def _month_step(match: re.Match[str], now: datetime) -> Period | None:
    """上个月, 本月, 下下个月, with a day or a part."""
    steps = len(match["steps"])
    shift = {"上": -steps, "下": steps}.get(match["steps"][0], 0)
    first = add_months(now.date().replace(day=1), shift)
    if match["day"]:
        day = zh_number(match["day"])
        return day_period(first.replace(day=day)) if day else None
    third = match["third"]
    if third:
        return third_of_month(first.year, first.month, _THIRDS[third])
    return month_period(first.year, first.month)


def _part_of_this_month(match: re.Match[str], now: datetime) -> Period | None:
    return third_of_month(now.year, now.month, _THIRDS[match["third"]])


def _week(match: re.Match[str], now: datetime) -> Period | None:
    """上周, 这个星期, 下下周, with a weekday or 末."""
    steps = match["steps"]
    shift = {"上": -len(steps), "下": len(steps)}.get(steps[0], 0)
    monday = now.date() + timedelta(days=7 * shift - now.weekday())
    if match["weekend"]:
        return weekend_period(monday)
    if match["weekday"]:
        return day_period(monday + timedelta(days=_WEEKDAYS[match["weekday"]]))
    return week_period(monday)


def _weekday(match: re.Match[str], now: datetime) -> Period | None:
    """周三, 周末: of this week, unless the sentence says that it is over or still to come."""
    if match["weekend"]:
        return weekend_period(near_weekday(now.date(), 5, lean(match)))
    return day_period(near_weekday(now.date(), _WEEKDAYS[match["weekday"]], lean(match)))


def _day(match: re.Match[str], now: datetime) -> Period | None:
    """昨天, 前晚, 今早, 明天下午"""
    return day_period(now.date() + timedelta(days=_DAY_WORDS[match["word"]]))


def _part(match: re.Match[str], now: datetime) -> Period | None:
    return _DAY_PARTS[match["part"]].on(now.date())


def _day_of_month(match: re.Match[str], now: datetime) -> Period | None:
    day = zh_number(match["day"])
    return day_period(now.date().replace(day=day)) if day else None


_UNITS: Final = {
    "天": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year",
    "季度": "quarter", "小时": "hour", "钟头": "hour", "分钟": "minute",
}  # fmt: skip


def _ago(match: re.Match[str], now: datetime) -> Period | None:
    """三天前, 半年前, 一年半前, 两个小时后, 几个月前"""
    sign = -1 if match["side"] == "前" else 1
    unit = _UNITS[match["unit"]]
    text = match["amount"]
    if text in {"几", "数"}:
        return few(now, sign, unit)
    amount = zh_number(text) if text != "半" else 0
    if amount is None or amount > 999:
        return None
    half = text == "半" or match["half"] or match["and_half"]
    return shifted(now, sign * (amount + 0.5 if half else amount), unit)


def _stretch(match: re.Match[str], now: datetime) -> Period | None:
    """过去三天, 最近两周, 未来一个月"""
    amount = zh_number(match["amount"]) if match["amount"] != "半" else 0
    unit = _UNITS[match["unit"]]
    if amount == 0 and unit == "year":
        amount, unit = 6, "month"
    sign = 1 if match["ahead"] else -1
    return stretch(now, sign, amount, unit) if amount and amount <= 999 else None


def _few_days(_match: re.Match[str], now: datetime) -> Period | None:
    return few(now, -1, "day")


def _holiday(match: re.Match[str], now: datetime) -> Period | None:
    holiday = ZH_HOLIDAYS[match["holiday"]]
    year = _year_of(match, now)
    if year is None:
        year = near_holiday(now.date(), holiday.first)
    return days_period(holiday.first(year), holiday.days)


def _decade(match: re.Match[str], now: datetime) -> Period | None:
    value = zh_number(match["decade"])
    if value is None or value % 10:
        return None
    century = match["century"]
    if century is None:
        base = 1900 if value >= 30 else 2000
    elif century in {"上", "本"}:
        base = now.year // 100 * 100 - (100 if century == "上" else 0)
    else:
        base = ((zh_number(century) or 20) - 1) * 100
    return year_period(base + value, 10)


_AT_CHARACTERS: Final = frozenset("在到约于从是前后")


def _clock(match: re.Match[str], now: datetime) -> Period | None:
    """下午3点半, 8点, 晚上七点一刻, 15点20分: on the anchor's day until joined with a date."""
    hour = zh_number(match["hour"])
    if hour is None or hour > 24:
        return None
    minute = 0
    if match["half"]:
        minute = 30
    elif match["quarters"]:
        minute = 15 * (zh_number(match["quarters"]) or 0)
    elif match["minute"]:
        minute = zh_number(match["minute"]) or 0
    part = match["part"]
    if part:
        hour = _DAY_PARTS[part].hour(hour)
    elif (
        match.end() == match.end("point")
        and not match["hour"].isascii()
        and match.string[match.start() - 1 : match.start()] not in _AT_CHARACTERS
    ):
        return None  # 有一点乱, 说三点: a bit, three points
    if minute > 59:
        return None
    return minute_period(midnight(now.date()) + timedelta(hours=hour, minutes=minute))


_MINUTE: Final = "[0-9]{1,2}|[一二三四五]?十[一二三四五六七八九]?|零?[一二三四五六七八九](?=分)"
_NUM: Final = "零〇一二两三四五六七八九十百"
# 晚上周三, 马上月底, 说一下周三 are not 上周, 上月, 下周
_STEPS: Final = r"(?<![晚早马以一楼线地加])(?P<steps>上+|下+|这|本)一?个?"

HINT: Final = regex(
    rf"[年月号周天点时分季旬晚早午夜晨]|星期|礼拜|小时|钟头|[前昨今明]日|{_any(ZH_HOLIDAYS)}"
)
"""Every text with a Chinese time has one of these."""

RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?:{_YEAR}\s?年?的?\s?)?{_MONTH}\s?月份?"
        rf"(?:\s?{_DAY}(?:{_DAY_UNIT}|(?=[到至~～–-][0-9]{{1,2}}[日号]))"
        r"(?:[到至~～–-](?P<last>[0-9]{1,2})[日号])?|(?P<third>[上中下]旬|[初底末]))?",
        _date,
    ),
    rule(
        rf"{_YEAR}(?:\s?年)?(?:的?(?:(?P<part>年[初中底末]|[初底末](?![中次恋])|年终|[上下]半年)"
        r"|第?(?P<quarter>[一二三四1-4])季度?|(?P<season>[春夏秋冬])(?:天|季)))?",
        _year,
    ),
    rule(r"(?P<part>[上下]半年|年[初底末])", _part_of_this_year),
    rule(r"(?P<which>上个|下个|这个|去|明|今)?年?(?P<season>[春夏秋冬])[天季](?!节)", _season),
    rule(
        rf"{_STEPS}月份?(?:\s?的?\s?{_DAY}{_DAY_UNIT}|(?P<third>[上中下]旬|[初底末]))?",
        _month_step,
    ),
    rule(r"(?P<third>月[初底末])", _part_of_this_month),
    rule(
        rf"{_STEPS}{_WEEK}(?:(?P<weekend>末)|(?P<weekday>[一二三四五六日天])(?![次天个]))?", _week
    ),
    rule(
        rf"(?<![{_NUM}几0-9上下这本]){_WEEK}"
        r"(?:(?P<weekend>末)|(?P<weekday>[一二三四五六日](?![次天个])|(?<!周)天))",
        _weekday,
    ),
    rule(
        r"(?P<word>大?前天|前日|昨[天日]|今[天日]|明[天日]|大后天|(?<![以之])后天(?!气)|[昨今明](?=[早晚夜晨])"
        r"|(?<![目以之天年月周提])前(?=晚))",
        _day,
    ),
    rule(
        rf"(?<![0-9{_NUM}月第\-－.A-Za-z]){_DAY}号(?![楼线店门房桌院机球车位座馆厅公码人选])",
        _day_of_month,
    ),
    rule(
        rf"(?P<amount>半|(?<!十)[几数]|(?<![0-9.第{_NUM}])(?:[0-9]{{1,3}}|[{_NUM}]{{1,5}}))\s?"
        r"(?:个?(?P<half>半)?\s?(?P<unit>天|周|星期|礼拜|年|季度|小时|钟头|分钟|(?<=[个半])月)(?P<and_half>半)?)"
        # 三年后端开发, 两年后勤: how long, and what of
        r"[之以]?(?P<side>前(?!后)|后(?![端勤卫厨]|台(?!北|湾|州)|期(?![待末中])))",
        _ago,
    ),
    rule(
        r"(?:(?P<ahead>未来|接下来|今后)|过去|最近|近)这?的?\s?"
        rf"(?P<amount>半|[0-9]{{1,3}}|[{_NUM}]{{1,5}})\s?个?"
        r"(?P<unit>天|周|星期|礼拜|年|季度|小时|钟头|分钟|(?<=个)月)(?!前)",
        _stretch,
    ),
    rule(r"前几天|前些天|前两天|前阵子", _few_days),
    rule(
        rf"(?:{_YEAR}年?的?)?(?P<holiday>{_any(ZH_HOLIDAYS)})(?:节(?![目约奏]))?"
        r"(?:长假|假期|黄金周|期间|当天|那天)?",
        _holiday,
    ),
    rule(
        r"(?:(?P<century>上|本|十九|二十一?|19|20|21)个?世纪)?"
        r"(?P<decade>[0-9]0|[二三四五六七八九]十)年代",
        _decade,
    ),
    rule(
        rf"(?<![0-9{_NUM}几有第.:：])(?P<part>{_any(_DAY_PARTS)})?的?"
        r"(?P<hour>[0-9]{1,2}|二?十[一二三四五六七八九]?|[零一二两三四五六七八九])"
        rf"(?:点钟|(?P<point>点)|时(?=[0-9{_NUM}]))"
        rf"(?:(?P<half>半)|(?P<quarters>[一三])刻|(?P<minute>{_MINUTE})分?)?(?!儿|建议|意见|要求)",
        _clock,
        "clock",
    ),
    rule(
        rf"(?P<part>{_any(_DAY_PARTS)})(?:(?<=[昨今明前][早晚夜])(?![餐饭报])|(?![餐饭会安报年期婚宵班市总景跑色就已知]))",
        _part,
        "part",
    ),
)
