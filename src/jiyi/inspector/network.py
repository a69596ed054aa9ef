"""A plot of names and what ties them: laid out by springs, drawn as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from markupsafe import Markup, escape

from jiyi.inspector.visible import visible

_WIDTH: Final = 960
_HEIGHT: Final = 600
_ROUNDS: Final = 200


@dataclass(frozen=True, slots=True)
class Node:
    """A name, how often it is mentioned, where its memories are, and which colour it has."""

    name: str
    weight: int
    href: str
    shade: int = 1


@dataclass(frozen=True, slots=True)
class Edge:
    """Two nodes by their places in the list, how often they go together, and the word for it."""

    first: int
    second: int
    weight: int
    label: str = ""


def network(nodes: Sequence[Node], edges: Sequence[Edge], *, title: str) -> Markup:
    """The names as circles, tied by lines."""
    places = layout(len(nodes), edges)
    parts = []
    for edge in edges:
        (x1, y1), (x2, y2) = places[edge.first], places[edge.second]
        said = f"{nodes[edge.first].name} – {nodes[edge.second].name}: {edge.label or edge.weight}"
        wide = min(1 + edge.weight / 2, 5)
        parts.append(
            f'<line class="tie" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
            f' stroke-width="{wide:.1f}"><title>{escape(visible(said))}</title></line>'
        )
        if edge.label:
            parts.append(
                f'<text class="axis" x="{(x1 + x2) / 2:.0f}" y="{(y1 + y2) / 2 - 3:.0f}"'
                f' text-anchor="middle">{escape(visible(edge.label))}</text>'
            )
    for node, (x, y) in zip(nodes, places, strict=True):
        radius = min(5 + 2.5 * sqrt(node.weight), 20)
        parts.append(
            f'<a href="{escape(node.href)}"><circle class="c{node.shade}" cx="{x:.0f}" cy="{y:.0f}"'
            f' r="{radius:.1f}"/><text class="name" x="{x:.0f}" y="{y - radius - 4:.0f}"'
            f' text-anchor="middle">{escape(visible(node.name))}</text>'
            f"<title>{escape(visible(node.name))}: {node.weight}</title></a>"
        )
    told = ", ".join(node.name for node in nodes)
    return Markup(  # noqa: S704 - every text inside is escaped where it is put
        f'<svg class="plot network" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{escape(title)}"><desc>{escape(visible(told))}</desc>{"".join(parts)}</svg>'
    )


def layout(count: int, edges: Sequence[Edge]) -> list[tuple[float, float]]:
    """Places for `count` nodes, tied ones near each other; the same for the same input.

    Springs and repulsion: Fruchterman and Reingold 1991, "Graph drawing by force-directed
    placement", with a pull to the middle so that what is untied stays in sight.
    """
    if count == 0:
        return []
    angle = np.arange(count) * 2.399963  # the golden angle spreads the start evenly
    radius = np.sqrt((np.arange(count) + 0.5) / count)
    place = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    ideal = 1.6 / sqrt(count)
    tied = np.zeros((count, count))
    for edge in edges:
        tied[edge.first, edge.second] = tied[edge.second, edge.first] = 1
    for turn in range(_ROUNDS):
        apart = place[:, None, :] - place[None, :, :]
        distance = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-3)
        push = ideal**2 / distance - tied * distance**2 / ideal
        force = (apart / distance[:, :, None] * push[:, :, None]).sum(axis=1) - 0.6 * place
        size = np.maximum(np.sqrt((force**2).sum(axis=1, keepdims=True)), 1e-9)
        place = place + force / size * np.minimum(size, 0.1 * (1 - turn / _ROUNDS))
    low, high = place.min(axis=0), place.max(axis=0)
    share = (place - low) / np.maximum(high - low, 1e-9) if count > 1 else np.full((1, 2), 0.5)
    margin_x, margin_y = 90, 50
    return [
        (margin_x + x * (_WIDTH - 2 * margin_x), margin_y + y * (_HEIGHT - 2 * margin_y))
        for x, y in share.tolist()
    ]
