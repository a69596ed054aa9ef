"""From settings to what they name: a memory with its models. What every shell opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jiyi.errors import ConfigurationError
from jiyi.memory import Memory
from jiyi.registry import open_chat_model, open_embedder, open_reranker

if TYPE_CHECKING:
    from jiyi.ports import ChatModel, Embedder, Reranker
    from jiyi.settings import Settings


def memory_of(
    settings: Settings, *, searches: bool = True, reads: bool = True, **options: Any
) -> Memory:
    """The memory that the settings name.

    Args:
        searches: the embedder and the reranker are needed; without them it opens faster.
        reads: the chat model reads conversations along.
        options: handed to `Memory`.

    Raises:
        ConfigurationError, StoreUnavailableError, StoreFormatError: it cannot be opened.
    """
    labels = searches and settings.reranker == "labels"
    model = chat_model_of(settings) if reads or labels else None
    return Memory(
        settings.db,
        embedder=embedder_of(settings) if searches else None,
        chat_model=model if reads else None,
        reranker=reranker_of(settings, model) if searches else None,
        **{"profile_schema": settings.profile_schema, **options},
    )


def embedder_of(settings: Settings) -> Embedder | None:
    """The embedder of the settings, with its endpoint and key."""
    given = _given(base_url=settings.embedder_base_url, api_key=settings.embedder_api_key)
    if given and ":" not in settings.embedder:
        raise ConfigurationError(
            f"an endpoint or key for the embedder is set, but embedder {settings.embedder!r} has "
            "no server: name one, such as 'openai:text-embedding-3-small'"
        )
    return open_embedder(settings.embedder, **given)


def chat_model_of(settings: Settings, name: str | None = None) -> ChatModel | None:
    """The chat model of the settings, or of that name with their endpoint and key."""
    given = _given(base_url=settings.base_url, api_key=settings.api_key)
    return open_chat_model(name or settings.model, **given)


def reranker_of(settings: Settings, chat_model: ChatModel | None) -> Reranker | None:
    """The reranker of the settings, with its endpoint and key."""
    given = _given(base_url=settings.reranker_base_url, api_key=settings.reranker_api_key)
    return open_reranker(settings.reranker, chat_model=chat_model, **given)


def _given(**options: str | None) -> dict[str, str]:
    return {name: value for name, value in options.items() if value is not None}
