"""The command that scores one's own questions on one's own memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jiyi.cli.finishing import progress_bar
from jiyi.cli.shell import Shell
from jiyi.cli.words import visible
from jiyi.errors import InvalidInputError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jiyi.evaluation import Evaluation, Measures

    Curve = dict[int, float | None]

_MISSES = 10  # questions whose answer was not found, shown by name
_WIDTH = 60  # characters of a question or a hit among them


def evaluate(
    shell: Shell,
    file: Annotated[
        Path, typer.Argument(help="JSON lines: question, evidence (ids or words), category.")
    ],
    *,
    budget: Annotated[
        list[int] | None, typer.Option(help="Tokens of a context to look into. Repeatable.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Where to draw the curves, as SVG.")] = None,
) -> None:
    """Score your own questions on your own memory: is the evidence found, at which place, and does
    it reach the context? Nothing is written to the memory."""
    from jiyi.evaluation import evaluate as run
    from jiyi.evaluation import read_questions
    from jiyi.evaluation.run import BUDGETS

    try:
        questions = read_questions(file)
    except OSError as error:
        raise InvalidInputError(
            "file", f"it cannot be read ({error.strerror})", "Name a file"
        ) from error
    memory = shell.memory(search=True, read_only=True)
    with progress_bar(shell) as progress:
        task = progress.add_task("questions", total=len(questions))
        result = run(
            memory, questions, budgets=budget or BUDGETS, progress=lambda: progress.advance(task)
        )
    if plot is not None:
        try:
            plot.write_text(_drawn(result), encoding="utf-8")
        except OSError as error:
            raise StoreUnavailableError(f"cannot write {plot}: {error.strerror}") from error
    shell.show(result, lambda: _shown(result))


def _drawn(result: Evaluation) -> str:
    from jiyi.evaluation.charts import page

    # A chart tells four lines apart.
    rows = {"all": result.overall, **dict(list(result.by_category.items())[:3])}
    curves: tuple[tuple[str, Callable[[Measures], Curve]], ...] = (
        ("Evidence among the first hits (%), by their number", lambda row: row.recall),
        ("Evidence in a context (%), by its tokens", lambda row: row.context),
    )
    return page([(t, {n: _line(of(row)) for n, row in rows.items()}) for t, of in curves])


def _line(curve: Curve) -> list[tuple[float, float]]:
    return [(x, 100 * y) for x, y in curve.items() if y is not None]


def _shown(result: Evaluation) -> RenderableType:
    overall = result.overall
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    ks, budgets = list(overall.recall), list(overall.context)
    heads = [f"R@{k}" for k in ks] + ["MRR", "nDCG"] + [f"≤{b}" for b in budgets]
    for head in ("", "n", *heads):
        table.add_column(head, justify="left" if not head else "right")
    rows = {"all": overall} if not result.by_category else {**result.by_category, "all": overall}
    for name, row in rows.items():
        table.add_row(*_cells(name, row))
    silent = (
        f"Silent on {_percent(overall.false_silence)} % of the questions that have an answer, on "
        f"{_percent(overall.silence)} % of the {overall.unanswerable} that have none."
    )
    took = f"A recall took {_ms(overall, 50)} ms (median), {_ms(overall, 95)} ms (95 of 100)."
    legend = (
        "Percent. R@k: evidence among the first k hits. nDCG: of the first 10. ≤n: evidence in a "
        "context of n tokens."
    )
    said = [legend, silent, took]
    missed = [a for a in result.answers if a.question.answerable and a.rank is None]
    if missed:
        said.append(f"\nNot found ({len(missed)}):")
    said += [
        f"  {_line_of(a.question.text)}  →  " + ("nothing" if a.best is None else _line_of(a.best))
        for a in missed[:_MISSES]
    ]
    return Group(table, Text("\n".join(said)))


def _cells(name: str, row: Measures) -> list[str]:
    shares = [*row.recall.values(), row.mrr, row.ndcg, *row.context.values()]
    return [visible(name), str(row.questions), *map(_percent, shares)]


def _line_of(text: str) -> str:
    line = " ".join(visible(text).split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _ms(row: Measures, percent: int) -> str:
    value = row.latency_ms[percent]
    return "–" if value is None else f"{value:.1f}"
