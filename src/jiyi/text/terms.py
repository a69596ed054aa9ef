"""From a text to the terms it is indexed and searched by.

English words become Snowball stems, Chinese (and kana and hangul) runs become single characters
and pairs, codes and numbers stay whole and can be found by their parts. Text is folded (NFKC,
casefolded) first, so that case and width never matter.
"""

from __future__ import annotations

import re
from collections import Counter
from operator import add
from threading import local
from typing import TYPE_CHECKING, Final

import Stemmer

from jiyi.ports import TermWeights
from jiyi.text.normalise import fold
from jiyi.text.scripts import CJK, EMOJI
from jiyi.text.words import (
    CONTRACTIONS,
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

_CACHE_LIMIT: Final = 100_000
_LENGTH_LIMIT: Final = 65_535
_WORD_LIMIT: Final = 64
"""Characters of a word that are looked at: longer ones are data, not words."""

_LETTER: Final = f"[^\\W_{CJK}]"
_PIECES: Final = re.compile(
    # 5月, 8日, 2023年
    "([0-9]{1,4})([年月日号])"
    f"|([{CJK}]+)"
    # words and codes: ZX-9917-Q, v2.3.1, a@b.cn, don't, C++, C#, .NET
    f"|((?:(?<![.\\w])\\.)?{_LETTER}+(?:[-'’_.@:/+&,=?%~]+{_LETTER}+)*(?:\\+\\+|\\#(?!\\w))?)"
    f"|([{EMOJI}])"
)
_JOINERS: Final = re.compile(r"[-_.@:/+&,=?%~#'’]+")
_LETTERS_AND_DIGITS: Final = re.compile(r"[0-9]+|[^\W0-9_]+")
_ORDINAL: Final = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_DECIMAL: Final = re.compile(r"[0-9]+\.[0-9]+")
_DATE_NUMERAL: Final = re.compile("([〇零一二三四五六七八九十]{1,4})(?=[年月日号])")
_QUESTION_ZH: Final = re.compile("|".join(QUESTION_PHRASES_ZH))
_NUMERALS: Final = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0}

_stemmers = local()
_word_terms: dict[str, tuple[str, ...]] = {}


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
    """The terms of a question, each with its weight (1 is full weight).

    Words that only ask are left out, unless nothing else is left.
    """
    folded = fold(text)
    counts = Counter(_terms(_QUESTION_ZH.sub(" ", folded)))
    for word in QUESTION_WORDS_EN:
        counts.pop(word, None)
    if not counts:
        counts = Counter(_terms(folded))
    return dict.fromkeys(counts, 1.0)


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
    if "年" in folded or "月" in folded or "日" in folded or "号" in folded:
        folded = _DATE_NUMERAL.sub(_date_numeral, folded)
    if "星期" in folded:
        folded = folded.replace("星期天", "周日").replace("星期", "周")
    if "礼拜" in folded:
        folded = folded.replace("礼拜天", "周日").replace("礼拜", "周")
    terms: list[str] = []
    for number, unit, run, word, emoji in _PIECES.findall(folded):
        if run:
            terms += [c for c in run if c not in STOP_CHARACTERS]
            terms += map(add, run, run[1:])
        elif word:
            found = _word_terms.get(word)
            terms += _word(word) if found is None else found
        elif emoji:
            terms.append(emoji)
        else:
            value = number.lstrip("0") or "0"
            terms.append(value)
            if len(value) < 4:
                terms.append(value + ("日" if unit == "号" else unit))
    return terms


def _word(word: str) -> tuple[str, ...]:
    """The terms of one English word or code, remembered for the next time."""
    terms = tuple(dict.fromkeys(_word_parts(word[:_WORD_LIMIT])))
    if len(_word_terms) >= _CACHE_LIMIT:
        _word_terms.clear()
    _word_terms[word] = terms
    return terms


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
    return [part, *(_LETTERS_AND_DIGITS.findall(part) if len(part) > 2 else ())]


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
