"""LangChain is imported by what needs it, and by nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

import jiyi.agent

BLOCKED = """
import sys
class Shut:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("langchain", "langchain_core", "langgraph"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Shut())
"""


def run(program: str) -> str:
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_jiyi_imports_no_framework() -> None:
    """Neither the package, nor an agent without a model, nor the command line needs LangChain."""
    told = run(
        "import sys, jiyi, jiyi.agent, jiyi.cli\n"
        "from jiyi.agent import MemoryAgent\n"
        "agent = MemoryAgent(None, jiyi.Memory(':memory:', embedder=None))\n"
        "agent.chat('I live in Leeds.')\n"
        "print([name for name in sys.modules if name.startswith(('langchain', 'langgraph'))])"
    )
    assert told == "[]"


def test_without_langchain() -> None:
    """Where it is not installed, the agent quotes without a model, and everything else says what to
    install."""
    told = run(
        BLOCKED + "import jiyi, jiyi.agent\n"
        "memory = jiyi.Memory(':memory:', embedder=None)\n"
        "print(bool(jiyi.agent.MemoryAgent(None, memory).chat('Hello')))\n"
        "for make in (lambda: jiyi.agent.MemoryMiddleware, lambda: jiyi.agent.memory_tools,\n"
        "             lambda: jiyi.agent.MemoryAgent('ollama:x', memory)):\n"
        "    try:\n"
        "        make()\n"
        "    except jiyi.ConfigurationError as error:\n"
        "        print(\"pip install 'jiyi[langchain]'\" in str(error))"
    )
    assert told.split() == ["True"] * 4


def test_public_names() -> None:
    """Everything public is there and says what it is; anything else is an AttributeError."""
    for name in jiyi.agent.__all__:
        assert getattr(jiyi.agent, name).__doc__
    with pytest.raises(AttributeError):
        _ = jiyi.agent.nothing
