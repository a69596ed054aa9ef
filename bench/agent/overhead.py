"""What `MemoryMiddleware` adds to a turn: the same LangChain agent with and without it, on a model
that answers at once, without an embedder, on a file.

A turn is one user message and one answer: recall and context, two durable writes, the rules that
read the message, and what LangChain itself spends on a middleware.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
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


def _turn(agent: Any, n: int, question: str) -> dict[str, float]:
    """Milliseconds of one turn by clock, in a thread of its own beside twenty others.

    `wall` is what a user waits for, disk and load of the machine included; `cpu` is the time of
    this process.
    """
    config = {"configurable": {"user": "u", "thread_id": f"t{n % 20}"}}
    wall, cpu = time.perf_counter(), time.process_time()
    agent.invoke({"messages": [{"role": "user", "content": question}]}, config)
    return {
        "wall": (time.perf_counter() - wall) * 1000,
        "cpu": (time.process_time() - cpu) * 1000,
    }


def overhead(memories: int = 10_000, turns: int = 200) -> dict[str, float]:
    """Milliseconds of a turn by agent, clock and rank, and what the middleware adds.

    The agents take every question one after the other, each on a store of its own, so that all
    stores have grown alike when they do; `added` ranks the differences turn by turn.
    """
    rng = random.Random(7)
    questions = [_fill(rng.choice(QUESTIONS), rng, n) for n in range(turns + WARM_UP)]
    model = PlayedChatModel(play=lambda _: "Noted.")
    spent: dict[str, list[dict[str, float]]] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
        with Memory(folder / "filled.db", embedder=None, background=False) as memory:
            for start in range(0, memories, 1000):
                part = range(start, min(start + 1000, memories))
                memory.remember_all([_fill(rng.choice(FACTS), rng, n) for n in part], user="u")

        def with_memory(name: str, **options: Any) -> Any:
            shutil.copy(folder / "filled.db", folder / name)
            memory = Memory(folder / name, embedder=None, background=False)
            stack.enter_context(memory)
            return create_agent(model, [], middleware=[MemoryMiddleware(memory, **options)])

        agents = {
            "bare": create_agent(model, []),
            "with memory": with_memory("all.db"),
            "without its tools": with_memory("plain.db", tools=()),
        }
        for n, question in enumerate(questions):
            for name, agent in agents.items():
                spent.setdefault(name, []).append(_turn(agent, n, question))
    for added, name in (("added", "with memory"), ("added without tools", "without its tools")):
        spent[added] = [
            {clock: turn[clock] - bare[clock] for clock in bare}
            for turn, bare in zip(spent[name], spent["bare"], strict=True)
        ]
    figures: dict[str, float] = {}
    for name, found in spent.items():
        for clock in ("wall", "cpu"):
            ordered = sorted(turn[clock] for turn in found[WARM_UP:])
            figures[f"{name}, {clock} p50"] = statistics.median(ordered)
            figures[f"{name}, {clock} p95"] = ordered[int(0.95 * len(ordered))]
    return figures


if __name__ == "__main__":
    for key, value in overhead(*map(int, sys.argv[1:])).items():
        print(f"{key:36} {value:8.2f} ms")
