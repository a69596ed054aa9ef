"""BM25: against the formula worked by hand, and across spaces."""

from __future__ import annotations

import math

import numpy as np
import pytest

from jiyi.ports import Postings
from jiyi.recall.bm25 import search, term_masses


def space(number: int, lengths: list[int], **terms: dict[int, float]) -> Postings:
    lists = {
        term: (np.array(sorted(held), np.int32), np.array([held[n] for n in sorted(held)], "f4"))
        for term, held in terms.items()
    }
    held = [n for n in lengths if n]
    mean = sum(held) / len(held) if held else 0.0
    return Postings(number, len(lengths), len(held), mean, np.array(lengths, np.uint16), lists)


def totals(postings: list[Postings], masses: dict[str, float]) -> list[list[float]]:
    found = search(postings, masses, k1=1.2, b=0.75)
    return [np.bincount(f.numbers, f.scores, f.size).tolist() for f in found]


def test_the_formula() -> None:
    """One term, worked by hand: idf share x (k1 + 1) tf / (tf + k1 (1 - b + b dl / avgdl))."""
    index = space(1, [4, 8, 6], tea={0: 1.0, 1: 3.0})
    masses = term_masses([index], {"tea": 1.0})
    assert masses["tea"] == pytest.approx(math.log(1 + 1.5 / 2.5))
    ((first, second, third),) = totals([index], masses)
    assert first == pytest.approx(2.2 * 1 / (1 + 1.2 * (0.25 + 0.75 * 4 / 6)), rel=1e-5)
    assert second == pytest.approx(2.2 * 3 / (3 + 1.2 * (0.25 + 0.75 * 8 / 6)), rel=1e-5)
    assert third == 0


def test_scores_do_not_grow_with_the_question() -> None:
    """The best possible score is k1 + 1 for one term and for ten, so that arms can be weighed."""
    few = space(1, [1], a={0: 1e6})
    many = space(1, [10], **{c: {0: 1e6} for c in "abcdefghij"})
    for index, query in ((few, "a"), (many, "abcdefghij")):
        masses = term_masses([index], dict.fromkeys(query, 1.0))
        assert totals([index], masses)[0][0] == pytest.approx(2.2, rel=1e-3)


def test_a_term_nobody_used_weighs_most() -> None:
    """What the index lacks has the highest mass: it lowers every score, and support with it."""
    index = space(1, [2, 2], tea={0: 1.0})
    masses = term_masses([index], {"tea": 1.0, "xylophone": 1.0})
    assert masses["xylophone"] > masses["tea"]


def test_spaces_share_their_statistics() -> None:
    """The same unit scores the same whether it lies in one space or in two."""
    whole = space(1, [3, 5, 4], tea={0: 1.0, 2: 2.0}, milk={1: 1.0})
    first = space(1, [3, 5], tea={0: 1.0}, milk={1: 1.0})
    second = space(2, [0, 4], tea={1: 2.0})
    query = {"tea": 1.0, "milk": 1.0}
    (together,) = totals([whole], term_masses([whole], query))
    apart = totals([first, second], term_masses([first, second], query))
    assert [*apart[0], apart[1][1]] == pytest.approx(together, rel=1e-5)


def test_nothing_indexed() -> None:
    """No spaces, and spaces that hold none of the terms, give no scores and no error."""
    assert search([], term_masses([], {"tea": 1.0}), k1=1.2, b=0.75) == []
    empty = space(1, [2, 2])
    assert totals([empty], term_masses([empty], {"tea": 1.0})) == [[0.0, 0.0]]
