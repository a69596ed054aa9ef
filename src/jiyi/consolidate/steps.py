"""A step of a plan: what to write, decided before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jiyi.types import ConsolidationStep, Draft, MemoryRecord, Scope, Source, StepAction


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step, and why.

    Either `target` is changed by `changes`, or `draft` becomes a new memory in `place`.
    `members` are what the new memory is made of, and `becoming` is their status then (None: they
    stay as they are). `gains` are fields of the new memory that no draft carries, such as its uses.
    """

    action: StepAction
    reason: str
    target: MemoryRecord | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    draft: Draft | None = None
    place: Scope | None = None
    members: tuple[MemoryRecord, ...] = ()
    becoming: Literal["superseded", "archived"] | None = None
    gains: Mapping[str, Any] = field(default_factory=dict)

    @property
    def touched(self) -> tuple[MemoryRecord, ...]:
        """The memories that change, and must be as they were when the step was planned."""
        if self.becoming is None:
            return () if self.target is None else (self.target,)
        return self.members if self.target is None else (self.target, *self.members)

    def reported(self, memory_id: str | None) -> ConsolidationStep:
        """The step for a report; `memory_id` is the new memory's, if there is one."""
        return ConsolidationStep(
            action=self.action,
            reason=self.reason,
            memory_id=memory_id if self.target is None else self.target.id,
            others=tuple(member.id for member in self.members),
        )


def changed(action: StepAction, memory: MemoryRecord, why: str, /, **changes: Any) -> Step:
    """A step that changes one memory."""
    return Step(action=action, reason=why, target=memory, changes=changes)


def all_sources(members: Iterable[MemoryRecord]) -> tuple[Source, ...]:
    """The sources of several memories, each once: by its id, and by its turn and span."""
    found: dict[tuple[object, ...], Source] = {}
    for member in members:
        for source in member.sources:
            place = (source.turn_id, source.span) if source.turn_id else (source.id,)
            found.setdefault(place, source)
    return tuple(found.values())
