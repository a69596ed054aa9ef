"""A command line on a store of its own, with no settings from outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Jiyi, Run
from typer.testing import CliRunner

from jiyi.cli.app import app


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "agent.db"


@pytest.fixture
def jiyi(db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Jiyi:
    """Run `jiyi …` on the store of the test."""
    for name in ("JIYI_USER", "JIYI_CONFIG", "JIYI_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("JIYI_DB", str(db))
    monkeypatch.setenv("JIYI_EMBEDDER", "none")
    monkeypatch.setenv("COLUMNS", "160")
    runner = CliRunner()

    def run(*arguments: str, stdin: str | None = None) -> Run:
        result = runner.invoke(app, list(arguments), input=stdin)
        # Our own errors end in an exit code; anything else is a fault of the program.
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Run(result.exit_code, result.stdout, result.stderr)

    return run
