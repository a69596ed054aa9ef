"""Whose memories there are, and how much of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from jiyi.errors import AccessError
from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.visit import Visit
from jiyi.types import Scope

_MOST: Final = 500


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much one user has."""

    scope: Scope
    turns: int
    memories: int
    documents: int
    href: str


def users(visit: Visit) -> Answer:
    """Every user that the visitor reaches, the largest first."""
    with visit.store.read() as reader:
        spaces = [space for space in reader.spaces() if _reached(visit, space)]
        found = [_sizes(visit, space, reader.counts(space)) for space in spaces[:_MOST]]
    found.sort(key=lambda sizes: (-sizes.memories - sizes.turns, str(sizes.scope.user)))
    return Page("users.html", {"users": found, "more": max(0, len(spaces) - _MOST)})


def _reached(visit: Visit, space: Scope) -> bool:
    try:
        return visit.admission.scope("read", **space.as_dict()) == space
    except AccessError:
        return False


def _sizes(visit: Visit, space: Scope, counts: dict[str, int]) -> Sizes:
    return Sizes(
        scope=space,
        turns=counts.get("turns", 0),
        memories=sum(
            number
            for name, number in counts.items()
            if name.startswith("memories.") and name != "memories.forgotten"
        ),
        documents=counts.get("documents", 0),
        href=visit.plain_link("/", **space.as_dict()),
    )
