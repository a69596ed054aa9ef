"""The terms of a question, each with its weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.recall.intent import without_the_user
from jiyi.recall.pasted import lines_of
from jiyi.text.terms import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jiyi.ports import Postings
    from jiyi.recall.settings import RecallSettings


def weighted_terms(query: str, settings: RecallSettings) -> dict[str, float]:
    """The terms to search for; those of a pasted conversation weigh less the further back."""
    lines = lines_of(query)
    if not lines:
        return query_terms(without_the_user(query))
    weights: dict[str, float] = {}
    for back, line in enumerate(reversed(lines)):
        decay = max(settings.line_decay**back, settings.line_floor)
        for term, weight in query_terms(line).items():
            weights[term] = max(weights.get(term, 0.0), decay * weight)
    return weights


def heaviest(
    masses: dict[str, float], postings: Sequence[Postings], limit: int
) -> Mapping[str, float]:
    """Without the lightest terms that the index holds; those nobody used cost nothing."""
    held = {term for space in postings for term in space.terms}
    if len(held) <= limit:
        return masses
    lightest = set(sorted(held, key=masses.__getitem__)[: len(held) - limit])
    return {term: mass for term, mass in masses.items() if term not in lightest}
