"""What was said, and what was kept of it, by time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Final

from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.pages.memories import SHOWN
from jiyi.inspector.pages.traces import newest
from jiyi.inspector.visit import Visit
from jiyi.session.summary import load
from jiyi.types import MemoryRecord, Trace, Turn

if TYPE_CHECKING:
    from jiyi.ports import Reader
    from jiyi.types import Scope

_TURNS: Final = 40
_ALONE: Final = 200  # memories without a turn that one page looks through
_TRACES: Final = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """A turn with the memories that came from it, or a memory that came from none."""

    at: datetime
    turn: Turn | None
    memories: tuple[MemoryRecord, ...]


def timeline(visit: Visit) -> Answer:
    """The newest turns and memories, or those of a later page, newest first."""
    view = visit.view()
    session, before = visit.asked("session") or None, _time(visit.asked("before"))
    now = visit.now
    with view.store.read() as reader:
        turns, cursor = reader.turns_page(
            view.scope, limit=_TURNS, cursor=visit.asked("cursor") or None, session=session
        )
        after = None if cursor is None else turns[-1].said_at
        drawn = _drawn_from(reader, view.scope, turns)
        kept = None if session is None else reader.session_summary(view.scope, session)
    alone = _without_turns(visit, after, before) if session is None else []
    entries = [Entry(turn.said_at, turn, tuple(drawn[turn.id])) for turn in turns]
    entries += [Entry(record.said_at, None, (record,)) for record in alone]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    days = [
        (day, list(group))
        for day, group in groupby(entries, key=lambda e: e.at.astimezone(now.tzinfo).date())
    ]
    values = {
        "days": days,
        "session": session,
        "summary": None if kept is None else load(kept).text,
        "earlier": None if after is None else after.isoformat(),
        "cursor": cursor,
    }
    return Page("timeline.html", values)


def turn(visit: Visit) -> Answer:
    """One turn: what was kept of it, and for a reply what had been put into its context."""
    view, id = visit.view(), visit.path["id"]
    with view.store.read() as reader:
        found = reader.turns(view.scope, ids=[id])
        if not found:
            raise NotFoundError("turn", id)
        (said,) = found
        drawn = _drawn_from(reader, view.scope, found)[id]
        before = reader.turns(
            view.scope, session=said.scope.session, limit=20, order="newest",
            said_before=said.said_at,
        )  # fmt: skip
    injected = None if said.role != "assistant" else _injected(newest(visit, _TRACES), said, before)
    return Page("turn.html", {"turn": said, "memories": drawn, "injected": injected})


def _injected(traces: Sequence[Trace], said: Turn, before: Sequence[Turn]) -> Trace | None:
    """The context that was made last before a reply, in its session and since the reply before."""
    since = max((turn.recorded_at for turn in before if turn.role == "assistant"), default=None)
    for trace in traces:
        if (
            trace.operation == "context"
            and trace.scope.session in (None, said.scope.session)
            and trace.at <= said.recorded_at
            and (since is None or trace.at >= since)
        ):
            return trace
    return None


def _drawn_from(
    reader: Reader, scope: Scope, turns: Sequence[Turn]
) -> Mapping[str, list[MemoryRecord]]:
    drawn: dict[str, list[MemoryRecord]] = defaultdict(list)
    ids = {turn.id for turn in turns}
    for record in reader.citing(scope, sorted(ids)) if ids else ():
        for turn_id in dict.fromkeys(source.turn_id for source in record.sources):
            if turn_id in ids:
                drawn[str(turn_id)].append(record)
    return drawn


def _without_turns(
    visit: Visit, after: datetime | None, before: datetime | None
) -> list[MemoryRecord]:
    """The memories of a time that came from no turn."""
    said = {name: each for name, each in (("ge", after), ("lt", before)) if each is not None}
    page = visit.view().list(where={"said_at": said} if said else None, include=SHOWN, limit=_ALONE)
    return [r for r in page.items if all(source.turn_id is None for source in r.sources)]


def _time(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.replace(" ", "+"))
    except ValueError:
        raise InvalidInputError("before", f"{text!r} is not a time", "Use ISO 8601") from None
    return moment if moment.tzinfo is not None else moment.astimezone()
