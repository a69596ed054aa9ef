"""The `chat` command: talk to the memory, with a chat model or with its own words only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from jiyi.cli.shell import Shell
from jiyi.cli.words import day, visible
from jiyi.errors import ModelError
from jiyi.formats.plain import to_plain
from jiyi.ids import system_clock
from jiyi.recall.age import age_in_words
from jiyi.text.language import Language, language_of

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.ports import ChatModel
    from jiyi.types import Context, Hit, Receipt

IDENTITY = "You are a helpful assistant with a long-term memory of the user."
_QUIT = frozenset({"/quit", "/exit", "/q"})

_QUOTES = 3  # at most; further down, quotes answer less and less

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "no model": "No chat model is connected (--model), so these are quotes from memory:",
        "nothing": "No chat model is connected (--model), and nothing is known about that.",
        "kept": "Noted: ",
        "when": "  ({day}, {age})",
        "later": "  [later changed]",
    },
    "zh": {
        "no model": "没有接入聊天模型（--model），以下是记忆里的原话：",
        "nothing": "没有接入聊天模型（--model），记忆里也没有相关内容。",
        "kept": "记下了：",
        "when": "（{day}，{age}）",
        "later": "［后来变了］",
    },
}


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
    """Answer with what is known. Only the user's words are recorded: quotes are known already."""
    found = memory.recall(said, limit=_QUOTES)
    receipt = memory.observe({"role": "user", "content": said})
    kept = _kept(memory, receipt)
    if shell.as_json:
        shell.show({"quotes": to_plain(found), "kept": kept, "model": None}, str)
        return
    language, now = language_of(said), system_clock()
    words = _WORDS[language]
    lines = [words["kept"] + text for text in kept]
    if found:
        lines.append(words["no model"])
        lines += [f"  · {_quoted(hit, now, language)}" for hit in found]
    elif not kept:
        lines.append(words["nothing"])
    typer.echo(visible("\n".join(lines)))


def _reply(shell: Shell, memory: Memory, said: str, model: ChatModel, budget: int) -> None:
    context = memory.context(said, budget=budget, identity=IDENTITY)
    receipt = memory.observe({"role": "user", "content": said})
    try:
        reply = model.complete([*context.messages(), {"role": "user", "content": said}])
    except ModelError as error:
        raise ModelError(
            f"{error}. What you said is recorded", retryable=error.retryable
        ) from error
    if reply.strip():
        memory.observe({"role": "assistant", "content": reply})
    _show_reply(shell, reply, model, context, _kept(memory, receipt))


def _show_reply(
    shell: Shell, reply: str, model: ChatModel, context: Context, kept: list[str]
) -> None:
    if shell.as_json:
        about = {"reply": reply, "kept": kept, "model": model.name, "trace_id": context.trace_id}
        shell.show(about, str)
    else:
        typer.echo(visible(reply))


def _kept(memory: Memory, receipt: Receipt) -> list[str]:
    ids = [o.memory_id for o in receipt.outcomes if o.status in ("stored", "superseding")]
    return [memory.get(id).text for id in ids if id is not None]


def _quoted(hit: Hit, now: datetime, language: Language) -> str:
    words, text = _WORDS[language], hit.text
    if hit.said_at is not None:
        age = age_in_words(hit.said_at, now, language)
        text += words["when"].format(day=day(hit.said_at), age=age)
    return text + words["later"] if hit.later is not None else text
