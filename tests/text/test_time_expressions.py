"""Times named in a text, resolved against when it was said."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.text.time_expressions import find_times

ZONE = timezone(timedelta(hours=8))
WEDNESDAY = datetime(2023, 5, 24, 15, 30, tzinfo=ZONE)


def read(text: str, anchor: datetime = WEDNESDAY) -> list[tuple[str, str, str, str]]:
    """(words, start, end, precision) of each mention; "" for an open side."""

    def show(moment: datetime | None) -> str:
        if moment is None:
            return ""
        form = "%Y-%m-%d" if (moment.hour, moment.minute) == (0, 0) else "%Y-%m-%d %H:%M"
        return moment.strftime(form)

    return [
        (text[slice(*m.span)], show(m.start), show(m.end), m.precision)
        for m in find_times(text, anchor)
    ]


def resolved(text: str, anchor: datetime = WEDNESDAY) -> tuple[str, str, str]:
    mentions = read(text, anchor)
    assert len(mentions) == 1, mentions
    return mentions[0][1:]


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        # absolute
        ("2023-05-08", "2023-05-08", "2023-05-09", "day"),
        ("2023/5/8", "2023-05-08", "2023-05-09", "day"),
        ("2023.5.8", "2023-05-08", "2023-05-09", "day"),
        ("2023-05", "2023-05-01", "2023-06-01", "month"),
        ("12/25/2022", "2022-12-25", "2022-12-26", "day"),
        ("25/12/2022", "2022-12-25", "2022-12-26", "day"),
        ("8 May 2023", "2023-05-08", "2023-05-09", "day"),
        ("the 8th of May, 2023", "2023-05-08", "2023-05-09", "day"),
        ("May 8th", "2023-05-08", "2023-05-09", "day"),
        ("Sept. 3, 2021", "2021-09-03", "2021-09-04", "day"),
        ("in May 2021", "2021-05-01", "2021-06-01", "month"),
        ("2023年5月8日", "2023-05-08", "2023-05-09", "day"),
        ("二〇二三年五月八号", "2023-05-08", "2023-05-09", "day"),
        ("5月8日", "2023-05-08", "2023-05-09", "day"),
        ("十二月二十五日", "2023-12-25", "2023-12-26", "day"),
        ("2025年", "2025-01-01", "2026-01-01", "year"),
        ("22年3月", "2022-03-01", "2022-04-01", "month"),
        ("moved here in 2019", "2019-01-01", "2020-01-01", "year"),
        ("the 1990s", "1990-01-01", "2000-01-01", "range"),
        ("90年代", "1990-01-01", "2000-01-01", "range"),
        # days
        ("yesterday", "2023-05-23", "2023-05-24", "day"),
        ("today", "2023-05-24", "2023-05-25", "day"),
        ("the day before yesterday", "2023-05-22", "2023-05-23", "day"),
        ("the day after tomorrow", "2023-05-26", "2023-05-27", "day"),
        ("昨天", "2023-05-23", "2023-05-24", "day"),
        ("前天买的", "2023-05-22", "2023-05-23", "day"),
        ("大前天", "2023-05-21", "2023-05-22", "day"),
        ("大后天", "2023-05-27", "2023-05-28", "day"),
        ("last night", "2023-05-23 18:00", "2023-05-24 04:00", "range"),
        ("昨晚看电影", "2023-05-23 18:00", "2023-05-24", "range"),
        ("tomorrow morning", "2023-05-25 05:00", "2023-05-25 12:00", "range"),
        ("明天上午", "2023-05-25 08:00", "2023-05-25 12:00", "range"),
        # weeks
        ("went to Paris last week", "2023-05-15", "2023-05-22", "week"),
        ("next week", "2023-05-29", "2023-06-05", "week"),
        ("上周", "2023-05-15", "2023-05-22", "week"),
        ("下个星期", "2023-05-29", "2023-06-05", "week"),
        ("上上周", "2023-05-08", "2023-05-15", "week"),
        ("the week before last", "2023-05-08", "2023-05-15", "week"),
        ("上周三", "2023-05-17", "2023-05-18", "day"),
        ("下周五", "2023-06-02", "2023-06-03", "day"),
        ("这个星期天", "2023-05-28", "2023-05-29", "day"),
        ("last Friday", "2023-05-19", "2023-05-20", "day"),
        ("next Friday", "2023-06-02", "2023-06-03", "day"),
        ("I went there on Friday", "2023-05-19", "2023-05-20", "day"),
        ("I will go on Friday", "2023-05-26", "2023-05-27", "day"),
        ("周五去了医院", "2023-05-19", "2023-05-20", "day"),
        ("周五要交报告", "2023-05-26", "2023-05-27", "day"),
        ("last weekend", "2023-05-20", "2023-05-22", "range"),
        ("这周末", "2023-05-27", "2023-05-29", "range"),
        # months, quarters, seasons, years
        ("last month", "2023-04-01", "2023-05-01", "month"),
        ("下个月", "2023-06-01", "2023-07-01", "month"),
        ("上个月15号", "2023-04-15", "2023-04-16", "day"),
        ("本月底", "2023-05-21", "2023-06-01", "range"),
        ("去年五月", "2022-05-01", "2022-06-01", "month"),
        ("last December", "2022-12-01", "2023-01-01", "month"),
        ("early June", "2023-06-01", "2023-06-11", "range"),
        ("6月上旬", "2023-06-01", "2023-06-11", "range"),
        ("last year", "2022-01-01", "2023-01-01", "year"),
        ("前年", "2021-01-01", "2022-01-01", "year"),
        ("明年", "2024-01-01", "2025-01-01", "year"),
        ("今年年底", "2023-11-01", "2024-01-01", "range"),
        ("年初", "2023-01-01", "2023-03-01", "range"),
        ("the end of last year", "2022-11-01", "2023-01-01", "range"),
        ("Q3 2022", "2022-07-01", "2022-10-01", "range"),
        ("2022年第三季度", "2022-07-01", "2022-10-01", "range"),
        ("last summer", "2022-06-01", "2022-09-01", "range"),
        ("去年夏天", "2022-06-01", "2022-09-01", "range"),
        ("winter 2021", "2021-12-01", "2022-03-01", "range"),
        # so many units ago, or ahead
        ("3天前", "2023-05-21", "2023-05-22", "day"),
        ("two weeks ago", "2023-05-08", "2023-05-15", "week"),
        ("两周前", "2023-05-08", "2023-05-15", "week"),
        ("三个月后", "2023-08-01", "2023-09-01", "month"),
        ("半年前", "2022-11-01", "2022-12-01", "month"),
        ("一年半以前", "2021-11-01", "2021-12-01", "month"),
        ("a year ago", "2022-01-01", "2023-01-01", "year"),
        ("10年前", "2013-01-01", "2014-01-01", "year"),
        ("a year and a half ago", "2021-11-01", "2021-12-01", "month"),
        ("half a year ago", "2022-11-01", "2022-12-01", "month"),
        ("in three days", "2023-05-27", "2023-05-28", "day"),
        ("a few days ago", "2023-05-17", "2023-05-23", "range"),
        ("几天前", "2023-05-17", "2023-05-23", "range"),
        ("twenty-one days ago", "2023-05-03", "2023-05-04", "day"),
        ("两个小时前", "2023-05-24 13:30", "2023-05-24 13:31", "minute"),
        ("in 5 minutes", "2023-05-24 15:35", "2023-05-24 15:36", "minute"),
        ("过去三天", "2023-05-21", "2023-05-25", "range"),
        ("最近两周", "2023-05-10", "2023-05-25", "range"),
        ("未来一个月", "2023-05-24", "2023-06-25", "range"),
        ("in the last three days", "2023-05-21", "2023-05-25", "range"),
        ("over the past two months", "2023-03-24", "2023-05-25", "range"),
        ("the next 2 weeks", "2023-05-24", "2023-06-08", "range"),
        # holidays
        ("国庆节", "2023-10-01", "2023-10-08", "range"),
        ("春节", "2023-01-22", "2023-01-29", "range"),
        ("2024年中秋节", "2024-09-17", "2024-09-18", "day"),
        ("端午", "2023-06-22", "2023-06-23", "day"),
        ("元旦", "2023-01-01", "2023-01-02", "day"),
        ("清明节", "2023-04-05", "2023-04-06", "day"),
        ("去年除夕", "2022-01-31", "2022-02-01", "day"),
        ("Thanksgiving 2022", "2022-11-24", "2022-11-25", "day"),
        ("last Christmas", "2022-12-25", "2022-12-26", "day"),
        ("Easter", "2023-04-09", "2023-04-10", "day"),
        ("New Year’s Eve", "2023-12-31", "2024-01-01", "day"),
        # the time of day
        ("下午3点", "2023-05-24 15:00", "2023-05-24 15:01", "minute"),
        ("明早八点半", "2023-05-25 08:30", "2023-05-25 08:31", "minute"),
        ("昨天上午十点一刻", "2023-05-23 10:15", "2023-05-23 10:16", "minute"),
        ("晚上8:30", "2023-05-24 20:30", "2023-05-24 20:31", "minute"),
        ("凌晨两点", "2023-05-24 02:00", "2023-05-24 02:01", "minute"),
        ("at 3pm tomorrow", "2023-05-25 15:00", "2023-05-25 15:01", "minute"),
        ("May 8 at 3:30 p.m.", "2023-05-08 15:30", "2023-05-08 15:31", "minute"),
        ("noon", "2023-05-24 12:00", "2023-05-24 12:01", "minute"),
        ("2023-05-08T10:30Z", "2023-05-08 18:30", "2023-05-08 18:31", "minute"),
        ("2023-05-08 10:30", "2023-05-08 10:30", "2023-05-08 10:31", "minute"),
        # open and closed ranges
        ("before May", "", "2023-05-01", "range"),
        ("by Friday", "", "2023-05-27", "range"),
        ("since 2019", "2019-01-01", "", "range"),
        ("after Christmas", "2023-12-26", "", "range"),
        ("春节前", "", "2023-01-22", "range"),
        ("国庆节之后", "2023-10-08", "", "range"),
        ("2019年以来", "2019-01-01", "", "range"),
        ("从去年开始", "2022-01-01", "", "range"),
        ("between March 2020 and June 2021", "2020-03-01", "2021-07-01", "range"),
        ("from 2019 to 2021", "2019-01-01", "2022-01-01", "range"),
        ("2019年到2021年", "2019-01-01", "2022-01-01", "range"),
        ("上周五到本周二", "2023-05-19", "2023-05-24", "range"),
        ("5月8日到10日", "2023-05-08", "2023-05-11", "range"),
        ("May 8-10", "2023-05-08", "2023-05-11", "range"),
    ],
)
def test_expressions(text: str, start: str, end: str, precision: str) -> None:
    """Each kind of expression, in both languages, as said on Wednesday 2023-05-24 at 15:30."""
    assert resolved(text) == (start, end, precision)


@pytest.mark.parametrize(
    "text",
    [
        "I worked there for 5 years", "五年了", "干了三个月", "every Friday at 3pm",
        "每周三下午3点",
        "每年5月都去", "I may go", "march on", "一周三次", "3楼8号门", "room 2023", "以前", "目前",
        "前面", "90后", "我有三点建议", "2月30日", "June 31", "v2023.5.8.1", "192.168.1.1",
        "haven't met in three days", "有一点乱", "今天晚餐"[2:],
        "请坐", "a second hand shop", "",
    ],
)  # fmt: skip
def test_what_is_no_time(text: str) -> None:
    """Durations, habits, impossible dates, verbs and numbers of other things."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "said", "year"),
    [("12月8日去的", "2023-01-10", 2022), ("1月5日去", "2023-12-20", 2024),
     ("3月去", "2023-05-24", 2023),
     ("in December", "2023-02-01", 2022), ("in August", "2023-02-01", 2023)],
)  # fmt: skip
def test_a_date_without_year_is_the_near_one(text: str, said: str, year: int) -> None:
    """The anchor's year, unless that is more than eight months away."""
    anchor = datetime.fromisoformat(said).replace(tzinfo=ZONE)
    assert resolved(text, anchor)[0].startswith(str(year))


def test_several_times_in_one_text() -> None:
    """Mentions come in order, each with its words."""
    text = "我昨天从北京回来，下周一去上海，回来是6月3日。"
    assert [words for words, *_ in read(text)] == ["昨天", "下周一", "6月3日"]
    text = "I met her in May 2021, we married last year and moved two weeks ago."
    assert [m[0] for m in read(text)] == ["May 2021", "last year", "two weeks ago"]


def test_times_are_in_the_zone_of_the_anchor() -> None:
    """Midnight is local, also where the clocks change."""
    anchor = datetime(2023, 3, 27, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    (mention,) = find_times("yesterday", anchor)
    assert mention.start is not None
    assert mention.end is not None
    assert mention.start.isoformat() == "2023-03-26T00:00:00+01:00"
    assert mention.end.isoformat() == "2023-03-27T00:00:00+02:00"


WORDS = """
    昨天 上周 周三 三 天前 5月 8日 号 2023年 年底 下午 3点 半 到 之前 以来 春节 去年 个月 后 每 的
    ， 10 二〇 99999 年 last next week Friday May 8 2023 ago three days in since before between and
    to 3pm 12:30 2023-05-08 early Christmas half a year summer the end of morning T10:30+09:00 Q1
    - / .
"""
words = st.sampled_from(WORDS.split())
anchors = st.datetimes(timezones=st.just(ZONE))


@given(st.lists(words, max_size=8), st.sampled_from(["", " "]), anchors)
def test_any_mixture_is_read_without_error(pieces: list[str], gap: str, anchor: datetime) -> None:
    """Never an error; spans in order inside the text; start before end; one side is closed."""
    text = gap.join(pieces)
    end = 0
    for mention in find_times(text, anchor):
        assert end <= mention.span[0] < mention.span[1] <= len(text)
        end = mention.span[1]
        assert mention.start is not None or mention.end is not None
        if mention.start is not None and mention.end is not None:
            assert mention.start < mention.end


@given(st.text(max_size=60))
def test_any_text_is_read_without_error(text: str) -> None:
    """Arbitrary characters name no impossible time."""
    for mention in find_times(text, WEDNESDAY):
        assert mention.start is None or mention.end is None or mention.start < mention.end


RELATIVE = [
    "昨天", "上周三", "下个月", "三天前", "半年前", "去年五月", "5月8日", "12月", "春节", "年底",
    "明天下午3点", "yesterday", "last week", "last Friday", "next month", "two years ago", "May 8",
    "in 3 days", "last summer", "Thanksgiving", "this weekend", "last December",
]  # fmt: skip


@given(
    st.sampled_from(RELATIVE),
    st.timedeltas(timedelta(0), timedelta(days=17_000)),
    st.timedeltas(timedelta(0), timedelta(days=400)),
)
def test_a_later_anchor_never_means_an_earlier_time(
    text: str, since: timedelta, shift: timedelta
) -> None:
    """What an expression means moves with the moment it is said, never against it."""
    anchor = WEDNESDAY.replace(year=2002) + since
    (first,) = find_times(text, anchor)
    (second,) = find_times(text, anchor + shift)
    assert first.start is not None
    assert second.start is not None
    assert first.start <= second.start
