"""The command that erases: it shows what would go, asks, and prints the receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jiyi.cli import render
from jiyi.cli.reading import texts_of
from jiyi.cli.shell import NothingFoundError, Shell, find_id
from jiyi.errors import InvalidInputError

if TYPE_CHECKING:
    from jiyi.types import ForgetReport


def forget(
    shell: Shell,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...")] = None,
    *,
    query: Annotated[str | None, typer.Option(help="What holds most of these words.")] = None,
    subject: Annotated[str | None, typer.Option(help="What is about this name.")] = None,
    before: Annotated[str | None, typer.Option(help="What was said earlier, ISO 8601.")] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="All of --user, or all of --tenant.")
    ] = False,
    keep_turns: Annotated[
        bool, typer.Option("--keep-turns", help="Leave the messages, erase the memories.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Erase for good. Selectors combine: --query tea --before 2026-01-01 erases what fits both;
    --session erases what was said in that conversation. For a change of mind use `correct`."""
    if shell.as_json and not (yes or dry_run):
        raise InvalidInputError("--json", "it cannot ask", "Add --yes or --dry-run")
    memory = shell.memory()
    options: dict[str, Any] = {
        "ids": [find_id(memory, id) for id in ids] if ids else None,
        "query": query,
        "subject": subject,
        "before": before,
        "everything": everything,
        "keep_turns": keep_turns,
        # The question below is the confirmation that a whole tenant needs.
        "confirm": everything and "user" not in shell.scope,
    }
    if shell.session is not None:
        options["session"] = shell.session
    plan = memory.forget(**options, dry_run=True)
    texts = texts_of(memory, (*plan.memory_ids, *plan.turn_ids))
    if not (plan.memory_ids or plan.turn_ids or any(plan.counts.values())):
        if shell.as_json:
            _show(shell, plan, {})
        raise NothingFoundError("Nothing fits; nothing was erased.")
    if dry_run:
        _show(shell, plan, texts)
        return
    if not yes:
        shell.err.print(render.forget_report(plan, texts))
        if not typer.confirm("Erase this for good?", err=True):
            shell.note("Nothing was erased.")
            return
    # The texts themselves are gone from here on: the receipt names numbers, not content.
    _show(shell, memory.forget(**options), {})


def _show(shell: Shell, report: ForgetReport, texts: dict[str, str]) -> None:
    shell.show(report, lambda: render.forget_report(report, texts))
