"""The day has come that a planned fact holds from: what it replaces is history now.

Until then both stand: the old one with the day as its end, the new one with the day as its start.
Reading needs no more than that; the work here only says in the old one what came in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from jiyi.ports import Selection

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import Job, Writer
    from jiyi.types import Status

PLANNED: Final = "will end"
"""The action in the audit log by which a planned fact gave another one its end (see
`consolidate.undo`)."""

_ENDED: Final[frozenset[Status]] = frozenset({"active", "expired"})


def begin(job: Job, now: datetime) -> Callable[[Writer], None]:
    """Work of kind "begin": payload {"memory": the planned one, "ends": the ids that end}."""

    def apply(writer: Writer) -> None:
        new = str(job.payload.get("memory"))
        names = job.payload.get("ends")
        ends = [str(id) for id in names] if isinstance(names, list) else []
        selection = Selection(now=now, statuses=_ENDED, ids=(new, *ends))
        found = {record.id: record for record in writer.memories(job.scope, selection)[0]}
        planned = found.get(new)
        if planned is None or planned.status != "active":
            return
        if planned.valid_from > now:
            writer.enqueue(job.scope, "begin", job.payload, at=now, due=planned.valid_from)
            return
        for old in (found[id] for id in ends if id in found):
            if old.valid_to == planned.valid_from:
                writer.change_memory(
                    job.scope,
                    old.id,
                    {"status": "superseded", "superseded_by": new},
                    at=now,
                    action="superseded",
                    reason="the day has come that was planned",
                    other_id=new,
                )

    return apply
