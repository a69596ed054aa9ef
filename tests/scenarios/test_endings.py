"""States that end: what is denied is live no longer, and nothing else ends with it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock

ENDINGS = (
    ("I'm allergic to peanuts", "I'm not allergic to peanuts after all", "allergy"),
    ("I'm allergic to shellfish", "I am no longer allergic to shellfish", "allergy"),
    ("I have diabetes", "I don't have diabetes, it was a misdiagnosis", "condition"),
    ("I'm vegan", "I'm not vegan any more", "diet"),
    ("I work at Acme", "I don't work at Acme any more", "employer"),
    ("I live in Oslo", "I no longer live in Oslo", "residence"),
    ("I drive a Skoda", "I sold the Skoda", "vehicle"),
    ("I drive a Skoda", "I sold my car", "vehicle"),
    ("I have a cat called Miso", "My cat died", "pet"),
    ("I have a cat called Miso", "My cat Miso passed away", "pet"),
    ("我对花生过敏", "其实我对花生不过敏", "allergy"),
    ("我对海鲜过敏", "我没有过敏", "allergy"),
    ("我有糖尿病", "我没有糖尿病，是误诊", "condition"),
    ("我吃素", "我不吃素了", "diet"),
    ("我在腾讯上班", "我不在腾讯上班了", "employer"),
    ("我开比亚迪", "我把比亚迪卖了", "vehicle"),
    ("我养了一只猫", "我的猫去世了", "pet"),
    ("Please always answer in French", "Stop answering in French", "reply_language"),
    ("以后用法语回答我", "不用再用法语了", "reply_language"),
    ("I prefer metric units.", "Don't use metric units any more.", "units"),
    ("I prefer metric units.", "Stop using metric units.", "units"),
)


def live(memory: Memory, clock: FakeClock, said: str) -> list[str]:
    clock.advance(timedelta(days=1))
    memory.observe(said, session=str(clock()))
    return [m.text for m in memory.list().items if m.status == "active"]


@pytest.mark.parametrize(("before", "after", "attribute"), ENDINGS)
def test_what_is_denied_ends(
    memory: Memory, clock: FakeClock, before: str, after: str, attribute: str
) -> None:
    """The state is live after it is told, and not after it is denied."""
    (told,) = live(memory, clock, before)
    assert told not in live(memory, clock, after)


@pytest.mark.parametrize(
    ("kept", "denied"),
    [
        ("I'm allergic to peanuts", "I'm not allergic to eggs"),
        ("I work at Globex", "I no longer work at Acme"),
        ("I have a cat called Miso", "My dog died"),
        ("我对花生过敏", "我对芒果不过敏"),
        ("我在字节上班", "我不在腾讯上班了"),
        ("I live in Lyon", "小时候我住在上海"),
    ],
)
def test_what_is_not_denied_stays(memory: Memory, clock: FakeClock, kept: str, denied: str) -> None:
    """The end of one thing, and a past stage, leave another as it is."""
    (told,) = live(memory, clock, kept)
    assert told in live(memory, clock, denied)
