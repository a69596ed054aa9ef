"""What an order is about, when it holds, and what takes the place of what: the language of
something written is not that of answers, and an order for reports is none for everything."""

from __future__ import annotations

import pytest

from jiyi import Memory


def _told(text: str) -> list[tuple[str, str | None]]:
    with Memory(":memory:", embedder=None, background=False) as memory:
        memory.observe(text, user="u", session="s")
        return [
            (record.text, None if record.slot is None else record.slot.attribute)
            for record in memory.list(user="u").items
        ]


@pytest.mark.parametrize(
    "text",
    [
        "变量名都用英文",
        "以后注释都用中文",
        "提交信息一律用英文",
        "以后邮件用英文写",
        "文档标题都用英文",
        "跟客户发的邮件以后都用英文",
        "Always use English for variable names.",
        "From now on write commit messages in English.",
        "Write emails in French from now on.",
    ],
)
def test_the_language_of_a_text_is_not_that_of_answers(text: str) -> None:
    """It is kept as an order of its own, and leaves the language of answers as it was."""
    ((_, attribute),) = _told(text)
    assert attribute != "reply_language"


@pytest.mark.parametrize(
    "text",
    [
        "以后都用英文",
        "以后用英文回答",
        "以后平时用中文就行",
        "请用中文回复",
        "以后跟我说话用粤语",
        "从现在起都用英文",
        "接下来我们用英文聊",
        "记住：回答一律用中文",
        "From now on answer in English.",
        "Always reply in German.",
        "Please talk to me in Spanish.",
    ],
)
def test_the_language_of_answers(text: str) -> None:
    """What names the answers, the talk, or nothing at all, is about the answers."""
    ((_, attribute),) = _told(text)
    assert attribute == "reply_language"


@pytest.mark.parametrize(
    "text",
    [
        "以后写报告，每个数值后面都要带上单位",
        "以后写代码，变量名都用英文",
        "以后发邮件时，称呼一律用您",
        "每次部署前，一律先备份数据库",
        "From now on, when you write a report, put units behind every value.",
        "Always give weights in grams, never in cups.",
    ],
)
def test_an_order_keeps_its_occasion(text: str) -> None:
    """An order for reports is none for everything, and what it rules out belongs to it."""
    ((kept, _),) = _told(text)
    assert kept.rstrip(".") == text.rstrip(".")


def test_an_order_is_no_occasion() -> None:
    """What stands before an order and is one itself stays by itself."""
    texts = {text for text, _ in _told("以后叫我小李，邮件一律用英文")}
    assert texts == {"以后叫我小李", "邮件一律用英文"}


@pytest.mark.parametrize(
    ("told", "then", "value"),
    [
        ("我用钉钉", "不用钉钉了，换成飞书", "飞书"),
        ("我吃素", "我现在吃全素了", "吃全素"),
        ("我吃素", "我改吃纯素了", "纯素"),
    ],
)
def test_what_takes_the_place_of_what_was_told(told: str, then: str, value: str) -> None:
    """The new value is whole, and stands alone in its slot."""
    with Memory(":memory:", embedder=None, background=False) as memory:
        for text in (told, then):
            memory.observe(text, user="u", session="s")
        (kept,) = memory.list(user="u").items
        assert kept.slot is not None
        assert kept.slot.value == value


@pytest.mark.parametrize("text", ["我换成 Emacs 了", "我用 Emacs 写代码"])
def test_an_editor_is_no_device(text: str) -> None:
    """A name of a device within another word names none."""
    assert all(attribute != "device" for _, attribute in _told(text))
