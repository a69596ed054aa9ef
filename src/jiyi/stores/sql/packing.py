"""The packed forms of the text index, as pure functions over bytes and numpy arrays.

A *tail row* is one unit: its length, then its terms, then their counts.
A *block* is a range of `span` unit numbers from `base`: the lengths of all its units, and pages.
A *page* holds the postings of consecutive terms, ascending by hash; a *directory* is the first hash
of each page. A term lies in exactly one page of a block, however many postings it has.

    tail row   length u16 | n terms of 6 bytes | n counts u8
    page       n u16 | n terms of 6 bytes | n ends u16 | all locals u8 or u16 | all counts u8

Terms are big-endian, so that bytes sort like numbers; all else is little-endian. The postings of
term i are those from the end of term i - 1 to its own. A local is the unit's number less `base`: u8
where span <= 256.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

SMALL_SPAN = 256
LARGE_SPAN = 4096
PAGE_BYTES = 3900  # one row of a 4,096-byte database page
_TERM = 6
_MAX_COUNT = 255
_MAX_LENGTH = 65_535

Hashes = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.uint8]
Locals = npt.NDArray[np.uint16]


class PostingArrays(NamedTuple):
    """Postings as three arrays of one length, ascending by (hash, local)."""

    hashes: Hashes
    locals: Locals
    counts: Counts


def pack_tail(terms: Iterable[bytes], counts: Collection[int], length: int) -> bytes:
    """A tail row; counts above 255 and lengths above 65,535 are capped."""
    try:
        packed_counts = bytes(counts)
    except ValueError:
        packed_counts = bytes(min(count, _MAX_COUNT) for count in counts)
    return min(length, _MAX_LENGTH).to_bytes(2, "little") + b"".join(terms) + packed_counts


def tail_length(row: bytes) -> int:
    return int.from_bytes(row[:2], "little")


def unpack_tail(rows: Sequence[bytes], locals: Sequence[int]) -> PostingArrays:
    """The postings of several tail rows, in the order of the rows (not sorted by hash)."""
    sizes = [(len(row) - 2) // (_TERM + 1) for row in rows]
    hashes = b"".join(row[2 : 2 + size * _TERM] for row, size in zip(rows, sizes, strict=True))
    counts = b"".join(row[2 + size * _TERM :] for row, size in zip(rows, sizes, strict=True))
    return PostingArrays(
        read_hashes(hashes),
        np.repeat(np.asarray(locals, dtype=np.uint16), sizes),
        np.frombuffer(counts, dtype=np.uint8),
    )


def read_hashes(raw: bytes) -> Hashes:
    """Terms of 6 bytes as 64-bit integers."""
    parts = np.frombuffer(raw, dtype=">u2").reshape(-1, 3).astype(np.uint64)
    high, middle, low = parts[:, 0], parts[:, 1], parts[:, 2]
    hashes: Hashes = high << np.uint64(32) | middle << np.uint64(16) | low
    return hashes


def write_hashes(hashes: Hashes) -> bytes:
    return hashes.astype(">u8").view(">u2").reshape(-1, 4)[:, 1:].tobytes()


def sort_small(postings: PostingArrays) -> PostingArrays:
    """Postings of one small block in any order, sorted: 48 bits of hash, 8 of local and 8 of count
    are one integer, and sorting integers is four times faster than sorting their places."""
    byte = np.uint64(8)
    keys = postings.hashes << byte | postings.locals
    keys = keys << byte | postings.counts
    keys.sort()
    return PostingArrays(
        keys >> np.uint64(16),
        (keys >> byte & np.uint64(0xFF)).astype(np.uint16),
        keys.astype(np.uint8),
    )


def sort_postings(parts: Sequence[PostingArrays]) -> PostingArrays:
    """Join postings whose locals ascend from part to part (and inside each term of a part)."""
    hashes = np.concatenate([part.hashes for part in parts])
    order = np.argsort(hashes, kind="stable")
    return PostingArrays(
        hashes[order],
        np.concatenate([part.locals for part in parts])[order],
        np.concatenate([part.counts for part in parts])[order],
    )


def pack_pages(postings: PostingArrays, span: int) -> tuple[bytes, list[bytes]]:
    """The directory and the pages of sorted postings."""
    hashes, locals, counts = postings
    total = len(hashes)
    if total == 0:
        return b"", []
    local_type = "<u1" if span <= SMALL_SPAN else "<u2"
    starts = np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1])))
    terms = hashes[starts]
    sizes = np.diff(np.append(starts, total))
    posting_bytes = np.dtype(local_type).itemsize + 1
    weights = np.cumsum(_TERM + 2 + sizes * posting_bytes)
    edges = [0]
    while edges[-1] < len(terms):
        first = edges[-1]
        used = int(weights[first - 1]) if first else 0
        stop = int(np.searchsorted(weights, used + PAGE_BYTES - 2, side="right"))
        edges.append(max(stop, first + 1))
    packed_locals, packed_counts = locals.astype(local_type), counts.astype(np.uint8)
    ends = np.append(starts, total)
    pages = []
    for first, stop in pairwise(edges):
        low, high = int(ends[first]), int(ends[stop])
        pages.append(
            (stop - first).to_bytes(2, "little")
            + write_hashes(terms[first:stop])
            + (ends[first + 1 : stop + 1] - low).astype("<u2").tobytes()
            + packed_locals[low:high].tobytes()
            + packed_counts[low:high].tobytes()
        )
    directory = write_hashes(terms[np.asarray(edges[:-1])])
    return directory, pages


def unpack_page(data: bytes, span: int) -> PostingArrays:
    """Everything in a page."""
    count = int.from_bytes(data[:2], "little")
    at = 2 + count * _TERM
    terms = read_hashes(data[2:at])
    ends = np.frombuffer(data, dtype="<u2", count=count, offset=at).astype(np.int64)
    total = int(ends[-1])
    at += count * 2
    local_type = np.dtype("<u1" if span <= SMALL_SPAN else "<u2")
    locals = np.frombuffer(data, dtype=local_type, count=total, offset=at).astype(np.uint16)
    at += total * local_type.itemsize
    counts = np.frombuffer(data, dtype=np.uint8, count=total, offset=at)
    return PostingArrays(np.repeat(terms, np.diff(ends, prepend=0)), locals, counts)


def find_in_page(data: bytes, term: bytes, span: int) -> tuple[Locals, Counts] | None:
    """The locals and counts of one term, without taking the rest of the page apart."""
    count = data[0] | data[1] << 8
    ends_at = 2 + count * _TERM
    at = data.find(term, 2, ends_at)
    while at >= 0 and (at - 2) % _TERM:  # the bytes of two neighbours
        at = data.find(term, at + 1, ends_at)
    if at < 0:
        return None
    place = ends_at + (at - 2) // _TERM * 2
    start = 0 if place == ends_at else data[place - 2] | data[place - 1] << 8
    size = (data[place] | data[place + 1] << 8) - start
    locals_at = ends_at + count * 2
    total = data[locals_at - 2] | data[locals_at - 1] << 8
    local_type, width = ("<u1", 1) if span <= SMALL_SPAN else ("<u2", 2)
    return (
        np.frombuffer(data, local_type, size, locals_at + start * width),
        np.frombuffer(data, np.uint8, size, locals_at + total * width + start),
    )
