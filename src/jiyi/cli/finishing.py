"""Background work done in the foreground, with a bar: what a short-lived command has to finish."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from jiyi.errors import JiyiError

if TYPE_CHECKING:
    from jiyi.cli.shell import Shell
    from jiyi.memory import Memory

_LOOK_S = 0.5  # seconds between two looks at how far it is


@contextmanager
def progress_bar(shell: Shell) -> Iterator[Progress]:
    """A bar on standard error; none with --json or where nobody looks."""
    hidden = shell.as_json or not shell.err.is_terminal
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=shell.err, transient=True, disable=hidden
    ) as progress:
        yield progress


def finish(memory: Memory, progress: Progress) -> None:
    """Do what waits (vectors, reading by a model), and show how far it is.

    It runs beside this thread, so that Ctrl-C ends the command at once; what is left then stays
    queued for the next program that opens the store.
    """
    failed: list[JiyiError] = []

    def work() -> None:
        try:
            memory.flush()
        except JiyiError as error:
            failed.append(error)

    thread = threading.Thread(target=work, name="jiyi-finish", daemon=True)
    thread.start()
    thread.join(_LOOK_S)
    if thread.is_alive():
        bar = progress.add_task("vectors", total=None)
        while thread.is_alive():
            stats = memory.stats()
            done = sum(stats.vectors.values())
            total = max(done, stats.turns + stats.memories.get("active", 0))
            progress.update(bar, completed=done, total=total)
            thread.join(_LOOK_S)
    if failed:
        raise failed[0]
