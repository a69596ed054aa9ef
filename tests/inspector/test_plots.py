"""Plots, differences and layouts, apart from the pages."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.inspector.differences import differences
from jiyi.inspector.network import Edge, Node, layout, network
from jiyi.inspector.pages.overview import _over_time
from jiyi.inspector.plots import Bar, Span, bars, columns, spans

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@given(st.text(max_size=60), st.text(max_size=60))
def test_differences_lose_nothing(old: str, new: str) -> None:
    """What is kept and old gives the old text, what is kept and new the new one."""
    pieces = differences(old, new)
    assert "".join(p.text for p in pieces if p.change != "new") == old
    assert "".join(p.text for p in pieces if p.change != "old") == new


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("我住在西安", "我住在成都", ["西安"], ["成都"]),
        ("warm up for five minutes", "warm up for ten minutes", ["five"], ["ten"]),
        ("周五 deploy 到 staging", "周五 deploy 到 production", ["staging"], ["production"]),
    ],
)
def test_differences_are_words(old: str, new: str, gone: list[str], come: list[str]) -> None:
    """Chinese differs by characters, English by whole words."""
    pieces = differences(old, new)
    assert [p.text for p in pieces if p.change == "old"] == gone
    assert [p.text for p in pieces if p.change == "new"] == come


def test_layout_is_inside_and_the_same_each_time() -> None:
    """Every place lies in the picture; tied names end up nearer than untied ones."""
    edges = [Edge(0, 1, 3), Edge(2, 3, 1)]
    places = layout(12, edges)
    assert places == layout(12, edges)
    assert all(0 < x < 960 and 0 < y < 600 for x, y in places)
    tied = abs(complex(*places[0]) - complex(*places[1]))
    others = [abs(complex(*places[0]) - complex(*place)) for place in places[4:]]
    assert tied < min(others)
    assert layout(0, []) == []
    assert len(layout(1, [])) == 1


def test_plots_describe_themselves() -> None:
    """Each plot has a name and its numbers in words, for those who do not see it; empty ones are
    plots as well."""
    drawn = [
        columns(["a", "b"], {"x": [1, 2], "y": [0, 0]}, title="over time"),
        columns([], {}, title="nothing"),
        bars([Bar("semantic", 12, "/memories")], title="kinds"),
        bars([], title="none"),
        spans([Span("是", NOW - timedelta(days=3), None, "/", True)], now=NOW, title="what held"),
        spans([], now=NOW, title="nothing held"),
        network([Node("李工", 3, "/")], [], title="names"),
        network([], [], title="no names"),
    ]
    for plot in drawn:
        HTMLParser().feed(plot)
        assert re.search(r'role="img" aria-label="[^"]+"', plot)
        assert "<desc>" in plot
    assert "semantic: 12" in drawn[2]


@pytest.mark.parametrize("days", [0, 3, 40, 300, 2000, 20_000])
def test_every_moment_has_a_column(days: int) -> None:
    """Counted by day, week, month or year, whatever the memory's age: nothing falls out."""
    moments = [NOW - timedelta(days=days * share) for share in (0, 0.5, 1)]
    labels, counted = _over_time(NOW, {"messages": moments})
    assert sum(counted["messages"]) == 3
    assert len(labels) == len(counted["messages"]) <= 26
