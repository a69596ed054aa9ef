"""Every command and option has its place in the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_command

from jiyi.cli.app import app

ROOT = Path(__file__).parents[2]
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]
PAGES = ("docs/quickstart.md", "docs/quickstart.zh-CN.md")
COMMON = ("--db", "--tenant", "--user", "--agent", "--session", "--json")


@pytest.mark.parametrize("page", PAGES)
def test_exactly_the_commands_are_documented(page: str) -> None:
    """The table of each quickstart names every command, and none that is not there."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    rows = [line.split("`")[1] for line in lines if line.startswith("| `jiyi ")]
    assert sorted(row.removeprefix("jiyi ") for row in rows) == COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_the_common_options(name: str) -> None:
    """Each command says what it does, and takes the scope, the store and --json."""
    found = get_command(app).commands[name]  # type: ignore[attr-defined]
    assert found.help
    for command in getattr(found, "commands", {name: found}).values():
        assert command.help
        options = {option for p in command.params for option in p.opts}
        assert set(COMMON) <= options
        assert all(p.help for p in command.params if p.param_type_name == "option")
