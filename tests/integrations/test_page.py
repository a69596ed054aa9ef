"""The page of integrations: its examples run, and its table is whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "integrations.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^## ([^\n]+)\n\n```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))
NEEDED = {
    "LangGraph": ("langgraph", "prefs 她喜欢绿茶"),
    "LangChain": ("langchain_core", "我住在成都。 成都"),
    "LangMem": ("langgraph", "She prefers metric units"),
    "OpenAI Agents SDK": ("agents", "我住在成都。"),
    "LlamaIndex": ("llama_index.core", "成都"),
    "Pydantic AI": ("pydantic_ai", "成都"),
    "Anthropic": ("anthropic", "residence: 成都"),
    "Microsoft Agent Framework": ("agent_framework", "我住在成都。"),
    "Google ADK": ("google.adk", "她喜欢绿茶"),
    "CrewAI": ("crewai", "我们周五发布"),
}


def test_every_framework_has_an_example() -> None:
    """And nothing is shown that is not run."""
    assert set(EXAMPLES) == set(NEEDED)


@pytest.mark.parametrize("framework", NEEDED)
def test_the_example_runs(
    framework: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As it stands, in an empty folder; it prints what it says."""
    module, printed = NEEDED[framework]
    pytest.importorskip(module, reason=f"needs {module}")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(EXAMPLES[framework], framework, "exec"), names)
    assert printed in capsys.readouterr().out


def test_every_module_and_extra_is_in_the_table() -> None:
    """A contract that nobody finds is of no use."""
    import tomllib

    building = {"session_log", "memory_tree"}  # not contracts themselves
    modules = {
        path.stem if path.is_file() else path.name
        for path in (ROOT / "src" / "jiyi" / "integrations").iterdir()
        if not path.name.startswith("_")
    } - building
    for module in modules:
        assert f"`jiyi.integrations.{module}." in PAGE, module
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = set(re.findall(r"\| `([a-z-]+)` \| `jiyi", PAGE))
    assert named <= set(extras["optional-dependencies"])
