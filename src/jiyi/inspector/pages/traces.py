"""Traces: what a recall or a context searched, found, cut and put in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from jiyi.errors import NotFoundError
from jiyi.ids import parse_id
from jiyi.inspector import plots
from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.visit import Visit
from jiyi.ports import Selection
from jiyi.types import STATUSES, CandidateTrace, Trace

if TYPE_CHECKING:
    from collections.abc import Iterable


_ROWS: Final = 50
_CANDIDATES: Final = 60
_SUPPORT: Final = "support_percent"  # kept among the arms, though it is none


@dataclass(frozen=True, slots=True)
class Explained:
    """A trace with the texts behind its ids, and its plots."""

    trace: Trace
    texts: Mapping[str, str]
    kept: tuple[CandidateTrace, ...]
    cut: tuple[CandidateTrace, ...]
    left_out: int
    support_percent: int | None
    arms: Markup
    latency: Markup


def listing(visit: Visit) -> Answer:
    """The newest questions that were asked of this memory."""
    return Page("traces.html", {"traces": newest(visit, _ROWS)})


def trace(visit: Visit) -> Answer:
    """One trace in full."""
    id = parse_id(visit.path["id"], "trace_id")
    found = newest(visit, 1, ids=[id])
    if not found:
        raise NotFoundError("trace", id)
    return Page("trace.html", {"why": explained(visit, found[0])})


def explained(visit: Visit, told: Trace) -> Explained:
    """A trace made ready to be shown."""
    shown = told.candidates[:_CANDIDATES]
    ids = [c.id for c in shown] + [id for layer in told.injected.values() for id in layer]
    return Explained(
        trace=told,
        texts=texts_of(visit, [*ids, *told.cuts]),
        kept=tuple(c for c in shown if c.cut is None),
        cut=tuple(c for c in shown if c.cut is not None),
        # More than enough is enough.
        support_percent=min(told.arms[_SUPPORT], 100) if _SUPPORT in told.arms else None,
        left_out=len(told.candidates) - len(shown),
        arms=plots.bars(
            [
                plots.Bar(visit.say(name), found)
                for name, found in told.arms.items()
                if name != _SUPPORT
            ],
            title=visit.say("What each way of searching found"),
        ),
        latency=plots.bars(
            [plots.Bar(visit.say(name), round(ms, 2)) for name, ms in told.latency_ms.items()],
            title=visit.say("Time by stage"),
            unit=" ms",
        ),
    )


def newest(visit: Visit, limit: int, ids: Sequence[str] | None = None) -> list[Trace]:
    """The newest traces, or those with these ids, newest first; of every agent of the user."""
    view = visit.view()
    with suppress(NotFoundError):  # there may be none of no agent
        view.explain()  # writes those that wait in this process
    with view.store.read() as reader:
        return reader.traces(view.scope, limit=limit, ids=ids, whoever=visit.sees_every_agent)


def texts_of(visit: Visit, ids: Iterable[str]) -> dict[str, str]:
    """The texts of memories and turns by id, as far as they are still there."""
    wanted, view = tuple(dict.fromkeys(ids)), visit.view()
    if not wanted:
        return {}
    every = Selection(now=visit.now, statuses=frozenset(STATUSES) - {"forgotten"}, ids=wanted)
    with view.store.read() as reader:
        records, _ = reader.memories(view.scope, every)
        turns = reader.turns(view.scope, ids=wanted)
    return {r.id: r.text for r in records} | {t.id: t.text for t in turns}
