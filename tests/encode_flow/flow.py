"""What the tests of encoding share: a store, people who say things, and scripted rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from jiyi.encode.encoder import Encoder
from jiyi.encode.gate import Gate
from jiyi.encode.intake import turn_terms
from jiyi.encode.rules import Erase, Extraction, Retract
from jiyi.ids import new_id
from jiyi.ports import Selection, Store, Writer
from jiyi.testing import START
from jiyi.types import STATUSES, Draft, MemoryRecord, Outcome, Role, Scope, Slot, Source, Turn

DAY = timedelta(days=1)
SUN = Scope(user="sun", session="A")
NOW = START


def slot(text: str, cardinality: str = "one") -> Slot:
    """`residence=Rome` as a slot of the user."""
    attribute, _, value = text.partition("=")
    return Slot(subject="user", attribute=attribute, value=value, cardinality=cardinality)  # type: ignore[arg-type]


def draft(text: str, place: str | None = None, **fields: object) -> Draft:
    """A direct write, as `remember` makes it."""
    fields.setdefault("sources", (Source(id=new_id()),))
    fields.setdefault("trust", "application")
    return Draft(text=text, slot=slot(place) if place else None, **fields)  # type: ignore[arg-type]


def turn(text: str, *, at: datetime = NOW, role: Role = "user", scope: Scope = SUN) -> Turn:
    return Turn(id=new_id(), role=role, text=text, said_at=at, recorded_at=at, scope=scope)


def record(store: Store, turns: Iterable[Turn]) -> None:
    with store.write() as writer:
        for each in turns:
            writer.add_turn(each, turn_terms(each))


def memories(store: Store, *statuses: str, scope: Scope = SUN) -> list[MemoryRecord]:
    """Memories of these statuses (default: active), oldest first."""
    selection = Selection(now=NOW + 3650 * DAY, statuses=frozenset(statuses or ("active",)))  # type: ignore[arg-type]
    with store.read() as reader:
        found, _ = reader.memories(scope, selection, order="oldest")
    return found


def everything(store: Store, scope: Scope = SUN) -> list[MemoryRecord]:
    return memories(store, *STATUSES, scope=scope)


def texts(found: Sequence[MemoryRecord]) -> list[str]:
    return [each.text for each in found]


def as_of(store: Store, moment: datetime, scope: Scope = SUN) -> list[str]:
    """What was true at a moment, by text."""
    selection = Selection(now=NOW + 3650 * DAY, as_of=moment)
    with store.read() as reader:
        found, _ = reader.memories(scope, selection, order="oldest")
    return texts(found)


def scripted(said: Turn, previous: Sequence[Turn]) -> Extraction:
    """Rules for tests: `+text`, `+text @attribute=value`, `-topic` retracts, `!topic` erases,
    separated by semicolons."""
    drafts: list[Draft] = []
    commands: list[Erase | Retract] = []
    for match in re.finditer(r"[+\-!][^;]+", said.text):
        span, body = match.span(), match[0][1:].strip()
        if match[0][0] != "+":
            kind = Retract if match[0][0] == "-" else Erase
            commands.append(kind(body, span))
            continue
        text, _, place = body.partition("@")
        source = Source(
            id=new_id(),
            turn_id=said.id,
            span=span,
            session=said.scope.session,
            said_at=said.said_at,
        )
        drafts.append(
            Draft(
                text=text.strip(),
                slot=slot(place.strip()) if place else None,
                sources=(source,),
                said_at=said.said_at,
                confidence=0.9,
                importance=0.7,
            )
        )
    return Extraction(tuple(drafts), tuple(commands))


def obey(
    writer: Writer,
    scope: Scope,
    action: Literal["retract", "erase"],
    topic: str,
    *,
    turn: Turn,
    now: datetime,
) -> list[Outcome]:
    """Retracts or erases the memories whose text holds the topic."""
    found, _ = writer.memories(scope, Selection(now=now))
    meant = [m.id for m in found if topic in m.text]
    if action == "erase":
        writer.erase(scope, memory_ids=meant, at=now, reason="asked", event_id=new_id())
    else:
        for id in meant:
            writer.change_memory(scope, id, {"status": "retracted"}, at=now, action="retracted")
    return [
        Outcome(status="erased" if action == "erase" else "retracted", memory_id=id) for id in meant
    ]


def encoder(*, batches: bool = False, extract: Any = None) -> Encoder:
    """An encoder with scripted rules and an open gate."""
    return Encoder(obey, batches=batches, gate=Gate(threshold=0.0), extract=extract or scripted)


def observe(store: Store, by: Encoder, *turns: Turn, now: datetime = NOW) -> tuple[Outcome, ...]:
    with store.write() as writer:
        for each in turns:
            writer.add_turn(each, turn_terms(each))
        by.enqueue(writer, SUN, turns, now=now)
    return by.encode(store, turns, now=now)
