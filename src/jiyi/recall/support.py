"""Is the question supported at all? The likeliest answer to a question nothing supports is noise.

Two witnesses: the share of the question's mass (rare terms weigh most) that the best units hold,
and, with an embedder, how far the best cosine stands out from all others of the scope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jiyi.recall.candidate import Candidate
    from jiyi.recall.settings import RecallSettings
    from jiyi.types import Support

_LOOK_AT = 5  # best candidates that may witness


def support_of(candidates: Sequence[Candidate], settings: RecallSettings) -> tuple[Support, float]:
    """How well the best candidates back the question, with the score behind it (0 to 1)."""
    best = max((witness(c, settings) for c in candidates[:_LOOK_AT]), default=0.0)
    if best < settings.none:
        return "none", best
    return ("weak" if best < settings.weak else "strong"), best


def witness(candidate: Candidate, settings: RecallSettings) -> float:
    """How much one unit speaks for the question, from 0 to 1."""
    return max(candidate.matched, min(1.0, candidate.cosine * settings.cosine_support))
