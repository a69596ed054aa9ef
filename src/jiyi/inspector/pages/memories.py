"""Memories: the list, one of them with everything about it, and what can be done to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from jiyi.inspector import plots
from jiyi.inspector.answer import Answer, Away, Page
from jiyi.inspector.visit import Visit
from jiyi.types import KINDS, STATUSES, History, MemoryRecord, Status, Version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jiyi.memory import Memory
    from jiyi.types import Turn

_ROWS: Final = 30
SHOWN: Final[tuple[Status, ...]] = tuple(s for s in STATUSES if s not in ("active", "forgotten"))


@dataclass(frozen=True, slots=True)
class State:
    """A state of a memory beside the one before it. `changed` are the fields that differ, as
    (name, before, after), the text apart."""

    version: Version
    before: str
    changed: tuple[tuple[str, Any, Any], ...]


def listing(visit: Visit) -> Answer:
    """Memories, newest first, narrowed by kind, status and words."""
    view = visit.view()
    kind, status, words = visit.asked("kind"), visit.asked("status"), visit.asked("words")
    where: dict[str, Any] = {}
    if kind:
        where["kind"] = kind
    if words:
        where["text"] = {"contains": words}
    if name := visit.asked("about"):
        where["text"] = {"contains": name}
    if status:
        where["status"] = status
    page = view.list(
        where=where or None,
        include=SHOWN if status else (),
        limit=_ROWS,
        cursor=visit.asked("cursor") or None,
    )
    values = {
        "page": page,
        "kinds": KINDS,
        "states": ("active", *SHOWN),
        "asked": {"kind": kind, "status": status, "words": words, "about": name},
    }
    return Page("memories.html", values, part="rows")


def memory(visit: Visit) -> Answer:
    """One memory: sources, validity, scores, and its history as differences."""
    view = visit.view()
    record = view.get(visit.path["id"])
    history = view.history(record.id)
    return Page(
        "memory.html",
        {
            "record": record,
            "turns": sources(view, record),
            "history": history,
            "states": states(history),
            "chain": plots.spans(
                [
                    plots.Span(
                        each.text,
                        each.valid_from,
                        each.valid_to,
                        visit.link(f"/memories/{each.id}"),
                        each.status == "active",
                    )
                    for each in history.chain
                ],
                now=visit.now,
                title=visit.say("What held when"),
            ),
        },
    )


def sources(view: Memory, record: MemoryRecord) -> Mapping[str, Turn]:
    """The turns that a memory cites, by id."""
    ids = [source.turn_id for source in record.sources if source.turn_id is not None]
    if not ids:
        return {}
    with view.store.read() as reader:
        return {turn.id: turn for turn in reader.turns(view.scope, ids=ids)}


def states(history: History) -> tuple[State, ...]:
    """Each state with what it changed, newest first."""
    told: Sequence[Version] = history.versions
    found = [State(told[0], "", ())] if told else []
    found += [
        State(after, before.record.text, _changed(before.record, after.record))
        for before, after in pairwise(told)
    ]
    return tuple(reversed(found))


_COMPARED: Final = (
    *("status", "kind", "tier", "importance", "confidence", "pinned", "valid_from", "valid_to"),
    *("expires_at", "superseded_by", "tags", "helpful", "unhelpful"),
)


def _changed(before: MemoryRecord, after: MemoryRecord) -> tuple[tuple[str, Any, Any], ...]:
    return tuple(
        (name, old, new)
        for name in _COMPARED
        if (old := getattr(before, name)) != (new := getattr(after, name))
    )


def remember(visit: Visit) -> Answer:
    """Keep a statement that a person writes."""
    receipt = visit.view("write").remember(visit.sent("text"), source="inspector")
    return Away(visit.link(f"/memories/{receipt.memory_id}", said="kept"))


def correct(visit: Visit) -> Answer:
    """Replace it by what is right."""
    receipt = visit.view("write").correct(visit.path["id"], visit.sent("text"))
    return Away(visit.link(f"/memories/{receipt.memory_id}", said="corrected"))


def undo(visit: Visit) -> Answer:
    """Take back its last change, or an event of its history."""
    visit.view("write").undo(visit.form.get("event") or visit.path["id"])
    return _back(visit, "undone")


def feedback(visit: Visit) -> Answer:
    """Say whether it helped."""
    visit.view("write").feedback(visit.path["id"], helpful=visit.form.get("helpful") == "yes")
    return _back(visit, "marked")


def pin(visit: Visit) -> Answer:
    """Keep it from fading, or let it."""
    pinned = visit.form.get("pinned") == "yes"
    visit.view("write").update(visit.path["id"], pinned=pinned)
    return _back(visit, "saved")


def _back(visit: Visit, said: str) -> Away:
    return Away(visit.link(f"/memories/{visit.path['id']}", said=said))
