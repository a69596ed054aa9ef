"""The `chat` command: talk to the memory, with a chat model or with its own words only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from jiyi.agent.quotes import kept_texts, quote
from jiyi.agent.turns import Guidance, Said, open_turn, record_reply
from jiyi.cli.shell import Shell
from jiyi.cli.words import visible
from jiyi.errors import ModelError
from jiyi.formats.plain import to_plain
from jiyi.ids import system_clock

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.ports import ChatModel
    from jiyi.types import Context

IDENTITY = "You are a helpful assistant with a long-term memory of the user."
_QUIT = frozenset({"/quit", "/exit", "/q"})


def chat(
    shell: Shell,
    message: Annotated[
        str | None, typer.Argument(help="One message; a conversation when left out.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="A chat model as provider:model. [JIYI_MODEL]")
    ] = None,
    budget: Annotated[int, typer.Option(help="Tokens of context, at most.")] = 2000,
) -> None:
    """Talk. What you say is remembered; without a model the answer quotes what is known.
    /quit ends the conversation."""
    chosen = shell.chat_model(model or shell.settings.model)
    shell.scope.setdefault("session", f"chat {system_clock():%Y-%m-%d %H:%M:%S}")
    memory = shell.memory(writing=True, search=True)
    for said in _messages(shell, message):
        if chosen is None:
            _quote(shell, memory, said)
        else:
            _reply(shell, memory, said, chosen, budget)


def _messages(shell: Shell, message: str | None) -> Iterator[str]:
    if message is not None:
        yield message
        return
    asks = sys.stdin.isatty() and not shell.as_json
    if asks:
        shell.note("Say something; /quit ends.")
    while True:
        if asks:
            shell.err.print("> ", end="", style="bold")
        line = sys.stdin.readline()
        if not line or line.strip() in _QUIT:
            return
        if line.strip():
            yield line.strip()


def _quote(shell: Shell, memory: Memory, said: str) -> None:
    quotes = quote(memory, said)
    if shell.as_json:
        plain = {"quotes": to_plain(quotes.found), "kept": list(quotes.kept), "model": None}
        shell.show(plain, str)
    else:
        typer.echo(visible(quotes.text(hint="--model")))


def _reply(shell: Shell, memory: Memory, said: str, model: ChatModel, budget: int) -> None:
    turn = open_turn(memory, [Said(said)], Guidance(budget=budget, identity=IDENTITY))
    before = [{"role": t.role, "content": t.text} for t in turn.before]
    asked = [{"role": "system", "content": turn.system}, *before, {"role": "user", "content": said}]
    try:
        reply = model.complete(asked)
    except ModelError as error:
        raise ModelError(
            f"{error}. What you said is recorded", retryable=error.retryable
        ) from error
    record_reply(memory, reply)
    _show_reply(shell, reply, model, turn.context, list(kept_texts(memory, turn.receipt)))


def _show_reply(
    shell: Shell, reply: str, model: ChatModel, context: Context, kept: list[str]
) -> None:
    if shell.as_json:
        about = {"reply": reply, "kept": kept, "model": model.name, "trace_id": context.trace_id}
        shell.show(about, str)
    else:
        typer.echo(visible(reply))
