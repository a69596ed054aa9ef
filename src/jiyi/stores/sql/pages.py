"""The pages of an index block, as pure functions over bytes and numpy arrays.

A *page* holds the postings of consecutive terms, ascending by hash; a *directory* is the first hash
of each page. A term lies in exactly one page of a block, however many postings it has.

    page       0x8000 | n u16 | w u8 | b u16 | first bucket of 6 - w bytes | b ends u16
               | n tails of w bytes | n heads u16 | words u16
               | x exceptions: places u16, then counts u8 | x u16

The w last bytes of a hash are its *tail*, those before them its *bucket*: a page covers so few
buckets that one end for each is all they cost. Most terms of a block stand in one text only: the
*head* of such a term is its posting. The head of any other, which is odd, leads to the word that
says how many postings it has, and these follow. A posting is a local (the unit's number less the
block's base) of 12 bits, a count of 3 and a bit of 0; counts from 7 on stand among the exceptions,
by the place of the posting among heads and words. Hashes are big-endian, so that bytes sort like
numbers; all else is little-endian.

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
_MANY = np.uint16(1)
_HEADER = 5

_Words = npt.NDArray[np.uint16]


def pack_pages(postings: PostingArrays) -> tuple[bytes, list[bytes]]:
    """The directory and the pages of sorted postings."""
    hashes, locals, counts = postings
    total = len(hashes)
    if total == 0:
        return b"", []
    starts = np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1])))
    terms = hashes[starts]
    sizes = np.diff(np.append(starts, total))
    many = sizes > 1
    codes = locals.astype("<u2") << _LOCAL_SHIFT
    codes |= np.minimum(counts, _FULL).astype("<u2") << _COUNT_SHIFT
    # Where the words of each term begin in those of all, and what they are.
    words_at = np.concatenate(([0], np.cumsum(np.where(many, sizes + 1, 0))))
    words, word_counts = _words(codes, counts, np.repeat(many, sizes), words_at[:-1][many])
    words[words_at[:-1][many]] = sizes[many]
    heads, head_counts = codes[starts], np.where(many, 0, counts[starts])
    width = min(_WIDTHS, key=lambda w: w * len(terms) + 2 * _buckets(terms, w))
    tails = terms.astype(">u8").view(np.uint8).reshape(-1, 8)[:, 8 - width :]
    buckets = (terms >> np.uint64(8 * width)).astype(np.int64)
    large = np.add.reduceat(counts >= _FULL, starts, dtype=np.int64)
    # What the pages hold up to each term; an end is paid for every bucket, empty ones too.
    taken = np.cumsum(width + 2 + 2 * np.diff(words_at) + 3 * large) + 2 * buckets
    edges = [0]
    while edges[-1] < len(terms):
        first = edges[-1]
        used = int(taken[first - 1]) if first else 2 * int(buckets[0])
        room = used + PAGE_BYTES - _HEADER - TERM + width - 4
        stop = int(np.searchsorted(taken, room, side="right"))
        edges.append(max(stop, first + 1))
    pages = []
    for first, stop in pairwise(edges):
        low, high = int(words_at[first]), int(words_at[stop])
        ends = np.searchsorted(
            buckets[first:stop], np.arange(buckets[first], buckets[stop - 1] + 1), side="right"
        )
        leads = (words_at[first:stop] - low).astype("<u2") << _MANY | _MANY
        pages.append(
            (_NEW | (stop - first)).to_bytes(2, "little")
            + bytes([width])
            + len(ends).to_bytes(2, "little")
            + int(buckets[first]).to_bytes(TERM - width, "big")
            + ends.astype("<u2").tobytes()
            + tails[first:stop].tobytes()
            + np.where(many[first:stop], leads, heads[first:stop]).astype("<u2").tobytes()
            + words[low:high].tobytes()
            + _exceptions(np.concatenate((head_counts[first:stop], word_counts[low:high])))
        )
    return write_hashes(terms[np.asarray(edges[:-1])]), pages


def _words(
    codes: _Words, counts: Counts, many: npt.NDArray[np.bool_], sizes_at: npt.NDArray[np.int64]
) -> tuple[_Words, Counts]:
    """The postings of terms that have many, with room for the words that say how many."""
    total = int(np.count_nonzero(many)) + len(sizes_at)
    words, word_counts = np.empty(total, "<u2"), np.zeros(total, np.uint8)
    is_posting = np.ones(total, np.bool_)
    is_posting[sizes_at] = False
    words[is_posting], word_counts[is_posting] = codes[many], counts[many]
    return words, word_counts


def _buckets(terms: Hashes, width: int) -> int:
    return int(terms[-1] >> np.uint64(8 * width)) - int(terms[0] >> np.uint64(8 * width))


def _exceptions(counts: Counts) -> bytes:
    places = np.flatnonzero(counts >= _FULL)
    return (
        places.astype("<u2").tobytes()
        + counts[places].tobytes()
        + len(places).to_bytes(2, "little")
    )


def unpack_page(data: bytes, span: int) -> PostingArrays:
    """Everything in a page."""
    if not data[1] & 0x80:
        return _unpack_old_page(data, span)
    n, width, buckets = data[0] | (data[1] & 0x7F) << 8, data[2], data[3] | data[4] << 8
    ends_at = _HEADER + TERM - width
    tails_at = ends_at + 2 * buckets
    heads_at = tails_at + n * width
    exceptions = data[-2] | data[-1] << 8
    words_at, words_end = heads_at + 2 * n, len(data) - 2 - 3 * exceptions
    first = int.from_bytes(data[_HEADER:ends_at])
    ends = np.frombuffer(data, "<u2", buckets, ends_at).astype(np.int64)
    numbers = np.repeat(
        np.arange(first, first + buckets, dtype=np.uint64), np.diff(ends, prepend=0)
    )
    tails = np.zeros((n, 8), np.uint8)
    tails[:, 8 - width :] = np.frombuffer(data, np.uint8, n * width, tails_at).reshape(-1, width)
    terms = numbers << np.uint64(8 * width) | tails.view(">u8").reshape(-1).astype(np.uint64)
    heads_and_words = np.frombuffer(data, "<u2", (words_end - heads_at) // 2, heads_at)
    counts = _counts(heads_and_words)
    counts[np.frombuffer(data, "<u2", exceptions, words_end)] = np.frombuffer(
        data, np.uint8, exceptions, words_end + 2 * exceptions
    )
    heads = heads_and_words[:n]
    many = (heads & _MANY).astype(np.bool_)
    sizes_at = (heads[many] >> _MANY).astype(np.int64)
    sizes = np.ones(n, np.int64)
    sizes[many] = np.frombuffer(data, "<u2", (words_end - words_at) // 2, words_at)[sizes_at]
    # In the order of the terms: a single posting from the heads, several from the words.
    single = np.repeat(~many, sizes)
    is_posting = np.ones(len(heads_and_words), np.bool_)
    is_posting[:n] = ~many
    is_posting[n + sizes_at] = False
    order = np.empty(len(single), np.int64)
    places = np.flatnonzero(is_posting)
    singles = int(np.count_nonzero(single))
    order[single], order[~single] = places[:singles], places[singles:]
    return PostingArrays(
        np.repeat(terms, sizes), heads_and_words[order] >> _LOCAL_SHIFT, counts[order]
    )


def find_in_page(data: bytes, term: bytes, span: int) -> tuple[Locals, Counts] | None:
    """The locals and counts of one term, without taking the rest of the page apart."""
    if not data[1] & 0x80:
        return _find_in_old_page(data, term, span)
    n, width, buckets = data[0] | (data[1] & 0x7F) << 8, data[2], data[3] | data[4] << 8
    ends_at = _HEADER + TERM - width
    bucket = int.from_bytes(term[: TERM - width]) - int.from_bytes(data[_HEADER:ends_at])
    if not 0 <= bucket < buckets:
        return None
    tails_at, end = ends_at + 2 * buckets, ends_at + 2 * bucket
    low = tails_at + width * (data[end - 2] | data[end - 1] << 8) if bucket else tails_at
    high = tails_at + width * (data[end] | data[end + 1] << 8)
    tail = term[TERM - width :]
    at = data.find(tail, low, high)
    while at >= 0 and (at - low) % width:  # the bytes of two neighbours
        at = data.find(tail, at + 1, high)
    if at < 0:
        return None
    place, heads_at = (at - tails_at) // width, tails_at + n * width
    head_at = heads_at + 2 * place
    size = 1
    if data[head_at] & 1:
        place = n + (data[head_at] >> 1 | data[head_at + 1] << 7)
        size_at = heads_at + 2 * place
        size, place, head_at = data[size_at] | data[size_at + 1] << 8, place + 1, size_at + 2
    codes = np.frombuffer(data, "<u2", size, head_at)
    counts = _counts(codes)
    if data[-2] or data[-1]:
        _correct(counts, data, place)
    return codes >> _LOCAL_SHIFT, counts


def _correct(counts: Counts, data: bytes, place: int) -> None:
    """Put in the counts that do not fit into 3 bits; these are those from `place` on."""
    exceptions = data[-2] | data[-1] << 8
    at = len(data) - 2 - 3 * exceptions
    places = np.frombuffer(data, "<u2", exceptions, at)
    low, high = np.searchsorted(places, (place, place + len(counts))).tolist()
    exact = np.frombuffer(data, np.uint8, exceptions, at + 2 * exceptions)
    counts[places[low:high].astype(np.int64) - place] = exact[low:high]


def _counts(codes: _Words) -> Counts:
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
