"""The durable queue of background work."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jiyi.ports import Job
from jiyi.stores.sql.codec import dump, load, micros, moment, zone_of
from jiyi.stores.sql.session import ReadSession, WriteSession
from jiyi.types import Scope

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import JobKind
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space
    from jiyi.types import Json

_COLUMNS = "id, kind, scope, payload, created_at, zone, attempt, error"
_COUNTS = """
SELECT COALESCE(SUM(CASE WHEN parked = 0 AND leased_until IS NULL THEN 1 ELSE 0 END), 0),
    COALESCE(SUM(CASE WHEN parked = 0 AND leased_until IS NOT NULL THEN 1 ELSE 0 END), 0),
    COALESCE(SUM(parked), 0)
FROM queue
"""
_DUE = """
SELECT id FROM queue
WHERE parked = 0 AND kind IN ({kinds}) AND due <= :now
    AND (leased_until IS NULL OR leased_until <= :now)
ORDER BY due, id LIMIT :limit
"""


class QueueReads(ReadSession):
    """The queue side of the `Reader` port."""

    def queue_counts(self, scope: Scope | None = None) -> dict[str, int]:
        if scope is None:
            row = self._db.one(_COUNTS, {})
        else:
            space = self._own_space(scope)
            if space is None:
                return dict.fromkeys(("pending", "leased", "parked"), 0)
            row = self._db.one(_COUNTS + "WHERE space = :space", {"space": space.id})
        return dict(zip(("pending", "leased", "parked"), row or (0, 0, 0), strict=True))

    def parked(self, scope: Scope) -> list[Job]:
        space = self._own_space(scope)
        if space is None:
            return []
        rows = self._db.all(
            f"SELECT {_COLUMNS} FROM queue WHERE space = :space AND parked = 1 ORDER BY id",  # noqa: S608
            {"space": space.id},
        )
        return [_job(row) for row in rows]


class QueueWrites(QueueReads, WriteSession):
    """The queue side of the `Writer` port."""

    def enqueue(
        self,
        scope: Scope,
        kind: JobKind,
        payload: Mapping[str, Json],
        *,
        at: datetime,
        due: datetime,
    ) -> int:
        row = self._db.one(
            "INSERT INTO queue (space, kind, scope, payload, created_at, zone, due)"
            " VALUES (:space, :kind, :scope, :payload, :created_at, :zone, :due) RETURNING id",
            {
                "space": self._open_own(scope).id,
                "kind": kind,
                "scope": dump(scope.as_dict(), "scope"),
                "payload": dump(dict(payload), "payload"),
                "created_at": micros(at),
                "zone": zone_of(at),
                "due": micros(due),
            },
        )
        assert row is not None  # noqa: S101 - RETURNING gives the inserted row
        return int(row[0])

    def lease(
        self, kinds: Sequence[JobKind], *, now: datetime, until: datetime, limit: int = 1
    ) -> list[Job]:
        if not kinds:
            return []
        names = {f"kind{index}": kind for index, kind in enumerate(kinds)}
        due = _DUE.format(kinds=", ".join(f":{name}" for name in names)) + self._dialect.skip_locked
        rows = self._db.all(
            "UPDATE queue SET leased_until = :until, attempt = attempt + 1"  # noqa: S608
            f" WHERE id IN ({due}) RETURNING {_COLUMNS}",
            {**names, "now": micros(now), "until": micros(until), "limit": limit},
        )
        return sorted((_job(row) for row in rows), key=lambda job: job.id)

    def finish(self, job_ids: Sequence[int]) -> None:
        self._db.run(
            f"DELETE FROM queue WHERE {self._dialect.within('id', 'ids')}",  # noqa: S608
            {"ids": self._array(list(job_ids))},
        )

    def retry(self, job_id: int, *, error: str, due: datetime) -> None:
        self._db.run(
            "UPDATE queue SET leased_until = NULL, error = :error, due = :due WHERE id = :id",
            {"id": job_id, "error": error, "due": micros(due)},
        )

    def park(self, job_id: int, *, error: str) -> None:
        self._db.run(
            "UPDATE queue SET leased_until = NULL, parked = 1, error = :error WHERE id = :id",
            {"id": job_id, "error": error},
        )

    def unpark(self, *, now: datetime) -> int:
        return self._db.run(
            "UPDATE queue SET parked = 0, attempt = 0, due = :now WHERE parked = 1",
            {"now": micros(now)},
        )

    def _erase_jobs(self, space: Space, ids: Collection[str]) -> int:
        """Take erased ids out of payloads; a job that has nothing else to do goes."""
        removed = 0
        rows = self._db.all(
            "SELECT id, payload FROM queue WHERE space = :space", {"space": space.id}
        )
        for job_id, payload in rows:
            before = load(payload)
            after = _strip(before, ids)
            if after == before:
                continue
            if after is None:
                self._db.run("DELETE FROM queue WHERE id = :id", {"id": job_id})
                removed += 1
            else:
                self._db.run(
                    "UPDATE queue SET payload = :payload, error = NULL WHERE id = :id",
                    {"id": job_id, "payload": dump(after, "payload")},
                )
        return removed


def _strip(payload: dict[str, Any], ids: Collection[str]) -> dict[str, Any] | None:
    """A payload without these ids; None when one of them was all that a field held."""
    kept = {}
    for name, value in payload.items():
        if isinstance(value, list):
            rest = [item for item in value if not (isinstance(item, str) and item in ids)]
            if value and not rest:
                return None
            kept[name] = rest
        elif isinstance(value, str) and value in ids:
            return None
        else:
            kept[name] = value
    return kept


def _job(row: Row) -> Job:
    id, kind, scope, payload, created_at, zone, attempt, error = row
    return Job(
        id=id,
        kind=kind,
        scope=replace(Scope(), **load(scope)),
        payload=load(payload),
        attempt=attempt,
        created_at=moment(created_at, zone),
        error=error,
    )
