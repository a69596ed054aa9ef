"""Commands that change what is kept without replacing it: update, feedback."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jiyi.cli import render
from jiyi.cli.shell import Shell, find_id
from jiyi.cli.words import short
from jiyi.errors import InvalidInputError
from jiyi.ids import system_clock

MemoryId = Annotated[str, typer.Argument(metavar="ID", help="Of a memory.")]


def update(
    shell: Shell,
    memory_id: MemoryId,
    *,
    text: Annotated[str | None, typer.Option(help="Other words for the same.")] = None,
    kind: Annotated[str | None, typer.Option(help="semantic, episodic, procedural, …")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="In place of its tags. Repeatable.")] = None,
    importance: Annotated[float | None, typer.Option(help="From 0 to 1.")] = None,
    confidence: Annotated[float | None, typer.Option(help="From 0 to 1.")] = None,
    pinned: Annotated[
        bool | None, typer.Option("--pinned/--not-pinned", help="Whether it stays for good.")
    ] = None,
    valid_to: Annotated[
        str | None, typer.Option(help="When it ended to be true, ISO 8601.")
    ] = None,
    expires_at: Annotated[str | None, typer.Option(help="When it goes, ISO 8601.")] = None,
) -> None:
    """Change fields of a memory; what is not named stays. What was wrong is replaced by
    `jiyi correct`."""
    given: dict[str, Any] = {
        "kind": kind,
        "tags": tag,
        "importance": importance,
        "confidence": confidence,
        "pinned": pinned,
        "valid_to": valid_to,
        "expires_at": expires_at,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if text is None and not changes:
        raise InvalidInputError("--text", "nothing is to change", "Name a field")
    memory = shell.memory(writing=True)
    record = memory.update(find_id(memory, memory_id), text=text, **changes)
    shell.show(record, lambda: render.record(record, (), system_clock()))


def feedback(
    shell: Shell,
    memory_id: MemoryId,
    *,
    helpful: Annotated[
        bool, typer.Option("--helpful/--unhelpful", help="Whether it helped.", show_default=False)
    ],
) -> None:
    """Say whether a memory helped; an unhelpful one loses the strength that its uses gave it."""
    memory = shell.memory(writing=True)
    record = memory.feedback(find_id(memory, memory_id), helpful=helpful)
    counts = f"helped {record.helpful} times, did not {record.unhelpful} times"
    shell.show(record, lambda: f"{short(record.id)}: {counts}")
