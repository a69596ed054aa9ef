"""A deployment assistant for which "the usual way" (按老规矩) is each developer's own.

Who deploys with what, where and by which command was said once. Who never said it is asked, and
nothing is deployed. Who changes their way is deployed for in the new one from then on.

    python examples/deployment_assistant.py [--model ollama:qwen3:8b]
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

IDENTITY = "You deploy for the developers of a small shop, each in their own way. Answer in theirs."
RULES = (
    "Deploy only with the tool, server and command that this developer has told. Never guess: ask.",
    "When a developer tells how they deploy, keep it with remember, as one procedure.",
)


@tool
def deploy(tool: str, server: str, command: str) -> str:
    """Deploy with a tool, to a server, by a command. Returns what happened."""
    return f"{tool}@{server}: `{command}` exit 0"


def build(model: Any, memory: Memory) -> MemoryAgent:
    """The assistant."""
    return MemoryAgent(
        model, memory, tools=[deploy], identity=IDENTITY, rules=RULES, agent="deploy"
    )


STORY = (
    Scene(
        "2026-06-01T10:00:00+08:00",
        "林工",
        "周一",
        ("我部署商城都用 rsync 推到 stage-7，推完执行 `systemctl restart shop`。",),
    ),
    Scene(
        "2026-06-01T11:00:00+08:00",
        "Priya",
        "Monday",
        ("I always deploy the site with Ansible to web-3: `ansible-playbook site.yml`.",),
    ),
    Scene("2026-06-08T10:00:00+08:00", "林工", "一周后", ("按老规矩部署",)),
    Scene("2026-06-08T11:00:00+08:00", "Priya", "a week later", ("Deploy as usual, please",)),
    Scene(
        "2026-06-08T12:00:00+08:00",
        "Tom",
        "first day",
        (
            "Deploy as usual",
            "I use Kamal to deploy to edge-2, with `kamal deploy`.",
            "Then deploy the usual way",
        ),
    ),
    Scene(
        "2026-06-10T10:00:00+08:00",
        "林工",
        "周三",
        ("算了，以后部署改用 PM2，还是 stage-7，命令是 `pm2 reload shop`。",),
    ),
    Scene("2026-06-15T10:00:00+08:00", "林工", "两周后", ("老规矩，部署一下",)),
)


# --- who plays the model -----------------------------------------------------------------------

_TOOLS = re.compile(r"\b(?:rsync|Ansible|Kamal|PM2|Docker|Fabric)\b")
_SERVER = re.compile(r"\b[a-z]+-\d+\b")
_COMMAND = re.compile(r"`([^`]+)`")


def play(prompt: Prompt) -> Answer:
    """Deploys in the way that stands in the prompt; asks where none does."""
    question = prompt.question
    chinese = re.search(r"[\u4e00-\u9fff]", question) is not None
    if _COMMAND.search(question):
        if prompt.results:
            return "记住了，以后就按这个来。" if chinese else "Noted; that is your usual way now."
        arguments = {"text": question, "kind": "procedural", "importance": 0.9}
        return CallTool("remember", arguments)
    if prompt.results:
        return f"{'已部署' if chinese else 'Deployed'}: {prompt.results[-1]}"
    way = usual_way(prompt)
    if way is None:
        if chinese:
            return "你一般用什么工具、部署到哪台服务器、执行什么命令？"
        return "I do not know your usual way: which tool, which server, which command?"
    return CallTool("deploy", way)


def usual_way(prompt: Prompt) -> dict[str, str] | None:
    """The newest way told: in this session, else among what is remembered, newest first."""
    said = [m.text for m in reversed(prompt.messages) if m.type == "human"]
    remembered = [line for line in prompt.system.splitlines() if line.startswith("- ")]
    for line in [*said, *remembered]:
        parts = [pattern.search(line) for pattern in (_TOOLS, _SERVER, _COMMAND)]
        if all(parts):
            tool, server, command = (part[part.re.groups] for part in parts if part is not None)
            return {"tool": tool, "server": server, "command": command}
    return None


if __name__ == "__main__":
    perform(build, play, STORY, sys.argv[1:])
