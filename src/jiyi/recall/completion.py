"""A question that leans on the conversation, completed from the last turns without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jiyi.recall.leaning import leaning
from jiyi.recall.topics import topics
from jiyi.text.normalise import canonical, fold
from jiyi.types import Turn

LOOK_BACK: Final = 6
"""Turns of the user and the assistant that are read, newest first: three exchanges."""

MAX_ADDED: Final = 5
"""Terms that are added at most: more would outweigh the question's own words."""

DECAY: Final = 0.7
"""What a topic's weight is multiplied by for each turn further back."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A question made to stand alone.

    `text` is the question as asked followed by the `added` terms, strongest first; `reason` says
    what in the question leaned on the conversation.
    """

    text: str
    added: tuple[str, ...]
    reason: str


def complete(query: str, recent: Sequence[Turn]) -> Completion | None:
    """Complete a question from the turns before it.

    Args:
        query: the question as asked.
        recent: the last turns of the session, oldest first. The question itself may be the last
            of them; it does not count.

    Returns:
        None when the question stands alone, or when the turns name nothing to add.
    """
    reason = leaning(query)
    if reason is None:
        return None
    asked = canonical(query)
    spoken = [turn for turn in recent if turn.role in ("user", "assistant")]
    if spoken and spoken[-1].role == "user" and canonical(spoken[-1].text) == asked:
        spoken.pop()
    weights = _topics_of(spoken[-LOOK_BACK:])
    known = fold(query)
    added: list[str] = []
    for term in sorted(weights, key=lambda term: -weights[term]):
        folded = fold(term)
        if folded in known or any(folded in fold(other) for other in added):
            continue
        added.append(term)
        if len(added) == MAX_ADDED:
            break
    if not added:
        return None
    return Completion(f"{query.rstrip()} {' '.join(added)}", tuple(added), reason)


def _topics_of(turns: Sequence[Turn]) -> dict[str, float]:
    """Topics of the turns; what comes up again and again adds up, what is older counts less."""
    weights: dict[str, float] = {}
    spelling: dict[str, str] = {}
    for age, turn in enumerate(reversed(turns)):
        for phrase, weight in topics(turn.text).items():
            term = spelling.setdefault(fold(phrase), phrase)
            weights[term] = weights.get(term, 0.0) + weight * DECAY**age
    return weights
