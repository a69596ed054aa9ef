"""Who and what the memories are about, and what ties them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Final

from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.network import Edge, Node, network
from jiyi.inspector.visit import Visit
from jiyi.ports import Selection

if TYPE_CHECKING:
    from jiyi.types import MemoryRecord

_MEMORIES: Final = 2000
_NODES: Final = 50
_EDGES: Final = 120


def entities(visit: Visit) -> Answer:
    """The names that are mentioned most, tied where one memory holds both."""
    view = visit.view()
    with view.store.read() as reader:
        records, _ = reader.memories(view.scope, Selection(now=visit.now), limit=_MEMORIES)
    counted, ties = Counter[str](), Counter[tuple[str, str]]()
    for record in records:
        names = sorted(_names(record))
        counted.update(names)
        ties.update(combinations(names, 2))
    chosen = [name for name, _ in counted.most_common(_NODES)]
    place = {name: number for number, name in enumerate(chosen)}
    nodes = [Node(n, counted[n], visit.link("/memories", about=n)) for n in chosen]
    edges = [
        Edge(place[a], place[b], weight)
        for (a, b), weight in ties.most_common()
        if a in place and b in place
    ][:_EDGES]
    title = visit.say("Names and what ties them")
    return Page(
        "entities.html",
        {"nodes": nodes, "plot": network(nodes, edges, title=title), "ties": edges},
    )


def _names(record: MemoryRecord) -> set[str]:
    names = {*record.entities, *(record.event.entities if record.event else ())}
    if record.slot is not None and record.slot.subject != "user":
        names.add(record.slot.subject)
    return names
