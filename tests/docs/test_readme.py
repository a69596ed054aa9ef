"""What the README files promise is executed here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.zh-CN.md")
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def blocks(name: str, language: str) -> list[str]:
    text = (ROOT / name).read_text("utf-8")
    return [body for kind, body in BLOCK.findall(text) if kind == language]


@pytest.mark.parametrize("name", READMES)
def test_example_runs(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The ten lines run as they stand, and each line prints what its arrow says."""
    (example,) = blocks(name, "python")
    assert len([line for line in example.splitlines() if line]) <= 10
    monkeypatch.chdir(tmp_path)
    for line in example.splitlines():
        expected = re.search(r"# → (.*)$", line)
        exec(compile(line, name, "exec"), globals())
        printed = capsys.readouterr().out
        if expected:
            assert expected[1].strip() in printed, line
    assert (tmp_path / "agent.db").exists()


@pytest.mark.parametrize("name", READMES)
def test_opens_with_demo_and_test(name: str) -> None:
    """The first commands that a reader meets are `make demo` and `make test`."""
    first = re.findall(r"^\$ (.*?)\s*(?:#.*)?$", blocks(name, "console")[0], re.MULTILINE)
    assert first == ["make demo", "make test"]
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {"demo", "test"} <= set(targets)


@pytest.mark.parametrize(
    "name", [*READMES, *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md")))]
)
def test_links_lead_somewhere(name: str) -> None:
    """Every relative link of a page leads to a file of the repository."""
    page = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target
