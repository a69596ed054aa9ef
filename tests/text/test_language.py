"""Which language a text is in."""

from __future__ import annotations

import pytest

from jiyi.text.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我住在北京", "zh"),
        ("我的 iPhone 15 Pro 坏了", "zh"),
        ("用 Docker 部署", "zh"),
        ("I live in Beijing", "en"),
        ("My favourite word is 记忆 because it is short", "en"),
        ("123 🙂", "en"),
        ("", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    """Chinese characters against words: foreign names do not turn a sentence."""
    assert language_of(text) == language
