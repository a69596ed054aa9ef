"""How long a recall takes, by the size of its scope: `python -m bench.speed --sizes 1000,10000`.

Synthetic turns (words drawn by Zipf's law, sessions of twenty) with random vectors; the query's
vector is given. `--scopes 100` spreads the same units over so many users and asks one of them.
Beside the wall clock stands the processor time, which other programs on the machine disturb less.
`--goals` prints the table of the goals: one scope of 1,000, 10,000 and 100,000 units, and one of
100 scopes of a store of 100,000.
"""

from __future__ import annotations

import tempfile
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from bench.folders import START
from bench.subject import Clock
from jiyi import Memory
from jiyi.types import Scope

if TYPE_CHECKING:
    import numpy.typing as npt

DIMENSION = 384
VOCABULARY = 20_000
WORDS = 14
BATCH = 500
QUESTIONS = 100


class RandomEmbedder:
    """Unit vectors from a seeded generator: what they mean does not matter for speed. Those of
    queries are drawn beforehand: what an embedder takes is none of the recall's."""

    name = f"random-{DIMENSION}"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._rng = np.random.default_rng(3)
        self._queries = cycle(self.embed_documents([""] * QUESTIONS))

    def embed_documents(self, texts: list[str]) -> npt.NDArray[np.float32]:
        rows = self._rng.normal(size=(len(texts), DIMENSION)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:  # noqa: ARG002 - whatever is asked
        return next(self._queries)


def measure(units: int, scopes: int, *, vectors: bool) -> dict[str, Any]:
    """Percentiles in milliseconds of a recall of ten."""
    rng = np.random.default_rng(5)
    # Letters only, so that every word is one term.
    words = [_word(n) for n in range(VOCABULARY)]
    weights = 1 / np.arange(1, VOCABULARY + 1)
    weights /= weights.sum()

    def sentence(length: int) -> str:
        return " ".join(words[i] for i in rng.choice(VOCABULARY, size=length, p=weights))

    clock, embedder = Clock(), RandomEmbedder() if vectors else None
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "speed.db")
        with Memory(path, embedder=embedder, clock=clock, background=False) as memory:
            for start in range(0, units, BATCH):
                user = f"user{start // BATCH % scopes}"
                for session in range(start, min(start + BATCH, units), 20):
                    clock.now = START + timedelta(minutes=session)
                    turns = [
                        {"role": "user" if n % 2 else "assistant", "content": sentence(WORDS)}
                        for n in range(20)
                    ]
                    memory.observe(turns, encode=False, user=user, session=f"s{session}")
            memory.flush()
            scope = Scope(user="user0")
            questions = [sentence(7) for _ in range(QUESTIONS)]
            memory.recall(questions[0], limit=10, **scope.as_dict())  # fills the caches
            wall, cpu, full = [], [], []
            for question in questions:
                started, busy = perf_counter(), process_time()
                hits = memory.recall(question, limit=10, **scope.as_dict())
                cpu.append(process_time() - busy)
                wall.append(perf_counter() - started)
                full.append(len(hits) == 10)
    return {
        "wall": np.percentile(wall, (50, 95)) * 1000,
        "cpu": np.percentile(cpu, (50, 95)) * 1000,
        "full": float(np.mean(full)),
    }


def _word(number: int) -> str:
    letters = ""
    for _ in range(4):
        number, rest = divmod(number, 26)
        letters += chr(ord("a") + rest)
    return letters + "x"


GOALS = ((1_000, 1, 3.0), (10_000, 1, 5.0), (100_000, 1, 25.0), (100_000, 100, 2.0))
"""Units, scopes that share them, and the median in milliseconds that a recall may take."""
SPREAD = 3.0  # p95 may be so many times the median


def main(
    sizes: Annotated[str, typer.Option(help="Units in the store, with commas.")] = "1000,10000",
    scopes: Annotated[int, typer.Option(help="Users that share the units.")] = 1,
    vectors: Annotated[bool, typer.Option(help="Whether units have vectors.")] = True,
    goals: Annotated[bool, typer.Option(help="The table of the goals instead.")] = False,
) -> None:
    """Print a row per size."""
    rows: list[tuple[int, int, float | None]] = (
        [*GOALS] if goals else [(int(size), scopes, None) for size in sizes.split(",")]
    )
    print("| units | scopes | p50 / p95 ms | processor p50 / p95 ms | full lists | goal |")
    print("|---|---|---|---|---|---|")
    for size, users, goal in rows:
        row = measure(size, users, vectors=vectors)
        wall, cpu = (" / ".join(f"{v:.1f}" for v in row[k]) for k in ("wall", "cpu"))
        print(
            f"| {size:,} | {users} | {wall} | {cpu} | {100 * row['full']:.0f} % "
            f"| {_verdict(row['wall'], goal)} |",
            flush=True,
        )


def _verdict(wall: Any, goal: float | None) -> str:
    """Whether the median and the spread are what they shall be."""
    if goal is None:
        return "–"
    median, late = wall
    met = median <= goal and late <= SPREAD * median
    return f"p50 ≤ {goal:g}, p95 ≤ {SPREAD:g} × p50: {'met' if met else 'missed'}"


if __name__ == "__main__":
    typer.run(main)
