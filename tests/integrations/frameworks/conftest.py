"""The frameworks that are in an environment of their own; `make test-frameworks` runs these."""

from __future__ import annotations

import os

import pytest

if os.environ.get("JIYI_FRAMEWORKS") == "apart":
    os.environ.update(CREWAI_DISABLE_TELEMETRY="true", OTEL_SDK_DISABLED="true")


def pytest_configure(config: pytest.Config) -> None:
    # What these packages do when they are imported is theirs.
    for line in (
        "ignore:Cannot set an attribute on 'crewai:ImportWarning",
        "ignore:datetime.datetime.utcnow:DeprecationWarning",
    ):
        config.addinivalue_line("filterwarnings", line)
