"""What waits for a person: contradictions, and statements that nothing has confirmed."""

from __future__ import annotations

from typing import Final

from jiyi.inspector.answer import Answer, Away, Page
from jiyi.inspector.visit import Visit

_ROWS: Final = 50


def conflicts(visit: Visit) -> Answer:
    """Live statements that cannot both hold."""
    found = visit.view().conflicts()
    # The overview asks for the number alone, once it is shown: in a large memory it takes a while.
    return Page("conflicts.html", {"conflicts": found}, part="number")


def resolve(visit: Visit) -> Answer:
    """Decide one of them."""
    keep, other = visit.sent("keep"), visit.sent("other")
    visit.view("write").resolve_conflict(keep, other, both=visit.form.get("both") == "yes")
    return Away(visit.link("/conflicts", said="settled"))


def candidates(visit: Visit) -> Answer:
    """Statements that are not recalled until something confirms them."""
    page = visit.view().list(where={"status": "candidate"}, include="candidate", limit=_ROWS)
    return Page("candidates.html", {"page": page})


def judge(visit: Visit) -> Answer:
    """Confirm one, or drop it. What was said stays where it was said."""
    if visit.form.get("verdict") == "confirm":
        view = visit.view("write")
        # Said again by a person, it is a candidate no longer.
        view.remember(view.get(visit.sent("id")).text, source="inspector")
        return Away(visit.link("/candidates", said="confirmed"))
    visit.view("forget").forget(ids=visit.sent("id"), keep_turns=True)
    return Away(visit.link("/candidates", said="dropped"))
