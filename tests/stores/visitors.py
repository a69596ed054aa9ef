"""Processes that come and go: each opens a store, uses it for a moment and closes it, many times.

Opening and closing take other locks than writing does: the first connection repairs the log, the
last one empties and removes it. Imported by many processes at once, so it imports little.
"""

from __future__ import annotations

import random
import threading
from pathlib import Path

from writers import NOW, Target, put, say

from jiyi.ids import new_id
from jiyi.ports import Selection, Store
from jiyi.types import Scope

VISITED = Scope(tenant="t", user="visited")


def visit_on_threads(
    path: str, process: int, threads: int, visits: int
) -> tuple[list[str], list[str]]:
    """What one process does; returns the texts it was told are safe, and the errors it saw."""
    kept: list[str] = []
    errors: list[str] = []

    def work(thread: int) -> None:
        chance = random.Random(f"{process}/{thread}")
        for visit in range(visits):
            name = f"p{process} t{thread} v{visit}"
            try:
                kept.extend(_visit(path, name, chance))
            except Exception as error:  # noqa: BLE001  reported to the parent process
                errors.append(f"{name}: {error!r}, because of {error.__cause__!r}")

    workers = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return kept, errors


def _visit(path: str, name: str, chance: random.Random) -> list[str]:
    store = Target(path).open()
    try:
        done = [_act(store, path, f"{name} {step}", chance) for step in range(chance.randint(0, 3))]
    finally:
        store.close()
    return [text for text in done if text is not None]


def _act(store: Store, path: str, name: str, chance: random.Random) -> str | None:
    """One thing that a visitor does; the text that it wrote, if it did."""
    match chance.choice(("write", "write", "read", "erase", "purge", "check", "backup", "look")):
        case "write":
            with store.write() as writer:
                say(writer, VISITED, f"turn {name}", key=name)
                put(writer, VISITED, f"memory {name}")
            return f"memory {name}"
        case "read":
            with store.read() as reader:
                reader.postings(VISITED, ["memory"])
                reader.memories(VISITED, Selection(now=NOW))
        case "erase":
            with store.write() as writer:
                mine = put(writer, VISITED, f"fleeting {name}")
                writer.erase(
                    VISITED, memory_ids=[mine.id], at=NOW, reason="asked", event_id=new_id()
                )
        case "purge":
            store.purge()
        case "check":
            assert store.check() == []
        case "backup":
            store.backup(Path(f"{path}.copy-{new_id()}"))
        case "look":
            with Target(path, read_only=True).open() as other, other.read() as reader:
                reader.count_memories(VISITED, Selection(now=NOW))
    return None
