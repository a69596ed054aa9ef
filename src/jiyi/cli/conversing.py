"""Commands about conversations and tasks: turns, end, notes."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jiyi.cli import render
from jiyi.cli.shell import NothingFoundError, Shell
from jiyi.cli.words import day_and_age, visible
from jiyi.errors import InvalidInputError
from jiyi.ids import system_clock
from jiyi.types import Turns


def turns(
    shell: Shell,
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", help="On one page.")] = 20,
    cursor: Annotated[str | None, typer.Option(help="From the page before.")] = None,
) -> None:
    """Show the newest turns as they were said; with --session, of that conversation."""
    found = shell.memory().turns(limit=limit, cursor=cursor)
    if not found and not shell.as_json:
        raise NothingFoundError("Nothing was said here.")
    shell.show(found, lambda: _turns(found))


def end(shell: Shell) -> None:
    """End a conversation (--session): its summary goes, and a digest of it stays."""
    if shell.session is None:
        raise InvalidInputError("--session", "is missing", "Name the conversation")
    memory = shell.memory(writing=True)
    receipt = memory.end_session(shell.session)
    texts = {
        outcome.memory_id: memory.get(outcome.memory_id).text
        for outcome in receipt.outcomes
        if outcome.memory_id is not None
    }
    shell.show(receipt, lambda: render.receipt(receipt, texts))
    memory.flush()


def notes(
    shell: Shell,
    task: Annotated[str, typer.Argument(help="The task.")],
    *,
    put: Annotated[
        list[str] | None, typer.Option("--set", help="name=value; JSON or a text. Repeatable.")
    ] = None,
    drop: Annotated[list[str] | None, typer.Option(help="A note to remove. Repeatable.")] = None,
    finish: Annotated[bool, typer.Option("--end", help="End the task: its notes go.")] = False,
) -> None:
    """Show the working notes of a task, or set, remove or end them."""
    memory = shell.memory(writing=bool(put or drop or finish))
    kept = memory.task(task)
    for text in put or ():
        name, mark, value = text.partition("=")
        if not mark:
            raise InvalidInputError("--set", f"{text!r} has no value", "Write name=value")
        kept.note(name.strip(), _value(value.strip()))
    for name in drop or ():
        kept.note(name, None)
    if finish:
        ended = kept.end()
        shell.show({"ended": ended}, lambda: f"{visible(task)} is over: {ended} notes are gone")
        return
    found = kept.notes()
    if not found and not shell.as_json:
        raise NothingFoundError("The task has no notes.")
    shell.show(found, lambda: _notes(found))


def _turns(found: Turns) -> RenderableType:
    table, now = Table(box=None, header_style="dim"), system_clock()
    for heading in ("who", "what was said", "session", "when"):
        table.add_column(heading)
    for turn in found:
        table.add_row(
            visible(turn.name or turn.role),
            Text(visible(turn.text)),
            visible(turn.scope.session or ""),
            day_and_age(turn.said_at, now),
        )
    foot = f"{len(found)} of {found.total}"
    if found.cursor is not None:
        foot += f"; what was said before: --cursor {found.cursor}"
    return Group(table, Text(foot, style="dim"))


def _notes(found: dict[str, Any]) -> Table:
    table = Table(box=None, show_header=False)
    for name, value in found.items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        table.add_row(Text(visible(name), style="dim"), Text(visible(shown)))
    return table


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
