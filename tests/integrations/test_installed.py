"""In CI every framework is there: a contract that is only skipped is not tested."""

from __future__ import annotations

import importlib.util
import os

import pytest

HERE = {
    "langchain": "jiyi[langchain]",
    "langgraph": "jiyi[langgraph]",
    "langmem": "the group dev",
    "agents": "jiyi[openai-agents]",
    "llama_index.core": "jiyi[llama-index]",
    "pydantic_ai": "jiyi[pydantic-ai]",
    "anthropic": "jiyi[anthropic]",
    "agent_framework": "jiyi[agent-framework]",
}


def is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("name", HERE)
def test_the_framework_is_installed(name: str) -> None:
    """On a laptop it may be missing; then its tests skip and say so."""
    if not is_there(name):
        told = f"{name} is not installed: it comes with {HERE[name]}"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)
