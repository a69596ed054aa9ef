"""Claude's memory tool on ours (extra `anthropic`).

    from anthropic import Anthropic
    from jiyi import Memory
    from jiyi.integrations.anthropic import JiyiMemoryTool

    tools = [JiyiMemoryTool(Memory("agent.db").scoped(user="sun"))]
    Anthropic().beta.messages.tool_runner(model="…", max_tokens=…, messages=…, tools=tools)

Claude finds a tree of files below /memories: its own notes, and beside them what else is remembered
of the user, one file each (see `jiyi.integrations.memory_tree`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec

import anyio.to_thread
from anthropic.lib.tools import (
    BetaAbstractMemoryTool,
    BetaAsyncAbstractMemoryTool,
    ToolError,
)

from jiyi.errors import JiyiError
from jiyi.integrations.memory_tree import MemoryTree

if TYPE_CHECKING:
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from jiyi.memory import Memory

__all__ = ["JiyiAsyncMemoryTool", "JiyiMemoryTool"]

P = ParamSpec("P")


class JiyiMemoryTool(BetaAbstractMemoryTool):
    """The memory tool over a memory; use `memory.scoped(user=…)`. What Claude gets wrong, and what
    the memory refuses, comes back to it as a ToolError."""

    def __init__(
        self, memory: Memory, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tree = MemoryTree(memory)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return _told(self._tree.view, *_arguments(command, "path", "view_range"))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return _told(self._tree.create, *_arguments(command, "path", "file_text"))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return _told(self._tree.str_replace, *_arguments(command, "path", "old_str", "new_str"))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return _told(self._tree.insert, *_arguments(command, "path", "insert_line", "insert_text"))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return _told(self._tree.delete, *_arguments(command, "path"))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return _told(self._tree.rename, *_arguments(command, "old_path", "new_path"))

    def clear_all_memory(self) -> str:
        """Erase everything that is remembered of the user. Claude has no command for it."""
        return _told(self._tree.clear)


class JiyiAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """`JiyiMemoryTool` for `AsyncAnthropic`."""

    def __init__(
        self, memory: Memory, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tree = MemoryTree(memory)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await _aside(self._tree.view, *_arguments(command, "path", "view_range"))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await _aside(self._tree.create, *_arguments(command, "path", "file_text"))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await _aside(
            self._tree.str_replace, *_arguments(command, "path", "old_str", "new_str")
        )

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await _aside(
            self._tree.insert, *_arguments(command, "path", "insert_line", "insert_text")
        )

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await _aside(self._tree.delete, *_arguments(command, "path"))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await _aside(self._tree.rename, *_arguments(command, "old_path", "new_path"))

    async def clear_all_memory(self) -> str:
        """Erase everything that is remembered of the user. Claude has no command for it."""
        return await _aside(self._tree.clear)


def _arguments(command: object, *names: str) -> list[Any]:
    """The fields of a command; nobody has checked that they are there."""
    return [getattr(command, name, None) for name in names]


def _told(work: Callable[P, str], *args: P.args, **kwargs: P.kwargs) -> str:
    try:
        return work(*args, **kwargs)
    except JiyiError as error:
        raise ToolError(str(error)) from error


async def _aside(work: Callable[..., str], *args: Any) -> str:
    return await anyio.to_thread.run_sync(_told, work, *args)
