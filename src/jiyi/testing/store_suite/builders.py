"""Short ways to make turns, memories and index terms for the suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any

import pytest

from jiyi.ids import new_id
from jiyi.ports import Reader, Selection, Store, StoredUnit, TermWeights, Writer
from jiyi.types import Draft, MemoryRecord, Scope, Slot, Source, Status, Turn, UnitKey

NOW = datetime(2026, 3, 5, 9, 0, tzinfo=UTC)
ANN = Scope(tenant="acme", user="ann")
BOB = Scope(tenant="acme", user="bob")
EVERY_STATUS: frozenset[Status] = frozenset(
    {"candidate", "active", "superseded", "expired", "archived", "retracted", "forgotten"}
)

# Ids that have broken other systems: they must be stored and isolated as they are.
HOSTILE_IDS: tuple[str, ...] = (
    "ann",
    "Ann",
    "ann ",
    " ann",
    "an n",
    "a'n\"n",
    "用户一",
    "a=b&c",
    "a=b",
    "%",
    "_",
    "a%",
    "ａｎｎ",
    "аnn",  # a Cyrillic a
    "None",
    "null",
    "*",
    "tenant/user",
    "line\nbreak",
    "00000000-0000-7000-8000-000000000000",
    "x" * 300,
    "x" * 301,
    "'; DROP TABLE memory; --",
    "e\u0301",
    "\u00e9",
    "👩‍💻",
)


def later(**parts: float) -> datetime:
    """NOW plus a timedelta given by its keywords."""
    return NOW + timedelta(**parts)


def fingerprint(text: str) -> bytes:
    """Any 16 bytes that are equal for equal texts will do for a store."""
    return blake2b(text.encode(), digest_size=16).digest()


def weigh(text: str) -> TermWeights:
    """White-space separated words as terms."""
    words = text.casefold().split()
    return TermWeights(Counter(words), len(words))


def select(now: datetime = NOW, **fields: Any) -> Selection:
    """A selection at `now`."""
    return Selection(now=now, **fields)


def everything(now: datetime = NOW, **fields: Any) -> Selection:
    """A selection of every status."""
    return Selection(now=now, statuses=EVERY_STATUS, **fields)


def make_turn(scope: Scope, text: str, *, at: datetime = NOW, **fields: Any) -> Turn:
    """A user's turn said and recorded at `at` unless told otherwise."""
    values: dict[str, Any] = {"id": new_id(), "role": "user", "said_at": at, "recorded_at": at}
    return Turn(**{**values, **fields, "text": text, "scope": scope})


def say(writer: Writer, scope: Scope, text: str, *, at: datetime = NOW, **fields: Any) -> Turn:
    """Append a turn, indexed as one piece."""
    turn = make_turn(scope, text, at=at, **fields)
    assert writer.add_turn(turn, [((0, len(text)), weigh(text))])
    return turn


def put(
    writer: Writer,
    scope: Scope,
    text: str,
    *,
    at: datetime = NOW,
    said_at: datetime | None = None,
    id: str | None = None,
    status: Status = "active",
    superseded_by: str | None = None,
    ended: datetime | None = None,
    reason: str | None = None,
    run_id: str | None = None,
    **draft: Any,
) -> MemoryRecord:
    """Store a memory; what is not named here goes into its draft."""
    draft.setdefault("sources", (Source(id=new_id()),))
    return writer.add_memory(
        scope,
        Draft(text=text, **draft),
        id=id or new_id(),
        fingerprint=fingerprint(text),
        terms=weigh(text),
        recorded_at=at,
        said_at=said_at or at,
        status=status,
        superseded_by=superseded_by,
        valid_to=ended,
        reason=reason,
        run_id=run_id,
    )


def supersede(
    writer: Writer, scope: Scope, old: MemoryRecord, text: str, *, at: datetime, **draft: Any
) -> MemoryRecord:
    """Close `old` at `at` and store its successor, the way the resolver does."""
    id = new_id()
    writer.change_memory(
        scope,
        old.id,
        {"status": "superseded", "valid_to": at, "superseded_by": id},
        at=at,
        action="superseded",
        reason="newer value",
        other_id=id,
    )
    return put(writer, scope, text, id=id, at=at, **draft)


def residence(city: str) -> Slot:
    """A one-valued slot."""
    return Slot(subject="user", attribute="residence", value=city)


def get(
    reader: Reader, scope: Scope, memory_id: str, selection: Selection | None = None
) -> MemoryRecord | None:
    """The memory by id, in whatever status, or None."""
    found, _ = reader.memories(scope, _narrow(selection or everything(), memory_id))
    assert len(found) <= 1
    return found[0] if found else None


def must_get(reader: Reader, scope: Scope, memory_id: str) -> MemoryRecord:
    """The memory by id, which has to be there."""
    found = get(reader, scope, memory_id)
    assert found is not None, f"{memory_id} is not readable by {scope}"
    return found


def texts(reader: Reader, scope: Scope, selection: Selection | None = None) -> list[str]:
    """Texts of the selected memories, newest first."""
    return [record.text for record in reader.memories(scope, selection or select())[0]]


def all_pages(
    reader: Reader, scope: Scope, selection: Selection, *, limit: int, **options: Any
) -> list[list[MemoryRecord]]:
    """Every page of a list, following the cursors."""
    pages: list[list[MemoryRecord]] = []
    cursor: str | None = None
    while True:
        items, cursor = reader.memories(scope, selection, limit=limit, cursor=cursor, **options)
        pages.append(items)
        if cursor is None:
            return pages
        assert len(pages) < 1000, "the cursors do not end"


def keys_with(reader: Reader, scope: Scope, *terms: str) -> list[UnitKey]:
    """Keys of the units that the text index lists under any of the terms, ascending."""
    return sorted(
        {
            UnitKey(entry.space, int(number))
            for entry in reader.postings(scope, terms)
            for numbers, _ in entry.terms.values()
            for number in numbers
        }
    )


def units_with(
    reader: Reader, scope: Scope, *terms: str, selection: Selection | None = None
) -> list[StoredUnit]:
    """Readable units under any of the terms, in the order of their keys."""
    keys = keys_with(reader, scope, *terms)
    found = reader.units(scope, keys, selection or select())
    return [found[key] for key in keys if key in found]


def unit_texts(
    reader: Reader, scope: Scope, *terms: str, selection: Selection | None = None
) -> list[str]:
    """Texts of the readable units under any of the terms, in the order of their keys."""
    return [
        (unit.memory or unit.turn or unit.passage).text  # type: ignore[union-attr]
        for unit in units_with(reader, scope, *terms, selection=selection)
    ]


def ids_of(records: Sequence[MemoryRecord | Turn]) -> list[str]:
    """The ids, in order."""
    return [record.id for record in records]


def _narrow(selection: Selection, memory_id: str) -> Selection:
    return Selection(
        now=selection.now,
        statuses=selection.statuses,
        where=selection.where,
        ids=(memory_id,),
        as_of=selection.as_of,
        known_at=selection.known_at,
    )


Reopen = Callable[[], Store]


class StoreSuite:
    """The fixtures every part of the suite asks for."""

    @pytest.fixture
    def store(self) -> Store:
        """An empty store; override this in your subclass, and close it there."""
        raise NotImplementedError("override the `store` fixture")

    @pytest.fixture
    def reopen(self) -> Reopen | None:
        """Opens another handle to the same data, or None when there can be no second one.

        Close what it opened in your fixture. Tests that need it skip when it is None.
        """
        return None
