"""What a configuration of Mem0 opens here."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from jiyi import registry
from jiyi.errors import InvalidInputError
from jiyi.memory import Memory as Jiyi

logger = logging.getLogger("jiyi")

DEFAULT_TARGET: Final = "mem0.jiyi.db"


def open_memory(config: Any) -> Jiyi:
    if config is None:
        return Jiyi(DEFAULT_TARGET)
    if isinstance(config, Jiyi):
        return config
    if isinstance(config, (str, os.PathLike)):
        return Jiyi(config)
    if hasattr(config, "model_dump"):  # Mem0's MemoryConfig
        config = config.model_dump(exclude_unset=True)
    if not isinstance(config, Mapping):
        raise InvalidInputError(
            "config", f"a {type(config).__name__}", "Pass a path, a jiyi.Memory or a mapping"
        )
    options = dict(config.get("jiyi") or {})
    target = options.pop("target", None) or _beside(config)
    if "chat_model" not in options:
        options["chat_model"] = _model(config.get("llm"))
    return Jiyi(target, **options)


def _beside(config: Mapping[str, Any]) -> str | Path:
    """A file in the folder where Mem0 kept its own."""
    if history := config.get("history_db_path"):
        return ":memory:" if history == ":memory:" else Path(history).parent / DEFAULT_TARGET
    store = config.get("vector_store") or {}
    folder = (store.get("config") or {}).get("path") if isinstance(store, Mapping) else None
    if not folder:
        return DEFAULT_TARGET
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder) / DEFAULT_TARGET


def _model(llm: Any) -> Any:
    """The chat model that Mem0 was told to use, where we know how to ask it."""
    if not isinstance(llm, Mapping):
        return None
    provider, config = str(llm.get("provider", "openai")), dict(llm.get("config") or {})
    url = config.get(f"{provider}_base_url")
    ours = "ollama" if provider == "ollama" else "openai"
    key = config.get("api_key") or os.environ.get("OPENAI_API_KEY")
    if not config.get("model") or (ours == "openai" and not (url or (provider == ours and key))):
        logger.warning("the chat model of %r is not used; messages are read by rules", provider)
        return None
    options = {"base_url": url, "api_key": config.get("api_key")}
    given = {name: value for name, value in options.items() if value}
    return registry.open_chat_model(f"{ours}:{config['model']}", **given)
