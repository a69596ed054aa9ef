"""Commands that read: recall, context, list, show, history, profile, why."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jiyi.cli import render
from jiyi.cli.shell import NothingFoundError, Shell, find_id
from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.ids import system_clock

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import Turn

Where = Annotated[
    str | None, typer.Option(help='A filter as JSON, such as \'{"kind": "semantic"}\'.')
]
Include = Annotated[
    list[str] | None,
    typer.Option(help="Also: candidate, superseded, expired, archived, retracted. Repeatable."),
]


def recall(
    shell: Shell,
    query: Annotated[str, typer.Argument(help="The question, in Chinese or English.")],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many hits.")] = 5,
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind. Repeatable.")] = None,
    where: Where = None,
    include: Include = None,
    as_of: Annotated[str | None, typer.Option(help="What was true then, ISO 8601.")] = None,
    known_at: Annotated[str | None, typer.Option(help="What was known then, ISO 8601.")] = None,
) -> None:
    """Find what is known about a question, best first."""
    memory = shell.memory(search=True)
    options: dict[str, Any] = {"kinds": kind or None, "include": include or ()}
    found = memory.recall(
        query, limit=limit, where=_filter(where), as_of=as_of, known_at=known_at, **options
    )
    if not found and not shell.as_json:
        raise NothingFoundError("Nothing known about that.")
    shell.show(found, lambda: render.hits(found, system_clock()))
    if not found:
        raise NothingFoundError


def context(
    shell: Shell,
    query: Annotated[str, typer.Argument(help="The question that the prompt is for.")],
    *,
    budget: Annotated[int, typer.Option(help="Tokens, at most.")] = 2000,
    identity: Annotated[str | None, typer.Option(help="Who the agent is; put first.")] = None,
    rule: Annotated[list[str] | None, typer.Option(help="A rule of the agent. Repeatable.")] = None,
) -> None:
    """Show the text that would go into a prompt."""
    memory = shell.memory(search=True)
    built = memory.context(query, budget=budget, identity=identity, rules=rule or ())
    shell.show(built, lambda: built.text)
    shell.note(f"[{built.tokens} of {built.budget} tokens, support {built.support}]")


def list_memories(
    shell: Shell,
    *,
    where: Where = None,
    include: Include = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="On one page.")] = 20,
    cursor: Annotated[str | None, typer.Option(help="From the page before.")] = None,
) -> None:
    """List memories, newest first."""
    options: dict[str, Any] = {"include": include or ()}
    page = shell.memory().list(where=_filter(where), limit=limit, cursor=cursor, **options)
    if not page.items and not shell.as_json:
        raise NothingFoundError("No memories here.")
    shell.show(page, lambda: render.page(page, system_clock()))
    if not page.items:
        raise NothingFoundError


def show(
    shell: Shell, memory_id: Annotated[str, typer.Argument(metavar="ID", help="Of a memory.")]
) -> None:
    """Show one memory with its sources."""
    memory = shell.memory()
    record = memory.get(find_id(memory, memory_id))
    turns = _turns_of(memory, {source.turn_id for source in record.sources if source.turn_id})
    shell.show(record, lambda: render.record(record, turns, system_clock()))


def history(
    shell: Shell, memory_id: Annotated[str, typer.Argument(metavar="ID", help="Of a memory.")]
) -> None:
    """Show what a memory replaced, what replaced it, and all that was done to it."""
    memory = shell.memory()
    told = memory.history(find_id(memory, memory_id))
    shell.show(told, lambda: render.history(told, system_clock()))


def profile(shell: Shell) -> None:
    """Show the profile: permanent fields, then what was learned."""
    known = shell.memory().profile()
    empty = not known.permanent and not known.learned
    if empty and not shell.as_json:
        raise NothingFoundError("The profile is empty.")
    shell.show(known, lambda: render.profile(known))
    if empty:
        raise NothingFoundError


def why(
    shell: Shell,
    trace_id: Annotated[
        str | None, typer.Argument(metavar="[TRACE]", help="The last one when left out.")
    ] = None,
) -> None:
    """Show what the last recall remembered, found, injected and cut."""
    memory = shell.memory()
    told = memory.explain(trace_id)
    ids = {candidate.id for candidate in told.candidates}
    ids.update(id for layer in told.injected.values() for id in layer)
    stats = memory.stats()
    shell.show(told, lambda: render.trace(told, texts_of(memory, ids), stats, system_clock()))


def texts_of(memory: Memory, ids: Iterable[str]) -> dict[str, str]:
    """The texts of memories and turns, as far as they are still there."""
    wanted = set(ids)
    texts = {turn.id: turn.text for turn in _turns_of(memory, wanted)}
    for id in wanted - texts.keys():
        try:
            texts[id] = memory.get(id).text
        except (NotFoundError, InvalidInputError):
            continue  # a passage of a document, or erased since
    return texts


def _turns_of(memory: Memory, ids: Iterable[str]) -> list[Turn]:
    with memory.store.read() as reader:
        return reader.turns(memory.scope, ids=sorted(ids))


def _filter(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InvalidInputError("--where", f"not JSON ({error})", "See docs/filters.md") from error
    if not isinstance(value, dict):
        raise InvalidInputError("--where", "expected a JSON object", "See docs/filters.md")
    return value
