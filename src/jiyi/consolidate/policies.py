"""What leaves the live memory, and when: policies that compose, each a few numbers.

A policy names the memories that should be archived, with the reason. Archived is not gone: the
memory is kept, can be asked for, and comes back when it is needed (see `thaw`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, Protocol, runtime_checkable

from jiyi.consolidate.strength import (
    HALF_LIVES,
    age_of,
    discredited,
    idle_for,
    importance_of,
    strength,
)
from jiyi.consolidate.tiers import is_core
from jiyi.errors import InvalidInputError
from jiyi.resolve.evidence import last_said
from jiyi.types import KINDS, Kind, MemoryRecord, Scope

Choice = tuple[MemoryRecord, str]
"""A memory to archive, and why."""


@runtime_checkable
class Policy(Protocol):
    """Names what should be archived. Pure: it looks at values and the time, at nothing else."""

    def choose(self, memories: Sequence[MemoryRecord], now: datetime) -> Iterator[Choice]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """Not used for `days`, unless used more than `kept_above` times and in good standing.

    A memory that was told or confirmed again counts as used. Core memories (see `tiers`) are
    spared unless `spare_core` is False.
    """

    days: float = 90
    kept_above: int = 10
    spare_core: bool = True

    def __post_init__(self) -> None:
        _at_least(self.days, 0, "Unused.days")
        _at_least(self.kept_above, 0, "Unused.kept_above")

    def choose(self, memories: Sequence[MemoryRecord], now: datetime) -> Iterator[Choice]:
        for memory in memories:
            proven = memory.use_count > self.kept_above and not discredited(memory)
            idle = idle_for(memory, now)
            if idle >= timedelta(days=self.days) and not proven and not self._spares(memory):
                yield memory, f"unused for {idle.days} days"

    def _spares(self, memory: MemoryRecord) -> bool:
        return self.spare_core and is_core(memory)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unconfirmed:
    """Not told or confirmed again for `days`, however often it was put into contexts.

    What stopped being true is found as often as before, so that uses say nothing about whether it
    still holds. What was judged more helpful than not is spared, and so are core memories (see
    `tiers`) unless `spare_core` is False.
    """

    days: float = 180
    spare_core: bool = True

    def __post_init__(self) -> None:
        _at_least(self.days, 0, "Unconfirmed.days")

    def choose(self, memories: Sequence[MemoryRecord], now: datetime) -> Iterator[Choice]:
        for memory in memories:
            silent = max(timedelta(0), now - last_said(memory))
            spared = memory.helpful > memory.unhelpful or (self.spare_core and is_core(memory))
            if silent >= timedelta(days=self.days) and not spared:
                yield memory, f"not confirmed for {silent.days} days"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rare:
    """Older than `days` and used fewer than `fewer_than` times."""

    days: float = 90
    fewer_than: int = 3

    def __post_init__(self) -> None:
        _at_least(self.days, 0, "Rare.days")
        _at_least(self.fewer_than, 0, "Rare.fewer_than")

    def choose(self, memories: Sequence[MemoryRecord], now: datetime) -> Iterator[Choice]:
        for memory in memories:
            age = age_of(memory, now)
            if age > timedelta(days=self.days) and memory.use_count < self.fewer_than:
                yield memory, f"{age.days} days old and used {memory.use_count} times"


@dataclass(frozen=True, slots=True, kw_only=True)
class Faded:
    """Strength (0 to 1, see `strength`) times importance (1 to 5) is under `below`."""

    below: float = 0.15
    half_lives: Mapping[Kind, timedelta] = field(default_factory=lambda: HALF_LIVES)

    def __post_init__(self) -> None:
        _at_least(self.below, 0, "Faded.below")
        _check_half_lives(self.half_lives, "Faded.half_lives")

    def choose(self, memories: Sequence[MemoryRecord], now: datetime) -> Iterator[Choice]:
        for memory in memories:
            left = strength(memory, now, self.half_lives) * importance_of(memory)
            if left < self.below:
                yield memory, f"faded: {left:.2f} is under {self.below:.2f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """At most `limit` live memories: the least recently used, the oldest or the least important
    ones above it leave first. What is pinned counts, but stays."""

    limit: int
    by: Literal["lru", "age", "importance"] = "lru"

    def __post_init__(self) -> None:
        _at_least(self.limit, 0, "Capacity.limit")
        if self.by not in _ORDERS:
            raise InvalidInputError(
                "Capacity.by", f"unknown value {self.by!r}", f"Use one of: {', '.join(_ORDERS)}"
            )

    def choose(self, memories: Sequence[MemoryRecord], now: datetime) -> Iterator[Choice]:
        surplus = len(memories) - self.limit
        if surplus <= 0:
            return
        loose = [memory for memory in memories if not memory.pinned]
        if self.by == "lru":
            loose.sort(key=lambda m: (-idle_for(m, now), m.importance, m.id))
        elif self.by == "age":
            loose.sort(key=lambda m: (m.recorded_at, m.importance, m.id))
        else:
            loose.sort(key=lambda m: (m.importance, -idle_for(m, now), m.id))
        for memory in loose[:surplus]:
            yield memory, f"more than {self.limit} memories: {_ORDERS[self.by]}"


_ORDERS: Final[Mapping[str, str]] = {
    "lru": "least recently used",
    "age": "among the oldest",
    "importance": "among the least important",
}


@dataclass(frozen=True, slots=True)
class Every:
    """Only what all of these policies name: `Every(Rare(), Faded())`."""

    policies: tuple[Policy, ...]

    def __init__(self, *policies: Policy) -> None:
        if not policies:
            raise InvalidInputError("Every", "there is no policy", "Give one or more")
        object.__setattr__(self, "policies", policies)

    def choose(self, memories: Sequence[MemoryRecord], now: datetime) -> Iterator[Choice]:
        named = [dict(_by_id(policy.choose(memories, now))) for policy in self.policies]
        for memory in memories:
            reasons = [reasons[memory.id] for reasons in named if memory.id in reasons]
            if len(reasons) == len(named):
                yield memory, "; ".join(reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """Everything that a consolidation decides by.

    Args:
        archive: what any of these names is archived; pinned memories never are.
        candidate_days: a candidate that nothing confirmed for so long is dropped.
        merge: whether memories that say the same become one.
        summarise_above: groups of more than so many related, fading memories become a summary;
            None never.
        summarise_below: a memory counts as fading below this strength (0 to 1).
        reflect: whether lessons are drawn from corrections and errors of tools.
        lesson_after: how many outcomes of one kind make a lesson.
        trace_days: traces older than this are deleted; None leaves them to the store's own rule.
        audit_days: entries of the audit log older than this are deleted, except those about
            memories that are still there in whatever status, whose history stays whole; None keeps
            all of it.
        turn_days: turns that were recorded longer ago are erased, except those that a memory which
            is live or archived cites, and those that still wait to be read; None, the default,
            keeps every word. At least 1. Erased is gone: `undo` does not bring turns back.
        half_lives: by kind, for `summarise_below`.
        most_changes: memories that one run changes at most, in one transaction that other
            writers wait for (about a millisecond each); the rest is left to the next run.
        allow_everything: let policies pass that archive even what was told a moment ago.

    Raises:
        InvalidInputError: a number makes no sense, or the policies would archive everything.
    """

    archive: tuple[Policy, ...] = field(default_factory=lambda: (Unused(),))
    candidate_days: float = 30
    merge: bool = True
    summarise_above: int | None = 3
    summarise_below: float = 0.5
    reflect: bool = True
    lesson_after: int = 2
    trace_days: float | None = 30
    audit_days: float | None = None
    turn_days: float | None = None
    half_lives: Mapping[Kind, timedelta] = field(default_factory=lambda: HALF_LIVES)
    most_changes: int = 1000
    allow_everything: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.archive, tuple) or not all(
            isinstance(policy, Policy) for policy in self.archive
        ):
            raise InvalidInputError("archive", "expected policies", "Use (Unused(), …)")
        _at_least(self.candidate_days, 0, "candidate_days")
        _at_least(self.most_changes, 1, "most_changes")
        _at_least(self.lesson_after, 1, "lesson_after")
        if self.summarise_above is not None:
            _at_least(self.summarise_above, 1, "summarise_above")
        if not 0 <= self.summarise_below <= 1:
            raise InvalidInputError(
                "summarise_below", f"{self.summarise_below!r} is no share", "Use 0.0 to 1.0"
            )
        for name in ("trace_days", "audit_days"):
            if getattr(self, name) is not None:
                _at_least(getattr(self, name), 0, name)
        if self.turn_days is not None:
            _at_least(self.turn_days, 1, "turn_days")
        _check_half_lives(self.half_lives, "half_lives")
        if not self.allow_everything:
            _refuse_everything(self.archive)

    def choose(self, memories: Sequence[MemoryRecord], now: datetime) -> list[Choice]:
        """What any policy names, each memory once with the first reason."""
        chosen: dict[str, Choice] = {}
        for policy in self.archive:
            left = [memory for memory in memories if memory.id not in chosen]
            for memory, reason in policy.choose(left, now):
                if not memory.pinned:
                    chosen.setdefault(memory.id, (memory, reason))
        return list(chosen.values())


def _refuse_everything(policies: Sequence[Policy]) -> None:
    """A policy that archives what was told a moment ago archives everything."""
    now = datetime(2000, 1, 1, tzinfo=UTC)
    fresh = MemoryRecord(
        id="00000000-0000-7000-8000-000000000000",
        text="something that was told a moment ago",
        kind="semantic",
        status="active",
        scope=Scope(),
        recorded_at=now,
        said_at=now,
        valid_from=now,
    )
    for policy in policies:
        for _, reason in policy.choose([fresh], now + timedelta(seconds=1)):
            raise InvalidInputError(
                "policies",
                f"{policy} would archive even what was told a moment ago ({reason}), and so"
                " everything",
                "Use larger numbers, or say allow_everything=True",
            )


def _by_id(choices: Iterator[Choice]) -> Iterator[tuple[str, str]]:
    return ((memory.id, reason) for memory, reason in choices)


def _check_half_lives(half_lives: Mapping[Kind, timedelta], field: str) -> None:
    for kind, half_life in half_lives.items():
        if kind not in KINDS:
            raise InvalidInputError(field, f"unknown kind {kind!r}", f"Known: {', '.join(KINDS)}")
        if not isinstance(half_life, timedelta) or half_life <= timedelta(0):
            raise InvalidInputError(
                f"{field}[{kind!r}]",
                f"{half_life!r} is not a positive duration",
                "A half-life is a timedelta above zero",
            )


def _at_least(value: object, least: int, field: str) -> None:
    ok = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not ok or not least <= value < 1e9:  # type: ignore[operator]
        raise InvalidInputError(field, f"{value!r} is out of range", f"Use a number from {least}")
