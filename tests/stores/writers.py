"""Processes that write one store at the same time, for the tests of concurrency.

Imported by many processes at once, so it imports little: not the suite, which needs hypothesis.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b

from jiyi.ids import new_id
from jiyi.ports import Store, TermWeights, Writer
from jiyi.types import Draft, MemoryRecord, Scope, Slot, Source, Turn

NOW = datetime(2026, 3, 5, 9, 0, tzinfo=UTC)
SHARED_FACTS = tuple(f"fact {n} that everyone tells 事实" for n in range(3))
CROWD = Scope(tenant="t", user="crowd")


@dataclass(frozen=True)
class Target:
    """Where a process finds the store; travels to other processes."""

    url: str
    schema: str | None = None
    read_only: bool = False

    def open(self) -> Store:
        if self.schema is None:
            from jiyi.stores.sqlite import open_sqlite

            return open_sqlite(self.url, read_only=self.read_only)
        from jiyi.stores.postgres import open_postgres

        return open_postgres(self.url, schema=self.schema)


def write_on_threads(target: Target, process: int, threads: int, rounds: int) -> list[str]:
    """What one process does; returns the errors that callers saw."""
    store = target.open()
    errors: list[str] = []

    def work(thread: int) -> None:
        try:
            for n in range(rounds):
                write_once(store, process, thread, n)
        except Exception as error:  # noqa: BLE001  reported to the parent process
            errors.append(repr(error))

    workers = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    store.close()
    return errors


def write_once(store: Store, process: int, thread: int, n: int) -> None:
    """Own turn and memory, a fact that everyone tells, a move, and a turn sent by everyone."""
    name = f"p{process} t{thread} n{n}"
    own = Scope(tenant="t", user=f"u{thread}")
    with store.write() as writer:
        say(writer, own, f"turn {name}", key=f"{process}-{thread}-{n}")
        put(writer, own, f"memory {name}")
    with store.write() as writer:
        say(writer, CROWD, "the same message", key=f"same-{n}")
        _tell(writer, SHARED_FACTS[n % len(SHARED_FACTS)])
        _move(writer, name)


def _weigh(text: str) -> TermWeights:
    words = text.split()
    return TermWeights({word: words.count(word) for word in words}, len(words))


def _fingerprint(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


def say(writer: Writer, scope: Scope, text: str, *, key: str) -> bool:
    """Add a turn."""
    turn = Turn(
        id=new_id(),
        role="user",
        text=text,
        said_at=NOW,
        recorded_at=NOW,
        scope=scope,
        key=key,
    )
    return writer.add_turn(turn, [((0, len(text)), _weigh(text))])


def put(
    writer: Writer, scope: Scope, text: str, *, id: str | None = None, slot: Slot | None = None
) -> MemoryRecord:
    """Add a memory with one source."""
    return writer.add_memory(
        scope,
        Draft(text=text, slot=slot, sources=(Source(id=new_id()),)),
        id=id or new_id(),
        fingerprint=_fingerprint(text),
        terms=_weigh(text),
        recorded_at=NOW,
        said_at=NOW,
    )


def _tell(writer: Writer, text: str) -> None:
    same = writer.find_same(CROWD, Draft(text=text), _fingerprint(text))
    if same is None:
        put(writer, CROWD, text)
    else:
        assert writer.add_source(CROWD, same.id, Source(id=new_id()), at=NOW)


def _move(writer: Writer, name: str) -> None:
    id = new_id()
    for old in writer.slot_values(CROWD, subject="user", attribute="residence"):
        changes = {"status": "superseded", "valid_to": NOW, "superseded_by": id}
        writer.change_memory(CROWD, old.id, changes, at=NOW, action="superseded")
    slot = Slot(subject="user", attribute="residence", value=name)
    put(writer, CROWD, f"lives in {name}", id=id, slot=slot)
