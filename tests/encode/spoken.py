"""Turns for the tests of this folder, and the tables of what people say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

from jiyi.encode.gate import Gate
from jiyi.encode.rules import Extraction, extract
from jiyi.types import Draft, Role, Scope, Turn

DATA = Path(__file__).parent / "data"
SAID_AT = datetime(2023, 5, 24, 10, tzinfo=timezone(timedelta(hours=8)))  # a Wednesday


def turn(text: str, role: Role = "user", *, name: str | None = None, id: str = "t") -> Turn:
    return Turn(
        id=id, role=role, text=text, said_at=SAID_AT, recorded_at=SAID_AT, scope=Scope(), name=name
    )


def read(*texts: str) -> Extraction:
    """What the last of several messages of one user yields."""
    turns = [turn(text, id=f"t{place}") for place, text in enumerate(texts)]
    return extract(turns[-1], turns[:-1])


def let_in(extraction: Extraction) -> list[Draft]:
    """The drafts that the gate lets in, candidates included."""
    checked = (Gate().check(draft) for draft in extraction.drafts)
    return [draft for draft in checked if isinstance(draft, Draft)]


def facts(*texts: str) -> list[Draft]:
    """The drafts of the last message that are believed at once."""
    return [draft for draft in let_in(read(*texts)) if not draft.candidate]


def slots(*texts: str) -> dict[str, str]:
    """Attribute → value of `facts`."""
    return {d.slot.attribute: d.slot.value for d in facts(*texts) if d.slot is not None}


def table(name: str) -> Iterator[tuple[str, ...]]:
    """The rows of a table in `data`: messages joined by " || ", then columns, by tabs."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line:
            yield tuple(line.split("\t"))
