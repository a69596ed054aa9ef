"""docs/features.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = [
    line.split("|")[1:-1]
    for line in (ROOT / "docs/features.md").read_text("utf-8").splitlines()
    if re.match(r"\| F\d+ ", line)
]


def test_every_feature_has_a_row() -> None:
    """F1 to F32, each once, in order."""
    assert [row[0].strip() for row in ROWS] == [f"F{n}" for n in range(1, 33)]


def test_named_tests_exist() -> None:
    """Each `file::test` of the last column is a test function in that file, and a row that claims
    to be done, in whole or in part, names one."""
    for number, _, state, proofs in ROWS:
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", proofs)
        for file, test in named:
            source = (ROOT / file).read_text("utf-8")
            assert re.search(rf"def {test}\b|class {test}\b", source), f"{file}::{test}"
        assert named or state.strip() == "not yet", number
