"""The documents that are looked things up in, beside memories."""

from __future__ import annotations

from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.visit import Visit


def documents(visit: Visit) -> Answer:
    """What there is to look up, by the order of adding."""
    return Page("documents.html", {"documents": visit.view().documents()})
