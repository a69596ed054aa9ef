"""Permanent profile fields, the spending of a day, and the counts of a scope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jiyi.stores.sql.codec import dump, load, micros
from jiyi.stores.sql.filters_sql import MEMORY_STATUS
from jiyi.stores.sql.memories import instant_of
from jiyi.stores.sql.session import ReadSession, WriteSession, labels
from jiyi.types import STATUSES

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.types import Json, Scope


class ProfileReads(ReadSession):
    """Exact facts and numbers about a scope."""

    def permanent(self, scope: Scope) -> dict[str, Json]:
        space = self._own_space(scope)
        if space is None:
            return {}
        rows = self._db.all(
            "SELECT name, value FROM profile_permanent WHERE space = :space ORDER BY name",
            {"space": space.id},
        )
        return {name: load(value) for name, value in rows}

    def spent(self, scope: Scope, day: str) -> dict[str, int]:
        space = self._own_space(scope)
        row = None
        if space is not None:
            row = self._db.one(
                "SELECT calls, tokens FROM spending WHERE space = :space AND day = :day",
                {"space": space.id, "day": day},
            )
        return {"calls": row[0], "tokens": row[1]} if row else {"calls": 0, "tokens": 0}

    def counts(self, scope: Scope, *, now: datetime | None = None) -> dict[str, int]:
        found = {"turns": 0}
        for readable in self._readable(scope):
            space = readable.space
            if readable.own:
                row = self._db.one(
                    "SELECT COUNT(*) FROM turn WHERE space = :space", {"space": space.id}
                )
                found["turns"] = row[0] if row else 0
            rows = self._db.all(
                f"SELECT {MEMORY_STATUS} AS state, COUNT(*) FROM memory AS m"  # noqa: S608 - values are bound
                " WHERE m.space = :space AND m.key >= :low AND m.key < :high"
                f" AND {readable.audiences()} GROUP BY state",
                {"space": space.id, "now": instant_of(now), **space.range(), **labels(scope)},
            )
            for status, count in rows:
                name = f"memories.{STATUSES[status]}"
                found[name] = found.get(name, 0) + count
        return found


class ProfileWrites(ProfileReads, WriteSession):
    """Setting permanent fields, and counting what models cost."""

    def set_permanent(self, scope: Scope, values: Mapping[str, Json], *, at: datetime) -> None:
        space = self._open_own(scope)
        for name, value in values.items():
            parameters = {"space": space.id, "name": name}
            if value is None:
                self._db.run(
                    "DELETE FROM profile_permanent WHERE space = :space AND name = :name",
                    parameters,
                )
                continue
            self._db.run(
                "INSERT INTO profile_permanent (space, name, value, set_at)"
                " VALUES (:space, :name, :value, :set_at) ON CONFLICT (space, name)"
                " DO UPDATE SET value = EXCLUDED.value, set_at = EXCLUDED.set_at",
                {**parameters, "value": dump(value, name), "set_at": micros(at)},
            )

    def spend(self, scope: Scope, day: str, *, calls: int, tokens: int) -> None:
        space = self._open_own(scope)
        self._db.run(
            "INSERT INTO spending (space, day, calls, tokens)"
            " VALUES (:space, :day, :calls, :tokens) ON CONFLICT (space, day) DO UPDATE SET"
            " calls = spending.calls + EXCLUDED.calls, tokens = spending.tokens + EXCLUDED.tokens",
            {"space": space.id, "day": day, "calls": calls, "tokens": tokens},
        )
