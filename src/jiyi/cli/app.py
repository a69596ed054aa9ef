"""The `jiyi` command: its help, its version, and the list of commands."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

import typer

from jiyi.cli import (
    archiving,
    changing,
    chat,
    consolidating,
    conversing,
    documents,
    evaluating,
    forgetting,
    keys,
    mcp,
    naming,
    reading,
    serving,
    upkeep,
    writing,
)
from jiyi.cli.shell import add_command

app = typer.Typer(
    name="jiyi",
    help=(
        "jiyi 记忆: the long-term memory of AI agents.\n\n"
        "Without --db (or JIYI_DB) the memory lies in this user's data folder; `jiyi doctor` shows "
        "where. Exit codes: 0 done, 1 an error, 2 wrong usage, 3 nothing found."
    ),
    no_args_is_help=True,
    # A rich traceback would print local variables, and with them what people remember.
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jiyi {version('jiyi')}")
        raise typer.Exit


@app.callback()
def _root(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    del show_version  # the callback has dealt with it


_COMMANDS: dict[str, Callable[..., None]] = {
    "import": writing.import_file,
    "add": writing.add,
    "recall": reading.recall,
    "context": reading.context,
    "entities": naming.entities,
    "list": reading.list_memories,
    "show": reading.show,
    "history": reading.history,
    "profile": reading.profile,
    "why": reading.why,
    "eval": evaluating.evaluate,
    "set": writing.set_permanent,
    "correct": writing.correct,
    "undo": writing.undo,
    "update": changing.update,
    "feedback": changing.feedback,
    "turns": conversing.turns,
    "notes": conversing.notes,
    "end": conversing.end,
    "forget": forgetting.forget,
    "documents": documents.documents,
    "consolidate": consolidating.consolidate,
    "conflicts": consolidating.conflicts,
    "stats": upkeep.stats,
    "doctor": upkeep.doctor,
    "export": archiving.export,
    "load": archiving.load,
    "backup": archiving.backup,
    "restore": archiving.restore,
    "reembed": archiving.reembed,
    "worker": archiving.worker,
    "serve": serving.serve,
    "chat": chat.chat,
    "mcp": mcp.mcp,
}
for _name, _function in _COMMANDS.items():
    add_command(app, _name, _function)

_KEY_COMMANDS: dict[str, Callable[..., None]] = {
    "create": keys.create,
    "list": keys.list_keys,
    "revoke": keys.revoke,
}
_keys = typer.Typer(
    help="Access keys: who may use a server on this store.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for _name, _function in _KEY_COMMANDS.items():
    add_command(_keys, _name, _function)
app.add_typer(_keys, name="keys")
