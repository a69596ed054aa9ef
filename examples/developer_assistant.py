"""A developer's assistant that knows the stack, where things live, and what was changed when.

python examples/developer_assistant.py [--model ollama:qwen3:8b]
"""

from __future__ import annotations

import re
import sys
from typing import Any

from langchain_core.tools import tool
from stage import Scene, perform

from jiyi import Memory
from jiyi.agent import MemoryAgent
from jiyi.testing.agent_model import Answer, CallTool, Prompt

IDENTITY = "You are a developer's pair. Propose changes that fit their project and stack."
RULES = (
    "Look at the files before you propose where code goes.",
    "Keep with remember what the developer tells about stack, structure and changes.",
)

FILES = {
    "app/api": ["__init__.py", "orders.py", "customers.py"],
    "app/models": ["__init__.py", "account.py", "order.py"],
    "shop/接口": ["订单.py", "客户.py"],
}


@tool
def list_files(folder: str) -> str:
    """The files in a folder of the project."""
    return ", ".join(FILES.get(folder, [])) or f"there is no folder {folder}"


def build(model: Any, memory: Memory) -> MemoryAgent:
    """The assistant."""
    tools = [list_files]
    return MemoryAgent(model, memory, tools=tools, identity=IDENTITY, rules=RULES, agent="pair")


STORY = (
    Scene(
        "2026-06-01T10:00:00+08:00",
        "Iris",
        "setup",
        (
            "Our backend uses FastAPI with SQLAlchemy.",
            "We use pytest for the tests.",
            "Routes live in app/api and models in app/models.",
        ),
    ),
    Scene(
        "2026-06-02T10:00:00+08:00",
        "阿杰",
        "开工",
        ("我们后端用 Django。", "测试用 unittest。", "接口代码都放在 shop/接口 目录。"),
    ),
    Scene(
        "2026-06-05T16:00:00+08:00",
        "Iris",
        "refactoring",
        (
            "Today we renamed UserStore to AccountRepository in app/models/account.py.",
            "We've switched from SQLAlchemy to SQLModel.",
        ),
    ),
    Scene(
        "2026-06-12T09:00:00+08:00",
        "Iris",
        "new feature",
        ("Add an endpoint for invoices", "Where did UserStore go?"),
    ),
    Scene("2026-06-12T10:00:00+08:00", "阿杰", "新功能", ("给发票加一个接口",)),
    Scene("2026-06-12T11:00:00+08:00", "Noor", "first day", ("Add an endpoint for invoices",)),
)


# --- who plays the model -----------------------------------------------------------------------

_FRAMEWORK = re.compile(r"\b(?:FastAPI|Django|Flask)\b")
_TESTS = re.compile(r"\b(?:pytest|unittest)\b")
_STORE = re.compile(r"\b(?:SQLAlchemy|SQLModel|Peewee)\b")
_FOLDER = re.compile(r"(?:[Rr]outes live in |接口代码都放在 ?)([\w/]+[\w])")
_RENAMED = re.compile(r"renamed (\w+) to (\w+) in (\S+\.py)")
_TELLS = re.compile(r"\b(?:uses?|live in|renamed|switched)\b|[端试]用|放在")


def play(prompt: Prompt) -> Answer:
    """Proposes what fits the stack and the folders that stand in the prompt; asks for the rest."""
    question = prompt.question
    chinese = re.search(r"[\u4e00-\u9fff]", question) is not None
    if _TELLS.search(question):
        noted = "记下了。" if chinese else "Noted."
        return (
            noted if prompt.results else CallTool("remember", {"text": question, "importance": 0.9})
        )
    known = [line for line in prompt.system.splitlines() if line.startswith("- ")]
    if moved := re.search(r"Where did (\w+) go", question):
        for line in known:
            if (found := _RENAMED.search(line)) and found[1] == moved[1]:
                return f"{found[1]} is {found[2]} now, in {found[3]}."
        return f"I know of no {moved[1]}."
    framework, tests, folder = (newest(p, known) for p in (_FRAMEWORK, _TESTS, _FOLDER))
    if framework is None or folder is None:
        return (
            "用什么框架？接口代码放哪里？"
            if chinese
            else "Which framework, and where do routes live?"
        )
    if not prompt.results:
        return CallTool("list_files", {"folder": folder})
    name = "发票.py" if chinese else "invoices.py"
    store = newest(_STORE, known)
    parts = [f"{framework}: {folder}/{name}", f"beside {prompt.results[-1]}"]
    parts += [f"model with {store}"] if store else []
    return "; ".join([*parts, f"test with {tests}"])


def newest(pattern: re.Pattern[str], known: list[str]) -> str | None:
    """What matches in what is remembered; of "from one to another", the other."""
    for line in known:
        if found := pattern.findall(line):
            return str(found[-1])
    return None


if __name__ == "__main__":
    perform(build, play, STORY, sys.argv[1:])
