"""Embedding models served by Ollama, over its own API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jiyi.embedders.served import ServedEmbedder
from jiyi.errors import ConfigurationError, ModelError
from jiyi.model_server import JsonClient, ollama_base

if TYPE_CHECKING:
    import numpy.typing as npt


class OllamaEmbedder(ServedEmbedder):
    """Vectors from an Ollama server. Nothing is sent before the first text.

    Args:
        model: as `ollama list` names it, such as `bge-m3`.
        base_url: the server, with or without `/api` or `/v1`.
        api_key: sent as a bearer token if given.
        dimension: None asks the server once, with one word, when it is first needed.
        query_prefix, passage_prefix: what the model expects before a question and before a text;
            part of the name, since vectors made with other prefixes do not mix.
        batch: texts for one request.
        timeout_s: seconds; loading a model for the first call takes a while.

    Raises:
        ConfigurationError: no model is named, or the address is none.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "http://localhost:11434",
        api_key: str | None = None,
        dimension: int | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        batch: int = 64,
        timeout_s: float = 120.0,
    ) -> None:
        if not model:
            raise ConfigurationError("name a model, such as 'ollama:bge-m3'")
        super().__init__(
            f"ollama:{model}",
            dimension=dimension,
            query_prefix=query_prefix,
            passage_prefix=passage_prefix,
            batch=batch,
        )
        self._model = model
        self._url = f"{ollama_base(base_url)}/api/embed"
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = JsonClient(self.name, headers=headers, timeout_s=timeout_s)

    def _ask(self, texts: Sequence[str]) -> npt.ArrayLike:
        # Without `truncate` a text above the model's window would be an error.
        payload = {"model": self._model, "input": list(texts), "truncate": True}
        answer = self._client.post(self._url, payload)
        rows = answer.get("embeddings") if isinstance(answer, Mapping) else None
        if not isinstance(rows, list):
            raise ModelError(f"{self.name}: the answer holds no embeddings")
        return rows
