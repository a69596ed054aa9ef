"""What a recall finds, and the context that is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from jiyi.types.record import Source, Turn
from jiyi.types.scope import Scope
from jiyi.types.words import Json, Kind, Role, Status, Support, Trust, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A recalled memory, turn or document passage.

    `score` is the final ranking score (higher is better, comparable within one recall only);
    `scores` are its parts by name. `later` names the memory that replaced what this unit says.
    `status` of a turn is None, or "archived" where every memory drawn from it is.
    """

    unit: Unit
    id: str
    text: str
    score: float
    scores: Mapping[str, float]
    scope: Scope
    recorded_at: datetime
    kind: Kind | None = None
    status: Status | None = None
    role: Role | None = None
    name: str | None = None
    said_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    later: str | None = None
    sources: tuple[Source, ...] = ()
    neighbours: tuple[Turn, ...] = ()
    tags: tuple[str, ...] = ()
    meta: Mapping[str, Json] = field(default_factory=dict)
    trust: Trust = "user"
    flags: tuple[str, ...] = ()
    importance: float | None = None


@dataclass(frozen=True, slots=True)
class Hits(Sequence[Hit]):
    """The answer of a recall, best first. Empty when nothing fits.

    `support` says how well the best hit is backed by the question: "none" goes with an empty
    result. `trace_id` leads to the explanation.
    """

    items: tuple[Hit, ...]
    trace_id: str
    support: Support

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer of a context: its rendered text, its size in tokens, and what it is made of."""

    name: str
    text: str
    tokens: int
    unit_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The budgeted text for the prompt. `tokens` counts the rendered `text`."""

    text: str
    layers: tuple[Layer, ...]
    tokens: int
    budget: int
    support: Support
    trace_id: str
    recent: tuple[Turn, ...] = ()

    def messages(self) -> list[dict[str, str]]:
        """The context for a chat API: one system message, then the last turns as they were said.

        Results of tools are left out: chat APIs take them only right after the call they answer.
        """
        system = "\n\n".join(layer.text for layer in self.layers if layer.name != "recent")
        head = [{"role": "system", "content": system}] if system else []
        said = [turn for turn in self.recent if turn.role != "tool"]
        return head + [{"role": turn.role, "content": turn.text} for turn in said]
