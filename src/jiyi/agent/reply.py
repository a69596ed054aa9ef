"""What an agent answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jiyi.types import Support


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One call of a tool: what the model asked for, and what it was told."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer. As a text it is `text`.

    `kept` are the statements that the user's message made memory keep, `support` and `trace_id`
    belong to what was recalled for it, and `tools` were called on the way. `model` is None where
    memory answered by itself.
    """

    text: str
    kept: tuple[str, ...] = ()
    support: Support = "none"
    trace_id: str | None = None
    tools: tuple[ToolUse, ...] = ()
    model: str | None = None

    def __str__(self) -> str:
        return self.text
