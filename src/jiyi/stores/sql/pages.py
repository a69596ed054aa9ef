"""The pages of an index block, as pure functions over bytes and numpy arrays.

A *page* holds the postings of consecutive terms, ascending by hash; a *directory* is the first hash
of each page. A term lies in exactly one page of a block, however many postings it has.

    page       0x8000 | n u16 | w u8 | b u16 | first bucket of 6 - w bytes | b ends u16
               | n tails of w bytes | n first postings u16 | m ends u16 | further postings u16
               | exceptions: places u16, then counts u8

The w last bytes of a hash are its *tail*, those before them its *bucket*: a page covers so few
buckets that one end for each is all they cost. Most terms of a block stand in one text only, so
that the first posting of each term lies beside the others'; the m terms that have more point to
them. A posting is a local (the unit's number less the block's base) of 12 bits, a count of 3 and
whether more follow; counts from 7 on stand among the exceptions, by the place of the posting.
Hashes are big-endian, so that bytes sort like numbers; all else is little-endian.

Blocks written before schema 7 have pages of another form, which is still read:

    old page   n u16 | n terms of 6 bytes | n ends u16 | all locals u8 or u16 | all counts u8

with locals of one byte where the block's span is at most 256.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from jiyi.stores.sql.packing import (
    SMALL_SPAN,
    TERM,
    Counts,
    Hashes,
    Locals,
    PostingArrays,
    read_hashes,
    write_hashes,
)

PAGE_BYTES = 4040  # with its head, a row that just fits into a database page of 4,096
_WIDTHS = (4, 5)  # of a tail: with 3 bytes there are more buckets than terms
_NEW = 0x8000
_LOCAL_SHIFT, _COUNT_SHIFT = np.uint16(4), np.uint16(1)
_FULL = np.uint16(7)  # a count that does not fit into 3 bits
_MORE = np.uint16(1)
_HEADER = 5

_Codes = npt.NDArray[np.uint16]
_Places = npt.NDArray[np.int64]


def pack_pages(postings: PostingArrays) -> tuple[bytes, list[bytes]]:
    """The directory and the pages of sorted postings."""
    hashes, locals, counts = postings
    total = len(hashes)
    if total == 0:
        return b"", []
    is_first = np.concatenate(([True], hashes[1:] != hashes[:-1]))
    starts = np.flatnonzero(is_first)
    terms = hashes[starts]
    further = np.diff(np.append(starts, total)) - 1
    width = min(_WIDTHS, key=lambda w: w * len(terms) + 2 * _buckets(terms, w))
    codes = locals.astype("<u2") << _LOCAL_SHIFT
    codes |= np.minimum(counts, _FULL).astype("<u2") << _COUNT_SHIFT
    heads = codes[starts] | (further > 0).astype("<u2") * _MORE
    rest, rest_counts, head_counts = codes[~is_first], counts[~is_first], counts[starts]
    has_more = np.concatenate(([0], np.cumsum(further > 0)))
    rest_ends = np.concatenate(([0], np.cumsum(further)))
    ends_of_more = rest_ends[1:][further > 0]
    tails = terms.astype(">u8").view(np.uint8).reshape(-1, 8)[:, 8 - width :]
    buckets = (terms >> np.uint64(8 * width)).astype(np.int64)
    large = np.add.reduceat(counts >= _FULL, starts, dtype=np.int64)
    # What the page holds up to each term; an end is paid for every bucket, empty ones too.
    sizes = np.cumsum(width + 2 + 2 * further + 2 * (further > 0) + 3 * large) + 2 * buckets
    edges = [0]
    while edges[-1] < len(terms):
        first = edges[-1]
        used = int(sizes[first - 1]) if first else 2 * int(buckets[0])
        room = used + PAGE_BYTES - _HEADER - TERM + width - 2
        stop = int(np.searchsorted(sizes, room, side="right"))
        edges.append(max(stop, first + 1))
    pages = []
    for first, stop in pairwise(edges):
        low, high = int(rest_ends[first]), int(rest_ends[stop])
        ends = np.searchsorted(
            buckets[first:stop], np.arange(buckets[first], buckets[stop - 1] + 1), side="right"
        )
        pages.append(
            (_NEW | (stop - first)).to_bytes(2, "little")
            + bytes([width])
            + len(ends).to_bytes(2, "little")
            + int(buckets[first]).to_bytes(TERM - width, "big")
            + ends.astype("<u2").tobytes()
            + tails[first:stop].tobytes()
            + heads[first:stop].tobytes()
            + (ends_of_more[has_more[first] : has_more[stop]] - low).astype("<u2").tobytes()
            + rest[low:high].tobytes()
            + _exceptions(np.concatenate((head_counts[first:stop], rest_counts[low:high])))
        )
    return write_hashes(terms[np.asarray(edges[:-1])]), pages


def _buckets(terms: Hashes, width: int) -> int:
    return int(terms[-1] >> np.uint64(8 * width)) - int(terms[0] >> np.uint64(8 * width))


def _exceptions(counts: Counts) -> bytes:
    places = np.flatnonzero(counts >= _FULL)
    return places.astype("<u2").tobytes() + counts[places].tobytes() if len(places) else b""


class _Page:
    """A page of the present form, with where its parts begin."""

    __slots__ = ("buckets", "data", "ends_at", "heads_at", "high", "more_at", "n", "tails_at", "w")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.n = data[0] | (data[1] & 0x7F) << 8
        self.w = data[2]
        self.buckets = data[3] | data[4] << 8
        self.high = TERM - self.w
        self.ends_at = _HEADER + self.high
        self.tails_at = self.ends_at + 2 * self.buckets
        self.heads_at = self.tails_at + self.n * self.w
        self.more_at = self.heads_at + 2 * self.n

    def u16(self, at: int) -> int:
        return self.data[at] | self.data[at + 1] << 8

    def bucket(self) -> int:
        """The number of the first bucket."""
        return int.from_bytes(self.data[_HEADER : self.ends_at])

    def codes(self, at: int, count: int) -> _Codes:
        return np.frombuffer(self.data, "<u2", count, at)

    def heads(self) -> _Codes:
        return self.codes(self.heads_at, self.n)

    def place(self, term: bytes) -> int:
        """Which of the terms this is; -1 for none."""
        bucket = int.from_bytes(term[: self.high]) - self.bucket()
        if not 0 <= bucket < self.buckets:
            return -1
        end = self.ends_at + 2 * bucket
        low = self.tails_at + self.w * (self.u16(end - 2) if bucket else 0)
        high = self.tails_at + self.w * self.u16(end)
        tail = term[self.high :]
        at = self.data.find(tail, low, high)
        while at >= 0 and (at - low) % self.w:  # the bytes of two neighbours
            at = self.data.find(tail, at + 1, high)
        return -1 if at < 0 else (at - self.tails_at) // self.w

    def fix(self, counts: Counts, places: _Places, rest_at: int, rest: int) -> None:
        """Put the counts that did not fit into their places; `places` ascend."""
        at = rest_at + 2 * rest
        count = (len(self.data) - at) // 3
        if count:
            where = self.codes(at, count)
            here = np.flatnonzero(np.isin(places, where))
            exact = np.frombuffer(self.data, np.uint8, count, at + 2 * count)
            counts[here] = exact[np.searchsorted(where, places[here])]


def unpack_page(data: bytes, span: int) -> PostingArrays:
    """Everything in a page."""
    if not data[1] & 0x80:
        return _unpack_old_page(data, span)
    page = _Page(data)
    heads = page.heads()
    bucket_ends = page.codes(page.ends_at, page.buckets).astype(np.int64)
    buckets = np.repeat(
        np.arange(page.buckets, dtype=np.uint64), np.diff(bucket_ends, prepend=0)
    ) + np.uint64(page.bucket())
    tails = np.zeros((page.n, 8), np.uint8)
    tails[:, 8 - page.w :] = np.frombuffer(data, np.uint8, page.n * page.w, page.tails_at).reshape(
        -1, page.w
    )
    terms = buckets << np.uint64(8 * page.w) | tails.view(">u8").reshape(-1).astype(np.uint64)
    sizes = np.ones(page.n, np.int64)
    having = np.flatnonzero(heads & _MORE)
    ends = page.codes(page.more_at, len(having)).astype(np.int64)
    sizes[having] += np.diff(ends, prepend=0)
    rest_at, rest = page.more_at + 2 * len(having), int(ends[-1]) if len(ends) else 0
    is_first = np.zeros(page.n + rest, np.bool_)
    is_first[np.cumsum(sizes) - sizes] = True
    codes = np.empty(page.n + rest, np.uint16)
    codes[is_first], codes[~is_first] = heads, page.codes(rest_at, rest)
    by_place = np.concatenate((heads, page.codes(rest_at, rest)))
    exact = _counts(by_place)
    page.fix(exact, np.arange(page.n + rest), rest_at, rest)
    counts = np.empty(page.n + rest, np.uint8)
    counts[is_first], counts[~is_first] = exact[: page.n], exact[page.n :]
    return PostingArrays(np.repeat(terms, sizes), codes >> _LOCAL_SHIFT, counts)


def find_in_page(data: bytes, term: bytes, span: int) -> tuple[Locals, Counts] | None:
    """The locals and counts of one term, without taking the rest of the page apart."""
    if not data[1] & 0x80:
        return _find_in_old_page(data, term, span)
    page = _Page(data)
    place = page.place(term)
    if place < 0:
        return None
    heads = page.heads()
    more = heads & _MORE
    having = int(np.count_nonzero(more))
    rest_at = page.more_at + 2 * having
    rest = page.u16(rest_at - 2) if having else 0
    codes, places = heads[place : place + 1], np.array([place], np.int64)
    if more[place]:
        end = page.more_at + 2 * int(np.count_nonzero(more[:place]))
        low, high = page.u16(end - 2) if end > page.more_at else 0, page.u16(end)
        codes = np.concatenate((codes, page.codes(rest_at + 2 * low, high - low)))
        places = np.concatenate((places, np.arange(page.n + low, page.n + high)))
    counts = _counts(codes)
    page.fix(counts, places, rest_at, rest)
    return codes >> _LOCAL_SHIFT, counts


def _counts(codes: _Codes) -> Counts:
    counts: Counts = (codes >> _COUNT_SHIFT & _FULL).astype(np.uint8)
    return counts


def _unpack_old_page(data: bytes, span: int) -> PostingArrays:
    count = int.from_bytes(data[:2], "little")
    at = 2 + count * TERM
    terms = read_hashes(data[2:at])
    ends = np.frombuffer(data, dtype="<u2", count=count, offset=at).astype(np.int64)
    total = int(ends[-1])
    at += count * 2
    local_type = np.dtype("<u1" if span <= SMALL_SPAN else "<u2")
    locals = np.frombuffer(data, dtype=local_type, count=total, offset=at).astype(np.uint16)
    at += total * local_type.itemsize
    counts = np.frombuffer(data, dtype=np.uint8, count=total, offset=at)
    return PostingArrays(np.repeat(terms, np.diff(ends, prepend=0)), locals, counts)


def _find_in_old_page(data: bytes, term: bytes, span: int) -> tuple[Locals, Counts] | None:
    count = data[0] | data[1] << 8
    ends_at = 2 + count * TERM
    at = data.find(term, 2, ends_at)
    while at >= 0 and (at - 2) % TERM:  # the bytes of two neighbours
        at = data.find(term, at + 1, ends_at)
    if at < 0:
        return None
    place = ends_at + (at - 2) // TERM * 2
    start = 0 if place == ends_at else data[place - 2] | data[place - 1] << 8
    size = (data[place] | data[place + 1] << 8) - start
    locals_at = ends_at + count * 2
    total = data[locals_at - 2] | data[locals_at - 1] << 8
    local_type, width = ("<u1", 1) if span <= SMALL_SPAN else ("<u2", 2)
    return (
        np.frombuffer(data, local_type, size, locals_at + start * width),
        np.frombuffer(data, np.uint8, size, locals_at + total * width + start),
    )
