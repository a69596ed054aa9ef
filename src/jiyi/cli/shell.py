"""What every command shares: the common options, the opened memory, output, and exit codes."""

from __future__ import annotations

import functools
import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from rich.console import Console, RenderableType
from typer.models import ArgumentInfo

from jiyi.cli.words import SHORT, visible
from jiyi.errors import ConfigurationError, InvalidInputError, JiyiError, NotFoundError
from jiyi.formats.plain import to_plain
from jiyi.settings import Settings, data_folder, read_settings
from jiyi.types import Status

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.ports import ChatModel

FAILED, MISUSED, NOTHING_FOUND = 1, 2, 3


# Every status but forgotten: what is forgotten has no content to show.
_ANY: tuple[Status, ...] = ("candidate", "superseded", "expired", "archived", "retracted")


class NothingFoundError(Exception):
    """Ends a command that worked and found nothing."""


@dataclass(slots=True)
class Shell:
    """One run of a command: its settings, its scope, and where it writes.

    Answers go to standard output; questions, progress and errors to standard error, so that a
    command can stand in a pipe.
    """

    settings: Settings
    scope: dict[str, str]
    as_json: bool
    out: Console = field(default_factory=lambda: Console(highlight=False, soft_wrap=False))
    err: Console = field(default_factory=lambda: Console(stderr=True, highlight=False))
    closing: ExitStack = field(default_factory=ExitStack)

    @property
    def session(self) -> str | None:
        return self.scope.get("session")

    def memory(
        self,
        *,
        writing: bool = False,
        search: bool = False,
        background: bool = False,
        read_only: bool = False,
    ) -> Memory:
        """The memory, in the scope of the command line; closed when the command ends.

        Args:
            writing: the store may be created, and the chat model of the settings reads along.
            search: the embedder is needed; without it the command starts faster.
            background: a thread works on the queue, for a command that stays.
            read_only: not even a trace is written.
        """
        from jiyi.configured import memory_of

        if writing:
            self.make_room()
        else:
            self._must_exist()
        memory = memory_of(
            self.settings,
            searches=writing or search,
            reads=writing,
            background=background,
            read_only=read_only,
        )
        self.closing.enter_context(memory)
        return memory.scoped(**self.scope)

    def make_room(self) -> None:
        """Make the folder for the store where it is ours to make; others are not."""
        if Path(self.settings.db).parent == data_folder():
            data_folder().mkdir(parents=True, exist_ok=True)

    def shown_db(self) -> str:
        """The store as it may be shown: a URL may hold a password."""
        db = self.settings.db
        return db if "://" not in db else db.rsplit("@", maxsplit=1)[-1]

    def _must_exist(self) -> None:
        db = self.settings.db
        if "://" not in db and db != ":memory:" and not Path(db).exists():
            raise ConfigurationError(
                f"there is no memory at {db} yet. `jiyi add` or `jiyi import` begins one; "
                "--db or JIYI_DB names another"
            )

    def chat_model(self, name: str | None) -> ChatModel | None:
        """The chat model of that name, with the endpoint and key of the settings."""
        from jiyi.configured import chat_model_of

        return chat_model_of(self.settings, name)

    def show(self, value: Any, human: Callable[[], RenderableType]) -> None:
        """Print a value: as JSON when asked to, else as `human` renders it."""
        if self.as_json:
            typer.echo(json.dumps(to_plain(value), ensure_ascii=False, indent=2))
            return
        rendered = human()
        if isinstance(rendered, str):  # a text for a prompt, say: no wrapping, no markup
            typer.echo(visible(rendered))
        else:
            self.out.print(rendered)

    def note(self, text: str) -> None:
        """Say something beside the answer, on standard error; never with --json."""
        if not self.as_json:
            self.err.print(text, markup=False)

    def fail(self, error: JiyiError, said: str | None = None) -> None:
        """One clear line, or one JSON object, on standard error.

        Args:
            said: what people read, where it is not the error's own message.
        """
        if self.as_json:
            about = {"error": type(error).__name__, "message": str(error)}
            if isinstance(error, InvalidInputError):
                about["field"] = error.field
            typer.echo(json.dumps(about, ensure_ascii=False), err=True)
        else:
            typer.echo(f"jiyi: {said or error}", err=True)


def find_id(memory: Memory, text: str) -> str:
    """The id of a memory from the whole of it, or from the end that tables show.

    Raises:
        NotFoundError, InvalidInputError: no memory's id ends so, or several do.
    """
    if len(text) < SHORT or len(text) >= 32:
        return text
    end = text.removeprefix("…").casefold()
    page = memory.list(where={"id": {"contains": end}}, include=_ANY)
    found = [record.id for record in page.items if record.id.endswith(end)]
    if not found:
        raise NotFoundError("memory", text)
    if len(found) > 1:
        raise InvalidInputError("id", f"{text!r} is the end of {len(found)} ids", "Give the whole")
    return found[0]


# --- the options that every command has -----------------------------------------------------------

_SCOPE = ("tenant", "user", "agent", "session")
_COMMON: dict[str, tuple[Any, Any]] = {
    "db": (
        Annotated[str | None, typer.Option("--db", help="The store: a path or URL. [JIYI_DB]")],
        None,
    ),
    "user": (
        Annotated[str | None, typer.Option("--user", "-u", help="Whose memory. [JIYI_USER]")],
        None,
    ),
    "tenant": (Annotated[str | None, typer.Option("--tenant", help="[JIYI_TENANT]")], None),
    "agent": (Annotated[str | None, typer.Option("--agent", help="[JIYI_AGENT]")], None),
    "session": (
        Annotated[str | None, typer.Option("--session", "-s", help="The conversation.")],
        None,
    ),
    "as_json": (Annotated[bool, typer.Option("--json", help="Print JSON.")], False),
}


def add_command(app: typer.Typer, name: str, function: Callable[..., None]) -> None:
    """Add a command `function(shell, …)`: it gains the common options, and our errors become
    one line and an exit code."""

    @functools.wraps(function)
    def command(**given: Any) -> None:
        common = {key: given.pop(key) for key in _COMMON}
        shell = Shell(Settings(db=""), {}, common["as_json"])
        try:
            shell.settings, shell.scope = _resolve(common)
            with shell.closing:
                function(shell, **given)
        except NothingFoundError as nothing:
            shell.note(str(nothing))
            raise typer.Exit(NOTHING_FOUND) from None
        except InvalidInputError as error:
            said = _in_options(error, options)
            shell.fail(error, said)
            is_option = said is not None and said.startswith("--")
            raise typer.Exit(MISUSED if is_option else FAILED) from None
        except JiyiError as error:
            shell.fail(error)
            code = NOTHING_FOUND if isinstance(error, NotFoundError) else FAILED
            raise typer.Exit(code) from None

    hints = get_type_hints(function, include_extras=True)
    own = [
        p.replace(annotation=hints[p.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for p in list(inspect.signature(function).parameters.values())[1:]
    ]
    shared = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for key, (kind, default) in _COMMON.items()
    ]
    options = {p.name: _spelling(p) for p in (*own, *shared)}
    _adopt(command, [*own, *shared])
    app.command(name)(command)


def _spelling(parameter: inspect.Parameter) -> str:
    """How a parameter is written on the command line: --said-at, or TEXT for an argument."""
    (about,) = parameter.annotation.__metadata__
    if isinstance(about, ArgumentInfo):
        return parameter.name.upper()
    # typer keeps the first declaration where a default would be.
    names = (str(each) for each in (about.default, *(about.param_decls or ())))
    declared = [name.partition("/")[0] for name in names if name.startswith("--")]
    return declared[0] if declared else f"--{parameter.name.replace('_', '-')}"


def _in_options(error: InvalidInputError, options: Mapping[str, str]) -> str | None:
    """What is wrong with an option, in the words of the command line; None if it is not about one
    of this command's options."""
    # "meta.a" is about meta; "agent.db" is a file.
    found = re.match(r"(?:--)?[a-z_-]+(?=$|\[)|(?:meta|slot|event)(?=\.)", error.field)
    name = found[0] if found else ""
    near = (name, name.removesuffix("s"), name.removesuffix("_id"), name.rpartition("_")[2])
    if name.startswith("--"):
        spelled: str | None = name
    else:
        spelled = next((options[each] for each in near if each in options), None)
    if spelled is None:
        return None
    hint = re.sub(
        r"\b([a-z_]+)=(…|True)",
        lambda each: options.get(each[1], each[0]) + (" …" if each[2] == "…" else ""),
        error.hint,
    )
    return f"{spelled}: {error.problem}. {hint}"


def _adopt(command: Any, parameters: Sequence[inspect.Parameter]) -> None:
    """Let `command` present these parameters to typer."""
    del command.__wrapped__
    command.__signature__ = inspect.Signature(parameters)
    command.__annotations__ = {p.name: p.annotation for p in parameters}


def _resolve(common: dict[str, Any]) -> tuple[Settings, dict[str, str]]:
    """The settings and the scope: the command line first, then environment and file."""
    read = read_settings()
    values = {name: getattr(read, name) for name in Settings.__slots__}
    values |= {key: common[key] for key in ("db",) if common[key] is not None}
    given = {key: common[key] or getattr(read, key, None) for key in _SCOPE}
    for key in _SCOPE:
        if common[key] == "":
            raise InvalidInputError(f"--{key}", "it is empty", f"Leave --{key} out, or name one")
    return Settings(**values), {key: value for key, value in given.items() if value is not None}
