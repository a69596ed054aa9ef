"""Models served by Ollama, over its own API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jiyi.errors import ConfigurationError, ModelError
from jiyi.model_server import JsonClient, ollama_base


class OllamaChatModel:
    """A chat model of an Ollama server. Nothing is sent before `complete`.

    Args:
        model: as `ollama list` names it, such as `qwen3:8b`.
        base_url: the server.
        timeout_s: seconds; loading a model for the first call takes a while.
        context_tokens: the window asked for. Ollama's default is small and cuts silently.
        api_key: accepted for symmetry with other models; sent as a bearer token if given.

    Raises:
        ConfigurationError: no model is named.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "http://localhost:11434",
        timeout_s: float = 300.0,
        context_tokens: int = 8_192,
        api_key: str | None = None,
    ) -> None:
        if not model:
            raise ConfigurationError("name a model, such as 'ollama:qwen3:8b'")
        self.name = f"ollama:{model}"
        self._model = model
        self._url = f"{ollama_base(base_url)}/api/chat"
        self._context_tokens = context_tokens
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = JsonClient(self.name, headers=headers, timeout_s=timeout_s)

    def complete(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any] | None = None
    ) -> str:
        """The reply's text; empty when the model only thought.

        Raises:
            ModelError: retryable for overload, time-outs, lost connections and server faults.
        """
        payload: dict[str, Any] = {
            "model": self._model,
            "messages": [dict(message) for message in messages],
            "stream": False,
            "options": {"num_ctx": self._context_tokens},
        }
        if schema is not None:
            payload["format"] = dict(schema)
        answer = self._client.post(self._url, payload)
        message = answer.get("message") if isinstance(answer, Mapping) else None
        if not isinstance(message, Mapping):
            raise ModelError(f"{self.name}: the answer is no chat message")
        content = message.get("content")
        return content if isinstance(content, str) else ""

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
