"""How one recall came to its hits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from jiyi.types.scope import Scope
from jiyi.types.words import Support, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateTrace:
    """One unit that a recall looked at: its scores by arm and boost, and why it left, if it did."""

    unit: Unit
    id: str
    scores: Mapping[str, float]
    rank: int | None = None
    cut: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The back door: what one recall or context searched, found, cut and injected.

    `query` is the question as asked and `completed` what was searched for when the question
    leaned on the conversation. `latency_ms` is by stage. `injected` are the ids by layer of a
    context, `cuts` what the budget left out. `erasures` is how many erasures the readable spaces
    had seen then: a trace that is written after a later one is dropped, for it may repeat what
    was erased.
    """

    id: str
    at: datetime
    operation: Literal["recall", "context"]
    scope: Scope
    query: str
    completed: str | None
    arms: Mapping[str, int]
    candidates: tuple[CandidateTrace, ...]
    support: Support
    latency_ms: Mapping[str, float]
    injected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cuts: Mapping[str, str] = field(default_factory=dict)
    erasures: int | None = None
