"""Commands that keep memories in order: consolidate, conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jiyi.cli.shell import FAILED, NothingFoundError, Shell, find_id
from jiyi.cli.words import day, number_of, short, visible
from jiyi.errors import InvalidInputError, NotFoundError

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import Conflict, ConsolidationReport

_DONE = {
    "expire": "expired",
    "promote": "confirmed",
    "drop": "dropped, unconfirmed",
    "merge": "merged",
    "summarise": "summed up",
    "archive": "archived",
    "thaw": "back from the archive",
    "tier": "moved to another tier",
    "reflect": "lesson",
    "retract": "taken back",
    "prune": "old traces deleted",
    "purge": "erased bytes driven out",
}


def consolidate(
    shell: Shell,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be done, and why.")
    ] = False,
) -> None:
    """Keep memories in order: merge what says the same, archive what is not used, sum up what
    fades. Nothing is erased, and `jiyi undo RUN` takes all of it back."""
    memory = shell.memory(writing=not dry_run)
    report = memory.consolidate(dry_run=dry_run)
    if not dry_run:
        memory.flush()  # vectors for what is new
    shell.show(report, lambda: _report(report, _texts(memory, report)))
    if report.failed is not None:
        raise typer.Exit(FAILED)


def conflicts(
    shell: Shell,
    *,
    keep: Annotated[str | None, typer.Option("--keep", help="The id of what holds.")] = None,
    over: Annotated[
        str | None, typer.Option("--over", help="The id of what does not hold (with --keep).")
    ] = None,
    both: Annotated[
        bool, typer.Option("--both", help="Both --keep and --over hold: list them no more.")
    ] = False,
    propose: Annotated[
        bool, typer.Option("--propose", help="Ask the chat model which side it would keep.")
    ] = False,
) -> None:
    """List statements that contradict each other where no rule decides, or decide between two."""
    if (keep is None) != (over is None):
        raise InvalidInputError("--keep", "it goes with --over", "Name two memories")
    memory = shell.memory(writing=propose)
    if keep is not None and over is not None:
        outcome = memory.resolve_conflict(find_id(memory, keep), find_id(memory, over), both=both)
        shell.show(outcome, lambda: Text("both hold" if both else "settled: it is replaced"))
        return
    found = memory.conflicts(propose=propose)
    if not found:
        if shell.as_json:
            shell.show([], lambda: "")
        raise NothingFoundError("Nothing contradicts.")
    shell.show(found, lambda: _conflicts(found))


def _report(report: ConsolidationReport, texts: dict[str, str]) -> RenderableType:
    if report.failed is not None:
        return Text(f"Nothing was changed: {report.failed}", style="red")
    table = Table(box=box.SIMPLE)
    for name in ("what", "which", "why"):
        table.add_column(name, overflow="fold")
    for step in report.steps:
        ids = [step.memory_id, *step.others] if step.memory_id is not None else [*step.others]
        which = "\n".join(f"{texts.get(id, '')} [{short(id)}]".strip() for id in ids)
        row = (_DONE[step.action], visible(which), visible(step.reason))
        table.add_row(*(Text(cell) for cell in row))
    verb = "would be done" if report.dry_run else "done"
    head = f"{number_of(len(report.steps), 'step')} {verb} in {report.seconds:.2f} s"
    parts: list[RenderableType] = [Text(head, style="bold")]
    if report.steps:
        parts.append(table)
    if report.steps and not report.dry_run:
        parts.append(Text(f"take it back: jiyi undo {report.run_id}", style="dim"))
    return Group(*parts)


def _texts(memory: Memory, report: ConsolidationReport) -> dict[str, str]:
    """The texts of the memories that a report names, as far as they can be shown."""
    ids = {id for step in report.steps for id in (step.memory_id, *step.others) if id is not None}
    texts: dict[str, str] = {}
    for id in sorted(ids):
        try:
            texts[id] = memory.get(id).text
        except NotFoundError:
            continue  # it belongs to one agent alone
    return texts


def _conflicts(found: Sequence[Conflict]) -> RenderableType:
    table = Table(box=box.SIMPLE)
    for name in ("said first", "said later", "why"):
        table.add_column(name, overflow="fold")
    for conflict in found:
        cells = [
            f"{memory.text}\n{day(memory.said_at)} [{short(memory.id)}]"
            for memory in (conflict.first, conflict.second)
        ]
        why = conflict.reason
        if conflict.proposal is not None:
            why += f"\nthe model would keep: {conflict.proposal}"
        table.add_row(*(Text(visible(cell)) for cell in (*cells, why)))
    hint = "decide: jiyi conflicts --keep ID --over ID, or --both"
    return Group(table, Text(hint, style="dim"))
