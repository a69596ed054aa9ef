"""The verbs about who and what is spoken of: entities, their names, and how they hang together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack, get_args

from jiyi.arguments import read_choice
from jiyi.encode.entities import key_in
from jiyi.encode.separation import separate
from jiyi.errors import NotFoundError
from jiyi.memory.view import View
from jiyi.recall.graph import graph_of
from jiyi.text.normalise import check_text
from jiyi.types import Entity, EntityGraph, EntityKind, Receipt, ScopeFields

if TYPE_CHECKING:
    from jiyi.types import Scope

KINDS: tuple[EntityKind, ...] = get_args(EntityKind)


class Entities(View):
    """Whom and what memories name."""

    def entities(
        self, *, kind: EntityKind | None = None, **scope: Unpack[ScopeFields]
    ) -> EntityGraph:
        """Everything that live memories name, most often named first, with the relations between:
        nodes and edges to draw.

        Names are one entity only where a memory says so ("Robert, whom everybody calls Bob",
        李雷（小李）).

        Args:
            kind: nodes of this kind only, and the edges that touch them.
        """
        where = self._within(scope)
        graph = self._graph(where)
        if kind is None:
            return graph
        wanted = read_choice(kind, "kind", KINDS)
        nodes = tuple(node for node in graph.nodes if node.kind == wanted)
        shown = {node.name for node in nodes}
        edges = tuple(e for e in graph.edges if e.subject in shown or e.object in shown)
        return EntityGraph(nodes=nodes, edges=edges)

    def entity(self, name: str, **scope: Unpack[ScopeFields]) -> Entity:
        """One entity by any of its names; "user" is the user.

        Raises:
            NotFoundError: no live memory names it.
        """
        where, key = self._within(scope), key_in(check_text(name, "name"))
        for node in self._graph(where).nodes:
            if key in map(key_in, node.names):
                return node
        raise NotFoundError("entity", name)

    def separate(self, name: str, other: str, **scope: Unpack[ScopeFields]) -> Receipt:
        """Say that two names are not one entity after all: the memories that tied them together
        stay, and no longer do. `undo` of a changed memory makes them one again.

        Raises:
            NotFoundError: no memory says that they are one.
        """
        where, now = self._within(scope), self._now()
        one, two = check_text(name, "name"), check_text(other, "other")
        terms_of = self._parts.terms_of
        with self._parts.store.write() as writer:
            return Receipt(outcomes=separate(writer, where, one, two, terms_of=terms_of, now=now))

    def _graph(self, where: Scope) -> EntityGraph:
        now = self._now()
        with self._parts.store.read() as reader:
            return graph_of(reader.mentions(where, now=now), reader.ties(where, now=now))
