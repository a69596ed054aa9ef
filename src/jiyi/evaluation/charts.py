"""Line charts as SVG, drawn by hand: no plotting library needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, LEFT, TOP = 460, 240, 64, 34
_COLOURS = ("#1f6f8b", "#c8553d", "#6a994e", "#7a5195", "#888888")

Line = Sequence[tuple[float, float]]


def page(
    charts: Sequence[tuple[str, Mapping[str, Line]]], *, columns: int = 2, unit: str = ""
) -> str:
    """Charts side by side: (title, lines by name), each line as (x, y) points. `unit` stands before
    the largest x, such as "day"."""
    rows = -(-len(charts) // columns)
    drawn = "".join(
        f'<g transform="translate({n % columns * WIDTH},{n // columns * HEIGHT})">'
        f"{_chart(title, lines, unit)}</g>"
        for n, (title, lines) in enumerate(charts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * columns}" '
        f'height="{HEIGHT * rows}" font-family="sans-serif" font-size="11">'
        f'<rect width="100%" height="100%" fill="white"/>{drawn}</svg>\n'
    )


def _chart(title: str, lines: Mapping[str, Line], unit: str) -> str:
    points = [point for line in lines.values() for point in line]
    right, top = max((x for x, _ in points), default=1), max((y for _, y in points), default=1)
    right, top = right or 1, top * 1.1 or 1
    width, height = WIDTH - LEFT - 20, HEIGHT - TOP - 40

    def place(x: float, y: float) -> str:
        return f"{LEFT + x / right * width:.1f},{TOP + height - y / top * height:.1f}"

    parts = [
        f'<text x="{LEFT}" y="16" font-weight="bold">{escape(title)}</text>',
        f'<rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}" fill="none" stroke="#999"/>',
    ]
    for share in (0, 0.5, 1):
        y = TOP + height - share * height / 1.1
        label = share * top / 1.1
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label:,.4g}</text>')
    parts.append(
        f'<text x="{LEFT + width}" y="{TOP + height + 14}" text-anchor="end">'
        f"{escape(f'{unit} {right:g}'.strip())}</text>"
    )
    for n, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[n % len(_COLOURS)]
        path = " ".join(place(x, y) for x, y in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(
            f'<text x="{LEFT + n * 150}" y="{HEIGHT - 12}" fill="{colour}">{escape(name)}</text>'
        )
    return "".join(parts)
