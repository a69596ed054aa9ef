"""The doctor looks at everything and says what to do."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command_line import Jiyi


def test_all_well(jiyi: Jiyi, db: Path) -> None:
    """A healthy store: exit code 0, and where it is."""
    jiyi("add", "Bees like borage")
    seen = jiyi("doctor")
    assert seen.code == 0
    assert db.name in seen.out
    states = {finding["what"]: finding["state"] for finding in jiyi("doctor", "--json").json}
    assert states["store"] == "ok"
    assert states["queue"] == "ok"
    assert "bad" not in states.values()


def test_orphans_are_repaired(jiyi: Jiyi, db: Path) -> None:
    """Rows whose owner is gone are found, named with the command that helps, and repaired."""
    jiyi("add", "Bees like borage")
    with closing(sqlite3.connect(db)) as raw, raw:
        raw.execute("UPDATE memory_source SET memory = memory + 1000")
    seen = jiyi("doctor", "--json")
    assert seen.code == 1
    assert any("--repair" in (finding["remedy"] or "") for finding in seen.json)
    assert jiyi("doctor", "--repair").code == 0


def test_no_store(jiyi: Jiyi) -> None:
    """Without a store it says how to begin one."""
    seen = jiyi("doctor")
    assert seen.code == 1
    assert "jiyi add" in seen.out


@pytest.mark.parametrize(
    ("variable", "value", "what"),
    [("JIYI_EMBEDDER", "odd", "embedder"), ("JIYI_MODEL", "odd:x", "chat model")],
)
def test_bad_setting(
    jiyi: Jiyi, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, what: str
) -> None:
    """A setting that leads nowhere is named, with the variable to change."""
    jiyi("add", "Bees like borage")
    monkeypatch.setenv(variable, value)
    seen = jiyi("doctor", "--json")
    assert seen.code == 1
    (bad,) = [finding for finding in seen.json if finding["state"] == "bad"]
    assert (bad["what"], variable in bad["remedy"]) == (what, True)


def test_damaged_store(jiyi: Jiyi, db: Path) -> None:
    """A damaged file is a finding, not a crash."""
    jiyi("add", "Bees like borage")
    db.write_bytes(b"\0" * 4096)
    seen = jiyi("doctor", "--json")
    assert seen.code == 1
    assert any(f["what"] == "store" and f["state"] == "bad" for f in seen.json)
