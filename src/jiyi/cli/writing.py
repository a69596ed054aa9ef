"""Commands that write: import, add, set, correct, undo."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from jiyi.cli import render
from jiyi.cli.finishing import finish, progress_bar
from jiyi.cli.shell import Shell, find_id
from jiyi.encode.intake import MAX_ITEMS
from jiyi.errors import InvalidInputError
from jiyi.formats import Imported, read_file
from jiyi.types import Kind, Receipt

if TYPE_CHECKING:
    from jiyi.memory import Memory

_BATCH = 64  # messages in one transaction of an import: few commits, and a bar that moves


def import_file(
    shell: Shell,
    file: Annotated[Path, typer.Argument(help="JSON, JSONL or plain text.")],
    assistant: Annotated[
        list[str] | None,
        typer.Option(help="A name in a transcript that is the assistant. May be repeated."),
    ] = None,
    no_encode: Annotated[
        bool, typer.Option("--no-encode", help="Keep the messages only, draw nothing from them.")
    ] = False,
) -> None:
    """Read a conversation: messages (JSON, JSONL), a ChatGPT or Claude export, a transcript with
    lines 'Name: text', a list of memories, or the file of the reference MCP memory server. The
    file is checked whole before anything is written; importing it twice stores nothing twice."""
    imported = read_file(file, assistant=assistant or ())
    memory = shell.memory(writing=True)
    default_session = shell.session or file.stem
    with progress_bar(shell) as progress:
        bar = progress.add_task("reading", total=imported.message_count + len(imported.memories))
        done = _import(
            memory.scoped(session=default_session),
            imported,
            own_sessions=shell.session is None,
            encode=not no_encode,
            advance=lambda number: progress.advance(bar, number),
        )
        finish(memory, progress)
    counts = {"format": imported.format, "session": default_session, **done}
    shell.show(counts, lambda: _import_report(file.name, counts))


def add(
    shell: Shell,
    text: Annotated[str, typer.Argument(help="The statement to keep; - reads standard input.")],
    *,
    kind: Annotated[str, typer.Option(help=f"One of: {', '.join(get_args(Kind))}.")] = "semantic",
    tag: Annotated[list[str] | None, typer.Option(help="May be repeated.")] = None,
    importance: Annotated[float, typer.Option(help="From 0 to 1.")] = 0.5,
    confidence: Annotated[float, typer.Option(help="From 0 to 1.")] = 1.0,
    slot: Annotated[
        str | None,
        typer.Option(help="attribute=value: a new value replaces the old one."),
    ] = None,
    meta: Annotated[list[str] | None, typer.Option(help="key=value. May be repeated.")] = None,
    said_at: Annotated[str | None, typer.Option(help="When it was said, ISO 8601.")] = None,
    valid_from: Annotated[str | None, typer.Option(help="True since, ISO 8601.")] = None,
    valid_to: Annotated[str | None, typer.Option(help="True until, ISO 8601.")] = None,
    ttl: Annotated[float | None, typer.Option(help="Seconds until it expires.")] = None,
    visibility: Annotated[
        str, typer.Option(help="Who reads it: user, agent, task, tool or shared.")
    ] = "user",
    pinned: Annotated[bool, typer.Option("--pinned", help="Never fades.")] = False,
    source: Annotated[str | None, typer.Option(help="Where it comes from.")] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="With -: each line is a statement of its own.")
    ] = False,
) -> None:
    """Keep one statement, or one per line of standard input."""
    if text == "-":
        text = sys.stdin.read()
    elif lines:
        raise InvalidInputError("--lines", "the text was given", "Pass - to read standard input")
    options: dict[str, Any] = {
        "kind": kind,
        "tags": tag or (),
        "importance": importance,
        "confidence": confidence,
        "slot": None if slot is None else _slot(slot),
        "meta": {key: _json(value) for key, value in (_pair(m, "meta") for m in meta or ())},
        "said_at": said_at,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "ttl": ttl,
        "visibility": visibility,
        "pinned": pinned,
        "source": source,
    }
    memory = shell.memory(writing=True)
    told = [line for line in text.splitlines() if line.strip()] if lines else [text]
    for start in range(0, max(len(told), 1), MAX_ITEMS):
        part = [{"text": one, **options} for one in told[start : start + MAX_ITEMS]]
        receipt = memory.remember_all(part) if lines else memory.remember(text, **options)
        _show_receipt(shell, memory, receipt)
    memory.flush()


def set_permanent(
    shell: Shell,
    fields: Annotated[list[str], typer.Argument(help="name=value; name= removes the field.")],
) -> None:
    """Set permanent profile fields: hard facts that no conversation touches."""
    values = {key: _json(value) if value else None for key, value in (_pair(f) for f in fields)}
    profile = shell.memory(writing=True).set_permanent(**values)
    shell.show(profile, lambda: render.profile(profile))


def correct(
    shell: Shell,
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="The memory that is wrong.")],
    text: Annotated[str, typer.Argument(help="What is right.")],
) -> None:
    """Replace a memory that was wrong; the old one stays in its history."""
    memory = shell.memory(writing=True)
    _show_receipt(shell, memory, memory.correct(find_id(memory, memory_id), text))
    memory.flush()


def undo(
    shell: Shell,
    id: Annotated[str, typer.Argument(metavar="ID", help="Of a memory, an event or a run.")],
) -> None:
    """Take back the last change of a memory, or an event that `history` shows."""
    memory = shell.memory(writing=True)
    _show_receipt(shell, memory, memory.undo(find_id(memory, id)))


def _show_receipt(shell: Shell, memory: Memory, receipt: Receipt) -> None:
    texts = {}
    for outcome in receipt.outcomes:
        if outcome.memory_id is not None:
            texts[outcome.memory_id] = memory.get(outcome.memory_id).text
    shell.show(receipt, lambda: render.receipt(receipt, texts))


def _import(
    memory: Memory,
    imported: Imported,
    *,
    own_sessions: bool,
    encode: bool,
    advance: Callable[[int], None],
) -> dict[str, int]:
    done = {"messages": 0, "known_messages": 0, "memories": 0}
    for conversation in imported.conversations:
        named = own_sessions and conversation.session is not None
        view = memory.scoped(session=conversation.session) if named else memory
        messages = conversation.messages
        for start in range(0, len(messages), _BATCH):
            batch = messages[start : start + _BATCH]
            receipt = view.observe(batch, encode=encode)
            done["messages"] += len(receipt.turn_ids)
            done["known_messages"] += len(batch) - len(receipt.turn_ids)
            done["memories"] += _kept(receipt)
            advance(len(batch))
    for item in imported.memories:
        receipt = memory.remember(
            item.text,
            kind=item.kind,
            tags=item.tags,
            importance=item.importance,
            said_at=item.said_at,
            meta=item.meta,
            source=f"import {imported.format}",
        )
        done["memories"] += _kept(receipt)
        advance(1)
    if imported.graph.entities or imported.graph.relations:
        from jiyi.mcp.graph import KnowledgeGraph

        done["memories"] += KnowledgeGraph(memory.scoped(session=None)).add(imported.graph)
    return done


def _kept(receipt: Receipt) -> int:
    return sum(o.status in ("stored", "superseding") for o in receipt.outcomes)


def _import_report(name: str, counts: dict[str, Any]) -> str:
    known = counts["known_messages"]
    return (
        f"{name}: {counts['messages']} messages recorded"
        + (f", {known} were here already" if known else "")
        + f"; {counts['memories']} new memories"
    )


def _pair(text: str, field: str = "fields") -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name.strip():
        raise InvalidInputError(field, f"{text!r} has no name", "Write name=value")
    return name.strip(), value.strip()


def _slot(text: str) -> dict[str, str]:
    attribute, value = _pair(text, "slot")
    return {"attribute": attribute, "value": value}


def _json(value: str) -> Any:
    """A JSON value where the text is one (3, true, ["a"]), else the text itself."""
    try:
        return json.loads(value)
    except ValueError:
        return value
