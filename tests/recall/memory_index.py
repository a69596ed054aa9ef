"""A store for ranking tests: units in a list, indexed in memory, read through the store port.

It holds one space and knows only what recall reads: postings, layout, vectors, units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import numpy as np

from jiyi.ports import (
    Layout,
    Name,
    Postings,
    Selection,
    StoredUnit,
    TermWeights,
    Tie,
    UnitCode,
    VectorBlock,
)
from jiyi.text.terms import date_words, term_weights
from jiyi.types import MemoryRecord, Scope, Source, Turn, UnitKey

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ROLE_CODES = {"user": UnitCode.USER_TURN, "assistant": UnitCode.ASSISTANT_TURN}


class MemoryIndex:
    """Add turns and memories, then use it as a store."""

    def __init__(self, *, scope: Scope | None = None, embedder: Any = None) -> None:
        self.scope = scope or Scope(user="sun")
        self.embedder = embedder
        self.held: list[StoredUnit] = []
        self.terms: list[TermWeights] = []
        self.codes: list[int] = []
        self.sessions: list[int] = []
        self.said: list[datetime] = []
        self._session_ids: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._index: tuple[Any, ...] | None = None

    def turn(
        self,
        text: str,
        *,
        said_at: datetime,
        session: str = "A",
        role: str = "user",
        name: str | None = None,
        stale: bool = False,
        later: str | None = None,
    ) -> Turn:
        """Append a turn to its session."""
        number = len(self.held)
        turn = Turn(
            id=f"turn-{number}",
            role=role,
            text=text,
            said_at=said_at,
            recorded_at=said_at,
            scope=Scope(**self.scope.as_dict(), session=session),
            name=name,
        )
        previous = self._last.get(session)
        context = [date_words(said_at), *([name] if name else [])]
        self._add(
            StoredUnit(
                unit="turn",
                key=UnitKey(1, number),
                turn=turn,
                previous=None if previous is None else UnitKey(1, previous),
                stale=stale,
                later=later,
            ),
            term_weights(text, context=context),
            ROLE_CODES.get(role, UnitCode.OTHER_TURN),
            self._session_ids.setdefault(session, len(self._session_ids)),
            said_at,
        )
        self._last[session] = number
        return turn

    def memory(self, text: str, *, said_at: datetime, **fields: Any) -> MemoryRecord:
        """Append a memory; `fields` are those of `MemoryRecord`."""
        number = len(self.held)
        record = MemoryRecord(
            **{
                "id": f"memory-{number}",
                "kind": "semantic",
                "status": "active",
                "scope": self.scope,
                "recorded_at": said_at,
                "valid_from": said_at,
                **fields,
            },
            text=text,
            said_at=said_at,
        )
        self._add(
            StoredUnit(unit="memory", key=UnitKey(1, number), memory=record),
            term_weights(text, context=[*record.tags, date_words(said_at)]),
            UnitCode.MEMORY,
            -1,
            said_at,
        )
        return record

    def _add(
        self, unit: StoredUnit, terms: TermWeights, code: int, session: int, said_at: datetime
    ) -> None:
        self.held.append(unit)
        self.terms.append(terms)
        self.codes.append(code)
        self.sessions.append(session)
        self.said.append(said_at)
        self._index = None

    # --- the store port -------------------------------------------------------------------------

    @contextmanager
    def read(self) -> Iterator[MemoryIndex]:
        yield self

    def _built(self) -> tuple[Any, ...]:
        if self._index is None:
            lists: dict[str, tuple[list[int], list[int]]] = {}
            for number, weights in enumerate(self.terms):
                for term, count in weights.counts.items():
                    numbers, counts = lists.setdefault(term, ([], []))
                    numbers.append(number)
                    counts.append(count)
            arrays = {
                term: (np.array(numbers, np.int32), np.array(counts, np.float32))
                for term, (numbers, counts) in lists.items()
            }
            lengths = np.array([w.length for w in self.terms], np.uint16)
            size = len(self.held)
            layout = Layout(
                1,
                size,
                np.array(self.codes, np.uint8),
                np.array(self.sessions, np.int32),
                np.array([int((m - EPOCH).total_seconds() * 1e6) for m in self.said], np.int64),
            )
            block = None
            if self.embedder is not None and size:
                matrix = np.asarray(self.embedder.embed_documents([_text(u) for u in self.held]))
                block = VectorBlock(1, np.arange(size, dtype=np.int32), matrix)
            self._index = arrays, lengths, layout, block
        return self._index

    def erasures(self, scope: Scope) -> int:
        return 0

    def names(self, scope: Scope, keys: Sequence[str] | None = None) -> list[Name]:
        """It holds no names, and so no ties between them."""
        del scope, keys
        return []

    def ties_of(self, scope: Scope, key: str, **limits: object) -> list[Tie]:
        del scope, key, limits
        return []

    def postings(self, scope: Scope, terms: Sequence[str]) -> list[Postings]:
        arrays, lengths, _, _ = self._built()
        size = len(self.held)
        if not size or scope.user != self.scope.user:
            return []
        found = {term: arrays[term] for term in terms if term in arrays}
        return [Postings(1, size, size, float(lengths.mean()), lengths, found)]

    def layout(self, scope: Scope) -> list[Layout]:
        return [self._built()[2]] if self.held and scope.user == self.scope.user else []

    def vectors(self, scope: Scope, model: str) -> list[VectorBlock]:
        block = self._built()[3]
        return [] if block is None or model != self.embedder.name else [block]

    def citing(self, scope: Scope, turn_ids: Sequence[str]) -> list[MemoryRecord]:
        wanted = set(turn_ids)
        memories = [unit.memory for unit in self.held if unit.memory is not None]
        return [m for m in memories if wanted & {s.turn_id for s in m.sources}]

    def units(
        self,
        scope: Scope,
        keys: Sequence[UnitKey],
        selection: Selection,
        *,
        linked: bool = True,
    ) -> dict[UnitKey, StoredUnit]:
        found = {}
        for key in keys:
            unit = self.held[key.number]
            if unit.memory is None or _passes(unit.memory, selection):
                found[key] = unit
        return found

    def memories(
        self, scope: Scope, selection: Selection, **_: Any
    ) -> tuple[list[MemoryRecord], None]:
        ids = selection.ids or ()
        records = [u.memory for u in self.held if u.memory is not None and u.memory.id in ids]
        return [r for r in records if _passes(r, selection)], None

    def turns(self, scope: Scope, *, session: str, limit: int, order: str) -> list[Turn]:
        found = [u.turn for u in self.held if u.turn and u.turn.scope.session == session]
        return found[::-1][:limit] if order == "newest" else found[:limit]


def cite(turn: Turn) -> Source:
    """A source that cites the whole of a turn."""
    return Source(id=f"source-{turn.id}", turn_id=turn.id, said_at=turn.said_at)


def _text(unit: StoredUnit) -> str:
    held = unit.memory or unit.turn
    assert held is not None
    return held.text


def _passes(record: MemoryRecord, selection: Selection) -> bool:
    if record.expires_at is not None and record.expires_at <= selection.now:
        return False
    if selection.as_of is not None:
        start, end = record.valid_from, record.valid_to
        return start <= selection.as_of and (end is None or selection.as_of < end)
    return record.status in selection.statuses
