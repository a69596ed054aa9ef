"""Errors are one clear line and an exit code, never a stack trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Jiyi


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("add", "x", "--kind", "odd"), "--kind: "),
        (("add", "x", "--importance", "2"), "--importance: "),
        (("add", "x", "--slot", "no value"), "--slot: "),
        (("add", "x", "--said-at", "yesterday"), "--said-at: "),
        (("recall", "x", "--where", "{"), "--where: not JSON"),
        (("list", "--where", "[1]"), "--where: expected a JSON object"),
        (("recall", "x", "--where", '{"odd": 1}'), "--where: unknown field 'odd'"),
        (("list", "--where", '{"meta.a": NaN}'), "--where: "),
        (("recall", "x", "--limit", "0"), "--limit: "),
        (("recall", "x", "--kind", "odd"), "--kind: "),
        (("recall", "x", "--as-of", "一年前"), "--as-of: "),
        (("list", "--cursor", "odd"), "--cursor: "),
        (("list", "--user", ""), "--user: it is empty"),
    ],
)
def test_wrong_values(jiyi: Jiyi, arguments: tuple[str, ...], message: str) -> None:
    """An option that cannot be so is wrong usage, exit code 2: one line on standard error
    that names the option as it is written, nothing on standard output."""
    jiyi("add", "something")
    failed = jiyi(*arguments)
    assert failed.code == 2
    assert message in failed.err
    assert failed.err.startswith("jiyi: ")
    assert failed.err.count("\n") == 1
    assert failed.out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("add", " "), "TEXT: "),
        (("show", "odd"), "ID: "),
        (("set", "role"), "name=value"),
        (("forget", "--yes"), ""),
        (("chat", "x", "--model", "odd:x"), "unknown chat model 'odd'"),
        (("import", "nowhere.json"), "nowhere.json"),
    ],
)
def test_what_cannot_be_done(jiyi: Jiyi, arguments: tuple[str, ...], message: str) -> None:
    """Exit code 1, one line on standard error that says why, nothing on standard output."""
    jiyi("add", "something")
    failed = jiyi(*arguments)
    assert failed.code == 1
    assert message in failed.err
    assert failed.err.startswith("jiyi: ")
    assert failed.err.count("\n") == 1
    assert failed.out == ""


def test_bad_input_as_json(jiyi: Jiyi) -> None:
    """With --json the error is an object with the name of the error and of the field."""
    error = json.loads(jiyi("add", "x", "--importance", "2", "--json").err)
    assert (error["error"], error["field"]) == ("InvalidInputError", "importance")


def test_json_does_not_ask(jiyi: Jiyi) -> None:
    """`forget --json` has nobody to ask, so it wants --yes or --dry-run."""
    jiyi("add", "something")
    assert "--yes or --dry-run" in jiyi("forget", "--query", "something", "--json").err
    assert jiyi("list").code == 0


def test_hostile_text_is_shown_as_text(jiyi: Jiyi) -> None:
    """Markup and terminal controls in a memory are shown, never obeyed."""
    jiyi("add", "[red]not red[/] [/oops] :smile: \x1b[2J")
    for command in (("list",), ("recall", "oops"), ("context", "oops"), ("chat", "oops")):
        shown = jiyi(*command).out
        assert "[/oops]" in shown, command
        assert "\x1b" not in shown, command


@pytest.mark.parametrize("arguments", [("nonsense",), ("add",), ("recall", "x", "--nonsense")])
def test_usage(jiyi: Jiyi, arguments: tuple[str, ...]) -> None:
    """Wrong usage is exit code 2."""
    assert jiyi(*arguments).code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("recall", "tungsten hexafluoride"),
        ("list",),
        ("profile",),
        ("show", "01890000-0000-7000-8000-000000000000"),
        ("history", "01890000-0000-7000-8000-000000000000"),
        ("show", "00000000"),
        ("why",),
        ("forget", "--query", "tungsten hexafluoride", "--yes"),
    ],
)
def test_nothing_found(jiyi: Jiyi, arguments: tuple[str, ...]) -> None:
    """Finding nothing is exit code 3, with and without --json."""
    jiyi("add", "something", "-u", "bob")
    assert jiyi(*arguments, "-u", "ann").code == 3
    assert jiyi(*arguments, "-u", "ann", "--json").code == 3


@pytest.mark.parametrize("command", [("list",), ("recall", "x"), ("stats",), ("why",)])
def test_reading_makes_no_file(jiyi: Jiyi, db: Path, command: tuple[str, ...]) -> None:
    """A slip in --db is answered, and does not leave an empty store behind."""
    failed = jiyi(*command, "--db", str(db.parent / "typo.db"))
    assert failed.code == 1
    assert "there is no memory at" in failed.err
    assert not (db.parent / "typo.db").exists()


def test_foreign_file(jiyi: Jiyi, db: Path) -> None:
    """A file that is no store of ours is refused and left as it is."""
    db.write_bytes(b"not a database, but long enough to look at" * 100)
    before = db.read_bytes()
    failed = jiyi("add", "x")
    assert failed.code == 1
    assert failed.err.count("\n") == 1
    assert db.read_bytes() == before


def test_version(jiyi: Jiyi) -> None:
    """--version names the program and its version."""
    assert jiyi("--version").out.startswith("jiyi 0.")
