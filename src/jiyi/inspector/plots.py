"""Plots as SVG, made on the server: no script, and colours that follow the page's theme.

Every plot has a title and a description for those who do not see it; classes carry the colours,
since the pages allow no inline style.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, log10
from typing import Final

from markupsafe import Markup, escape

from jiyi.inspector.visible import visible

WIDTH: Final = 640
HALF: Final = 400


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart. `href` leads to what it counts."""

    label: str
    value: float
    href: str | None = None
    shade: int = 0  # 1: the second colour


def columns(
    labels: Sequence[str], series: Mapping[str, Sequence[int]], *, title: str, height: int = 180
) -> Markup:
    """Columns side by side for each label, one for each series."""
    top = _nice(max((max(values, default=0) for values in series.values()), default=0))
    left, bottom, head = 40, 24, 8
    inner, room = height - bottom - head, WIDTH - left
    step = room / max(len(labels), 1)
    width = min(step * 0.8 / max(len(series), 1), 28)
    parts = []
    for share in (0, 0.5, 1):
        y = head + inner * (1 - share)
        parts.append(
            f'<line class="grid" x1="{left}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="axis" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">'
            f"{_short(top * share)}</text>"
        )
    for place, label in enumerate(labels):
        x = left + step * place + (step - width * len(series)) / 2
        for number, (name, values) in enumerate(series.items()):
            tall = inner * values[place] / top if top else 0
            parts.append(
                f'<rect class="c{number}" x="{x + width * number:.1f}" rx="1.5"'
                f' y="{head + inner - tall:.1f}" width="{max(width - 1, 1):.1f}"'
                f' height="{tall:.1f}"><title>{escape(label)}: {escape(name)}'
                f" {values[place]}</title></rect>"
            )
        if place % max(1, ceil(len(labels) / 8)) == 0:
            parts.append(
                f'<text class="axis" x="{left + step * (place + 0.5):.1f}" y="{height - 6}"'
                f' text-anchor="middle">{escape(label)}</text>'
            )
    told = "; ".join(f"{name}: {sum(values)}" for name, values in series.items())
    return _svg("".join(parts), height, title, told)


def bars(rows: Sequence[Bar], *, title: str, unit: str = "") -> Markup:
    """Horizontal bars, longest value filling the width; for half a page."""
    most = max((row.value for row in rows), default=0) or 1
    left, line = 118, 26
    parts = []
    for place, row in enumerate(rows):
        y = place * line
        wide = (HALF - left - 84) * row.value / most
        body = (
            f'<text class="name" x="{left - 10}" y="{y + 17}" text-anchor="end">'
            f"{escape(visible(_cut(row.label, 16)))}</text>"
            f'<rect class="c{1 - row.shade}" x="{left}" y="{y + 5}" width="{max(wide, 1.5):.1f}"'
            f' height="16" rx="2"/>'
            f'<text class="value" x="{left + wide + 8:.1f}" y="{y + 17}">'
            f"{_short(row.value)}{escape(unit)}</text>"
            f"<title>{escape(visible(row.label))}: {_short(row.value)}{escape(unit)}</title>"
        )
        link = (
            f'<a href="{escape(row.href)}">{body}</a>' if row.href is not None else f"<g>{body}</g>"
        )
        parts.append(link)
    told = "; ".join(f"{row.label}: {_short(row.value)}{unit}" for row in rows)
    return _svg("".join(parts), max(len(rows) * line, line), title, told, width=HALF)


@dataclass(frozen=True, slots=True)
class Span:
    """A time in which something held; None means that no end is known."""

    label: str
    start: datetime
    end: datetime | None
    href: str
    current: bool


def spans(rows: Sequence[Span], *, now: datetime, title: str) -> Markup:
    """What held when: one line for each, on a common axis from the first start until now."""
    first = min((row.start for row in rows), default=now)
    last = max([now, *(row.end for row in rows if row.end is not None)])
    total = (last - first).total_seconds() or 1
    left, line = 8, 34

    def at(moment: datetime) -> float:
        return left + (WIDTH - 2 * left) * (moment - first).total_seconds() / total

    parts = []
    for place, row in enumerate(rows):
        start, end = at(row.start), at(row.end or last)
        y = place * line
        parts.append(
            f'<a href="{escape(row.href)}"><text class="name" x="{left}" y="{y + 13}">'
            f"{escape(visible(_cut(row.label, 60)))}</text>"
            f'<rect class="{"c1" if row.current else "past"}" x="{start:.1f}" y="{y + 19}"'
            f' width="{max(end - start, 3):.1f}" height="8" rx="2"/></a>'
        )
    y = len(rows) * line + 14
    parts.append(
        f'<text class="axis" x="{left}" y="{y}">{first:%Y-%m-%d}</text>'
        f'<text class="axis" x="{WIDTH - left}" y="{y}" text-anchor="end">{last:%Y-%m-%d}</text>'
    )
    told = "; ".join(
        f"{row.label}: {row.start:%Y-%m-%d} – {'' if row.end is None else f'{row.end:%Y-%m-%d}'}"
        for row in rows
    )
    return _svg("".join(parts), y + 8, title, told)


def meter(share: float, *, label: str) -> Markup:
    """A short bar for a value from 0 to 1."""
    wide = 60 * min(max(share, 0), 1)
    return Markup(  # noqa: S704 - numbers only, and the label is escaped
        f'<svg class="meter" viewBox="0 0 60 8" width="60" height="8" role="img"'
        f' aria-label="{escape(label)}"><rect class="track" width="60" height="8" rx="2"/>'
        f'<rect class="c1" width="{wide:.1f}" height="8" rx="2"/></svg>'
    )


def _svg(body: str, height: float, title: str, told: str, width: int = WIDTH) -> Markup:
    return Markup(  # noqa: S704 - every text inside is escaped where it is put
        f'<svg class="plot" viewBox="0 0 {width} {height:.0f}" role="img"'
        f' aria-label="{escape(title)}"><desc>{escape(visible(told))}</desc>{body}</svg>'
    )


def _nice(value: float) -> float:
    """The next round number, for an axis."""
    if value <= 4:
        return 4
    size = 10.0 ** int(log10(value))
    return next(size * step for step in (1, 2, 4, 5, 8, 10) if size * step >= value)


def _short(value: float) -> str:
    if value >= 10_000:
        return f"{value / 1000:.0f}k"
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
