"""A process that writes a store until it is killed, and says what was acknowledged.

Each line on stdout is JSON: {"did": …} after a commit, {"will": …} before an erasure, whose outcome
a kill may leave open.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import timedelta

import numpy as np

from jiyi.ids import new_id
from jiyi.ports import Store
from jiyi.registry import open_store
from jiyi.testing.store_suite.builders import ANN, NOW, keys_with, put, say

BATCH = 300  # crosses the border where tail rows become a block


def tell(**what: object) -> None:
    """One line, out at once: what is not told was not acknowledged."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def add(store: Store, chance: random.Random, known: list[str]) -> None:
    """A turn, its memory and a job: all or nothing."""
    mark = new_id().replace("-", "")
    with store.write() as writer:
        turn = say(writer, ANN, f"turn {mark} 第一", key=mark)
        memory = put(writer, ANN, f"memory {mark} {'x' * chance.randrange(500)}")
        writer.enqueue(ANN, "extract", {"turn_ids": [turn.id]}, at=NOW, due=NOW)
    known.append(memory.id)
    tell(did="add", turn=turn.id, memory=memory.id, mark=mark)


def add_batch(store: Store, chance: random.Random, known: list[str]) -> None:
    """Many memories in one transaction."""
    with store.write() as writer:
        ids = [put(writer, ANN, f"batch {new_id()}").id for _ in range(BATCH)]
    known.extend(chance.sample(ids, 5))
    tell(did="batch", memories=ids)


def erase(store: Store, chance: random.Random, known: list[str]) -> None:
    """A few memories, out of the index blocks and the file."""
    if len(known) < 10:
        return
    chosen = [known.pop(chance.randrange(len(known))) for _ in range(3)]
    tell(will="erase", memories=chosen)
    with store.write() as writer:
        writer.erase(ANN, memory_ids=chosen, at=NOW, reason="asked", event_id=new_id())
    tell(did="erase", memories=chosen)
    if chance.random() < 0.3:
        store.purge()


def embed(store: Store, chance: random.Random, known: list[str]) -> None:
    """Vectors for some units."""
    with store.write() as writer:
        for key in keys_with(writer, ANN, "memory")[-5:]:
            writer.add_vectors("m", [(key, np.full(8, chance.random(), np.float32))])


def work(store: Store, chance: random.Random, known: list[str]) -> None:
    """A job done and finished in one transaction, so that it has one result for ever."""
    with store.write() as writer:
        until = NOW + timedelta(seconds=1)
        jobs = writer.lease(["extract"], now=NOW + timedelta(hours=chance.random()), until=until)
    for job in jobs:
        with store.write() as writer:
            put(writer, ANN, f"work of job {job.id}")
            writer.finish([job.id])
        tell(did="work", job=job.id)


def main(target: str, seed: int) -> None:
    """Write to a path or URL until killed."""
    chance = random.Random(seed)
    known: list[str] = []
    store = open_store(target)
    tell(did="open")
    steps = (add, add, add, work, work, add_batch, erase, embed)
    while True:
        chance.choice(steps)(store, chance, known)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
