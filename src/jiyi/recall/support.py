"""Is the question supported at all? The likeliest answer to what nothing supports is noise.

Two witnesses for each unit: the words of the question that it holds, the rare ones above all, and
how near its vector is. docs/recall.md ("Nothing known") has the curves behind the numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.recall.bm25 import term_masses
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jiyi.ports import Postings
    from jiyi.recall.candidate import Candidate
    from jiyi.recall.settings import RecallSettings
    from jiyi.types import Support

LOOK_AT = 5
"""Best candidates that may witness."""

_BACKGROUND = 200  # units that a scope is taken to hold besides: a small one knows no rare words
_GROWTH = 0.4  # a question twice as long needs 2 ** 0.4 less of a share
_CJK_COST = 0.28  # a Chinese word of two characters is three terms, and its borders make more
_CJK = regex(f"[{CJK}]")


def support_weights(postings: Sequence[Postings], terms: Mapping[str, float]) -> dict[str, float]:
    """What holding each term of a question says for an answer.

    The term's share of the question's mass, times (mass of the question / mass of one term that
    nobody used) ** 0.4, so that a long question needs a smaller share of its words than a short
    one. A term of Chinese, Japanese or Korean adds 0.28 of its mass to the question's.
    """
    masses = term_masses(postings, terms, background=_BACKGROUND)
    total = sum(m * (_CJK_COST if _CJK.search(term) else 1.0) for term, m in masses.items())
    if not total:
        return {}
    unused = term_masses(postings, {"": 1.0}, background=_BACKGROUND)[""]
    scale = max(total / unused, 1.0) ** _GROWTH / total
    return {term: mass * scale for term, mass in masses.items()}


def support_of(
    candidates: Sequence[Candidate], settings: RecallSettings, *, near: bool, asked: bool
) -> tuple[Support, float]:
    """How well the best candidates back the question, with the score behind it (0 and up).

    `near` says that there were vectors to hold it against, `asked` that it asks something.
    """
    best = max((_witness(c, settings) for c in candidates[:LOOK_AT]), default=0.0)
    least = settings.none_near if near else settings.none
    if best < (least if asked else least * settings.unasked):
        return "none", best
    return ("weak" if best < settings.weak else "strong"), best


def _witness(candidate: Candidate, settings: RecallSettings) -> float:
    near = max(candidate.cosine - settings.cosine_floor, 0.0)
    # Words that nearly every unit holds are no witness, however rare they are in the language: a
    # scope in which every date says 周 knows nothing of 老周.
    told = candidate.matched if candidate.scores.get("text", 0.0) >= settings.text_floor else 0.0
    return told + settings.cosine_support * near
