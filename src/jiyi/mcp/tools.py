"""The seven tools: each is one call of `Memory`.

Descriptions are short on purpose: every client puts all of them into every prompt.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, create_model

from jiyi.mcp.answers import (
    ContextText,
    Forgotten,
    HistoryAnswer,
    Judged,
    ProfileAnswer,
    Recalled,
    Remembered,
)
from jiyi.mcp.door import Door
from jiyi.mcp.failures import telling
from jiyi.types import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from jiyi.memory import Memory

_READS: Final = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_ADDS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_MARKS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
_ERASES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)

_SHOWN: Final = 20  # texts that a dry run shows; ids are all there


def tools_on(door: Door) -> list[Tool]:
    """The seven tools."""
    tools = _Tools(door)
    return [
        _tool(tools.remember, _ADDS),
        _tool(tools.recall, _READS),
        _tool(tools.context, _READS),
        _tool(tools.profile, _READS),
        _tool(tools.forget, _ERASES),
        _tool(tools.history, _READS),
        _tool(tools.feedback, _MARKS),
    ]


def _tool(method: Callable[..., Any], hints: ToolAnnotations) -> Tool:
    tool = Tool.from_function(
        telling(method),
        title=method.__name__.title(),
        description=" ".join((method.__doc__ or "").split()),
        annotations=hints,
    )
    # An unknown argument is refused, where the SDK passes over it: with a mistyped `as_of` the
    # answer would be about now.
    loose = tool.fn_metadata.arg_model
    strict = create_model(loose.__name__, __base__=loose, __cls_kwargs__={"extra": "forbid"})
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool


class _Tools:
    """The tools, on the memory of whoever calls."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def remember(
        self,
        *,
        text: Annotated[str, Field(description="One statement, complete by itself")],
        kind: Kind = "semantic",
        tags: Annotated[list[str], Field(max_length=32)] = [],  # noqa: B006 - the schema's default
        importance: Annotated[float, Field(ge=0, le=1)] = 0.5,
        attribute: Annotated[
            str | None,
            Field(description="For a fact that changes, such as residence: needs value"),
        ] = None,
        value: Annotated[
            str | None, Field(description="The attribute's value; it replaces the former one")
        ] = None,
        replaces: Annotated[
            str | None, Field(description="Id of a memory that was wrong and is corrected by this")
        ] = None,
    ) -> Annotated[CallToolResult, Remembered]:
        """Keep one statement about the user or the work, for later conversations."""
        memory = self._door("write")
        if replaces is not None:
            return _answer(Remembered.of(memory.correct(replaces, text)))
        if (attribute is None) != (value is None):
            raise ToolError("attribute and value go together: pass both, or neither")
        slot = None if attribute is None else {"attribute": attribute, "value": value}
        receipt = memory.remember(
            text,
            kind=kind,
            tags=tags,
            importance=importance,
            slot=slot,
            source="mcp",
            trust="assistant",
        )
        return _answer(Remembered.of(receipt))

    def recall(
        self,
        query: str,
        limit: Annotated[int, Field(ge=1, le=50)] = 5,
        kinds: list[Kind] | None = None,
        as_of: Annotated[
            str | None, Field(description="What was true then: an ISO 8601 date or time")
        ] = None,
        past: Annotated[bool, Field(description="Also what has been replaced since")] = False,
    ) -> Annotated[CallToolResult, Recalled]:
        """Find what is remembered about a question, best first; empty when nothing is known."""
        memory = self._door("read")
        hits = memory.recall(
            query, limit=limit, kinds=kinds, as_of=as_of, include="superseded" if past else ()
        )
        return _answer(Recalled.of(hits))

    def context(
        self,
        query: Annotated[str, Field(description="What the user just said or asked")],
        budget: Annotated[int, Field(ge=50, le=32_000, description="Tokens, at most")] = 1500,
    ) -> Annotated[CallToolResult, ContextText]:
        """All that bears on a message, as a text to read before answering: profile, standing
        instructions and memories. Call it first."""
        memory = self._door("read")
        made = memory.context(query, budget=budget)
        answer = ContextText(
            text=made.text, tokens=made.tokens, support=made.support, trace_id=made.trace_id
        )
        return _answer(answer, said=made.text or "Nothing is remembered yet.")

    def profile(self) -> Annotated[CallToolResult, ProfileAnswer]:
        """The user's profile, exact: what the application set and what was learned."""
        return _answer(ProfileAnswer.of(self._door("read").profile()))

    def forget(
        self,
        ids: Annotated[list[str] | None, Field(description="Memories or turns")] = None,
        query: Annotated[
            str | None, Field(description="What holds most of these words; with ids, of those")
        ] = None,
        dry_run: Annotated[
            bool, Field(description="Only say what would go. Show it to the user first")
        ] = True,
    ) -> Annotated[CallToolResult, Forgotten]:
        """Erase for good, with the conversation it came from. Only when the user asks for it."""
        memory = self._door("forget")
        report = memory.forget(ids=ids, query=query, dry_run=dry_run)
        texts = _texts(memory, report.memory_ids[:_SHOWN]) if dry_run else []
        return _answer(Forgotten.of(report, texts))

    def history(self, memory_id: str) -> Annotated[CallToolResult, HistoryAnswer]:
        """What a memory replaced, what replaced it, and why."""
        return _answer(HistoryAnswer.of(self._door("read").history(memory_id)))

    def feedback(self, memory_id: str, helpful: bool) -> Annotated[CallToolResult, Judged]:
        """Say whether a recalled memory helped. For one that is wrong: remember with replaces."""
        record = self._door("write").feedback(memory_id, helpful=helpful)
        return _answer(
            Judged(memory_id=record.id, helpful=record.helpful, unhelpful=record.unhelpful)
        )


def _texts(memory: Memory, ids: tuple[str, ...]) -> list[str]:
    return [memory.get(id).text for id in ids]


def _answer(value: BaseModel, *, said: str | None = None) -> CallToolResult:
    """The value for programs, and for the model as JSON without line ends or empty fields, which
    would cost it tokens."""
    plain = value.model_dump(mode="json", exclude_none=True)
    text = json.dumps(plain, ensure_ascii=False) if said is None else said
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=plain)
