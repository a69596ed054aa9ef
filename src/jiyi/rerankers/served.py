"""Any server with a rerank endpoint: Jina, Cohere, Voyage, vLLM, llama.cpp, TEI, …"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jiyi.errors import ConfigurationError, ModelError
from jiyi.model_server import JsonClient, endpoints

if TYPE_CHECKING:
    import numpy.typing as npt


class ServedReranker:
    """Relevance scores from a rerank endpoint. Nothing is sent before the first question.

    What such servers share is asked for (`query`, and the texts as both `documents` and `texts`),
    and each of their shapes of answer is understood: rows with `relevance_score` or `score`, under
    `results`, `data` or bare.

    Args:
        model: the model's name at that server.
        base_url: with or without a version at its end, or the whole address up to `/rerank`.
        api_key: sent as a bearer token; None sends none.
        least: a score below it drops the text as irrelevant; None drops nothing.
        timeout_s: seconds until an answer that does not come counts as a failure. A recall waits.

    Raises:
        ConfigurationError: no model is named, or the address is none.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "https://api.jina.ai/v1",
        api_key: str | None = None,
        least: float | None = None,
        timeout_s: float = 10.0,
    ) -> None:
        if not model:
            raise ConfigurationError("name a model, such as 'http:jina-reranker-v2-base'")
        self.name = f"http:{model}"
        self._model = model
        self._least = least
        self._urls = endpoints(base_url, "rerank")
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = JsonClient(self.name, headers=headers, timeout_s=timeout_s)

    def rerank(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Array of shape (len(texts),), higher is better; NaN drops a text.

        Raises:
            ModelError: the server failed, or its answer leaves a text without a score.
        """
        if not texts:
            return np.zeros(0)
        payload = {
            "model": self._model,
            "query": query,
            "documents": list(texts),
            "texts": list(texts),
            "top_n": len(texts),
            "return_documents": False,
        }
        url, answer = self._client.post_first(self._urls, payload)
        self._urls = (url,)
        scores = np.full(len(texts), np.nan)
        for row in _rows(answer):
            index, score = row.get("index"), row.get("relevance_score", row.get("score"))
            if (
                isinstance(index, int)
                and isinstance(score, (int, float))
                and 0 <= index < len(texts)
            ):
                scores[index] = score
        if np.isnan(scores).any():
            raise ModelError(f"{self.name}: the answer does not score every text")
        if self._least is not None:
            scores[scores < self._least] = np.nan
        return scores

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _rows(answer: Any) -> Iterable[Mapping[str, Any]]:
    if isinstance(answer, Mapping):
        answer = answer.get("results", answer.get("data"))
    return [row for row in answer if isinstance(row, Mapping)] if isinstance(answer, list) else []
