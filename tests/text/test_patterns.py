"""Patterns that are asked only where they can match."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.text.patterns import needed, regex


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (r"\bborn (?:in|on)\b", {"born in", "born on"}),
        (r"(?:switch|mov)ed to \w+", {"switched to ", "moved to "}),
        (r"don['’]t|never", {"don't", "don’t", "never"}),
        (r"(?:please )?forget (?:that|it)|忘掉", {"forget that", "forget it", "忘掉"}),
        (r"\w+ing (?=tomorrow)", {"tomorrow"}),
        (r"(?:very ){2,}tired", {"tired"}),
        (r"forget|do not forget", {"forget"}),
    ],
)
def test_the_words_that_a_pattern_needs(source: str, words: set[str]) -> None:
    """Of each way to match, the part that says most; nothing that another word holds already."""
    assert set(needed(source, re.IGNORECASE) or ()) == words


@pytest.mark.parametrize("source", [r"\d+", r"\w+(?:ed)?", "x?", "a|forget", r"^forget", "(?!no)."])
def test_patterns_that_need_no_word(source: str) -> None:
    """A class, something optional, a single letter, a denial, and what is tied to the beginning:
    there is no word worth looking for."""
    assert needed(source) is None


_PATTERNS = [
    regex(source, re.IGNORECASE)
    for source in (
        r"\b(?:suppose|imagine|what if)\b|假如|要是",
        r"(?:don['’]t|do not) (?:forget|delete)|别忘",
        r"(?m)^(?:note|memo)s?:\s*\w+|备忘",
        r"!{2,}|\burgent(?:ly)?\b",
    )
]
_WORDS = st.sampled_from(
    [
        *("suppose", "What IF", "假如", "don’t", "don't", "DO NOT", "forget", "别忘", "notes:"),
        *("memo:", "\n", "!!", "!", "urgently", "x", "我", "ß", "é", " "),
    ]
)


@given(st.lists(_WORDS, max_size=8).map(" ".join) | st.text(max_size=40))
def test_a_search_finds_what_the_plain_pattern_finds(text: str) -> None:
    """Looking for words first changes nothing but the time it takes."""
    for pattern in _PATTERNS:
        plain = re.compile(pattern.pattern, re.IGNORECASE).search(text)
        found = pattern.search(text)
        assert (found and found.span()) == (plain and plain.span())


def test_only_the_place_is_looked_at() -> None:
    """A word that stands elsewhere in a text does not count: a rule asked at a thousand places of
    one long text must not look at all of it a thousand times."""
    born = regex(r"\bborn (?:in|on) \w+")
    text = "I was born in Oslo. " + "Nothing else happened. " * 3
    assert born.search(text) is not None
    looked: list[str] = []

    class Spied(str):
        __slots__ = ()

        def __getitem__(self, place: Any) -> str:
            looked.append(str.__getitem__(self, place))
            return looked[-1]

    assert born.search(Spied(text), 20) is None
    assert born.search(Spied(text), 22, 30) is None
    assert born.search(Spied(text), 0, 20) is not None
    assert looked == [text[20:], text[22:30], text[:20]]
