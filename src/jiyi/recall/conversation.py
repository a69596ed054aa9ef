"""Evidence from the conversation around a turn: who answers a question rarely repeats its words.

Each turn borrows the query terms that its neighbours hold and it lacks, at a discount that grows
with the distance, and a little of what the whole sitting holds. Borrowing term by term, and only
what is missing, lifts the turns around a match without letting two neighbours that both say the
same word outrank the one that answers (docs/recall.md, "Neighbours").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from jiyi.ports import Layout
    from jiyi.recall.bm25 import Occurrences

_SITTING = 6 * 3_600_000_000  # microseconds of silence after which turns belong together no more


@dataclass(frozen=True, slots=True)
class Links:
    """How the turns of one space hang together in sittings; arrays of shape (size,).

    A sitting is a run of turns of one session without a long silence. `previous` and `next` are
    the numbers of the neighbouring turns of the sitting, or `size` where there is none; `groups`
    numbers the sittings from 0, with `count` for what is no turn.
    """

    size: int
    previous: npt.NDArray[np.int64]
    next: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int64]
    count: int


def links_of(layout: Layout, size: int) -> Links:
    """The links among the first `size` numbers of a space."""
    sessions = layout.sessions[:size]
    # Stable, so that turns of a session keep the order in which they were said.
    order = np.argsort(sessions, kind="stable")
    order = order[np.searchsorted(sessions, 0, sorter=order) :]
    found = sessions[order]
    apart = np.diff(layout.said[:size][order])
    same = (found[1:] == found[:-1]) & (np.abs(apart) <= _SITTING)
    previous = np.full(size, size, np.int64)
    following = np.full(size, size, np.int64)
    previous[order[1:][same]] = order[:-1][same]
    following[order[:-1][same]] = order[1:][same]
    ranks = np.concatenate(([0], np.cumsum(~same))) if len(found) else np.zeros(0, np.int64)
    count = int(ranks[-1]) + 1 if len(found) else 0
    groups = np.full(size, count, np.int64)
    groups[order] = ranks
    return Links(size, previous, following, groups, count)


def spread_terms(
    occurrences: Occurrences,
    links: Links,
    *,
    after: Sequence[float],
    before: Sequence[float],
    session: float,
) -> npt.NDArray[np.float32]:
    """Text scores with what the conversation around each turn adds; shape (size,).

    For each term a turn gets the best of its own score, `after[d - 1]` times the score of the turn
    d places earlier, and `before[d - 1]` times that of the turn d places later; then `session`
    times the best of the sitting for each term is added.
    """
    size, terms = links.size, len(occurrences.names)
    best = np.zeros((terms, size), np.float32)
    flat = best.reshape(-1)
    flat[occurrences.terms * size + occurrences.numbers] = occurrences.scores
    for way, weights in ((links.next, after), (links.previous, before)):
        rows, scores = occurrences.terms, occurrences.scores
        numbers = occurrences.numbers.astype(np.int64)
        for weight in weights:
            numbers = way[numbers]
            keep = numbers < size
            rows, numbers, scores = rows[keep], numbers[keep], scores[keep]
            # Within one step no (term, turn) comes twice: each turn has one neighbour a side.
            at = rows * size + numbers
            flat[at] = np.maximum(flat[at], weight * scores)
    total: npt.NDArray[np.float32] = best.sum(axis=0)
    if session and links.count:
        groups = links.groups[occurrences.numbers]
        keep = groups < links.count
        held = np.zeros((terms, links.count + 1), np.float32)
        np.maximum.at(
            held.reshape(-1),
            occurrences.terms[keep] * (links.count + 1) + groups[keep],
            occurrences.scores[keep],
        )
        total += session * held.sum(axis=0)[links.groups]
    return total


def spread_scores(
    scores: npt.NDArray[np.float32],
    links: Links,
    *,
    after: Sequence[float],
    before: Sequence[float],
) -> npt.NDArray[np.float32]:
    """Scores plus the weighted scores of the neighbouring turns; shape (size,)."""
    total = scores.copy()
    padded = np.append(scores, np.float32(0))
    for way, weights in ((links.previous, after), (links.next, before)):
        step = np.append(way, links.size)
        at = step
        for weight in weights:
            total += weight * padded[at[:-1]]
            at = step[at]
    return total
