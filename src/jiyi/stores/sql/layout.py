"""What each number of a space holds, as arrays kept in memory: numbers never change meaning."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jiyi.ports import Layout, UnitCode
from jiyi.stores.sql.codec import SPACE_BITS, first_unit
from jiyi.stores.sql.text_index import TextIndexReads
from jiyi.stores.sql.turns import ROLE

if TYPE_CHECKING:
    from jiyi.stores.sql.session import Space
    from jiyi.types import Scope

_NUMBER = (1 << SPACE_BITS) - 1
_CODES = {ROLE["user"]: UnitCode.USER_TURN, ROLE["assistant"]: UnitCode.ASSISTANT_TURN}
_MEMORIES = """
SELECT key, COALESCE(said_at, recorded_at) FROM memory WHERE key >= :low AND key < :high
"""
_TURNS = "SELECT key, role, session, said_at FROM turn WHERE key >= :low AND key < :high"
_PIECES = """
SELECT p.unit, t.role, t.session, t.said_at FROM piece AS p JOIN turn AS t ON t.key = p.turn
WHERE p.unit >= :low AND p.unit < :high
"""
_PASSAGES = "SELECT unit FROM passage WHERE unit >= :low AND unit < :high"
# Texts that an update gave a number of their own.
_NEW_TEXTS = """
SELECT m.unit, COALESCE(m.said_at, m.recorded_at) FROM memory AS m
    WHERE m.unit >= :low AND m.unit < :high
UNION ALL SELECT p.unit, COALESCE(p.said_at, p.recorded_at) FROM memory_past AS p
    WHERE p.unit >= :low AND p.unit < :high
"""


@dataclass(slots=True)
class _Cached:
    """A space's arrays up to the number `size`, and the number of each of its sessions."""

    size: int = 0
    erased: int = 0
    kinds: npt.NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))
    sessions: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    said: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    names: dict[str, int] = field(default_factory=dict)


class LayoutCache:
    """The layouts of the spaces read last."""

    def __init__(self, max_spaces: int = 256) -> None:
        self._max_spaces = max_spaces
        self.lock = threading.Lock()
        self._entries: OrderedDict[int, _Cached] = OrderedDict()

    def get(self, space: int, erased: int) -> _Cached:
        """The entry of a space, empty when there is none; session names go with an erasure."""
        entry = self._entries.get(space)
        return entry if entry is not None and entry.erased == erased else _Cached(erased=erased)

    def kinds(self, space: int, erased: int) -> npt.NDArray[np.uint8]:
        """What is known of a space's numbers, from 0 on."""
        return self.get(space, erased).kinds

    def put(self, space: int, entry: _Cached) -> None:
        self._entries[space] = entry
        self._entries.move_to_end(space)
        while len(self._entries) > self._max_spaces:
            self._entries.popitem(last=False)

    def drop(self, space: int) -> None:
        """Forget a space, after something in it was erased: session names are words of users."""
        with self.lock:
            self._entries.pop(space, None)

    def clear(self) -> None:
        with self.lock:
            self._entries.clear()


class LayoutReads(TextIndexReads):
    """`Reader.layout`."""

    def layout(self, scope: Scope) -> list[Layout]:
        found = []
        for readable in self._readable(scope):
            space = readable.space
            visible = self._visible(readable, scope)
            if (visible is not None and not visible.any()) or not self._has_text(space):
                continue
            entry = self._read_layout(space)
            kinds = entry.kinds
            if visible is not None:
                kinds = kinds.copy()
                kinds[: len(visible)][~visible[: len(kinds)]] = UnitCode.NOTHING
                kinds.flags.writeable = False
            found.append(Layout(space.id, entry.size, kinds, entry.sessions, entry.said))
        return found

    def _has_text(self, space: Space) -> bool:
        self._settle_index()
        row = self._db.one(
            "SELECT EXISTS (SELECT 1 FROM text_block WHERE space = :space)"
            " OR EXISTS (SELECT 1 FROM text_tail WHERE unit >= :low AND unit < :high)",
            {"space": space.id, **space.range()},
        )
        return bool(row and row[0])

    def _read_layout(self, space: Space) -> _Cached:
        cache = self._state.layout_cache
        if space.changed:  # uncommitted numbers may be given again, so they are not kept
            return self._extend(_Cached(), space)
        with cache.lock:
            entry = cache.get(space.id, space.erased)
            if entry.size < space.next_number:
                entry = self._extend(entry, space)
                cache.put(space.id, entry)
            return entry

    def _extend(self, entry: _Cached, space: Space) -> _Cached:
        """A longer copy, with what was added since."""
        start, size = entry.size, space.next_number
        kinds = np.zeros(size, np.uint8)
        sessions = np.full(size, -1, np.int32)
        said = np.zeros(size, np.int64)
        kinds[:start], sessions[:start], said[:start] = entry.kinds, entry.sessions, entry.said
        low = first_unit(space.id)
        span = {"low": low + start, "high": low + size}
        memories = self._db.all(_MEMORIES, span) + self._db.all(_NEW_TEXTS, span)
        if memories:
            numbers = np.array([row[0] & _NUMBER for row in memories])
            kinds[numbers] = UnitCode.MEMORY
            said[numbers] = [row[1] for row in memories]
        turns = self._db.all(_TURNS, span) + self._db.all(_PIECES, span)
        if turns:
            names = entry.names
            numbers = np.array([row[0] & _NUMBER for row in turns])
            kinds[numbers] = [_CODES.get(row[1], UnitCode.OTHER_TURN) for row in turns]
            sessions[numbers] = [names.setdefault(row[2], len(names)) for row in turns]
            said[numbers] = [row[3] for row in turns]
        passages = self._db.all(_PASSAGES, span)
        kinds[[row[0] & _NUMBER for row in passages]] = UnitCode.DOCUMENT
        for array in (kinds, sessions, said):
            array.flags.writeable = False
        return _Cached(size, entry.erased, kinds, sessions, said, entry.names)
