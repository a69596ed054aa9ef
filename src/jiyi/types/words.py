"""The closed sets of words that the values use, and what JSON may hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


Kind = Literal["semantic", "episodic", "procedural", "reflective", "working"]


Status = Literal[
    "candidate", "active", "superseded", "expired", "archived", "retracted", "forgotten"
]


Tier = Literal["core", "extended", "archive"]


Visibility = Literal["user", "agent", "task", "tool", "shared"]


Role = Literal["user", "assistant", "system", "tool"]


Unit = Literal["memory", "turn", "document"]


Cardinality = Literal["one", "many"]


Trust = Literal["application", "user", "assistant", "tool", "document", "flagged"]


OutcomeStatus = Literal[
    "stored",
    "merged",
    "superseding",
    "candidate",
    "skipped",
    "pending",
    "retracted",
    "erased",
]


Support = Literal["strong", "weak", "none"]


KINDS: tuple[Kind, ...] = ("semantic", "episodic", "procedural", "reflective", "working")


STATUSES: tuple[Status, ...] = (
    "candidate",
    "active",
    "superseded",
    "expired",
    "archived",
    "retracted",
    "forgotten",
)


VISIBILITIES: tuple[Visibility, ...] = ("user", "agent", "task", "tool", "shared")


ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool")
