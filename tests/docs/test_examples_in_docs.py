"""The examples of the documentation run as they stand."""

from __future__ import annotations

import ast
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jiyi import filters

DOCS = Path(__file__).parents[2] / "docs"
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize(
    ("page", "known"), [("quickstart.md", "metric"), ("quickstart.zh-CN.md", "厘米")]
)
def test_quickstart_runs(
    page: str,
    known: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The program of the quickstart finds the code, and knows who asks and what they prefer."""
    (program,) = PYTHON.findall((DOCS / page).read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    exec(compile(program, page, "exec"), {})
    printed = capsys.readouterr().out
    assert "ZX-9917-Q" in printed
    assert known in printed


def test_consolidation_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program of docs/consolidation.md merges two wordings, and says so."""
    (program,) = PYTHON.findall((DOCS / "consolidation.md").read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "consolidation.md", "exec"), {})
    assert "merge" in capsys.readouterr().out


def test_documents_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program of docs/documents.md finds both passages, and says where they come from."""
    (program,) = PYTHON.findall((DOCS / "documents.md").read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "documents.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "document Photometer › Lamp Wait" in printed
    assert "document 实验室规则" in printed


def test_agents_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The programs of docs/agents.md, a function in the place of the model: the tool is called, the
    convention reaches the prompt, sub-agents see what is theirs, and Mem0's verbs answer."""
    import langchain.chat_models

    import jiyi.agent.graph
    from jiyi.testing.agent_model import CallTool, PlayedChatModel, Prompt

    def play(prompt: Prompt) -> str | CallTool:
        if "left" in prompt.question and not prompt.results:
            return CallTool("stock", {"item": "flour"})
        return f"kilograms: {'kilograms' in prompt.system}"

    for module in (langchain.chat_models, jiyi.agent.graph):
        monkeypatch.setattr(module, "init_chat_model", lambda _: PlayedChatModel(play=play))
    agent, middleware, several, mem0 = PYTHON.findall((DOCS / "agents.md").read_text("utf-8"))
    for program, holds in (
        (agent, ("kilograms: True\n['stock']", "'standing'")),
        (middleware, ("Never schedule me on a Tuesday",)),
        (several, ("padded by a day", "12 May", "nothing is known")),
        (mem0, ("['I moved to Bristol", "nuts")),
    ):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        monkeypatch.chdir(folder)
        exec(compile(program, "agents.md", "exec"), {})
        printed = capsys.readouterr().out
        for part in holds:
            assert part in printed
    assert "live in Leeds" not in printed


def test_every_filter_example_is_a_filter() -> None:
    """Each line of the example in docs/filters.md is accepted by the grammar."""
    (block,) = PYTHON.findall((DOCS / "filters.md").read_text("utf-8"))
    examples = [ast.literal_eval(line.split("  #")[0]) for line in block.splitlines()]
    assert len(examples) >= 7
    for example in examples:
        assert filters.parse_filter(example, now=datetime.now(UTC)) is not None


def test_every_field_and_operator_is_documented() -> None:
    """docs/filters.md names every field and operator of the grammar."""
    text = (DOCS / "filters.md").read_text("utf-8")
    for name in filters.FIELDS | filters.OPERATORS:
        assert f"`{name}`" in text, name


def test_glossary_has_the_words_of_the_package() -> None:
    """Kinds, statuses and scope fields all stand in the glossary."""
    text = (DOCS / "glossary.md").read_text("utf-8")
    from jiyi.types import KINDS, STATUSES, ScopeFields

    for word in (*KINDS, *STATUSES, *ScopeFields.__optional_keys__):
        assert f"`{word}`" in text, word
