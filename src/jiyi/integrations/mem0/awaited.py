"""Mem0's awaited class."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from jiyi.aio import _in_thread
from jiyi.integrations.mem0.facade import Memory


class AsyncMemory:
    """Mem0's `AsyncMemory`: the same verbs, awaited."""

    def __init__(self, config: Any = None) -> None:
        self.sync = config if isinstance(config, Memory) else Memory(config)

    @classmethod
    def from_config(cls, config_dict: dict[str, Any]) -> Self:
        """Open what a configuration of Mem0 describes; see `Memory.from_config`."""
        return cls(dict(config_dict))

    add = _in_thread(Memory.add)
    update = _in_thread(Memory.update)
    delete = _in_thread(Memory.delete)
    delete_all = _in_thread(Memory.delete_all)
    reset = _in_thread(Memory.reset)
    get = _in_thread(Memory.get)
    get_all = _in_thread(Memory.get_all)
    search = _in_thread(Memory.search)
    history = _in_thread(Memory.history)

    def close(self) -> None:
        """Close the store, unless it was opened by the caller."""
        self.sync.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
