"""Every command and option has its place in the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_command

from jiyi.cli.app import app

ROOT = Path(__file__).parents[2]
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]
COMMON = ("--db", "--tenant", "--user", "--agent", "--session", "--json")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    """Each command stands in the table of docs/quickstart.md."""
    assert f"| `jiyi {name}` |" in (ROOT / "docs/quickstart.md").read_text("utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_the_common_options(name: str) -> None:
    """Each command says what it does, and takes the scope, the store and --json."""
    command = get_command(app).commands[name]  # type: ignore[attr-defined]
    assert command.help
    options = {option for p in command.params for option in p.opts}
    assert set(COMMON) <= options
    assert all(p.help for p in command.params if p.param_type_name == "option")


def test_no_command_is_documented_that_does_not_exist() -> None:
    """The table names no command that is not there."""
    lines = (ROOT / "docs/quickstart.md").read_text("utf-8").splitlines()
    named = {
        line.split("`")[1].removeprefix("jiyi ") for line in lines if line.startswith("| `jiyi ")
    }
    assert named == set(COMMANDS)
