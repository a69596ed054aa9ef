"""Recall on benchmark folders: `python -m bench.recall --shared ../shared --sets locomo`."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.baselines import rank_all
from bench.folders import Folder, load_scorer, scored
from bench.subject import ask_all
from bench.tables import curves, markdown
from bench.vectors import CachedEmbedder
from jiyi.evaluation.charts import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jiyi.ports import Embedder

SETS = (
    *("locomo", "lifebench-zh", "madial-zh", "qmemory-zh", "memdaily", "beam-100k"),
    *("factconsolidation", "realmem", "precisionmembench"),
)
SUBJECT = "jiyi"


def open_embedder(name: str) -> Embedder | None:
    """The embedder of that name behind the vector cache, or None for "none"."""
    if name == "none":
        return None
    from jiyi.registry import open_embedder as by_name

    embedder = by_name(name)
    assert embedder is not None
    return CachedEmbedder(embedder)


def run_set(
    folder: Folder,
    scorer: Any,
    embedder: Embedder | None,
    bar: Progress,
    budgets: Sequence[int] = (),
) -> Any:
    """Every system's report on one folder, by name."""
    task = bar.add_task(folder.name, total=len(folder.questions))
    asked = ask_all(folder, embedder, budgets=budgets, progress=lambda: bar.advance(task))
    lines = {SUBJECT: list(asked)}
    lines |= rank_all(folder, embedder)
    reports = {name: scored(scorer, folder, rows) for name, rows in lines.items()}
    reports[SUBJECT]["shown"] = evidence_shown(folder, lines[SUBJECT])
    return reports


def evidence_shown(folder: Folder, lines: Iterable[dict[str, Any]]) -> dict[int, float]:
    """Mean share of the evidence that stands in a context, by its budget in tokens, over the
    answerable questions that have evidence."""
    shown = {line["question_id"]: line["shown"] for line in lines}
    found: dict[int, list[float]] = {}
    for question in folder.questions:
        evidence = set(question["evidence"])
        if question["answerable"] and evidence:
            for budget, ids in shown.get(question["id"], {}).items():
                found.setdefault(budget, []).append(len(evidence & set(ids)) / len(evidence))
    return {budget: sum(shares) / len(shares) for budget, shares in found.items()}


def drawn(results: dict[str, Any]) -> str:
    """Recall by k, a chart for each set, a line for each system."""
    return page(
        [(f"{name}: recall by k (%)", curves(name, each)) for name, each in results.items()]
    )


def machine() -> str:
    """What the numbers were measured on."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def main(
    *,
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    sets: Annotated[str, typer.Option(help="Names of folders, with commas.")] = ",".join(SETS),
    embedder: Annotated[str, typer.Option(help='"none" for words only, or a name.')] = "none",
    budgets: Annotated[
        str, typer.Option(help='Tokens of contexts, with commas; "" builds none.')
    ] = "500,1000,2000",
    out: Annotated[Path | None, typer.Option("--json", help="Where to write the figures.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Where to draw the curves, as SVG.")] = None,
) -> None:
    """Load each benchmark into a fresh store, ask its questions, print the tables."""
    benchdata = shared / "benchdata"
    scorer = load_scorer(benchdata)
    made = open_embedder(embedder)
    results: dict[str, Any] = {}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        for name in sets.split(","):
            tokens = [int(b) for b in budgets.split(",") if b]
            results[name] = run_set(Folder(benchdata / name), scorer, made, bar, tokens)
            print(markdown(name, results[name]), flush=True)
    if plot is not None:
        plot.write_text(drawn(results), encoding="utf-8")
    if out is not None:
        report = {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine(),
            "embedder": "none" if made is None else made.name,
            "sets": results,
        }
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
