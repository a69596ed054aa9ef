"""In the environment that is made for them, these frameworks are there."""

from __future__ import annotations

import importlib.util
import os

import pytest


@pytest.mark.parametrize("name", ["google.adk", "crewai"])
def test_the_framework_is_installed(name: str) -> None:
    """Elsewhere its tests skip."""
    if os.environ.get("JIYI_FRAMEWORKS") != "apart":
        pytest.skip("run `make test-integrations`")
    assert importlib.util.find_spec(name) is not None
