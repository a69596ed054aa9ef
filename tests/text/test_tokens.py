"""The token estimate: high enough, not wildly so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.text.tokens import count_tokens

# Real counts of the 200,000-entry table of GPT-4o, and of DeepSeek's where it is higher.
KNOWN = [
    ("P-2025-0412 ZX-9917-Q 138 0013 8000", 21),
    ("https://example.com/a/b?c=d&e=f#g", 14),
    ("Привет, как дела? Хорошо", 9),
    ("こんにちは、元気ですか。今日はいい天気", 15),
    ("안녕하세요 오늘 날씨가 좋네요", 13),
    ("我很开心😊😊！", 7),
    ("Great job!! 👏👏👏 😍", 11),
    ("| a | b |\n|---|---|\n| 1 | 2 |", 17),
    ("café naïve Zürich", 6),
]


@pytest.mark.parametrize(("text", "real"), KNOWN)
def test_the_estimate_is_near_and_not_below(text: str, real: int) -> None:
    """Against known counts: at most a tenth below, at most twice as many."""
    assert 0.9 * real <= count_tokens(text) <= 2 * real


def test_bounds_by_language() -> None:
    """About 1.1 a Chinese character, 1.1 to 1.5 an English word, 1 to 3 an emoji."""
    assert count_tokens("我" * 100) == 110
    sentence = "the quick brown fox jumps over the lazy dog near my house today"
    words = sentence.count(" ") + 1
    assert 1.1 * words <= count_tokens(sentence) <= 1.5 * words
    assert 10 <= count_tokens("🙂" * 10) <= 30


@given(st.text(max_size=100), st.text(max_size=20))
def test_more_text_is_never_fewer_tokens(text: str, more: str) -> None:
    """Growing a text cannot shrink its count; only the empty text has none."""
    assert count_tokens(text) <= count_tokens(text + more)
    assert (count_tokens(text) == 0) == (text == "")


@given(st.lists(st.text(max_size=30), max_size=5), st.sampled_from(["\n", "\n\n", "\r\n", "\t"]))
def test_counting_again_or_line_by_line_gives_the_same(lines: list[str], joint: str) -> None:
    """What is remembered of lines changes no count: twice the same text, and the same text after
    its lines were counted one by one, have the tokens of the first time."""
    text = joint.join(lines)
    first = count_tokens(text)
    total = sum(count_tokens(line) for line in lines)
    assert count_tokens(text) == first
    assert first <= total + max(len(lines) - 1, 0) or not all(lines)
