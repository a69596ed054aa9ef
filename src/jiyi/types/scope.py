"""Who a memory belongs to, and what names one unit of a store."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple, TypedDict


class ScopeFields(TypedDict, total=False):
    """The scope as keyword arguments; every verb of `Memory` takes them."""

    tenant: str | None
    user: str | None
    agent: str | None
    session: str | None
    task: str | None
    tool: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Who a memory belongs to.

    `tenant` and `user` isolate; an absent user is the tenant's common space. `agent`, `session`,
    `task` and `tool` are labels: they limit reading only through a memory's visibility.
    Each is any non-empty string in any script, taken as it is, or absent (None).
    """

    tenant: str | None = None
    user: str | None = None
    agent: str | None = None
    session: str | None = None
    task: str | None = None
    tool: str | None = None

    def as_dict(self) -> dict[str, str]:
        """The fields that are present."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}


class UnitKey(NamedTuple):
    """Where a unit lies in its store: the number of its space and its number in that space.

    A space is one (tenant, user) pair. Numbers grow in the order of writing, without gaps being
    promised, and are never shown to users.
    """

    space: int
    number: int
