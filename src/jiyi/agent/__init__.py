"""② Reason and act: the loop recall → context → model and tools → reply → observe.

`MemoryAgent` is the whole loop, `MemoryMiddleware` adds it to an agent made by LangChain's
`create_agent`, `memory_tools` are what a model may call itself. LangChain (the extra `langchain`)
is imported when one of them needs it; without a model, `MemoryAgent` quotes what is known.
"""

import importlib
import typing

from jiyi.errors import ConfigurationError

if typing.TYPE_CHECKING:
    from jiyi.agent.memory_agent import MemoryAgent
    from jiyi.agent.middleware import MemoryMiddleware
    from jiyi.agent.reply import Reply, ToolUse
    from jiyi.agent.tools import memory_tools

__all__ = ["MemoryAgent", "MemoryMiddleware", "Reply", "ToolUse", "memory_tools"]

_DOORS = {
    "MemoryAgent": "jiyi.agent.memory_agent",
    "MemoryMiddleware": "jiyi.agent.middleware",
    "Reply": "jiyi.agent.reply",
    "ToolUse": "jiyi.agent.reply",
    "memory_tools": "jiyi.agent.tools",
}


def __getattr__(name: str) -> typing.Any:
    if name not in _DOORS:
        raise AttributeError(f"module 'jiyi.agent' has no attribute {name!r}")
    try:
        module = importlib.import_module(_DOORS[name])
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("langchain", "langchain_core", "langgraph"):
            raise
        raise ConfigurationError.missing_extra(name, "langchain") from error
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
