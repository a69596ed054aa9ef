"""Erasing: content goes from every table; ids stay, without content, as tombstones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jiyi.ports import Erasure
from jiyi.stores.sql.codec import pack_id, unpack_id
from jiyi.stores.sql.hashing import erased_name, tombstone_hash
from jiyi.stores.sql.memory_changes import MemoryWrites
from jiyi.stores.sql.queue import QueueWrites
from jiyi.stores.sql.records import COLUMNS, FORGOTTEN
from jiyi.stores.sql.tombstones import message_key_content, turn_content
from jiyi.stores.sql.traces import TraceWrites
from jiyi.stores.sql.turns import TurnWrites
from jiyi.stores.sql.vectors import VectorWrites

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.stores.sql.session import Space
    from jiyi.types import Scope

# What a tombstone keeps: its place, its id, and when it was recorded.
_KEPT = frozenset({"key", "space", "id", "unit", "status", "kind", "audience"}) | frozenset(
    {"recorded_at", "zone", "author", "text"}
)
_BLANK = (
    f"UPDATE memory SET status = {FORGOTTEN}, kind = 0, text = '', "  # noqa: S608 - constant names
    + ", ".join(f"{name} = NULL" for name in COLUMNS if name not in _KEPT)
    + " WHERE "
)
_UNLABEL = """
UPDATE memory SET author = NULL, audience = CASE audience WHEN 'shared' THEN 'shared' ELSE '' END
WHERE space = :space AND audience <> ''
"""
_UNSIGN = f"""
UPDATE memory SET author = :name WHERE space = :space AND author = :author AND audience <> ''
    AND status = {FORGOTTEN}
"""  # noqa: S608 - a constant
_AUTHOR = COLUMNS.index("author")
_STATUS = COLUMNS.index("status")
_PART = 5000  # keys per statement, so that no bound list grows without end
_SHARED_BY = "SELECT key FROM memory WHERE space = :space AND author = :author AND audience <> ''"
_CITED_FROM_COMMON = """
SELECT DISTINCT t.key, t.id FROM memory_source AS s
JOIN turn AS t ON t.space = :space AND t.id = s.turn_id
WHERE s.memory >= :low AND s.memory < :high AND s.turn_id IS NOT NULL
"""
_UNNAMED = (
    f"SELECT key FROM memory WHERE space = :space AND status <> {FORGOTTEN}"  # noqa: S608
    " AND author IS NULL"
)
_OF_OTHERS = f"""
SELECT 1 FROM memory WHERE space = :space AND status <> {FORGOTTEN} AND author IS NOT NULL
UNION ALL SELECT 1 FROM document WHERE space = :space AND author <> '' LIMIT 1
"""  # noqa: S608 - a constant


@dataclass(slots=True)
class _Gone:
    """What is being erased: memories by space, turns by key, and what was found on the way."""

    memories: dict[int, set[int]] = field(default_factory=dict)
    turns: dict[int, bytes] = field(default_factory=dict)
    memory_ids: list[str] = field(default_factory=list)
    turn_ids: list[str] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)
    quotes: bool = True

    def add(self, memory: int, space: int) -> None:
        self.memories.setdefault(space, set()).add(memory)

    def count(self, name: str, rows: int) -> None:
        if rows:
            self.counts[name] = self.counts.get(name, 0) + rows

    def result(self) -> Erasure:
        return Erasure(tuple(self.memory_ids), tuple(self.turn_ids), self.counts)


class EraseWrites(MemoryWrites, TurnWrites, VectorWrites, QueueWrites, TraceWrites):
    """`Writer.erase` and `Writer.erase_space`."""

    def erase(
        self,
        scope: Scope,
        *,
        memory_ids: Sequence[str] = (),
        turn_ids: Sequence[str] = (),
        fingerprints: Iterable[bytes] = (),
        cascade: bool = True,
        quotes: bool = True,
        at: datetime,
        reason: str,
        event_id: str,
    ) -> Erasure:
        space = self._open_own(scope)
        gone = _Gone(quotes=quotes)
        for turn_id in turn_ids:
            key = self._turn_row(space, turn_id)
            if key is not None:
                gone.turns[key] = pack_id(turn_id)
        for memory_id in memory_ids:
            found = self._row_by_id(scope, memory_id)
            if found is None or found[0][_STATUS] == FORGOTTEN:
                continue
            row, readable = found
            # What another user shares is read, but only its author erases it.
            if readable.own or row[_AUTHOR] == scope.user:
                gone.add(row[0], readable.space.id)
        self._bury(space, fingerprints)
        if cascade:
            self._loosen(scope, gone, at, event_id)
        self._erase(space, gone, at, event_id)
        self._log(space, at, "erase", id=event_id, reason=reason, counts=gone.counts)
        return gone.result()

    def erase_space(self, scope: Scope, *, at: datetime, reason: str, event_id: str) -> Erasure:
        own = self._open_own(scope)
        gone = _Gone()
        if scope.user is not None:
            common = self._space(scope.tenant, None)
            if common is not None:
                self._erase_shared(scope, common, gone, at=at, event_id=event_id)
            spaces = [own]
        elif scope.tenant is not None:
            rows = self._db.all(
                "SELECT id FROM space WHERE tenant = :tenant ORDER BY id", {"tenant": own.tenant}
            )
            found = (self._space_by_id(row[0]) for row in rows)
            spaces = [self._hold(space) for space in found if space is not None]
        elif self._is_shared_by_others(own):
            self._erase_unnamed(own, gone, at=at, event_id=event_id)
            spaces = []
        else:
            spaces = [own]
        for space in spaces:
            self._empty(space, gone)
            self._hide(space)
        self._log(own, at, "erase", id=event_id, reason=reason, counts=gone.counts)
        return gone.result()

    def _erase_shared(
        self,
        scope: Scope,
        common: Space,
        gone: _Gone,
        *,
        at: datetime,
        event_id: str,
    ) -> None:
        """What a user left in the common space: shared memories, and sources of others'."""
        own = self._open_own(scope)
        parameters = {"space": common.id, "author": scope.user}
        for row in self._db.all(_SHARED_BY + f" AND status <> {FORGOTTEN}", parameters):
            gone.add(row[0], common.id)
        turns = self._db.all(_CITED_FROM_COMMON, {"space": own.id, **common.range()})
        gone.turns = {key: bytes(id) for key, id in turns}
        self._loosen(scope, gone, at, event_id)
        self._erase(own, gone, at, event_id)
        name = erased_name(self._state.key, own.tenant, own.user)
        self._db.run(_UNSIGN, {**parameters, "name": name})

    def _is_shared_by_others(self, space: Space) -> bool:
        """Whether named users share something in a common space."""
        return self._db.one(_OF_OTHERS, {"space": space.id}) is not None

    def _erase_unnamed(self, own: Space, gone: _Gone, *, at: datetime, event_id: str) -> None:
        """What a common space holds of nobody named; what named users share there stays."""
        for row in self._db.all(_UNNAMED, {"space": own.id}):
            gone.add(row[0], own.id)
        turns = self._db.all("SELECT key, id FROM turn WHERE space = :space", {"space": own.id})
        gone.turns = {key: bytes(id) for key, id in turns}
        self._erase(own, gone, at, event_id)
        self._empty_beside(own, gone)

    def _erase(self, own: Space, gone: _Gone, at: datetime, event_id: str) -> None:
        """Erase what `gone` names, and what no longer has a source then."""
        own.has_erased = True
        units: dict[int, list[int]] = {}
        for space_id, keys in gone.memories.items():
            space = self._space_by_id(space_id)
            if space is not None:
                self._hold(space).has_erased = True
                units[space_id] = self._erase_memories(space, sorted(keys), gone)
                for key in sorted(keys):
                    self._log(space, at, "erase", memory=key, run_id=event_id)
        units.setdefault(own.id, []).extend(self._erase_turns(own, gone))
        for space_id, found in units.items():
            space = self._space_by_id(space_id)
            if space is not None and found:
                gone.count("index entries", self._unindex(space, found))
                for part in _parts(found):
                    gone.count("vectors", self._erase_vectors(part))
        ids = {*gone.memory_ids, *gone.turn_ids}
        for space in self._mentioning(own, gone):
            gone.count("traces", self._erase_traces(space, ids, gone.texts))
            gone.count("jobs", self._erase_jobs(space, ids))

    def _mentioning(self, own: Space, gone: _Gone) -> list[Space]:
        """The spaces whose traces and jobs may name what goes: shared memories are recalled by
        everyone of the tenant."""
        if set(gone.memories) <= {own.id}:
            return [own]
        rows = self._db.all("SELECT id FROM space WHERE tenant = :tenant", {"tenant": own.tenant})
        found = (self._space_by_id(row[0]) for row in rows)
        return [space for space in found if space is not None]

    def _loosen(self, scope: Scope, gone: _Gone, at: datetime, event_id: str) -> None:
        """Take the sources away that cite erased turns; without any left, a memory goes too."""
        lost: dict[int, list[int]] = {}
        for readable in self._readable(scope):
            for turn_id in gone.turns.values():
                rows = self._db.all(
                    "SELECT memory, ordinal FROM memory_source WHERE turn_id = :turn_id"
                    " AND memory >= :low AND memory < :high",
                    {"turn_id": turn_id, **readable.space.range()},
                )
                for memory, ordinal in rows:
                    lost.setdefault(memory, []).append(ordinal)
            for memory, ordinals in lost.items():
                self._lose_sources(readable.space, memory, ordinals, gone, at=at, event_id=event_id)
            lost.clear()

    def _lose_sources(
        self,
        space: Space,
        memory: int,
        ordinals: Sequence[int],
        gone: _Gone,
        *,
        at: datetime,
        event_id: str,
    ) -> None:
        row = self._db.one(
            "SELECT COUNT(*) FROM memory_source WHERE memory = :memory", {"memory": memory}
        )
        if row is not None and row[0] == len(ordinals):
            gone.add(memory, space.id)
        if memory in gone.memories.get(space.id, ()):
            return
        for ordinal in ordinals:
            removed = self._db.run(
                "DELETE FROM memory_source WHERE memory = :memory AND ordinal = :ordinal",
                {"memory": memory, "ordinal": ordinal},
            )
            gone.count("sources", removed)
        self._log(self._hold(space), at, "lose_source", memory=memory, run_id=event_id)

    def _erase_memories(self, space: Space, keys: Sequence[int], gone: _Gone) -> list[int]:
        """Blank memories and delete what belongs to them. Returns their unit keys."""
        units: list[int] = []
        fingerprints: set[bytes] = set()
        for part in _parts(keys):
            bound = {"keys": self._array(part)}
            within = self._dialect.within("key", "keys")
            for id, unit, key, text, fingerprint in self._db.all(
                f"SELECT id, unit, key, text, fingerprint FROM memory WHERE {within}"  # noqa: S608
                " ORDER BY key",
                bound,
            ):
                gone.memory_ids.append(unpack_id(id))
                units += [key] if unit is None else [key, unit]
                gone.texts.add(text)
                fingerprints.add(fingerprint)
            for unit, text, fingerprint in self._db.all(
                f"SELECT unit, text, fingerprint FROM memory_past WHERE {within}",  # noqa: S608
                bound,
            ):
                units += [] if unit is None else [unit]
                gone.texts.add(text)
                fingerprints.add(fingerprint)
            gone.count("memories", self._db.run(_BLANK + within, bound))
            past = f"DELETE FROM memory_past WHERE {within}"  # noqa: S608
            gone.count("versions", self._db.run(past, bound))
            within = self._dialect.within("memory", "keys")
            sources = f"DELETE FROM memory_source WHERE {within}"  # noqa: S608
            gone.count("sources", self._db.run(sources, bound))
            gone.count("names", self._unname(space, part))
        self._bury(space, (each for each in fingerprints if each is not None))
        return units

    def _erase_turns(self, space: Space, gone: _Gone) -> list[int]:
        units: list[int] = []
        for key, id in gone.turns.items():
            row = self._db.one("SELECT text, message_key FROM turn WHERE key = :key", {"key": key})
            if row is None:
                continue
            gone.turn_ids.append(unpack_id(id))
            gone.texts.add(row[0])
            self._bury_turn(space, id, row[1])
            pieces = self._db.all("SELECT unit FROM piece WHERE turn = :key", {"key": key})
            units += [key, *(piece[0] for piece in pieces if piece[0] != key)]
            self._db.run("DELETE FROM piece WHERE turn = :key", {"key": key})
            gone.count("turns", self._db.run("DELETE FROM turn WHERE key = :key", {"key": key}))
        return units

    def _empty(self, space: Space, gone: _Gone) -> None:
        """Erase everything of a space; what it keeps are tombstones and the audit log."""
        space.has_erased = True
        bound = {"space": space.id}
        live = f"space = :space AND status <> {FORGOTTEN}"
        memories = self._db.all(
            f"SELECT id, fingerprint FROM memory WHERE {live} ORDER BY key",  # noqa: S608
            bound,
        )
        past = self._db.all("SELECT fingerprint FROM memory_past WHERE space = :space", bound)
        self._bury(space, {row[-1] for row in (*memories, *past) if row[-1] is not None})
        gone.memory_ids += [unpack_id(row[0]) for row in memories]
        turns = self._db.all(
            "SELECT id, message_key FROM turn WHERE space = :space ORDER BY key", bound
        )
        gone.turn_ids += [unpack_id(row[0]) for row in turns]
        for id, message_key in turns:
            self._bury_turn(space, bytes(id), message_key)
        gone.count("memories", self._db.run(_BLANK + live, bound))
        # Whom one was for, and who shared one, are names as well.
        self._db.run(_UNLABEL, bound)
        span = space.range()
        for name, statement, parameters in (
            ("versions", "DELETE FROM memory_past WHERE space = :space", bound),
            ("sources", "DELETE FROM memory_source WHERE memory >= :low AND memory < :high", span),
            ("turns", "DELETE FROM turn WHERE space = :space", bound),
            ("pieces", "DELETE FROM piece WHERE unit >= :low AND unit < :high", span),
        ):
            gone.count(name, self._db.run(statement, parameters))
        gone.count("names", self._unname_space(space))
        gone.count("index entries", self._unindex_space(space))
        gone.count("vectors", self._erase_vectors_of_space(space))
        self._empty_beside(space, gone)

    def _empty_beside(self, space: Space, gone: _Gone) -> None:
        """Erase what a space keeps beside memories and turns."""
        bound = {"space": space.id}
        for name, statement in (
            ("jobs", "DELETE FROM queue WHERE space = :space"),
            ("permanent fields", "DELETE FROM profile_permanent WHERE space = :space"),
        ):
            gone.count(name, self._db.run(statement, bound))
        gone.count("traces", self._erase_traces_of_space(space))

    def _bury(self, space: Space, fingerprints: Iterable[bytes]) -> None:
        """Leave keyed hashes, so that the same text does not come back by import."""
        for fingerprint in fingerprints:
            self._keep_hash(space, tombstone_hash(fingerprint, self._state.key))

    def _bury_turn(self, space: Space, id: bytes, message_key: str | None) -> None:
        """So that the same turn comes back neither by an archive nor by a redelivery."""
        self._bury(space, [turn_content(id)])
        if message_key is not None:
            self._bury(space, [message_key_content(message_key)])

    def _keep_hash(self, space: Space, hash: bytes) -> None:
        space.has_erased = True
        self._db.run(
            "INSERT INTO tombstone (space, hash) VALUES (:space, :hash) ON CONFLICT DO NOTHING",
            {"space": space.id, "hash": hash},
        )


def _parts(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    return (keys[at : at + _PART] for at in range(0, len(keys), _PART))
