"""The text index: one per space, holding keyed hashes of terms and no text.

Each write adds one row per unit to a tail. When 256 consecutive numbers are full, their tail rows
become a block; sixteen such blocks become one of 4,096, and no bigger: a write costs the same at
any size, and a query reads one page per term and block of the spaces it may read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jiyi.ports import Postings, TermWeights
from jiyi.stores.sql.block_heads import BlockHead
from jiyi.stores.sql.codec import SPACE_BITS, first_unit
from jiyi.stores.sql.packing import (
    LARGE_SPAN,
    SMALL_SPAN,
    PostingArrays,
    pack_tail,
    read_hashes,
    sort_postings,
    sort_small,
    tail_length,
    unpack_tail,
)
from jiyi.stores.sql.pages import find_in_page, pack_pages, unpack_page
from jiyi.stores.sql.session import Readable, ReadSession, WriteSession, labels
from jiyi.stores.sql.tails import Tail, empty_tail

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Connection, Dialect
    from jiyi.stores.sql.session import Space, StoreState
    from jiyi.types import Scope

PAGE_BITS = 16
_MOST_PACKED = 32  # small blocks kept in memory: 0.6 MB each at most for Chinese texts of 120
_NUMBER = (1 << SPACE_BITS) - 1
_TAIL = "SELECT unit, terms FROM text_tail WHERE unit >= :low AND unit < :high ORDER BY unit"
_BLOCKS = """
SELECT id, base, span, lengths, directory FROM text_block WHERE space = :space ORDER BY base
"""
_BLOCK_PLACES = "SELECT id FROM text_block WHERE space = :space ORDER BY base"
_ADD_BLOCK = """
INSERT INTO text_block (space, base, span, lengths, directory)
VALUES (:space, :base, :span, :lengths, :directory) RETURNING id
"""
_HIDDEN = """
SELECT COALESCE(unit, key) FROM memory AS m
    WHERE m.space = :space AND m.audience <> '' AND NOT ({readable})
UNION SELECT COALESCE(unit, key) FROM memory_past AS m
    WHERE m.key >= :low AND m.key < :high AND m.audience <> '' AND NOT ({readable})
"""
_SHARED = """
SELECT COALESCE(unit, key) FROM memory AS m
    WHERE m.space = :space AND m.audience = 'shared' AND m.audience <> ''
UNION SELECT COALESCE(unit, key) FROM memory_past AS m
    WHERE m.key IN (SELECT key FROM memory
                    WHERE space = :space AND audience = 'shared' AND audience <> '')
"""

_NONE = np.empty(0, np.uint16)

Found = tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]
Piece = tuple[int, "npt.NDArray[np.integer[Any]]", "npt.NDArray[np.integer[Any]]"]
"""Unit numbers less a base, that base first, and counts."""


class TextIndexReads(ReadSession):
    """The text side of the `Reader` port."""

    def postings(self, scope: Scope, terms: Sequence[str]) -> list[Postings]:
        asked = dict(zip(terms, self._state.term_hash.digests(terms), strict=True))
        found = []
        for readable in self._readable(scope):
            visible = self._visible(readable, scope)
            if visible is not None and not visible.any():
                continue
            entry = self._space_postings(readable.space, asked, visible)
            if entry.count:
                found.append(entry)
        return found

    def _settle_index(self) -> None:
        """Write out what is still held in memory (a writer overrides this)."""

    def _space_postings(
        self,
        space: Space,
        asked: dict[str, bytes],
        visible: npt.NDArray[np.bool_] | None,
    ) -> Postings:
        self._settle_index()
        size = space.next_number
        lengths = np.zeros(size, dtype=np.uint16)
        covered = np.zeros(size, dtype=np.bool_)
        blocks = self._blocks(space)
        for block in blocks:
            lengths[block.base : block.base + block.span] = block.lengths[: size - block.base]
            covered[block.base : block.base + block.span] = True
        tail = self._tail(space, covered)
        lengths[tail.numbers] = tail.lengths
        parts: dict[bytes, list[Piece]] = {each: [] for each in asked.values()}
        self._search_blocks(blocks, parts)
        _search_tail(tail, parts)
        if visible is not None:
            lengths = np.where(visible, lengths, 0).astype(np.uint16)
        found = _joined(parts)
        result = {}
        for term, wanted in asked.items():
            units, counts = found[wanted]
            if visible is not None:
                seen = visible[units]
                units, counts = units[seen], counts[seen]
            if len(units):
                result[term] = (units, counts)
        count = int(np.count_nonzero(lengths))
        mean = float(lengths.sum(dtype=np.int64)) / count if count else 0.0
        return Postings(space.id, size, count, mean, lengths, result)

    def _blocks(self, space: Space) -> list[BlockHead]:
        """The heads of a space's blocks, ascending; those of committed ones are remembered."""
        places = self._db.all(_BLOCK_PLACES, {"space": space.id})
        heads = self._state.block_heads.recall(space.erased, [row[0] for row in places])
        missing = [row[0] for row in places if row[0] not in heads]
        if missing:
            within = self._dialect.within("id", "ids")
            fresh = {
                id: BlockHead(id, base, span, np.frombuffer(lengths, "<u2"), read_hashes(directory))
                for id, base, span, lengths, directory in self._db.all(
                    f"SELECT id, base, span, lengths, directory FROM text_block WHERE {within}",  # noqa: S608
                    {"ids": self._array(missing)},
                )
            }
            heads |= fresh
            if not space.changed:  # a block of our own may be rolled back and its id given again
                self._state.block_heads.remember(space.erased, fresh)
        return [heads[row[0]] for row in places]

    def _tail(self, space: Space, covered: npt.NDArray[np.bool_]) -> Tail:
        """The rows that are in no block; of those that other transactions met, only the new ones
        are read."""
        size = space.next_number
        low = size if covered.all() else int(np.argmin(covered))
        if space.has_erased:
            tail = empty_tail(space.erased, low)
        else:
            tail = self._state.tails.recall(space.id, space.erased, low)
        if tail.high < size:
            first = first_unit(space.id)
            span = {"low": first + max(tail.high, low), "high": first + size}
            rows = self._db.all(_TAIL, span)
            numbers = [row[0] & _NUMBER for row in rows]
            tail = tail.extended(numbers, [row[1] for row in rows], size).outside(covered)
            if not space.changed:  # rows of our own may be rolled back and their numbers reused
                self._state.tails.remember(space.id, tail)
            return tail
        return tail.outside(covered)

    def _search_blocks(self, blocks: Sequence[BlockHead], parts: dict[bytes, list[Piece]]) -> None:
        terms = list(parts)
        hashes = read_hashes(b"".join(terms))
        wanted: dict[int, list[bytes]] = {}
        for block in blocks:
            pages = np.searchsorted(block.directory, hashes, side="right") - 1
            for page, term in zip(pages.tolist(), terms, strict=True):
                if page >= 0:
                    wanted.setdefault(block.id << PAGE_BITS | page, []).append(term)
        if not wanted:
            return
        pages_by_key: dict[int, bytes] = dict(
            self._db.all(
                f"SELECT key, data FROM text_page WHERE {self._dialect.within('key', 'keys')}",  # noqa: S608
                {"keys": self._array(list(wanted))},
            )
        )
        places = {block.id: block for block in blocks}
        for key, terms_of_page in wanted.items():
            block = places[key >> PAGE_BITS]
            data = pages_by_key[key]
            for term in terms_of_page:
                found = find_in_page(data, term, block.span)
                if found is not None:
                    parts[term].append((block.base, *found))

    def _visible(self, readable: Readable, scope: Scope) -> npt.NDArray[np.bool_] | None:
        """Which unit numbers a scope may see in a space; None when it may see all."""
        if not self._snapshot:
            return self._visible_numbers(readable, scope)
        known, place = self._known.visible, (readable.space.id, scope)
        if place not in known:
            known[place] = self._visible_numbers(readable, scope)
        return known[place]

    def _visible_numbers(self, readable: Readable, scope: Scope) -> npt.NDArray[np.bool_] | None:
        space = readable.space
        parameters = {"space": space.id, **space.range(), **labels(scope)}
        if readable.own:
            sql = _HIDDEN.format(readable=f"COALESCE({readable.audiences()}, 1 = 0)")
            hidden = self._db.all(sql, parameters)
            if not hidden:
                return None
            visible = np.ones(space.next_number, dtype=np.bool_)
            visible[[row[0] & _NUMBER for row in hidden]] = False
            return visible
        visible = np.zeros(space.next_number, dtype=np.bool_)
        visible[[row[0] & _NUMBER for row in self._db.all(_SHARED, parameters)]] = True
        return visible


def _search_tail(tail: Tail, parts: dict[bytes, list[Piece]]) -> None:
    hashes = read_hashes(b"".join(parts))
    starts = np.searchsorted(tail.hashes, hashes, side="left").tolist()
    ends = np.searchsorted(tail.hashes, hashes, side="right").tolist()
    for pieces, start, end in zip(parts.values(), starts, ends, strict=True):
        if start < end:
            pieces.append((0, tail.units[start:end], tail.counts[start:end]))


def _joined(parts: Mapping[bytes, Sequence[Piece]]) -> dict[bytes, Found]:
    """The postings of each term, from all the places that hold some."""
    pieces = [(0, _NONE, _NONE), *chain.from_iterable(parts.values())]
    bases, locals, counts = zip(*pieces, strict=True)
    sizes = [len(each) for each in locals]
    all_units = np.concatenate(locals, dtype=np.int32)
    all_units += np.repeat(np.asarray(bases, np.int32), sizes)
    all_counts = np.concatenate(counts, dtype=np.float32)
    found, start = {}, 0
    for term, held in parts.items():
        end = start + sum(len(piece[1]) for piece in held)
        found[term] = all_units[start:end], all_counts[start:end]
        start = end
    return found


class TextIndexWrites(TextIndexReads, WriteSession):
    """Adding units to the index and taking them out.

    Tail rows and small blocks wait in memory until they are needed, at the latest at the end of the
    transaction, so that many units written at once are packed into large blocks straight away.
    """

    def __init__(self, connection: Connection, dialect: Dialect, state: StoreState) -> None:
        super().__init__(connection, dialect, state)
        self._waiting: dict[int, bytes] = {}
        # (space, base) to the lengths and the postings of a small block.
        self._packed: dict[tuple[int, int], tuple[npt.NDArray[np.uint16], PostingArrays]] = {}

    def _index(self, space: Space, number: int, terms: TermWeights) -> None:
        hashes = self._state.term_hash.digests(terms.counts)
        row = pack_tail(hashes, terms.counts.values(), terms.length)
        self._waiting[first_unit(space.id) + number] = row
        if (number + 1) % SMALL_SPAN == 0:
            self._pack(space, number + 1 - SMALL_SPAN)
        if (number + 1) % LARGE_SPAN == 0:
            self._merge(space, number + 1 - LARGE_SPAN)

    def _settle_index(self) -> None:
        held = self._waiting
        if held:
            self._db.many(
                "INSERT INTO text_tail (unit, terms) VALUES (:unit, :terms)",
                [{"unit": unit, "terms": terms} for unit, terms in held.items()],
            )
            held.clear()
        if self._packed:
            for (space, base), block in sorted(self._packed.items(), key=lambda item: item[0]):
                self._write_block(space, base, SMALL_SPAN, *block)
            self._packed.clear()

    def flush(self) -> None:
        self._settle_index()
        super().flush()

    def _pack(self, space: Space, base: int) -> None:
        """Turn the tail rows of 256 numbers into a block."""
        low = first_unit(space.id) + base
        span = {"low": low, "high": low + SMALL_SPAN}
        held = self._waiting
        rows: dict[int, bytes] = dict(self._db.all(_TAIL, span))
        if rows:
            self._db.run("DELETE FROM text_tail WHERE unit >= :low AND unit < :high", span)
        for unit in range(low, low + SMALL_SPAN):
            if unit in held:
                rows[unit] = held.pop(unit)
        units = sorted(rows)
        packed = [rows[unit] for unit in units]
        locals = [unit - low for unit in units]
        lengths = np.zeros(SMALL_SPAN, dtype="<u2")
        lengths[locals] = [tail_length(row) for row in packed]
        if len(self._packed) >= _MOST_PACKED:
            self._settle_index()
        self._packed[space.id, base] = lengths, sort_small(unpack_tail(packed, locals))

    def _merge(self, space: Space, base: int) -> None:
        """Turn the small blocks of 4,096 numbers into a large one."""
        small = {
            start: self._packed.pop((space.id, start))
            for start in range(base, base + LARGE_SPAN, SMALL_SPAN)
            if (space.id, start) in self._packed
        }
        if len(small) < LARGE_SPAN // SMALL_SPAN:
            for id, start, span, raw, _ in self._db.all(_BLOCKS, {"space": space.id}):
                if span == SMALL_SPAN and base <= start < base + LARGE_SPAN:
                    small[start] = np.frombuffer(raw, dtype="<u2"), self._read_block(id, span)
                    self._drop_block(id)
        lengths = np.zeros(LARGE_SPAN, dtype="<u2")
        parts = []
        for start, (lengths_of_block, postings) in sorted(small.items()):
            offset = start - base
            lengths[offset : offset + SMALL_SPAN] = lengths_of_block
            parts.append(postings._replace(locals=postings.locals + np.uint16(offset)))
        if parts:
            self._write_block(space.id, base, LARGE_SPAN, lengths, sort_postings(parts))

    def _read_block(self, id: int, span: int) -> PostingArrays:
        rows = self._db.all(
            "SELECT data FROM text_page WHERE key >= :low AND key < :high ORDER BY key",
            _page_range(id),
        )
        pages = [unpack_page(row[0], span) for row in rows]
        if not pages:
            return unpack_tail([], [])
        return PostingArrays(*(np.concatenate(column) for column in zip(*pages, strict=True)))

    def _drop_block(self, id: int) -> None:
        self._db.run("DELETE FROM text_page WHERE key >= :low AND key < :high", _page_range(id))
        self._db.run("DELETE FROM text_block WHERE id = :id", {"id": id})

    def _write_block(
        self,
        space: int,
        base: int,
        span: int,
        lengths: npt.NDArray[np.uint16],
        postings: PostingArrays,
    ) -> None:
        if not lengths.any():
            return
        directory, pages = pack_pages(postings)
        row = self._db.one(
            _ADD_BLOCK,
            {
                "space": space,
                "base": base,
                "span": span,
                "lengths": lengths.tobytes(),
                "directory": directory,
            },
        )
        assert row is not None  # noqa: S101 - RETURNING gives the inserted row
        first = row[0] << PAGE_BITS
        self._db.many(
            "INSERT INTO text_page (key, data) VALUES (:key, :data)",
            [{"key": first + place, "data": page} for place, page in enumerate(pages)],
        )

    def _unindex(self, space: Space, units: Iterable[int]) -> int:
        """Take units out of the index, physically: their postings and their lengths."""
        self._settle_index()
        numbers = np.unique(np.fromiter((unit & _NUMBER for unit in units), dtype=np.int64))
        if not len(numbers):
            return 0
        first = first_unit(space.id)
        removed = self._db.run(
            f"DELETE FROM text_tail WHERE {self._dialect.within('unit', 'units')}",  # noqa: S608
            {"units": self._array([first + int(number) for number in numbers])},
        )
        for id, base, span, raw, _ in self._db.all(_BLOCKS, {"space": space.id}):
            gone = numbers[(numbers >= base) & (numbers < base + span)] - base
            lengths = np.frombuffer(raw, dtype="<u2").copy()
            present = np.count_nonzero(lengths[gone])
            if not present:
                continue
            removed += int(present)
            lengths[gone] = 0
            hashes, locals, counts = self._read_block(id, span)
            kept = ~np.isin(locals, gone.astype(np.uint16))
            self._drop_block(id)
            postings = PostingArrays(hashes[kept], locals[kept], counts[kept])
            self._write_block(space.id, base, span, lengths, postings)
        return removed

    def _unindex_space(self, space: Space) -> int:
        """Empty the index of a space."""
        self._settle_index()
        removed = self._db.run(
            "DELETE FROM text_tail WHERE unit >= :low AND unit < :high", space.range()
        )
        for id, _, _, raw, _ in self._db.all(_BLOCKS, {"space": space.id}):
            removed += int(np.count_nonzero(np.frombuffer(raw, dtype="<u2")))
            self._drop_block(id)
        return removed


def _page_range(block: int) -> dict[str, int]:
    return {"low": block << PAGE_BITS, "high": (block + 1) << PAGE_BITS}
