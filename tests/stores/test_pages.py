"""Pages of the text index: what is packed is found again, and pages of former schemas are read."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from jiyi.stores.sql.packing import (
    LARGE_SPAN,
    SMALL_SPAN,
    TERM,
    PostingArrays,
    write_hashes,
)
from jiyi.stores.sql.pages import PAGE_BYTES, find_in_page, pack_pages, unpack_page

TERMS = st.one_of(
    st.integers(0, 2**48 - 1),
    # Neighbours in one bucket, tails of equal bytes, and both ends of the range.
    st.integers(0, 300).map(lambda n: 0x0101_0101_0101 + n),
    st.sampled_from([0, 1, 2**40, 2**40 - 1, 2**48 - 1, 2**48 - 2]),
)


def postings_of(held: dict[int, dict[int, int]]) -> PostingArrays:
    rows = [(t, n, c) for t, found in sorted(held.items()) for n, c in sorted(found.items())]
    return PostingArrays(
        np.array([t for t, _, _ in rows], np.uint64),
        np.array([n for _, n, _ in rows], np.uint16),
        np.array([c for _, _, c in rows], np.uint8),
    )


def old_page(postings: PostingArrays, span: int) -> bytes:
    """A page as schemas 1 to 4 wrote it."""
    hashes, locals, counts = postings
    terms, sizes = np.unique(hashes, return_counts=True)
    return (
        len(terms).to_bytes(2, "little")
        + write_hashes(terms)
        + np.cumsum(sizes).astype("<u2").tobytes()
        + locals.astype("<u1" if span <= SMALL_SPAN else "<u2").tobytes()
        + counts.tobytes()
    )


def check(
    held: dict[int, dict[int, int]], pages: list[bytes], directory: list[int], span: int
) -> None:
    whole = [unpack_page(page, span) for page in pages]
    there: dict[int, dict[int, int]] = {}
    for part in whole:
        for term, local, count in zip(*(column.tolist() for column in part), strict=True):
            there.setdefault(term, {})[local] = count
    assert there == held
    assert list(there) == sorted(held)
    for term in {*held, *((t + 1) % 2**48 for t in held), *(t ^ 0xFF00 for t in held)}:
        page = int(np.searchsorted(np.array(directory, np.uint64), np.uint64(term), "right")) - 1
        raw = term.to_bytes(8, "big")[-TERM:]
        found = find_in_page(pages[page], raw, span) if page >= 0 else None
        if term not in held:
            assert found is None
        else:
            assert found is not None
            assert dict(zip(found[0].tolist(), found[1].tolist(), strict=True)) == held[term]
            assert sorted(found[0].tolist()) == found[0].tolist()


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(
        TERMS,
        st.dictionaries(
            st.integers(0, LARGE_SPAN - 1), st.integers(1, 255), min_size=1, max_size=30
        ),
        min_size=1,
        max_size=25,
    )
)
def test_what_is_packed_is_found(held: dict[int, dict[int, int]]) -> None:
    """Every posting with its exact count comes back from pages, by term and as a whole; a term
    that is not there is not found."""
    directory, pages = pack_pages(postings_of(held))
    firsts = np.frombuffer(directory, np.uint8).reshape(-1, TERM)
    check(held, pages, [int.from_bytes(row.tobytes(), "big") for row in firsts], LARGE_SPAN)


@settings(max_examples=20, deadline=None)
@given(
    st.dictionaries(
        TERMS,
        st.dictionaries(
            st.integers(0, SMALL_SPAN - 1), st.integers(1, 255), min_size=1, max_size=30
        ),
        min_size=1,
        max_size=15,
    ),
    st.sampled_from([SMALL_SPAN, LARGE_SPAN]),
)
def test_old_pages_are_read(held: dict[int, dict[int, int]], span: int) -> None:
    """Pages of former schemas give the same answers as new ones."""
    check(held, [old_page(postings_of(held), span)], [min(held)], span)


def test_many_terms_fill_pages_well() -> None:
    """A block of a real size: every page fits into a row of the database, most are nearly full,
    and the whole takes a third less than it did."""
    chance = np.random.default_rng(5)
    terms = np.sort(chance.choice(2**48, 200_000, replace=False).astype(np.uint64))
    sizes = np.where(chance.random(len(terms)) < 0.1, chance.integers(2, 40, len(terms)), 1)
    hashes = np.repeat(terms, sizes)
    places = np.concatenate([np.sort(chance.choice(LARGE_SPAN, n, replace=False)) for n in sizes])
    counts = chance.integers(1, 4, len(hashes)).astype(np.uint8)
    postings = PostingArrays(hashes, places.astype(np.uint16), counts)
    _, pages = pack_pages(postings)
    taken = sum(map(len, pages))
    assert max(map(len, pages)) <= PAGE_BYTES
    assert taken > 0.97 * PAGE_BYTES * (len(pages) - 1)
    assert taken < 0.7 * (8 * len(terms) + 3 * len(hashes))  # what old pages took
    back = [
        np.concatenate(c) for c in zip(*(unpack_page(p, LARGE_SPAN) for p in pages), strict=True)
    ]
    assert all((a == b).all() for a, b in zip(back, postings, strict=True))
