"""Documents and talk are two bodies of text: neither changes what the other's words weigh."""

from __future__ import annotations

import numpy as np
import pytest

from jiyi.ports import Layout, Postings, StoredUnit, UnitCode, VectorBlock
from jiyi.recall.candidate import Candidate
from jiyi.recall.corpora import corpora, cut_documents
from jiyi.recall.dense import Centres, search_vectors
from jiyi.types import MemoryRecord, Passage, UnitKey

KINDS = (
    *(UnitCode.MEMORY, UnitCode.DOCUMENT, UnitCode.USER_TURN),
    *(UnitCode.DOCUMENT, UnitCode.NOTHING),
)


def layout(kinds: tuple[UnitCode, ...] = KINDS) -> Layout:
    size = len(kinds)
    return Layout(
        space=1,
        size=size,
        kinds=np.array(kinds, np.uint8),
        sessions=np.full(size, -1, np.int32),
        said=np.zeros(size, np.int64),
    )


def postings() -> Postings:
    """ "tea" in a memory and a passage, "lamp" in both passages."""
    terms = {"tea": [0, 1], "lamp": [1, 3]}
    return Postings(
        space=1,
        size=5,
        count=4,
        mean_length=5.0,
        lengths=np.array([2, 9, 3, 6, 0], np.uint16),
        terms={
            term: (np.array(numbers, np.int32), np.ones(2, np.float32))
            for term, numbers in terms.items()
        },
    )


def test_each_body_has_its_own_words() -> None:
    """Counts, lengths and holders are those of the units in it."""
    spoken, written = corpora([postings()], {1: layout()}, ("memory", "turn", "document"))
    assert (spoken.units, written.units) == (("memory", "turn"), ("document",))
    (talk,), (books,) = spoken.postings, written.postings
    assert (talk.count, talk.mean_length, books.count, books.mean_length) == (2, 2.5, 2, 7.5)
    assert {term: found[0].tolist() for term, found in talk.terms.items()} == {"tea": [0]}
    assert {term: found[0].tolist() for term, found in books.terms.items()} == {
        "tea": [1],
        "lamp": [1, 3],
    }
    assert talk.lengths.tolist() == [2, 0, 3, 0, 0]


def test_only_what_is_asked_for() -> None:
    """One body alone; without documents nothing is divided or copied."""
    (only,) = corpora([postings()], {1: layout()}, ("document",))
    assert only.units == ("document",)
    (only,) = corpora([postings()], {1: layout()}, ("turn",))
    assert only.units == ("turn",)
    given = [postings()]
    (only,) = corpora(given, {1: layout((UnitCode.MEMORY,) * 5)}, ("memory", "document"))
    assert only.postings is given


def candidate(number: int, *, passage: bool) -> Candidate:
    held = (
        {"passage": Passage(id="p", document_id="d", position=0, text="", span=(0, 0))}
        if passage
        else {"memory": object.__new__(MemoryRecord)}
    )
    unit = StoredUnit(unit="document" if passage else "memory", key=UnitKey(1, number), **held)
    return Candidate(stored=unit, score=-number, scores={})


@pytest.mark.parametrize(
    ("passages", "others", "limit", "kept"),
    [(10, 10, 4, 2), (10, 10, 5, 3), (10, 1, 4, 3), (10, 0, 4, 4), (1, 10, 4, 1), (10, 10, 1, 1)],
)
def test_passages_take_half_at_most(passages: int, others: int, limit: int, kept: int) -> None:
    """The best passages keep half of the places, and all that nobody else wants."""
    found = [candidate(n, passage=n < passages) for n in range(passages + others)]
    cut_documents(found, limit)
    alive = [c.stored.key.number for c in found if c.cut is None and c.stored.passage is not None]
    assert alive == list(range(kept))
    assert not any(c.cut for c in found if c.stored.passage is None)


def test_each_body_is_centred_by_itself() -> None:
    """However many passages come, as the block grows, the cosines of talk stay the same."""
    generator = np.random.default_rng(7)
    talk = generator.normal(size=(20, 16)) + 2
    books = generator.normal(size=(400, 16)) + np.linspace(-3, 3, 16)
    matrix = np.concatenate((talk[:10], books[:200], talk[10:], books[200:])).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    query = matrix[3] + np.float32(0.1)
    query /= np.linalg.norm(query)
    said = np.r_[0:10, 210:220]
    kinds = np.full(len(matrix), UnitCode.DOCUMENT, np.uint8)
    kinds[said] = UnitCode.USER_TURN
    alone = search_vectors(
        [VectorBlock(1, np.arange(20, dtype=np.int32), matrix[said])], query, {1: 20}, Centres()
    )[1]
    apart = search_vectors(
        [VectorBlock(1, np.arange(400, dtype=np.int32), np.delete(matrix, said, axis=0))],
        query,
        {1: 400},
        Centres(),
    )[1]
    centres = Centres()
    for size in (5, 100, len(matrix) - 3, len(matrix), 100):  # it grows; an old reader looks back
        block = VectorBlock(1, np.arange(size, dtype=np.int32), matrix[:size])
        known = Layout(1, size, kinds[:size], np.full(size, -1), np.zeros(size, np.int64))
        found = search_vectors([block], query, {1: size}, centres, {1: known})[1]
        assert np.isfinite(found).all()
    whole = VectorBlock(1, np.arange(len(matrix), dtype=np.int32), matrix)
    known = Layout(1, len(matrix), kinds, np.full(len(matrix), -1), np.zeros(len(matrix), np.int64))
    for held in (Centres(), Centres()):
        found = search_vectors([whole], query, {1: len(matrix)}, held, {1: known})[1]
        assert found[said].tolist() == pytest.approx(alone.tolist(), abs=1e-4)
        rest = np.delete(found, said)
        assert rest.tolist() == pytest.approx(apart.tolist(), abs=1e-4)
