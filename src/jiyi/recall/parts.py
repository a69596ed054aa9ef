"""What goes into a context, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jiyi.types import Context, Hits, Json, MemoryRecord, Profile, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextParts:
    """Everything a context can be made of.

    `rules` come newest first. `hits` are all units found, best first. `later` gives the text of
    the memory that replaced what a hit says, by the id in `Hit.later` or `superseded_by`.
    `conflicts` are ids of memories among the hits that contradict each other. `around` are the
    turns next to the best ones found, `recent` the last turns of the session, oldest first.
    `attribute_labels` name slot attributes for readers.
    """

    query: str
    hits: Hits
    identity: str | None = None
    rules: Sequence[str] = ()
    profile: Profile = field(default_factory=lambda: Profile(permanent={}, learned=()))
    standing: Sequence[MemoryRecord] = ()
    notes: Mapping[str, Json] = field(default_factory=dict)
    summary: str | None = None
    later: Mapping[str, str] = field(default_factory=dict)
    conflicts: frozenset[str] = frozenset()
    around: Sequence[Turn] = ()
    recent: Sequence[Turn] = ()
    attribute_labels: Mapping[str, str] = field(default_factory=dict)


class Assembled(NamedTuple):
    """A context, and by layer what was left out of it and why."""

    context: Context
    cuts: Mapping[str, str]
