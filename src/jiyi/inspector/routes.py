"""Which page stands at which address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from jiyi.inspector.answer import Answer
from jiyi.inspector.pages import (
    conflicts,
    documents,
    entities,
    forgetting,
    memories,
    overview,
    profile,
    searching,
    timeline,
    traces,
    upkeep,
    users,
)
from jiyi.inspector.visit import Visit

Pages = Mapping[str, Callable[[Visit], Answer]]

GETS: Final[Pages] = {
    "/": overview.overview,
    "/timeline": timeline.timeline,
    "/turns/{id}": timeline.turn,
    "/memories": memories.listing,
    "/memories/{id}": memories.memory,
    "/search": searching.search,
    "/traces": traces.listing,
    "/traces/{id}": traces.trace,
    "/profile": profile.profile,
    "/conflicts": conflicts.conflicts,
    "/candidates": conflicts.candidates,
    "/consolidation": upkeep.consolidation,
    "/queue": upkeep.queue,
    "/audit": upkeep.audit,
    "/forget": forgetting.request,
    "/entities": entities.entities,
    "/documents": documents.documents,
    "/users": users.users,
}

POSTS: Final[Pages] = {
    "/memories/{id}/correct": memories.correct,
    "/memories/{id}/undo": memories.undo,
    "/memories/{id}/feedback": memories.feedback,
    "/memories/{id}/pin": memories.pin,
    "/memories": memories.remember,
    "/profile": profile.change,
    "/profile/permanent": profile.set_permanent,
    "/conflicts": conflicts.resolve,
    "/candidates": conflicts.judge,
    "/consolidation": upkeep.consolidate,
    "/consolidation/undo": upkeep.undo,
    "/queue": upkeep.work,
    "/forget": forgetting.forget,
}
