"""A store of made-up memories, spread over users, in both languages."""

from __future__ import annotations

from pathlib import Path

from bench.made_up import MadeUp
from jiyi import Memory

BATCH = 1000


def fill(path: Path, memories: int, users: int) -> list[str]:
    """Fill a new store; the names of the users. Half of them are Chinese."""
    makers = {"en": MadeUp("en", seed=1), "zh": MadeUp("zh", seed=2)}
    names = [f"user{n}" if n % 2 else f"用户{n}" for n in range(users)]
    share = -(-memories // users)
    with Memory(path, embedder=None, background=False, synchronous="normal") as memory:
        for number, name in enumerate(names):
            left = min(share, memories - number * share)
            maker = makers["en" if number % 2 else "zh"]
            while left > 0:
                batch = min(BATCH, left)
                memory.remember_all([maker.text() for _ in range(batch)], user=name)
                left -= batch
    return names
