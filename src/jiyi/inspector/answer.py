"""What a page answers: a template with its values, or another address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Page:
    """A template and what it shows. `part` is the block that is enough when only that is asked
    for, which has the block's name as its id."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Away:
    """Another address, after something was done."""

    address: str


Answer = Page | Away
