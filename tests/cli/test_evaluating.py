"""`jiyi eval`: figures for people, JSON for machines, a chart."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import Jiyi


def test_eval(jiyi: Jiyi, tmp_path: Path) -> None:
    """It prints the figures and what was missed, draws the curves, and changes nothing."""
    jiyi("add", "The greenhouse code is ZX-9917-Q", "-u", "ann")
    jiyi("add", "温室在三号楼后面", "-u", "ann")
    file = tmp_path / "questions.jsonl"
    rows = [
        {"question": "greenhouse code?", "evidence": ["ZX-9917-Q"], "category": "codes"},
        {"question": "温室在哪里？", "evidence": ["三号楼"], "category": "places"},
        {"question": "Which fertiliser do we buy?", "evidence": ["NPK 15"]},
    ]
    file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    chart = tmp_path / "curves.svg"
    told = jiyi("eval", str(file), "-u", "ann", "--plot", str(chart))
    assert told.code == 0
    assert "66.7" in told.out
    assert "Which fertiliser" in told.out
    assert chart.read_text("utf-8").startswith("<svg")
    figures = jiyi("eval", str(file), "-u", "ann", "--json").json
    assert figures["overall"]["recall"]["1"] == 2 / 3
    assert jiyi("why", "-u", "ann").code == 3


def test_eval_without_a_file(jiyi: Jiyi, tmp_path: Path) -> None:
    """A file that is not there is one clear error."""
    jiyi("add", "x y z", "-u", "ann")
    told = jiyi("eval", str(tmp_path / "no.jsonl"), "-u", "ann")
    assert told.code != 0
    assert "FILE" in told.err
