"""From a scorer's report to a Markdown table."""

from __future__ import annotations

from typing import Any

ALL = "ALL answerable"


def markdown(name: str, systems: dict[str, Any]) -> str:
    """One set: a row per system, then a row per category of the first system."""
    head = "| | n | R@1 | R@5 | R@10 | R@20 | all@10 | MRR | nDCG@10 | newer first | p50 / p95 ms |"
    lines = [f"\n### {name}\n", head, "|" + "---|" * 11]
    for system, report in systems.items():
        level = level_of(name)
        for category, row in report[level].items():
            whole = category == ALL or len(report[level]) == 1
            if whole:
                lines.append(_row(f"**{system}**", row, report))
    first = next(iter(systems))
    report = systems[first]
    level = level_of(name)
    if len(report[level]) > 1:
        lines += [
            _row(category, row, None) for category, row in report[level].items() if category != ALL
        ]
    lines += _shown(report)
    lines += _rest(systems)
    return "\n".join(lines)


def _shown(report: dict[str, Any]) -> list[str]:
    """How much of the evidence stands in contexts, by their size."""
    shown = report.get("shown") or {}
    if not shown:
        return []
    cells = [f"{tokens:,} tokens {_percent(share)}" for tokens, share in sorted(shown.items())]
    whole: dict[str, Any] = report["unit"].get(ALL) or next(iter(report["unit"].values()), {})
    twenty = f" (recall@20 of the same run {_percent(whole['recall@20'])})" if whole else ""
    return [f"\nEvidence in a context: {', '.join(cells)}{twenty}"]


def curves(name: str, systems: dict[str, Any]) -> dict[str, list[tuple[float, float]]]:
    """Recall in percent at each k, by system."""
    drawn = {}
    for system, report in systems.items():
        row = report[level_of(name)].get(ALL) or next(iter(report[level_of(name)].values()))
        drawn[system] = [
            (float(k), 100 * row[f"recall@{k}"]) for k in (1, 5, 10, 20) if row.get(f"recall@{k}")
        ]
    return drawn


def level_of(name: str) -> str:
    """What a set is quoted at: "unit", or "session" where units are only derived."""
    return "session" if name == "realmem" else "unit"


def _row(label: str, row: dict[str, Any], report: dict[str, Any] | None) -> str:
    reached = {int(k) for k in row["reach"]}
    cells = [f"{row['n']}"]
    for measure in ("recall@1", "recall@5", "recall@10", "recall@20", "all@10"):
        mark = "!" if int(measure.rpartition("@")[2]) in reached else ""
        cells.append(_percent(row.get(measure)) + mark)
    cells += [_percent(row.get("mrr")), _percent(row.get("ndcg@10"))]
    newer = latency = None
    if report is not None:
        newer, latency = _newer(report), report["latency_ms"]
    cells.append("–" if newer is None else _percent(newer))
    cells.append("–" if not latency else f"{latency[50]:.1f} / {latency[95]:.1f}")
    return f"| {label} | " + " | ".join(cells) + " |"


def _newer(report: dict[str, Any]) -> float | None:
    """Share of update pairs whose newer unit stands above the older, over all categories."""
    parts = [row for name, row in report["rest"].items() if "pairs" in row and name != ALL]
    pairs = sum(row["pairs"] for row in parts)
    return sum(row["pairs"] * row["newer_first"] for row in parts) / pairs if pairs else None


def _rest(systems: dict[str, Any]) -> list[str]:
    lines = []
    for system, report in systems.items():
        parts = [r for n, r in report["rest"].items() if "exclude" in r and n != ALL]
        asked = sum(r["exclude"] for r in parts)
        if asked:
            above, anywhere = (
                sum(r["exclude"] * r[key] for r in parts) / asked for key in ("above", "any")
            )
            lines.append(
                f"\n{system}: excluded above the best evidence {_percent(above)} %, anywhere "
                f"{_percent(anywhere)} % of {asked} questions"
            )
        lines += [f"\n{system}: {note}: {count}" for note, count in report["notes"].items()]
    return lines


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
