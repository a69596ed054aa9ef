"""The command that erases: it shows what would go, asks, and prints the receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from jiyi.cli import render
from jiyi.cli.reading import texts_of
from jiyi.cli.shell import NothingFoundError, Shell, find_id
from jiyi.errors import InvalidInputError

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import ForgetReport


def forget(
    shell: Shell,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...")] = None,
    *,
    query: Annotated[str | None, typer.Option(help="What holds most of these words.")] = None,
    subject: Annotated[str | None, typer.Option(help="What is about this name.")] = None,
    before: Annotated[str | None, typer.Option(help="What was said earlier, ISO 8601.")] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="All of --user, of --tenant, or of nobody named.")
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
    _check(everything, (ids, query, subject, before, shell.session))
    memory = shell.memory()
    options: dict[str, Any] = {
        "ids": [find_id(memory, id) for id in ids] if ids else None,
        "query": query,
        "subject": subject,
        "before": before,
        "everything": everything,
        "keep_turns": keep_turns,
        # The question below is the confirmation that is needed where no user is named.
        "confirm": everything and "user" not in shell.scope,
    }
    if shell.session is not None:
        options["session"] = shell.session
    plan = memory.forget(**options, dry_run=True)
    texts = texts_of(memory, (*plan.memory_ids, *plan.turn_ids))
    if not (plan.memory_ids or plan.turn_ids or any(plan.counts.values())):
        _nothing_fits(shell, memory, plan, options, yes=yes and not dry_run)
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


def _check(everything: bool, selectors: tuple[object, ...]) -> None:
    """Refuse what says nothing, or too much, in the words of the command line."""
    if everything and any(selectors):
        raise InvalidInputError("--everything", "it stands alone", "Leave the other options out")
    if not everything and not any(selectors):
        raise InvalidInputError(
            "forget",
            "nothing says what",
            "Give an ID, --query, --subject, --session, --before or --everything",
        )


def _nothing_fits(
    shell: Shell, memory: Memory, plan: ForgetReport, options: dict[str, Any], *, yes: bool
) -> NoReturn:
    """What was only ever asked about stands in traces: no plan names them, an erasure removes
    them."""
    report = plan
    by_words = options["query"] or options["subject"]
    told = "Nothing fits; nothing was erased."
    if by_words and yes:
        report = memory.forget(**options)
        told = "Nothing fits; what was kept of earlier questions was erased."
    elif by_words:
        told += " Earlier questions are kept for `jiyi why`: --yes erases them."
    if shell.as_json:
        _show(shell, report, {})
    raise NothingFoundError(told)


def _show(shell: Shell, report: ForgetReport, texts: dict[str, str]) -> None:
    shell.show(report, lambda: render.forget_report(report, texts))
