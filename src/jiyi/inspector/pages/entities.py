"""Who and what the memories are about, and what ties them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

from jiyi.encode.slots import SLOTS, family_of, label_of
from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.network import Edge, Node, network
from jiyi.inspector.visit import Visit

if TYPE_CHECKING:
    from jiyi.types import Entity, EntityGraph

_NODES: Final = 50
_TIES: Final = 120
_SHADES: Final = {"person": 0, "place": 2}


def entities(visit: Visit) -> Answer:
    """The names that are mentioned most: tied by a relation, or where one memory holds both."""
    graph = visit.view().entities()
    chosen = graph.nodes[:_NODES]
    nodes = [
        Node(
            visit.say("user") if entity.name == "user" else entity.name,
            len(entity.memory_ids),
            visit.link("/memories", about=entity.name),
            _SHADES.get(entity.kind, 1),
        )
        for entity in chosen
    ]
    edges = _edges(visit, graph, chosen)
    title = visit.say("Names and what ties them")
    return Page(
        "entities.html",
        {
            "nodes": nodes,
            "entities": chosen,
            "relations": [
                replace(each, relation=_named(visit, each.relation)) for each in graph.edges[:_TIES]
            ],
            "plot": network(nodes, edges, title=title),
        },
    )


def _edges(visit: Visit, graph: EntityGraph, chosen: Sequence[Entity]) -> list[Edge]:
    place = {name: number for number, entity in enumerate(chosen) for name in entity.names}
    edges = [
        Edge(
            place[each.subject],
            place[each.object],
            len(each.memory_ids),
            _named(visit, each.relation),
        )
        for each in graph.edges
        if each.subject in place and each.object in place
    ]
    tied = {frozenset((edge.first, edge.second)) for edge in edges}
    holders: dict[str, list[int]] = defaultdict(list)
    for number, entity in enumerate(chosen):
        for id in entity.memory_ids:
            holders[id].append(number)
    together = Counter(pair for each in holders.values() for pair in combinations(each, 2))
    edges += [
        Edge(*pair, weight)
        for pair, weight in together.most_common(_TIES)
        if frozenset(pair) not in tied
    ]
    return edges


def _named(visit: Visit, relation: str) -> str:
    """A relation in the visitor's language, where it is an attribute of the profile."""
    attribute = relation.replace(" ", "/", 1)
    known = family_of(attribute) in SLOTS
    return label_of(attribute, visit.language) if known else relation
