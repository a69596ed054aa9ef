"""The newer of two figures: what somebody said last about a number, a date or a time holds.

"We merged 150 commits", later "growing fast, 165 by now": both answer "how many commits have been
merged?", and nothing but their order says which holds. Only questions about a present figure are
meant; what was said in between of other figures is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jiyi.recall.bm25 import term_masses
from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.text.sentences import sentences
from jiyi.text.terms import term_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jiyi.ports import Postings
    from jiyi.recall.candidate import Candidate
    from jiyi.recall.settings import RecallSettings

_LONGEST: Final = 600
"""Characters of a statement that are read."""
_STEP: Final = 1e-4
"""How far above the older the newer stands; scores are of the order of 1."""

_VALUE: Final = regex(
    r"\d[\d.,:/]*\d|\d"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundred|thousand|million|dozen|half|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december)\b"
    r"|[一二两三四五六七八九十百千万半]+(?:[个点号月日年天周次岁块元条本人遍分成倍斤米层]|公里|小时|星期)"
    r"|(?:周|星期|礼拜)[一二三四五六日天末]",
    re.IGNORECASE,
)
_CHANGE: Final = regex(
    r"\b(?:increas|rais|reduc|decreas|improv|chang|mov|postpon|delay|revis|updat|upgrad|enlarg"
    r"|expand|extend|lower|push|adjust|shift|switch|reschedul|bump|dropp|jump|climb|shorten"
    r"|lengthen)(?:ed|d)\b"
    r"|\b(?:grew|grown|growth|rose|risen|fell|fallen|went (?:up|down)|set back|brought forward"
    r"|reached|now|currently|as of|so far|these days|at present|no longer|new(?:ly)?)\b"
    r"|(?:增加|增长|涨|升|提高|提升|扩大|延长|降|下降|减少|缩短|改|调整|更新|换|推迟|提前|延期|挪|移|变)"
    r"(?:到|至|为|成|了)|现在|目前|如今|眼下|最新|新的|已经有|已达|达到",
    re.IGNORECASE,
)
_FIGURE: Final = regex(
    r"\bhow (?:many|much|long|often|old|far|big|tall|high|fast|heavy)\b"
    r"|\bwhat(?:'s| is| are)\b|\bwhat \w+ (?:should|do|am|is|are)\b"
    r"|\bwhat (?:time|date|day|number|percent\w*|rate|size|age|price|version|amount)\b"
    r"|\bwhen(?:'s| is| are| do| does| will| should)\b"
    r"|多少|几[个点号次岁年月天周位本]|什么时候|哪天|哪一天|何时|多久|多大|多长|多高|多重|多远",
    re.IGNORECASE,
)
_PAST: Final = regex(
    r"\b(?:did|was|were|had|ago|original(?:ly)?|initial(?:ly)?|used to|back then|previously"
    r"|at first|between|last (?:time|week|month|year|night|\w+day))\b"
    r"|当时|那时|那天|之前|以前|原来|最初|第一次|曾经|上次|上周|昨天|去年|后来|过[吗的]",
    re.IGNORECASE,
)


def asks_for_figure(query: str) -> bool:
    """Whether the question is about how many, how much or when, as it stands now."""
    return bool(_FIGURE.search(query)) and not _PAST.search(query)


def place_updates(
    candidates: Sequence[Candidate],
    query: str,
    postings: Sequence[Postings],
    terms: Mapping[str, float],
    settings: RecallSettings,
) -> None:
    """Put a turn that gives a newer figure right above the best older one of the same speaker.

    Both must state what the question is about, in one sentence with a figure, and give different
    figures. The newer needs a word of change or of now ("grew", "rescheduled", 改到, 目前), or must
    be about nearly the same. Only the best `settings.update_pool` turns are compared. The older
    keeps its score: nothing leaves the best k but by one place.

    Args:
        terms: the weighted terms of the question.
    """
    if not asks_for_figure(query):
        return
    masses = term_masses(postings, terms)
    total = sum(masses.values())
    if not total:
        return
    turns = [c for c in candidates if c.stored.turn is not None and c.cut is None]
    turns.sort(key=lambda c: -c.score)
    found = (_statement(c, masses, total, settings) for c in turns[: settings.update_pool])
    told = [statement for statement in found if statement is not None]
    for newer in sorted(told, key=lambda s: s.order, reverse=True):
        older = [
            s
            for s in told
            if s.candidate.score > newer.candidate.score and newer.updates(s, settings)
        ]
        if older:
            best = max(s.candidate.score for s in older)
            newer.candidate.add("newer", best + _STEP - newer.candidate.score)


@dataclass(frozen=True, slots=True)
class _Statement:
    """The sentence of a turn that holds most of the question beside a figure."""

    candidate: Candidate
    masses: Mapping[str, float]
    share: float
    changed: bool
    values: frozenset[str]

    @property
    def order(self) -> tuple[float, int]:
        turn = self.candidate.stored.turn
        assert turn is not None  # noqa: S101  # only turns become statements
        return turn.said_at.timestamp(), self.candidate.stored.key.number

    def updates(self, older: _Statement, settings: RecallSettings) -> bool:
        if self.order <= older.order or self.values == older.values:
            return False
        mine, theirs = self.candidate.stored.turn, older.candidate.stored.turn
        assert mine is not None  # noqa: S101
        assert theirs is not None  # noqa: S101
        if (mine.role, mine.name) != (theirs.role, theirs.name):
            return False
        common = sum(m for term, m in self.masses.items() if term in older.masses)
        if self.changed:
            return common >= settings.update_common * min(self.share, older.share)
        least = settings.update_bare_common * max(self.share, older.share)
        return common >= max(settings.update_bare, least)


def _statement(
    candidate: Candidate, masses: Mapping[str, float], total: float, settings: RecallSettings
) -> _Statement | None:
    turn = candidate.stored.turn
    if turn is None or turn.role != "user" or not candidate.matched:
        return None
    best: _Statement | None = None
    text = candidate.text
    for start, end in sentences(text):
        sentence = text[start : min(end, start + _LONGEST)]
        values = frozenset(fold(match.group()) for match in _VALUE.finditer(sentence))
        if not values:
            continue
        held = term_weights(sentence).counts
        met = {term: mass / total for term, mass in masses.items() if term in held}
        share = sum(met.values())
        changed = bool(_CHANGE.search(sentence))
        if share >= settings.update_least and (
            best is None or (share, changed) > (best.share, best.changed)
        ):
            best = _Statement(candidate, met, share, changed, values)
    return best
