"""Upkeep: consolidation and its reports, the queue and the budget, the audit log."""

from __future__ import annotations

from typing import Final

from jiyi.inspector import plots
from jiyi.inspector.answer import Answer, Away, Page
from jiyi.inspector.pages.traces import texts_of
from jiyi.inspector.visit import Visit
from jiyi.types import ConsolidationReport

_RUNS: Final = 30
_EVENTS: Final = 100
_CONSOLIDATED: Final = frozenset({"consolidated"})
_UNDONE: Final = frozenset({"undone"})


def consolidation(visit: Visit) -> Answer:
    """Past runs, one of them in full, or the plan of the next one."""
    view, run = visit.view(), visit.asked("run")
    with view.store.read() as reader:
        runs = reader.recent_events(view.scope, actions=_CONSOLIDATED, limit=_RUNS)
        events = reader.events(view.scope, run_id=run) if run else []
    plan = view.consolidate(dry_run=True) if visit.asked("plan") else None
    changes = [event for event in events if event.memory_id is not None]
    ids = [id for e in changes for id in (e.memory_id, e.other_id) if id is not None]
    if plan is not None:
        ids += _ids(plan)
    return Page(
        "consolidation.html",
        {
            "runs": list(reversed(runs)),
            "run": run,
            "changes": changes,
            "plan": plan,
            "texts": texts_of(visit, ids),
        },
    )


def consolidate(visit: Visit) -> Answer:
    """Run it now."""
    report = visit.view("write").consolidate()
    if report.failed is not None:
        return Away(visit.link("/consolidation", said="failed"))
    return Away(visit.link("/consolidation", run=report.run_id, said="consolidated"))


def undo(visit: Visit) -> Answer:
    """Take a run back."""
    visit.view("write").undo(visit.sent("run"))
    return Away(visit.link("/consolidation", said="undone"))


def queue(visit: Visit) -> Answer:
    """What waits, what failed, and what the chat model cost today."""
    view = visit.view()
    stats = view.stats()
    with view.store.read() as reader:
        parked = reader.parked(view.scope)
    states = ("pending", "leased", "parked")
    return Page(
        "queue.html",
        {
            "stats": stats,
            "parked": parked,
            "plot": plots.bars(
                [plots.Bar(visit.say(state), stats.queue.get(state, 0)) for state in states],
                title=visit.say("Work by state"),
            ),
        },
    )


def work(visit: Visit) -> Answer:
    """Do what is due now."""
    visit.view("write").flush()
    return Away(visit.link("/queue", said="worked"))


def audit(visit: Visit) -> Answer:
    """Who did what: ids, reasons and counts, never content."""
    view = visit.view()
    with view.store.read() as reader:
        events = reader.events(view.scope, limit=_EVENTS)
    return Page("audit.html", {"events": list(reversed(events))})


def _ids(report: ConsolidationReport) -> list[str]:
    return [id for s in report.steps for id in (s.memory_id, *s.others) if id is not None]
