"""Zeroes for the unused bytes inside pages of a SQLite file.

`secure_delete` clears what is deleted, but when SQLite moves rows between neighbouring pages it
leaves the old copies in the gap between a page's cell pointers and its cells (seen in 3.40). SQLite
never reads that gap, so it may be cleared under the feet of readers; it must only not be written at
the same time, which the caller sees to. The layout of pages is told in the sections 1.6 and 1.8 of
https://sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import os
import struct

_HEADER_BYTES = 100
_PAGE_SIZE_AT, _RESERVED_AT, _AUTO_VACUUM_AT = 16, 20, 52
_INTERIOR = (2, 5)
_LEAF = (10, 13)
_MAP_ENTRY = 5  # bytes of one pointer-map entry: its type, then the parent page
_ROOT, _BRANCH = 1, 5  # the entry types of b-tree pages
_PAGES_AT_ONCE = 1024


def scrub(file: int) -> int:
    """Clear the gaps of every b-tree page. Returns how many pages held something there.

    Args:
        file: a descriptor of the database, open for reading and writing.

    The caller holds SQLite's write lock and has emptied the write-ahead log, so that the file is
    the truth and nobody writes it.
    """
    header = os.pread(file, _HEADER_BYTES, 0)
    size = int.from_bytes(header[_PAGE_SIZE_AT : _PAGE_SIZE_AT + 2], "big")
    size = 65536 if size == 1 else size
    usable = size - header[_RESERVED_AT]
    if not int.from_bytes(header[_AUTO_VACUUM_AT : _AUTO_VACUUM_AT + 4], "big"):
        return 0  # no pointer map tells b-tree pages apart; our own files always have one
    per_map = usable // _MAP_ENTRY + 1  # a map page, then the pages it describes
    zeros = bytes(size)
    pages = os.fstat(file).st_size // size
    types: bytes = b""
    cleared = 0
    for first in range(1, pages + 1, _PAGES_AT_ONCE):
        chunk = os.pread(file, _PAGES_AT_ONCE * size, (first - 1) * size)
        for number in range(first, first + len(chunk) // size):
            at = (number - first) * size
            place = (number - 2) % per_map
            if number > 1 and place == 0:
                types = chunk[at : at + usable : _MAP_ENTRY]
                continue
            if number > 1 and types[place - 1] not in (_ROOT, _BRANCH):
                continue
            start, stop = _gap(chunk, at, _HEADER_BYTES if number == 1 else 0)
            if stop <= usable and chunk[at + start : at + stop] != zeros[: max(0, stop - start)]:
                os.pwrite(file, zeros[: stop - start], (number - 1) * size + start)
                cleared += 1
    if cleared:
        os.fsync(file)
    return cleared


def _gap(chunk: bytes, at: int, offset: int) -> tuple[int, int]:
    """The unallocated range of the b-tree page at `at`, relative to the page."""
    kind, _, cells, content, _ = struct.unpack_from(">BHHHB", chunk, at + offset)
    if kind not in _INTERIOR and kind not in _LEAF:
        return 0, 0
    start = offset + (12 if kind in _INTERIOR else 8) + 2 * cells
    return start, max(start, content or 65536)
