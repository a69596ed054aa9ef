"""`make demo` tells a story in which every answer is right."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


def test_every_answer_of_the_demo_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    """Both people: the convention recalled, the changed fact with its history, an agent's answer in
    their own format, what was forgotten gone from every byte, and nothing claimed that nobody told.
    """
    assert runpy.run_path(str(DEMO))["main"]() == 0
    shown = capsys.readouterr().out
    assert "✗" not in shown
    assert shown.count("✓") == 18
