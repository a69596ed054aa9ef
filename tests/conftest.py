"""Fixtures and options that every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["model_server"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shared", default=None, help="folder with benchmark data; tests that need it skip without"
    )


@pytest.fixture(scope="session")
def benchdata(request: pytest.FixtureRequest) -> Path:
    """The benchmark folders, or a skip that says what is missing."""
    shared = request.config.getoption("--shared")
    path = Path(shared) / "benchdata" if shared else None
    if path is None or not path.is_dir():
        pytest.skip("no benchmark data: pass --shared FOLDER")
    return path
