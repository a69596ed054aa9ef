"""Search, with why each thing was found and what was cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.pages.traces import explained
from jiyi.inspector.visit import Visit

if TYPE_CHECKING:
    from jiyi.types import Unit


def search(visit: Visit) -> Answer:
    """Ask as an agent would, and see how the answer came about."""
    question = visit.asked("q")
    units = tuple(each for each in _UNITS if visit.asked(each)) or _UNITS
    values = {
        "question": question,
        "units": _UNITS,
        "chosen": units,
        "as_of": visit.asked("as_of"),
        "past": bool(visit.asked("past")),
        "hits": None,
    }
    if question:
        view = visit.view()
        hits = view.recall(
            question,
            limit=10,
            units=units,
            as_of=visit.asked("as_of") or None,
            include=("superseded", "archived") if visit.asked("past") else (),
        )
        values |= {"hits": hits, "why": explained(visit, view.explain(hits.trace_id))}
    return Page("search.html", values, part="results")


_UNITS: tuple[Unit, ...] = ("memory", "turn", "document")
