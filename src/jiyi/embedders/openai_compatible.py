"""Any server that speaks OpenAI's embeddings: OpenAI, DashScope, vLLM, llama.cpp, TEI, …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jiyi.embedders.served import ServedEmbedder
from jiyi.errors import ConfigurationError, ModelError
from jiyi.model_server import JsonClient, endpoints

if TYPE_CHECKING:
    import numpy.typing as npt


class OpenAICompatibleEmbedder(ServedEmbedder):
    """Vectors from an OpenAI-compatible endpoint. Nothing is sent before the first text.

    Args:
        model: the model's name at that server.
        base_url: with or without `/v1` (or another version) at its end.
        api_key: sent as a bearer token; None sends none.
        dimension: None asks the server once, with one word, when it is first needed.
        query_prefix, passage_prefix: what the model expects before a question and before a text,
            such as "query: " and "passage: ". They are part of the name, since vectors made with
            other prefixes do not mix.
        batch: texts for one request.
        timeout_s: seconds until an answer that does not come counts as a failure.
        headers: sent with every request, such as an organisation.

    Raises:
        ConfigurationError: no model is named, or the address is none.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "https://api.openai.com/v1",
        api_key: str | None = None,
        dimension: int | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        batch: int = 64,
        timeout_s: float = 60.0,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        if not model:
            raise ConfigurationError("name a model, such as 'openai:text-embedding-3-small'")
        super().__init__(
            f"openai:{model}",
            dimension=dimension,
            query_prefix=query_prefix,
            passage_prefix=passage_prefix,
            batch=batch,
        )
        self._model = model
        self._urls = endpoints(base_url, "embeddings")
        key = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = JsonClient(
            self.name, headers={**key, **(headers or {})}, timeout_s=timeout_s
        )

    def _ask(self, texts: Sequence[str]) -> npt.ArrayLike:
        url, answer = self._client.post_first(
            self._urls, {"model": self._model, "input": list(texts)}
        )
        self._urls = (url,)
        rows: Any = answer.get("data") if isinstance(answer, Mapping) else None
        try:
            # Servers may answer out of order; each row says which text it belongs to.
            ordered = sorted(rows, key=lambda row: row.get("index", 0))
            return [row["embedding"] for row in ordered]
        except (TypeError, KeyError, AttributeError) as error:
            raise ModelError(f"{self.name}: the answer holds no embeddings") from error
