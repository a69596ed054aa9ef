"""Evidence from the conversation around a turn: who answers a question rarely repeats its words.

Each turn borrows the query terms that its neighbours hold and it lacks, at a discount that grows
with the distance, and a little of what the whole sitting holds. Borrowing term by term, and only
what is missing, lifts the turns around a match without letting two neighbours that both say the
same word outrank the one that answers (docs/recall.md, "Neighbours").
"""

from __future__ import annotations

import threading
import weakref
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
    """How the turns of one space hang together in sittings.

    A sitting is a run of turns of one session without a long silence. `previous` and `next`, of
    shape (size + 1,), are the numbers of the neighbouring turns of the sitting, or `size` where
    there is none; beyond the last number, which is `size`, there is none either. `groups`, of shape
    (size,), numbers the sittings from 0, with `count` for what is no turn.
    """

    size: int
    previous: npt.NDArray[np.int64]
    next: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int64]
    count: int


class KnownLinks:
    """The links of each layout, kept while its arrays are: to find them sorts all that was said."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[int, tuple[weakref.ref[npt.NDArray[np.int32]], Links]] = {}

    def of(self, layout: Layout, size: int) -> Links:
        """The links among the first `size` numbers of a space."""
        owner = layout.sessions
        with self._lock:
            reference, links = self._known.get(id(owner), (None, None))
        if reference is None or links is None or reference() is not owner or links.size != size:
            links = links_of(layout, size)
            with self._lock:
                self._known = {k: v for k, v in self._known.items() if v[0]() is not None}
                self._known[id(owner)] = weakref.ref(owner), links
        return links


def links_of(layout: Layout, size: int) -> Links:
    """The links among the first `size` numbers of a space."""
    sessions = layout.sessions[:size]
    # Stable, so that turns of a session keep the order in which they were said.
    order = np.argsort(sessions, kind="stable")
    order = order[np.searchsorted(sessions, 0, sorter=order) :]
    found = sessions[order]
    apart = np.diff(layout.said[:size][order])
    same = (found[1:] == found[:-1]) & (np.abs(apart) <= _SITTING)
    previous = np.full(size + 1, size, np.int64)
    following = np.full(size + 1, size, np.int64)
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
    terms, width, scores = len(occurrences.names), links.size + 1, occurrences.scores
    # Turns without a neighbour lend to the place behind the last one, which is cut off.
    best = np.zeros((terms, width), np.float32)
    flat, rows = best.reshape(-1), occurrences.terms * width
    flat[rows + occurrences.numbers] = scores
    for way, weights in ((links.next, after), (links.previous, before)):
        numbers: npt.NDArray[np.integer] = occurrences.numbers
        for weight in weights:
            numbers = way[numbers]
            # Within one step no (term, turn) comes twice: each turn has one neighbour a side.
            at = rows + numbers
            flat[at] = np.maximum(flat[at], weight * scores)
    total: npt.NDArray[np.float32] = best[:, :-1].sum(axis=0)
    if session and links.count:
        held = np.zeros((terms, links.count + 1), np.float32)
        at = occurrences.terms * (links.count + 1) + links.groups[occurrences.numbers]
        np.maximum.at(held.reshape(-1), at, scores)
        held[:, links.count] = 0  # what is no turn has no sitting
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
        at = way
        for weight in weights:
            total += weight * padded[at[:-1]]
            at = way[at]
    return total
