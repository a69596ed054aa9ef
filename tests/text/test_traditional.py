"""Traditional characters in simplified form, each in its place."""

from __future__ import annotations

import pytest

from jiyi.text.traditional import simplified


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("我對蝦過敏，住在臺南", "我对虾过敏，住在台南"),
        ("以後請用繁體中文回覆", "以后请用繁体中文回覆"),
        ("我們家有隻貓，叫豆豆 🐱", "我们家有只猫，叫豆豆 🐱"),
    ],
)
def test_each_character_keeps_its_place(said: str, read: str) -> None:
    """Spans of the one hold in the other: same length, character by character."""
    assert simplified(said) == read
    assert len(simplified(said)) == len(said)


@pytest.mark.parametrize("text", ["我住在台南", "plain English", "", "ひらがな", "123"])
def test_other_texts_are_the_very_same(text: str) -> None:
    """Nothing is copied where there is nothing to change."""
    assert simplified(text) is text
