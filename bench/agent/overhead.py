"""What `MemoryMiddleware` adds to a turn: the same LangChain agent with and without it, on a model
that answers at once, without an embedder, on a file.

A turn is one user message and one answer: recall and context, two durable writes, the rules that
read the message, and what LangChain itself spends on a middleware.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain.agents import create_agent

from jiyi import Memory
from jiyi.agent import MemoryMiddleware
from jiyi.testing.agent_model import PlayedChatModel

WARM_UP = 10
FACTS = (
    "{who} keeps the {thing} for order {n} in the {place} depot",
    "{who} 把第{n}号订单的{thing}放在{place}仓库",
    "The {thing} of batch {n} was checked by {who} in {place}",
)
WHO = ("Mira", "Tobias", "老陈", "小郭", "Ines", "Otto")
THINGS = ("copper pipe", "walnut shelf", "steel cable", "纸箱", "油漆", "linen roll")
PLACES = ("Leeds", "Porto", "汉中", "安康", "Ghent", "Turin")
QUESTIONS = (
    "Where is the {thing} of {who}?",
    "{who}的{thing}在哪个仓库？",
    "Please check order {n} in {place} again",
    "帮我看一下{place}第{n}号订单",
)


def _fill(template: str, rng: random.Random, n: int) -> str:
    return template.format(
        who=rng.choice(WHO), thing=rng.choice(THINGS), place=rng.choice(PLACES), n=n
    )


def _turns(agent: Any, questions: list[str], clock: Callable[[], float]) -> list[float]:
    """Milliseconds of each turn, each in a thread of its own beside twenty others."""
    spent = []
    for n, question in enumerate(questions):
        config = {"configurable": {"user": "u", "thread_id": f"t{n % 20}"}}
        started = clock()
        agent.invoke({"messages": [{"role": "user", "content": question}]}, config)
        spent.append((clock() - started) * 1000)
    return spent[WARM_UP:]


def overhead(memories: int = 10_000, turns: int = 200) -> dict[str, float]:
    """Milliseconds by name: with the middleware, without it, and the difference of their p95.

    `wall` is what a user waits for, disk and load of the machine included; `cpu` is the time of
    this process.
    """
    rng = random.Random(7)
    questions = [_fill(rng.choice(QUESTIONS), rng, n) for n in range(turns + WARM_UP)]
    model = PlayedChatModel(play=lambda _: "Noted.")
    figures: dict[str, float] = {}
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd()) as folder,
        Memory(Path(folder) / "bench.db", embedder=None, background=False) as memory,
    ):
        for start in range(0, memories, 1000):
            facts = [_fill(rng.choice(FACTS), rng, start + n) for n in range(min(1000, memories))]
            memory.remember_all(facts, user="u")
        agents = {
            "bare": create_agent(model, []),
            "with memory": create_agent(model, [], middleware=[MemoryMiddleware(memory)]),
            "without its tools": create_agent(
                model, [], middleware=[MemoryMiddleware(memory, tools=())]
            ),
        }
        for name, agent in agents.items():
            for unit, clock in (("wall", time.perf_counter), ("cpu", time.process_time)):
                spent = sorted(_turns(agent, questions, clock))
                figures[f"{name}, {unit} p50"] = statistics.median(spent)
                figures[f"{name}, {unit} p95"] = spent[int(0.95 * len(spent))]
    for unit in ("wall", "cpu"):
        for rank in ("p50", "p95"):
            whole, bare = (figures[f"{a}, {unit} {rank}"] for a in ("with memory", "bare"))
            figures[f"added, {unit} {rank}"] = whole - bare
    return figures


if __name__ == "__main__":
    for key, value in overhead(*map(int, sys.argv[1:])).items():
        print(f"{key:32} {value:8.2f} ms")
