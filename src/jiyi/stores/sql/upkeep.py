"""What consolidation asks of a store: a whole space at a time, one run at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from jiyi.ports import DERIVED, Selection
from jiyi.stores.sql.audit import SELECT_EVENTS, decode_event
from jiyi.stores.sql.codec import micros, pack_id, unpack_id
from jiyi.stores.sql.memories import MemoryReads
from jiyi.stores.sql.records import FORGOTTEN, KIND, LIVE, STATUS
from jiyi.stores.sql.selection import choose_memories
from jiyi.stores.sql.session import Readable
from jiyi.stores.sql.sessions import SessionWrites
from jiyi.types import Slot

if TYPE_CHECKING:
    from jiyi.ports import JobKind
    from jiyi.stores.sql.erase import _Gone
    from jiyi.stores.sql.session import Space
    from jiyi.types import AuditEvent, Json, MemoryRecord, Scope, Status

_NEEDED = (*LIVE, STATUS["archived"])
_WAITING = """
SELECT id FROM queue WHERE space = :space AND kind = :kind AND parked = 0 LIMIT 1
"""
# Held, and not from a time that has not come yet: a clock that jumped back left that one behind.
_HELD = """
SELECT id FROM queue
WHERE space = :space AND kind = :kind AND leased_until > :now AND leased_until <= :until
LIMIT 1
"""
_ABANDONED = "DELETE FROM queue WHERE space = :space AND kind = :kind"
_TAKE = "UPDATE queue SET leased_until = :until WHERE id = :id"

_DRAWN_INTO = """
SELECT other_id FROM event
WHERE memory = :memory AND action IN ('summarised in', 'drawn into') AND other_id IS NOT NULL
"""
_BY_ID = f"SELECT key FROM memory WHERE space = :space AND id = :id AND status <> {FORGOTTEN}"  # noqa: S608
_OF_NOTHING = f"""
DELETE FROM event WHERE key >= :low AND key < :high AND at < :before AND NOT EXISTS (
    SELECT 1 FROM memory AS m WHERE m.key = event.memory AND m.status <> {FORGOTTEN}
)
"""  # noqa: S608 - a constant
_WITHIN_META = " OR ".join(f"m.meta LIKE '%\"{name}\"%'" for name in DERIVED)
_IS_DERIVED = f"SELECT 1 FROM memory AS m WHERE m.key = :memory AND ({_WITHIN_META})"  # noqa: S608
_DERIVED = f"""
SELECT m.key, m.space FROM memory_source AS s JOIN memory AS m ON m.key = s.memory
WHERE s.turn_id = :turn_id AND m.status <> {FORGOTTEN} AND ({_WITHIN_META})
"""  # noqa: S608 - constant names


_UNCITED = f"""
SELECT t.id FROM turn AS t
WHERE t.space = :space AND t.recorded_at < :before AND NOT EXISTS (
    SELECT 1 FROM memory_source AS s JOIN memory AS m ON m.key = s.memory
    WHERE s.turn_id = t.id AND m.status IN ({", ".join(map(str, _NEEDED))})
) AND NOT EXISTS (
    SELECT 1 FROM queue AS q
    WHERE q.space = :space AND q.kind IN ('extract', 'read') AND q.created_at < :before
)
ORDER BY t.recorded_at, t.key LIMIT :limit
"""  # noqa: S608 - constant numbers


_STATEMENTS = f"""
SELECT m.id, m.text, CASE WHEN m.audience = 'shared' THEN 1 ELSE 0 END,
    m.slot_subject, m.slot_attribute, m.slot_value, m.slot_many
FROM memory AS m
WHERE m.space = :space AND m.status = {STATUS["active"]} AND m.kind <> {KIND["episodic"]}
    AND m.valid_to IS NULL AND (m.expires_at IS NULL OR m.expires_at > :now)
ORDER BY m.key
"""  # noqa: S608 - constant numbers
_AT_ONCE = 500  # ids in one statement


def _slot(subject: str, attribute: str, value: str, many: int | None) -> Slot:
    cardinality: Literal["one", "many"] = "many" if many else "one"
    return Slot(subject=subject, attribute=attribute, value=value, cardinality=cardinality)


@dataclass(frozen=True, slots=True)
class _Whole(Readable):
    """A space read for upkeep: whoever a memory in it is for."""

    def audiences(self, column: str = "m.audience") -> str:
        return f"{column} IS NOT NULL"


class UpkeepReads(MemoryReads):
    """The upkeep side of the `Reader` port."""

    def space_memories(
        self,
        scope: Scope,
        *,
        statuses: frozenset[Status],
        now: datetime,
        ids: Sequence[str] | None = None,
    ) -> list[MemoryRecord]:
        space = self._own_space(scope)
        if space is None:
            return []
        whole = _Whole(space, own=True)
        found: list[MemoryRecord] = []
        parts = (
            [None] if ids is None else [ids[n : n + _AT_ONCE] for n in range(0, len(ids), _AT_ONCE)]
        )
        for part in parts:
            wanted = None if part is None else tuple(part)
            selection = Selection(now=now, statuses=statuses, ids=wanted)
            chosen = choose_memories(selection, self._dialect)
            rows = self._select(whole, scope, chosen, order="oldest", limit=None, after=None)
            found += self._records(rows, space, chosen.now)
        return found

    def space_statements(
        self, scope: Scope, *, now: datetime
    ) -> list[tuple[str, str, Slot | None, bool]]:
        space = self._own_space(scope)
        if space is None:
            return []
        rows = self._db.all(_STATEMENTS, {"space": space.id, "now": micros(now)})
        return [
            (unpack_id(id), text, None if subject is None else _slot(subject, *rest), bool(shared))
            for id, text, shared, subject, *rest in rows
        ]

    def recent_events(
        self,
        scope: Scope,
        *,
        actions: frozenset[str],
        after: str | None = None,
        limit: int = 1000,
    ) -> list[AuditEvent]:
        space = self._own_space(scope)
        if space is None or not actions:
            return []
        names = {f"action{index}": action for index, action in enumerate(sorted(actions))}
        condition = f"e.action IN ({', '.join(f':{name}' for name in names)})"
        parameters = {**names, **space.range(), "limit": limit}
        if after is not None:
            condition += " AND e.key > (SELECT a.key FROM event AS a WHERE a.id = :after)"
            parameters["after"] = pack_id(after)
        rows = self._db.all(
            f"{SELECT_EVENTS} WHERE e.key >= :low AND e.key < :high AND {condition}"
            " ORDER BY e.key DESC LIMIT :limit",
            parameters,
        )
        return [decode_event(row) for row in reversed(rows)]

    def uncited_turns(self, scope: Scope, *, before: datetime, limit: int) -> list[str]:
        space = self._own_space(scope)
        if space is None:
            return []
        asked = {"space": space.id, "before": micros(before), "limit": limit}
        return [unpack_id(row[0]) for row in self._db.all(_UNCITED, asked)]


class UpkeepWrites(SessionWrites, UpkeepReads):
    """The upkeep side of the `Writer` port."""

    def _erase(self, own: Space, gone: _Gone, at: datetime, event_id: str) -> None:
        """Before anything is erased: what consolidation has drawn from it goes with it, because
        it may repeat its words. What is left of the rest is summed up again by a later run."""
        for space_id, keys in list(gone.memories.items()):
            space = self._space_by_id(space_id)
            for key in sorted(keys) if space is not None else ():
                for (id,) in self._db.all(_DRAWN_INTO, {"memory": key}):
                    drawn = self._db.one(_BY_ID, {"space": space_id, "id": bytes(id)})
                    if drawn is not None:
                        gone.add(drawn[0], space_id)
        for turn_id in gone.turns.values() if gone.quotes else ():
            for key, space_id in self._db.all(_DERIVED, {"turn_id": bytes(turn_id)}):
                if space_id == own.id:
                    gone.add(key, space_id)
        super()._erase(own, gone, at, event_id)

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
        if self._db.one(_IS_DERIVED, {"memory": memory}) is not None:
            gone.add(memory, space.id)
        super()._lose_sources(space, memory, ordinals, gone, at=at, event_id=event_id)

    def enqueue_once(
        self,
        scope: Scope,
        kind: JobKind,
        payload: Mapping[str, Json],
        *,
        at: datetime,
        due: datetime,
    ) -> int | None:
        space = self._open_own(scope)
        if self._db.one(_WAITING, {"space": space.id, "kind": kind}) is not None:
            return None
        return self.enqueue(scope, kind, payload, at=at, due=due)

    def claim(self, scope: Scope, kind: JobKind, *, now: datetime, until: datetime) -> int | None:
        space = self._open_own(scope)
        whose = {"space": space.id, "kind": kind}
        moments = {"now": micros(now), "until": micros(until)}
        if self._db.one(_HELD, whose | moments) is not None:
            return None
        self._db.run(_ABANDONED, whose)
        # Who reads the queue sees whose it is, not which of their agents or sessions asked.
        owner = replace(scope, agent=None, session=None, task=None, tool=None)
        id = self.enqueue(owner, kind, {}, at=now, due=until)
        self._db.run(_TAKE, {"id": id, "until": micros(until)})
        return id

    def prune_traces(self, scope: Scope, *, before: datetime) -> int:
        space = self._own_space(scope)
        if space is None:
            return 0
        return self._db.run(
            "DELETE FROM trace WHERE space = :space AND at < :before",
            {"space": space.id, "before": micros(before)},
        )

    def prune_events(self, scope: Scope, *, before: datetime) -> int:
        space = self._own_space(scope)
        if space is None:
            return 0
        return self._db.run(_OF_NOTHING, {**space.range(), "before": micros(before)})
