"""The knowledge graph of the reference memory server, kept as memories of our own.

Each entity, observation and relation is one memory: found by recall, with a history, and erased for
good when it is deleted. `meta.graph` says which of the three it is. The text is what people and
recall read; names and types come back exactly from `meta`, observations from the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from jiyi.errors import NotFoundError
from jiyi.formats.values import Entity, Graph, Relation
from jiyi.types import MemoryRecord

if TYPE_CHECKING:
    from jiyi.memory import Memory

_PAGE: Final = 1000
_FOUND: Final = 20  # memories that a question brings when no name or text holds it as a whole
_KINDS: Final = ["entity", "observation", "relation"]


@dataclass(frozen=True, slots=True)
class _Item:
    """One memory of the graph, by what tells it from the others."""

    kind: str
    about: str
    text: str
    meta: dict[str, str]

    def draft(self, mark: str = "") -> dict[str, Any]:
        """The arguments of `remember`. The slot keeps items apart that differ in case or wording
        only; it is never read."""
        # The profile shows what is about "user", and these are not of it.
        subject = f"entity {self.about}" if self.about in ("", "user") else self.about
        return {
            "text": self.text + mark,
            "slot": {
                "subject": subject,
                "attribute": f"graph {self.kind}",
                "value": self.digest(),
                "cardinality": "many",
            },
            "meta": {"graph": self.kind, **self.meta, **({"mark": mark} if mark else {})},
            "source": "knowledge graph",
        }

    def digest(self) -> str:
        parts = "\x1f".join((self.kind, self.about, self.text))
        return blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _entity(name: str, entity_type: str) -> _Item:
    meta = {"name": name, "type": entity_type}
    return _Item("entity", name, f"{name} ({entity_type})" if entity_type else name, meta)


def _observation(name: str, text: str) -> _Item:
    return _Item("observation", name, f"{name}: {text}", {"name": name})


def _relation(edge: Relation) -> _Item:
    meta = {"from": edge.source, "to": edge.target, "type": edge.relation_type}
    text = f"{edge.source} {edge.relation_type} {edge.target}"
    return _Item("relation", edge.source, text, meta)


@dataclass(slots=True)
class _Node:
    """An entity as it lies in the store: the ids of its memories."""

    entity_type: str
    ids: list[str]
    observations: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Kept:
    """The graph with the memories behind it."""

    nodes: dict[str, _Node] = field(default_factory=dict)
    edges: dict[Relation, list[str]] = field(default_factory=dict)

    def graph(self, wanted: Callable[[str, _Node], bool] | None = None) -> Graph:
        """All of it, or the wanted entities with every relation that touches one of them."""
        chosen = {
            name: node for name, node in self.nodes.items() if wanted is None or wanted(name, node)
        }
        return Graph(
            tuple(
                Entity(name, node.entity_type, tuple(node.observations))
                for name, node in chosen.items()
            ),
            tuple(
                edge
                for edge in self.edges
                if wanted is None or edge.source in chosen or edge.target in chosen
            ),
        )


class KnowledgeGraph:
    """The graph of one user. Names are compared exactly, as that server does."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def read(self) -> Graph:
        """The whole graph."""
        return self._kept().graph()

    def create_entities(self, entities: Sequence[Entity]) -> tuple[Entity, ...]:
        """Add entities whose name is new, with their observations; returns those."""
        known = self._kept().nodes
        new = {e.name: e for e in reversed(entities) if e.name not in known}
        added = tuple(
            Entity(e.name, e.entity_type, tuple(dict.fromkeys(e.observations)))
            for e in dict.fromkeys(new[e.name] for e in entities if e.name in new)
        )
        self._keep(
            item
            for entity in added
            for item in (
                _entity(entity.name, entity.entity_type),
                *(_observation(entity.name, text) for text in entity.observations),
            )
        )
        return added

    def create_relations(self, relations: Sequence[Relation]) -> tuple[Relation, ...]:
        """Add relations that are new; returns those. Their ends need not exist."""
        known = self._kept().edges
        added = tuple(edge for edge in dict.fromkeys(relations) if edge not in known)
        self._keep(_relation(edge) for edge in added)
        return added

    def add_observations(
        self, observations: Sequence[tuple[str, Sequence[str]]]
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Add what is new to entities by name; returns that.

        Raises:
            NotFoundError: there is no such entity; then nothing is added.
        """
        nodes = self._kept().nodes
        added = []
        for name, texts in observations:
            if name not in nodes:
                raise NotFoundError("entity", name)
            known = nodes[name].observations
            new = tuple(text for text in dict.fromkeys(texts) if text not in known)
            known.update(dict.fromkeys(new, ""))
            added.append((name, new))
        self._keep(_observation(name, text) for name, new in added for text in new)
        return tuple(added)

    def delete_entities(self, names: Iterable[str]) -> None:
        """Erase entities with their observations and relations; unknown names are passed over."""
        kept, gone = self._kept(), set(names)
        ids = [id for name, node in kept.nodes.items() if name in gone for id in node.ids]
        for edge, found in kept.edges.items():
            if edge.source in gone or edge.target in gone:
                ids += found
        self._erase(ids)

    def delete_observations(self, observations: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Erase observations of entities; what is not there is passed over."""
        nodes = self._kept().nodes
        self._erase(
            nodes[name].observations[text]
            for name, texts in observations
            if name in nodes
            for text in texts
            if text in nodes[name].observations
        )

    def delete_relations(self, relations: Iterable[Relation]) -> None:
        """Erase relations; what is not there is passed over."""
        edges = self._kept().edges
        self._erase(id for edge in relations for id in edges.get(edge, ()))

    def search(self, query: str) -> Graph:
        """Entities whose name, type or an observation holds the query, case folded. When none
        does, those that recall finds for it."""
        kept, wanted = self._kept(), query.lower()
        held = kept.graph(
            lambda name, node: any(
                wanted in text.lower() for text in (name, node.entity_type, *node.observations)
            )
        )
        if held.entities or not query.strip():
            return held
        hits = self._memory.recall(
            query, limit=_FOUND, where={"meta.graph": _KINDS}, units="memory"
        )
        found = {hit.id for hit in hits}
        return kept.graph(lambda _, node: not found.isdisjoint(node.ids))

    def open(self, names: Iterable[str]) -> Graph:
        """Entities by name, and the relations that touch them."""
        wanted = set(names)
        return self._kept().graph(lambda name, _: name in wanted)

    def add(self, graph: Graph) -> int:
        """Take in a graph, such as a file's; what is known is passed over. Returns how many
        entities, observations and relations were new."""
        known = {entity.name: entity for entity in self.read().entities}
        entities = self.create_entities(graph.entities)
        told = [(e.name, e.observations) for e in graph.entities if e.name in known]
        observations = self.add_observations(told)
        relations = self.create_relations(graph.relations)
        return (
            len(entities)
            + sum(len(entity.observations) for entity in entities)
            + sum(len(new) for _, new in observations)
            + len(relations)
        )

    def _kept(self) -> _Kept:
        kept = _Kept()
        records = list(self._records())
        for record in records:
            if record.meta["graph"] == "entity":
                name, kind = str(record.meta.get("name")), str(record.meta.get("type"))
                kept.nodes.setdefault(name, _Node(kind, [])).ids.append(record.id)
        for record in records:
            if record.meta["graph"] == "relation":
                edge = Relation(*(str(record.meta.get(key)) for key in ("from", "to", "type")))
                kept.edges.setdefault(edge, []).append(record.id)
            elif record.meta["graph"] == "observation":
                name = str(record.meta.get("name"))
                if (node := kept.nodes.get(name)) is not None:
                    node.ids.append(record.id)
                    node.observations.setdefault(_told(record, name), record.id)
        return kept

    def _records(self) -> Iterator[MemoryRecord]:
        """The memories of the graph, oldest first. What was archived is part of it still; what
        others share is not."""
        where = {"meta.graph": _KINDS, "visibility": "user"}
        pages: list[tuple[MemoryRecord, ...]] = []
        cursor = None
        while True:
            page = self._memory.list(where=where, include="archived", limit=_PAGE, cursor=cursor)
            pages.append(page.items)
            cursor = page.cursor
            if cursor is None:
                break
        for items in reversed(pages):
            yield from reversed(items)

    def _keep(self, items: Iterable[_Item]) -> None:
        wanted = list(items)
        for start in range(0, len(wanted), _PAGE):
            part = wanted[start : start + _PAGE]
            receipt = self._memory.remember_all([item.draft() for item in part])
            # The store holds each text once, whatever its case and closing marks. An item that
            # another one stands for there gets a text of its own.
            hidden = [
                item
                for item, outcome in zip(part, receipt.outcomes, strict=True)
                if outcome.status == "merged"
            ]
            if hidden:
                self._memory.remember_all([item.draft(f" #{item.digest()}") for item in hidden])

    def _erase(self, ids: Iterable[str]) -> None:
        if wanted := list(dict.fromkeys(ids)):
            self._memory.forget(ids=wanted)


def _told(record: MemoryRecord, name: str) -> str:
    mark = str(record.meta.get("mark", ""))
    return record.text.removeprefix(f"{name}: ").removesuffix(mark)
