"""Commands that look after the store: stats, doctor."""

from __future__ import annotations

from jiyi.cli import render
from jiyi.cli.shell import Shell


def stats(shell: Shell) -> None:
    """Show how much is remembered, and the state of the queue and the vectors."""
    numbers = shell.memory().stats()
    shell.show(numbers, lambda: render.stats(numbers))


def doctor(shell: Shell) -> None:
    """Check settings, store and queue; say what to do about what is wrong."""
    raise NotImplementedError


def backup(shell: Shell) -> None:
    raise NotImplementedError


def restore(shell: Shell) -> None:
    raise NotImplementedError


def export(shell: Shell) -> None:
    raise NotImplementedError


def load(shell: Shell) -> None:
    raise NotImplementedError
