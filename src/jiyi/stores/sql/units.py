"""From index keys back to what they stand for: memories, turns and pieces of long turns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jiyi.ports import StoredUnit, UnitCode
from jiyi.stores.sql.codec import key_of, unit_of, unpack_id
from jiyi.stores.sql.memories import MemoryReads
from jiyi.stores.sql.records import COLUMNS, SELECTED, STATUS
from jiyi.stores.sql.selection import choose_memories, choose_turns
from jiyi.stores.sql.session import Readable, labels
from jiyi.stores.sql.turns import TURN_COLUMNS, TurnReads, decode_turn

if TYPE_CHECKING:
    from jiyi.ports import Selection
    from jiyi.types import Scope, UnitKey

_GONE = (STATUS["superseded"], STATUS["retracted"])
_LONGEST_CHAIN = 100  # hops along superseded_by before we stop looking for the live one
_LINKS = """
(SELECT b.key FROM turn AS b WHERE b.space = t.space AND b.session = t.session
    AND (b.said_at, b.key) < (t.said_at, t.key) ORDER BY b.said_at DESC, b.key DESC LIMIT 1),
(SELECT a.key FROM turn AS a WHERE a.space = t.space AND a.session = t.session
    AND (a.said_at, a.key) > (t.said_at, t.key) ORDER BY a.said_at, a.key LIMIT 1)
"""


_DERIVED = """
SELECT s.turn_id, m.status, m.superseded_by FROM memory_source AS s
JOIN memory AS m ON m.key = s.memory
WHERE s.turn_id IN (SELECT t.id FROM turn AS t WHERE {turns})
    AND s.memory >= :low AND s.memory < :high AND m.status <> 6
"""
_TURNS = (UnitCode.USER_TURN, UnitCode.ASSISTANT_TURN, UnitCode.OTHER_TURN)
_SUPERSEDED_BY = COLUMNS.index("superseded_by")
_STATUS = COLUMNS.index("status")


class UnitReads(MemoryReads, TurnReads):
    """`Reader.units`."""

    def units(
        self,
        scope: Scope,
        keys: Sequence[UnitKey],
        selection: Selection,
        *,
        linked: bool = True,
    ) -> dict[UnitKey, StoredUnit]:
        by_space: dict[int, dict[int, UnitKey]] = {}
        for key in keys:
            by_space.setdefault(key[0], {})[unit_of(key)] = key
        found: dict[UnitKey, StoredUnit] = {}
        for readable in self._readable(scope):
            wanted = by_space.get(readable.space.id, {})
            if memories := self._may_be(wanted, UnitCode.MEMORY, readable=readable):
                self._memory_units(readable, scope, memories, selection, found)
            turns = self._may_be(wanted, *_TURNS, readable=readable) if readable.own else {}
            if turns := {unit: key for unit, key in turns.items() if key not in found}:
                self._turn_units(readable, scope, turns, selection, found, linked=linked)
        return found

    def _may_be(
        self, wanted: Mapping[int, UnitKey], *codes: UnitCode, readable: Readable
    ) -> dict[int, UnitKey]:
        """Those that may be of these kinds: what the layout in memory knows to be of others need
        not be looked up."""
        space = readable.space
        kinds = self._state.layout_cache.kinds(space.id, space.erased)
        possible = {UnitCode.NOTHING, *codes}
        return {
            unit: key
            for unit, key in wanted.items()
            if key[1] >= len(kinds) or kinds.item(key[1]) in possible
        }

    def _memory_units(
        self,
        readable: Readable,
        scope: Scope,
        wanted: Mapping[int, UnitKey],
        selection: Selection,
        found: dict[UnitKey, StoredUnit],
    ) -> None:
        # The caller's keys replace selection.keys, so this selects without those.
        chosen = choose_memories(replace(selection, keys=None), self._dialect)
        parameters = chosen.parameters | labels(scope) | {"wanted": self._array(list(wanted))}
        sql = (
            f"SELECT {SELECTED} FROM {chosen.table} WHERE {{key}}"  # noqa: S608 - values are bound
            f" AND {readable.audiences()} AND {chosen.condition}"
        )
        key = f"{self._dialect.within('m.key', 'wanted')} AND m.unit IS NULL"
        rows = self._db.all(sql.replace("{key}", key), parameters)
        if len(rows) < len(wanted):
            key = self._dialect.within("m.unit", "wanted")
            rows += self._db.all(sql.replace("{key}", key), parameters)
        for row, record in zip(rows, self._records(rows, readable.space, chosen.now), strict=True):
            place = wanted[row[0] if row[3] is None else row[3]]
            found[place] = StoredUnit(unit="memory", key=place, memory=record)

    def _turn_units(
        self,
        readable: Readable,
        scope: Scope,
        wanted: Mapping[int, UnitKey],
        selection: Selection,
        found: dict[UnitKey, StoredUnit],
        *,
        linked: bool,
    ) -> None:
        chosen = choose_turns(replace(selection, keys=None), self._dialect)
        parameters = chosen.parameters | {"wanted": self._array(list(wanted))}
        links = _LINKS if linked else "NULL, NULL"
        columns = f"t.key, p.start, p.stop, {links}, {TURN_COLUMNS}"
        rows = self._db.all(
            f"SELECT t.key, {columns} FROM turn AS t"  # noqa: S608 - values are bound
            " LEFT JOIN piece AS p ON p.unit = t.key"
            f" WHERE {self._dialect.within('t.key', 'wanted')} AND {chosen.condition}",
            parameters,
        )
        if len(rows) < len(wanted):
            rows += self._db.all(
                f"SELECT p.unit, {columns} FROM piece AS p"  # noqa: S608 - values are bound
                " JOIN turn AS t ON t.key = p.turn AND t.key <> p.unit"
                f" WHERE {self._dialect.within('p.unit', 'wanted')} AND {chosen.condition}",
                parameters,
            )
        replaced = self._replaced(scope, {row[1] for row in rows})
        for row in rows:
            unit, turn, start, stop, previous, following, id = row[:7]
            told = replaced.get(id)
            stale, later = told or (False, None)
            found[wanted[unit]] = StoredUnit(
                unit="turn",
                key=wanted[unit] if turn == unit else key_of(turn),
                turn=decode_turn(row[6:], readable.space),
                piece=None if start is None else (start, stop),
                previous=None if previous is None else key_of(previous),
                next=None if following is None else key_of(following),
                later=later,
                stale=stale,
                cited=told is not None,
            )

    def _replaced(
        self, scope: Scope, turns: Collection[int]
    ) -> dict[bytes, tuple[bool, str | None]]:
        """Of these turns, by id, those that a memory was drawn from: (whether every one was
        superseded or retracted, then the id of the live memory that came in the place of one)."""
        derived: dict[bytes, list[tuple[int, bytes | None]]] = {}
        for readable in self._readable(scope) if turns else ():
            rows = self._db.all(
                _DERIVED.format(turns=self._dialect.within("t.key", "turns")),
                {"turns": self._array(list(turns)), **readable.space.range()},
            )
            for turn_id, status, heir in rows:
                derived.setdefault(turn_id, []).append((status, heir))
        found: dict[bytes, tuple[bool, str | None]] = dict.fromkeys(derived, (False, None))
        for turn_id, memories in derived.items():
            if all(status in _GONE for status, _ in memories):
                heirs = (self._heir(scope, heir) for _, heir in memories if heir is not None)
                found[turn_id] = (True, next((heir for heir in heirs if heir), None))
        return found

    def _heir(self, scope: Scope, id: bytes) -> str | None:
        """The live memory at the end of a chain of supersessions."""
        next_id: bytes | None = id
        for _ in range(_LONGEST_CHAIN):
            found = None if next_id is None else self._row_by_id(scope, unpack_id(next_id))
            if found is None:
                return None
            row = found[0]
            if row[_STATUS] not in _GONE:
                return unpack_id(row[2]) if row[_STATUS] == STATUS["active"] else None
            next_id = row[_SUPERSEDED_BY]
        return None
