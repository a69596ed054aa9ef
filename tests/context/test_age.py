"""Ages in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.recall.age import age_in_words

NOW = datetime(2026, 12, 10, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "en", "zh"),
    [
        (datetime(2026, 12, 10, 1, tzinfo=UTC), "today", "今天"),
        (datetime(2026, 12, 9, 23, tzinfo=UTC), "yesterday", "昨天"),
        (datetime(2026, 12, 11, 0, tzinfo=UTC), "tomorrow", "明天"),
        (datetime(2026, 12, 7, 12, tzinfo=UTC), "3 days ago", "3 天前"),
        (datetime(2026, 12, 13, 12, tzinfo=UTC), "in 3 days", "3 天后"),
        (datetime(2026, 11, 19, 12, tzinfo=UTC), "3 weeks ago", "3 周前"),
        (datetime(2026, 3, 5, tzinfo=UTC), "9 months ago", "9 个月前"),
        (datetime(2025, 12, 9, tzinfo=UTC), "12 months ago", "12 个月前"),
        (datetime(2024, 12, 10, tzinfo=UTC), "2 years ago", "2 年前"),
        (datetime(2024, 12, 11, tzinfo=UTC), "23 months ago", "23 个月前"),
        (datetime(1999, 1, 1, tzinfo=UTC), "27 years ago", "27 年前"),
    ],
)
def test_examples(moment, en, zh):
    """Both languages, past and future, every unit."""
    assert age_in_words(moment, NOW, "en") == en
    assert age_in_words(moment, NOW, "zh") == zh


def test_days_are_those_of_the_clock():
    """Whether something was yesterday depends on the clock's zone, not on that of the moment."""
    moment = datetime(2026, 12, 9, 20, 0, tzinfo=UTC)
    shanghai = NOW.astimezone(timezone(timedelta(hours=8)))
    assert age_in_words(moment, NOW, "en") == "yesterday"
    assert age_in_words(moment, shanghai, "en") == "today"


@given(st.integers(0, 40_000), st.integers(0, 40_000))
def test_older_never_sounds_newer(days, more):
    """The unit and number do not shrink as something gets older."""
    order = ["today", "yesterday", "day", "week", "month", "year"]

    def rank(days):
        words = age_in_words(NOW - timedelta(days=days), NOW, "en")
        number = int(words.split()[0]) if words[0].isdigit() else 1
        unit = next(u for u in reversed(order) if u in words.split()[-2:][0] or words == u)
        return order.index(unit), number

    assert rank(days) <= rank(days + more)
