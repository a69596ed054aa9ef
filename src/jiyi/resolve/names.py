"""The names of one entity, as far as memories tie them together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jiyi.ports import ALIAS, SELF
from jiyi.text.entities import name_key

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import Reader, Tie
    from jiyi.types import Scope


def names_of(reader: Reader, scope: Scope, name: str, *, now: datetime) -> frozenset[str]:
    """The keys of all names of the entity that a name stands for, its own among them."""
    return same_as(name_key(name), reader.ties(scope, now=now))


def same_as(key: str, ties: Iterable[Tie]) -> frozenset[str]:
    """The keys that aliases tie to one, directly or through others; not through the user, whose own
    names are told apart by whoever asks."""
    pairs = [(t.one, t.other) for t in ties if t.relation == ALIAS and SELF not in (t.one, t.other)]
    found, size = {key}, 0
    while size < len(found):
        size = len(found)
        found |= {end for pair in pairs if not found.isdisjoint(pair) for end in pair}
    return frozenset(found)
