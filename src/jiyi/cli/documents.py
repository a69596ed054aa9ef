"""The command for external memory: documents to look things up in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from jiyi.cli import render
from jiyi.cli.finishing import finish, progress_bar
from jiyi.cli.shell import NothingFoundError, Shell
from jiyi.cli.words import SHORT, number_of, short, visible
from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.ids import system_clock
from jiyi.memory.documents import COLLECTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jiyi.memory import Memory
    from jiyi.types import Document, DocumentReport


def documents(
    shell: Shell,
    action: Annotated[str, typer.Argument(help="add, list or remove.")],
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE|ID]…", help="Files or folders to add; ids to remove."),
    ] = None,
    *,
    collection: Annotated[
        str | None, typer.Option("--collection", "-c", help="The group they belong to.")
    ] = None,
    shared: Annotated[
        bool, typer.Option("--shared", help="Let every user of the tenant read them.")
    ] = False,
) -> None:
    """Documents to look things up in, found and cited apart from memories: Markdown, plain text,
    JSON lines. Adding a file again takes over what changed; removing erases for good."""
    if action == "add":
        _add(shell, names or (), collection, "shared" if shared else "user")
    elif action == "list":
        _list(shell, collection)
    elif action == "remove":
        _remove(shell, names or (), collection)
    else:
        raise InvalidInputError("action", f"unknown: {action!r}", "Use add, list or remove")


def _add(
    shell: Shell,
    files: Sequence[str],
    collection: str | None,
    visibility: Literal["user", "shared"],
) -> None:
    if not files:
        raise InvalidInputError("file", "there is none", "Name files or folders")
    memory = shell.memory(writing=True)
    with progress_bar(shell) as progress:
        bar = progress.add_task("adding", total=None)
        report = memory.add_documents(
            files, collection=collection or COLLECTION, visibility=visibility
        )
        progress.remove_task(bar)
        finish(memory, progress)
    shell.show(report, lambda: _report(report))


def _list(shell: Shell, collection: str | None) -> None:
    found = shell.memory().documents(collection=collection)
    if not found and not shell.as_json:
        raise NothingFoundError("There are no documents.")
    shell.show(found, lambda: render.documents(found, system_clock()))
    if not found:
        raise NothingFoundError


def _remove(shell: Shell, ids: Sequence[str], collection: str | None) -> None:
    memory = shell.memory()
    chosen = [_whole(memory, id) for id in ids] or None
    report = memory.remove_documents(chosen, collection=collection)
    shell.show(report, lambda: render.forget_report(report, {}))


def _whole(memory: Memory, id: str) -> str:
    """The id that ends as a list shows it."""
    end = id.removeprefix("…").casefold()
    found = [each.id for each in memory.documents() if each.id.endswith(end)]
    if len(end) < SHORT or len(found) != 1:
        raise NotFoundError("document", id)
    return found[0]


def _report(report: DocumentReport) -> RenderableType:
    lines = [Text(f"{outcome.status}: {_named(outcome.document)}") for outcome in report.outcomes]
    lines += [Text(f"still on its way out: {each}", style="yellow") for each in report.pending]
    return Group(*lines)


def _named(document: Document) -> str:
    parts = number_of(document.passages, "passage")
    return f"{visible(document.title)} ({parts}) [{short(document.id)}]"
