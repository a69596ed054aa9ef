"""From a text to the terms it is indexed and searched by.

English words become Snowball stems, Chinese (and kana and hangul) runs become single characters
and pairs, codes and numbers stay whole and can be found by their parts. Text is folded (NFKC,
casefolded) first, so that case and width never matter.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from threading import local
from typing import TYPE_CHECKING, Final

import Stemmer

from jiyi.ports import TermWeights
from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK, EMOJI, without
from jiyi.text.words import (
    CONTRACTIONS,
    GRAMMAR_CHARACTERS,
    IRREGULAR,
    MONTHS,
    QUESTION_PHRASES_ZH,
    QUESTION_WORDS_EN,
    STOP_CHARACTERS,
    STOP_WORDS,
    WEEKDAYS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

CHARACTER_WEIGHT: Final = 0.6
"""Tried from 0 to 1 on four Chinese retrieval sets: 0.5 to 0.7 do alike, about a point of
recall@10 better than 1 on the largest of them, and never clearly worse."""

_CACHE_LIMIT: Final = 100_000
_LENGTH_LIMIT: Final = 65_535
_WORD_LIMIT: Final = 64
"""Characters of a word that are looked at: longer ones are data, not words."""

_LETTER: Final = f"[^\\W_{CJK}]"
_WORDS: Final = regex(
    # words and codes: ZX-9917-Q, v2.3.1, a@b.cn, don't, C++, C#, .NET
    f"(?:(?<![.\\w])\\.)?{_LETTER}+(?:[-'’_.@:/+&,=?%~]+{_LETTER}+)*(?:\\+\\+|\\#(?!\\w))?"
    f"|[{EMOJI}]"
)
_MEANING: Final = without(CJK, GRAMMAR_CHARACTERS)
_CHARACTERS: Final = regex(f"[{without(_MEANING, STOP_CHARACTERS)}]")
_PAIRS: Final = regex(f"(?=([{_MEANING}]{{2}}))")
_DATED: Final = regex("(?<![0-9])([0-9]{1,4})([年月日号])")
_JOINERS: Final = regex(r"[-_.@:/+&,=?%~#'’]+")
_LETTERS_AND_DIGITS: Final = regex(r"[0-9]+|[^\W0-9_]+")
_ORDINAL: Final = regex(r"([0-9]+)(?:st|nd|rd|th)")
_GROUPED: Final = regex(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_DECIMAL: Final = regex(r"[0-9]+\.[0-9]+")
_DATE_NUMERAL: Final = regex("([〇零一二三四五六七八九十]{1,4})(?=[年月日号])")
_CHARACTER: Final = regex(f"[{CJK}]")
_QUESTION_ZH: Final = regex("|".join(QUESTION_PHRASES_ZH))
_NUMERALS: Final = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0}

_stemmers = local()


def term_weights(text: str, *, context: Sequence[str] = ()) -> TermWeights:
    """The terms of a text with their counts, and its length for BM25.

    `context` are further strings to find the text by, such as its speaker, the words of its date,
    and its tags.
    """
    terms = _terms(text)
    for extra in context:
        terms += _terms(extra)
    return TermWeights(Counter(terms), min(len(terms), _LENGTH_LIMIT))


def query_terms(text: str) -> dict[str, float]:
    """The terms of a question, each with its weight: 1 for a term asked for once.

    Words that only ask are left out, unless nothing else is left. A term that is repeated weighs
    the square root of its count, up to four; a single Chinese character, being part of many
    words, weighs `CHARACTER_WEIGHT`.
    """
    folded = fold(text)
    counts = Counter(_terms(_QUESTION_ZH.sub(" ", folded)))
    for word in QUESTION_WORDS_EN:
        counts.pop(word, None)
    if not counts:
        counts = Counter(_terms(folded))
    return {
        term: min(count, 4) ** 0.5 * (CHARACTER_WEIGHT if _CHARACTER.fullmatch(term) else 1.0)
        for term, count in counts.items()
    }


def date_words(moment: datetime) -> str:
    """The date of `moment`, in its own zone, in words of both languages.

    Added to a text as context, it makes "May 2023", "5月8日", "2023年" and "周一" find it.
    """
    weekday = moment.weekday()
    return (
        f"{moment.year} {MONTHS[moment.month - 1]} {moment.day} {WEEKDAYS[weekday]} "
        f"{moment.month}月 {moment.day}日 周{'一二三四五六日'[weekday]}"
    )


def _terms(text: str) -> list[str]:
    folded = fold(text)
    if folded.isascii():
        return [*chain.from_iterable(map(_word_terms.__getitem__, _WORDS.findall(folded)))]
    terms: list[str] = []
    if "年" in folded or "月" in folded or "日" in folded or "号" in folded:
        folded = _DATE_NUMERAL.sub(_date_numeral, folded)
        if dated := _DATED.findall(folded):
            terms += chain.from_iterable(_dated(number, unit) for number, unit in dated)
            folded = _DATED.sub(" ", folded)
    if "星期" in folded:
        folded = folded.replace("星期天", "周日").replace("星期", "周")
    if "礼拜" in folded:
        folded = folded.replace("礼拜天", "周日").replace("礼拜", "周")
    terms += _CHARACTERS.findall(folded)
    terms += _PAIRS.findall(folded)
    terms.extend(chain.from_iterable(map(_word_terms.__getitem__, _WORDS.findall(folded))))
    return terms


def _dated(number: str, unit: str) -> list[str]:
    """2023年 is found as 2023; 5月 and 8号 as 5 and 5月, 8 and 8日."""
    value = number.lstrip("0") or "0"
    return [value] if len(value) == 4 else [value, value + ("日" if unit == "号" else unit)]


class _WordTerms(dict[str, tuple[str, ...]]):
    """The terms of one word or code, worked out when it is met first. Forgets all when full."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        terms = tuple(dict.fromkeys(_word_parts(word[:_WORD_LIMIT])))
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        self[word] = terms
        return terms


_word_terms: Final = _WordTerms()


def _word_parts(word: str) -> list[str]:
    if word.isalpha():
        return _stem(word)
    if word.isdecimal():
        return [word.lstrip("0") or "0"] if len(word) <= 2 else [word]
    if match := _ORDINAL.fullmatch(word):
        return [match.group(1)]
    if _GROUPED.fullmatch(word):
        return [word.replace(",", "")]
    if _DECIMAL.fullmatch(word):
        return [word]
    if "'" in word or "’" in word:
        return _contraction(word.replace("’", "'"))
    parts = [part for part in _JOINERS.split(word) if part]
    terms: list[str] = []
    if not all(map(str.isalpha, parts)) or _names_a_thing(word):
        terms.append(word.rstrip(",:?=-") if len(parts) > 1 else word)
    for part in parts:
        terms += _stem(part) if part.isalpha() else _code_part(part)
    return terms


def _names_a_thing(word: str) -> bool:
    """Whether signs between or around letters make a name: node.js, a@b.cn, C++, .NET, C#."""
    return any(sign in word for sign in ".@#_") or word.endswith("++")


def _code_part(part: str) -> list[str]:
    if part.isdecimal():
        return [part.lstrip("0") or "0"] if len(part) <= 2 else [part]
    if match := _ORDINAL.fullmatch(part):
        return [match.group(1)]
    if len(part) <= 2:
        return [part]
    pieces = _LETTERS_AND_DIGITS.findall(part)
    return [part, *chain.from_iterable(_stem(p) if p.isalpha() else [p] for p in pieces)]


def _contraction(word: str) -> list[str]:
    if word in CONTRACTIONS:
        return [CONTRACTIONS[word]] if CONTRACTIONS[word] else []
    head, _, tail = word.partition("'")
    if head.endswith("n") and tail == "t":
        return [*_stem(head[:-1]), "not"]
    if tail in {"s", "m", "re", "ve", "ll", "d", ""}:
        return _word_parts(head) if head else []
    return [head + tail.replace("'", ""), *_word_parts(head), *_word_parts(tail)]


def _stem(word: str) -> list[str]:
    if word in STOP_WORDS:
        return []
    word = IRREGULAR.get(word, word)
    if not word.isascii():
        return [word]
    stemmer = getattr(_stemmers, "english", None)
    if stemmer is None:
        # One per thread: a Stemmer keeps state while it works.
        stemmer = _stemmers.english = Stemmer.Stemmer("english", 0)
    return [stemmer.stemWord(word)]


def _date_numeral(match: re.Match[str]) -> str:
    """五月 → 5月, 二十一日 → 21日, 二〇二三年 → 2023年; 三年 (a duration) stays."""
    text = match.group(1)
    unit = match.string[match.end()]
    if unit == "年":
        is_year = len(text) == 4 and "十" not in text
        return "".join(str(_NUMERALS[c]) for c in text) if is_year else text
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return str(_NUMERALS[text]) if len(text) == 1 else text
    value = (_NUMERALS.get(tens, 0) if tens else 1) * 10 + (_NUMERALS.get(ones, 0) if ones else 0)
    return str(value)
