"""The command about who and what is spoken of: entities, their names and relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jiyi.cli.shell import NothingFoundError, Shell
from jiyi.cli.words import visible
from jiyi.errors import InvalidInputError

if TYPE_CHECKING:
    from jiyi.types import Entity, EntityGraph


def entities(
    shell: Shell,
    name: Annotated[str | None, typer.Argument(help="One of them, by any of its names.")] = None,
    *,
    kind: Annotated[
        str | None, typer.Option(help="Only person, place, organisation, product, name, …")
    ] = None,
    apart: Annotated[
        str | None, typer.Option(help="Say that NAME and this other name are not one.")
    ] = None,
) -> None:
    """List whom and what memories name, under all their names, and how they hang together."""
    memory = shell.memory()
    if apart is not None:
        if name is None:
            raise InvalidInputError("name", "is missing", "Name both: jiyi entities A --apart B")
        receipt = memory.separate(name, apart)
        shell.show(
            receipt,
            lambda: Text(f"{name} and {apart} are two now: {len(receipt.outcomes)} memories"),
        )
        return
    if name is not None:
        entity = memory.entity(name)
        shell.show(entity, lambda: _one(entity))
        return
    options: dict[str, Any] = {"kind": kind}
    graph = memory.entities(**options)
    if not graph.nodes and not shell.as_json:
        raise NothingFoundError("Nobody and nothing is named here.")
    shell.show(graph, lambda: _all(graph))


def _all(graph: EntityGraph) -> RenderableType:
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "kind", "also", "memories", "relations"):
        table.add_column(heading, justify="right" if heading == "memories" else "left")
    for node in graph.nodes:
        also = ", ".join(name for name in node.names if name != node.name)
        edges = "; ".join(_edge(node, place) for place in range(len(node.relations)))
        cells = (node.name, node.kind, also, str(len(node.memory_ids)), edges)
        table.add_row(*(Text(visible(cell)) for cell in cells))
    return table


def _one(entity: Entity) -> RenderableType:
    lines = [
        Text(f"{visible(entity.name)}  ({entity.kind}, {len(entity.memory_ids)} memories)", "bold")
    ]
    lines += [Text(visible(f"{alias.name} = {alias.other}")) for alias in entity.aliases]
    lines += [Text(visible(_edge(entity, place))) for place in range(len(entity.relations))]
    lines += [Text(id) for id in entity.memory_ids]
    return Group(*lines)


def _edge(entity: Entity, place: int) -> str:
    edge = entity.relations[place]
    if edge.subject == entity.name:
        return f"{edge.relation}: {edge.object}"
    return f"{edge.relation} of {edge.subject}"
