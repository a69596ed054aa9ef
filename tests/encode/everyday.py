"""The tables of everyday statements: what is said in the first minute, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone

from spoken import table

from jiyi import Memory
from jiyi.testing import FakeClock
from jiyi.types import MemoryRecord

Row = tuple[str, str]


def rows_of(name: str) -> Callable[..., list[Row]]:
    """The rows (what is said, what is expected) of some kinds of a table."""
    rows = [(*row, "")[:3] for row in table(name)]

    def rows_of_kinds(*kinds: str) -> list[Row]:
        return [(said, expected) for kind, said, expected in rows if kind in kinds]

    return rows_of_kinds


@contextmanager
def first_minute(zone: int) -> Iterator[Memory]:
    """A memory on a Tuesday morning, `zone` hours east of Greenwich."""
    now = datetime(2026, 12, 1, 10, tzinfo=timezone(timedelta(hours=zone)))
    with Memory(":memory:", embedder=None, background=False, clock=FakeClock(now)) as memory:
        yield memory


def kept(memory: Memory, said: str) -> list[MemoryRecord]:
    """What is in force after the messages, each case with a user of its own."""
    for message in said.split(" || "):
        memory.observe(message, user=said, session="first minute")
    return list(memory.list(user=said, limit=50).items)


def check_places(memory: Memory, said: str, records: Sequence[MemoryRecord]) -> None:
    """Each memory cites a place in a turn that was said."""
    turns = {turn.id: turn.text for turn in memory.turns(user=said)}
    for record in records:
        source = record.sources[0]
        assert source.turn_id is not None
        assert source.span is not None
        assert turns[source.turn_id][slice(*source.span)].strip()
