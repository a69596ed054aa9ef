"""Commands that look at the store: stats, doctor."""

from __future__ import annotations

import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from jiyi.cli import render
from jiyi.cli.shell import FAILED, Shell
from jiyi.configured import embedder_of
from jiyi.errors import JiyiError
from jiyi.settings import config_file

if TYPE_CHECKING:
    from jiyi.types import Stats


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: "ok", "note" (good to know) or "bad" (something must be done).

    `remedy` is what to do about it.
    """

    what: str
    state: Literal["ok", "note", "bad"]
    detail: str
    remedy: str | None = None


def stats(shell: Shell) -> None:
    """Show how much is remembered, and the state of the queue and the vectors."""
    numbers = shell.memory().stats()
    shell.show(numbers, lambda: render.stats(numbers))


def doctor(
    shell: Shell,
    *,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help="Delete rows whose owner is gone, retry work that was set aside, drive erased"
            " bytes out, then check.",
        ),
    ] = False,
) -> None:
    """Check settings, store, queue and vectors, and say what to do about what is wrong. Exit code
    1 when something is."""
    if repair:
        for what, number in shell.memory().repair().items():
            shell.note(f"repaired: {what} {number}")
    findings = [_program(), _settings(shell), *_models(shell)]
    try:
        numbers = shell.memory().stats()
    except JiyiError as error:
        findings.append(Finding("store", "bad", str(error)))
    else:
        findings += [_store(shell, numbers), _queue(numbers), _vectors(shell, numbers)]
        findings += _damage(shell)
    shell.show(findings, lambda: render.findings(findings))
    if any(finding.state == "bad" for finding in findings):
        raise typer.Exit(FAILED)


def _program() -> Finding:
    python = ".".join(map(str, sys.version_info[:3]))
    return Finding("program", "ok", f"Python {python}, SQLite {sqlite3.sqlite_version}")


def _settings(shell: Shell) -> Finding:
    file = config_file()
    where = str(file) if file.is_file() else "no file"
    scope = ", ".join(f"{name} {value!r}" for name, value in shell.scope.items())
    return Finding("settings", "ok", f"{where}; {scope or 'no user: the common space'}")


def _models(shell: Shell) -> list[Finding]:
    """Whether what the settings name can be opened; nothing is sent anywhere."""
    findings = []
    try:
        embedder = embedder_of(shell.settings)
        if embedder is not None:
            findings.append(Finding("embedder", "ok", embedder.name))
        elif shell.settings.embedder == "auto":
            remedy = "pip install 'jiyi[local]' finds paraphrases too"
            findings.append(Finding("embedder", "note", "none: searching by words only", remedy))
        else:
            findings.append(Finding("embedder", "ok", "none, as the settings say"))
    except JiyiError as error:
        findings.append(Finding("embedder", "bad", str(error), "Change JIYI_EMBEDDER"))
    try:
        model = shell.chat_model(shell.settings.model)
        detail = "none: rules read conversations" if model is None else model.name
        findings.append(Finding("chat model", "ok", detail))
    except JiyiError as error:
        findings.append(Finding("chat model", "bad", str(error), "Change JIYI_MODEL"))
    return findings


def _store(shell: Shell, numbers: Stats) -> Finding:
    db = shell.settings.db
    size = "" if numbers.bytes_on_disk is None else f", {numbers.bytes_on_disk / 1e6:.1f} MB"
    detail = f"{shell.shown_db()}: schema {numbers.schema_version}{size}"
    part = Path(db + "-wal")
    if "://" not in db and part.exists() and part.stat().st_size > _BIG_WAL:
        return Finding("store", "note", f"{detail}; its -wal file is large", "Close idle readers")
    return Finding("store", "ok", detail)


def _damage(shell: Shell) -> list[Finding]:
    """What the store's own check finds; it reads everything, and takes its time."""
    found = [
        Finding(damage.name, "bad", f"{damage.detail} ({damage.count})", damage.repair)
        for damage in shell.memory().check()
    ]
    return found or [Finding("integrity", "ok", "nothing is damaged")]


def _queue(numbers: Stats) -> Finding:
    parked, pending = numbers.queue.get("parked", 0), numbers.queue.get("pending", 0)
    if parked:
        return Finding(
            "queue",
            "bad",
            f"{parked} jobs failed again and again and were set aside; no message is lost",
            "Check the chat model and the embedder; the log says why they failed. Then"
            " `jiyi doctor --repair` gives the jobs another chance",
        )
    if pending:
        return Finding(
            "queue", "note", f"{pending} jobs wait", "They run while a program has the store open"
        )
    return Finding("queue", "ok", "empty")


def _vectors(shell: Shell, numbers: Stats) -> Finding:
    try:
        embedder = embedder_of(shell.settings)
    except JiyiError:
        embedder = None  # reported above
    others = {n: c for n, c in numbers.vectors.items() if embedder is None or n != embedder.name}
    if embedder is not None and others and embedder.name not in numbers.vectors:
        return Finding(
            "vectors",
            "note",
            f"made by {', '.join(others)}, while the embedder is {embedder.name}",
            "Search by words works; `jiyi reembed` makes new vectors",
        )
    return Finding(
        "vectors", "ok", ", ".join(f"{n} {c}" for n, c in numbers.vectors.items()) or "none"
    )


_BIG_WAL = 256 * 1024 * 1024  # bytes; SQLite resets the file at 4 MB unless a reader holds it
