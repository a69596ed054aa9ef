"""Evidence from neighbouring turns: who may lend, how much, and never across a silence."""

from __future__ import annotations

import numpy as np
import pytest

from jiyi.ports import Layout
from jiyi.recall.bm25 import Occurrences
from jiyi.recall.conversation import links_of, spread_scores, spread_terms

HOUR = 3_600_000_000
AFTER, BEFORE = (0.5, 0.25), (0.3,)


def layout(sessions: list[int], hours: list[float] | None = None) -> Layout:
    said = np.array([h * HOUR for h in hours or range(len(sessions))], np.int64)
    kinds = np.array([1 if s < 0 else 2 for s in sessions], np.uint8)
    return Layout(1, len(sessions), kinds, np.array(sessions, np.int32), said)


def occurrences(size: int, *found: tuple[int, int, float]) -> Occurrences:
    terms, numbers, scores = zip(*found, strict=True)
    names = tuple(f"t{i}" for i in range(max(terms) + 1))
    return Occurrences(
        1, size, np.array(terms), np.array(numbers, "i4"), np.array(scores, "f4"), names
    )


def spread(o: Occurrences, where: Layout, session: float = 0.0) -> list[float]:
    links = links_of(where, o.size)
    return spread_terms(o, links, after=AFTER, before=BEFORE, session=session).tolist()


def test_interleaved_sessions_and_memories() -> None:
    """Neighbours are the turns of the same session, whatever was written in between."""
    links = links_of(layout([0, 1, -1, 0, 1, 0]), 6)
    assert links.next.tolist() == [3, 4, 6, 5, 6, 6, 6]
    assert links.previous.tolist() == [6, 6, 6, 0, 1, 3, 6]
    assert links.groups.tolist() == [0, 1, 2, 0, 1, 0]
    assert links.count == 2


def test_a_silence_parts_a_session() -> None:
    """What was said the next day in the same session is no neighbour."""
    links = links_of(layout([0, 0, 0], hours=[0, 1, 25]), 3)
    assert links.next.tolist() == [1, 3, 3, 3]
    assert links.groups.tolist() == [0, 0, 1]


def test_no_turns() -> None:
    """A space of memories alone has no sessions and lends nothing."""
    o = occurrences(2, (0, 0, 1.0))
    assert spread(o, layout([-1, -1]), session=0.5) == [1.0, 0.0]


def test_lending_fades_with_distance() -> None:
    """The turn after a match gets half of it, the next a quarter, the one before 0.3 of it."""
    o = occurrences(5, (0, 1, 1.0))
    assert spread(o, layout([0] * 5)) == pytest.approx([0.3, 1.0, 0.5, 0.25, 0.0])


def test_only_what_is_missing_is_lent() -> None:
    """Two neighbours that say the same word do not lift each other; different words add up."""
    same = occurrences(2, (0, 0, 1.0), (0, 1, 1.0))
    assert spread(same, layout([0, 0])) == pytest.approx([1.0, 1.0])
    other = occurrences(2, (0, 0, 1.0), (1, 1, 1.0))
    assert spread(other, layout([0, 0])) == pytest.approx([1.3, 1.5])


def test_the_session_adds_its_best_once() -> None:
    """Each turn of a sitting gets a share of the best of each term; other sessions get nothing."""
    o = occurrences(4, (0, 0, 1.0), (0, 1, 0.6))
    found = spread(o, layout([0, 0, 0, 1]), session=0.2)
    assert found[3] == 0.0
    assert found[2] == pytest.approx(0.3 + 0.2)  # 0.5 x 0.6 from the turn before


def test_scores_are_lent_like_terms() -> None:
    """Cosines of neighbours are added with their weights, negative ones too."""
    links = links_of(layout([0, 0, 0]), 3)
    scores = np.array([1.0, 0.0, -1.0], np.float32)
    found = spread_scores(scores, links, after=(0.5,), before=(0.1,))
    assert found.tolist() == pytest.approx([1.0, 0.4, -1.0])
