"""The packed forms of the text index, as pure functions over bytes and numpy arrays.

A *tail row* is one unit: its length, then its terms, then their counts.
A *block* is a range of `span` unit numbers from `base`: the lengths of all its units, and pages
(see `pages.py`).

    tail row   length u16 | n terms of 6 bytes | n counts u8

Terms are big-endian, so that bytes sort like numbers; all else is little-endian.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

SMALL_SPAN = 256
LARGE_SPAN = 4096
TERM = 6
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
    sizes = [(len(row) - 2) // (TERM + 1) for row in rows]
    hashes = b"".join(row[2 : 2 + size * TERM] for row, size in zip(rows, sizes, strict=True))
    counts = b"".join(row[2 + size * TERM :] for row, size in zip(rows, sizes, strict=True))
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
