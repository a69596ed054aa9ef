"""Commands about the store as a whole: archives, backups, vectors, and a process that works."""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jiyi.cli.finishing import finish, progress_bar
from jiyi.cli.shell import Shell
from jiyi.errors import InvalidInputError, JiyiError
from jiyi.registry import restore_store

if TYPE_CHECKING:
    from types import FrameType

    from jiyi.archived import LoadReport

_LET_GO_S = 10.0  # how long a job in hand may take when the worker is told to stop


def export(
    shell: Shell,
    file: Annotated[Path, typer.Argument(help="Where to; an archive there is replaced.")],
    *,
    everyone: Annotated[
        bool, typer.Option("--all", help="All users: of --tenant, or of every tenant.")
    ] = False,
) -> None:
    """Write a lossless archive (JSON lines) of a user: everything told, with its history. `jiyi
    load` takes it into any store, with any embedder."""
    memory = shell.memory()
    with progress_bar(shell) as progress:
        bar = progress.add_task("writing", total=None)
        report = memory.export(
            file,
            everything=everyone,
            progress=lambda done: progress.update(bar, completed=done),
        )
    shell.show(report, lambda: f"{file}: {_counts(report.counts)}")
    if not everyone and "user" not in shell.scope:
        shell.note("Of the common space only: --user names somebody, --all takes everybody.")


def load(
    shell: Shell,
    file: Annotated[Path, typer.Argument(help="An archive that `jiyi export` wrote.")],
) -> None:
    """Take in an archive, merged by id: loading it twice changes nothing, and what was erased here
    stays away. It is checked whole before anything is written."""
    memory = shell.memory(writing=True)
    with progress_bar(shell) as progress:
        bar = progress.add_task("loading", total=None)
        report = memory.load(file, progress=lambda done: progress.update(bar, completed=done))
        progress.remove_task(bar)
        finish(memory, progress)
    shell.show(report, lambda: _load_report(file.name, report))


def reembed(shell: Shell) -> None:
    """Make new vectors with the embedder of the settings, and drop those of others. Searching goes
    on meanwhile; after an interruption it goes on where it was."""
    memory = shell.memory(search=True)
    numbers = memory.stats()
    with progress_bar(shell) as progress:
        total = max([*numbers.vectors.values(), 0])
        bar = progress.add_task("vectors", total=total or None)
        made = memory.reembed(lambda done: progress.update(bar, completed=done))
    name = numbers.embedder
    shell.show({"embedder": name, "made": made}, lambda: f"{made} vectors made by {name}")


def worker(
    shell: Shell,
    *,
    retry_parked: Annotated[
        bool,
        typer.Option("--retry-parked", help="First give work that was set aside another chance."),
    ] = False,
) -> None:
    """Do the background work of every program on this store, until it is told to stop (Ctrl-C or
    SIGTERM): reading by the chat model, vectors, digests, upkeep."""
    memory = shell.memory(writing=True)
    stop = threading.Event()
    done: list[int] = []
    failed: list[JiyiError] = []

    def work() -> None:
        try:
            done.append(memory.work(stop, retry_parked=retry_parked))
        except JiyiError as error:
            failed.append(error)
        finally:
            stop.set()

    def told_to_stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        stop.set()

    before = {kind: signal.signal(kind, told_to_stop) for kind in (signal.SIGTERM, signal.SIGINT)}
    thread = threading.Thread(target=work, name="jiyi-work", daemon=True)
    try:
        thread.start()
        shell.note(f"Working on {shell.shown_db()}. Ctrl-C stops.")
        stop.wait()
        thread.join(_LET_GO_S)
        # Closing gives a job back that is still in hand, so that another worker can do it at once.
        shell.closing.close()
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
    if failed:
        raise failed[0]
    shell.show({"done": sum(done)}, lambda: f"{sum(done)} jobs and vectors done")


def backup(
    shell: Shell,
    file: Annotated[Path, typer.Argument(help="Where to; it must not exist yet.")],
) -> None:
    """Copy the store, also while programs use it, and verify the copy. What is forgotten later
    stays in the copy."""
    shell.memory().backup(file)
    about = {"backup": str(file), "bytes": file.stat().st_size}
    shell.show(about, lambda: f"{file}: {file.stat().st_size / 1e6:.1f} MB, verified")


def restore(
    shell: Shell,
    file: Annotated[Path, typer.Argument(help="A file that `jiyi backup` made.")],
    *,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Replace the store that is there, unasked.")
    ] = False,
) -> None:
    """Put a backup in the place of the store (--db). What was remembered since is lost, and what
    was forgotten since comes back."""
    target = shell.settings.db
    path = Path(target.removeprefix("sqlite:///"))
    if not file.is_file():
        raise InvalidInputError("file", f"there is no {file}", "Name a backup")
    replace = yes
    if "://" not in str(path) and path.exists() and not yes:
        if shell.as_json:
            raise InvalidInputError("--json", "it cannot ask", "Add --yes")
        replace = typer.confirm(f"Replace {path} with {file}?", err=True)
        if not replace:
            shell.note("Nothing was changed.")
            return
    restore_store(file, target, replace=replace)
    shell.show({"restored": str(path), "backup": str(file)}, lambda: f"{path} is now as in {file}")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items()) or "nothing"


def _load_report(name: str, report: LoadReport) -> str:
    parts = (
        ("new", report.added),
        ("brought up to date", report.extended),
        ("here already", report.known),
        ("kept as they are here", report.differs),
        ("kept out: erased here", report.blocked),
    )
    told = [f"{what}: {_counts(counts)}" for what, counts in parts if counts]
    return "\n".join([f"{name}", *(told or ["it is empty"])])
