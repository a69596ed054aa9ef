"""What a write did."""

from __future__ import annotations

from dataclasses import dataclass

from jiyi.types.words import OutcomeStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one statement: `status`, the memory concerned, and why."""

    status: OutcomeStatus
    memory_id: str | None = None
    reason: str | None = None
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a write did. `memory_id` is the first memory it touched, if any."""

    turn_ids: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()

    @property
    def memory_id(self) -> str | None:
        return next((o.memory_id for o in self.outcomes if o.memory_id is not None), None)
