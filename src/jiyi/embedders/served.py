"""What embedders behind a server have in common: prefixes, batches, checks, a dimension asked for
once."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jiyi.embedders.checks import checked_vectors
from jiyi.errors import InvalidInputError

if TYPE_CHECKING:
    import numpy.typing as npt

    from jiyi.model_server import JsonClient


class ServedEmbedder(ABC):
    """An embedder whose model runs behind a server; `_ask` is the one request.

    Raises:
        InvalidInputError: a batch or dimension below 1.
    """

    _client: JsonClient

    def __init__(
        self,
        name: str,
        *,
        dimension: int | None,
        query_prefix: str,
        passage_prefix: str,
        batch: int,
    ) -> None:
        for field, value in (("batch", batch), ("dimension", dimension)):
            if value is not None and value < 1:
                raise InvalidInputError(field, f"{value} is less than 1", "Use 1 or more")
        marks = f":{query_prefix!r}/{passage_prefix!r}" if query_prefix or passage_prefix else ""
        self.name = name + marks
        self._prefixes = query_prefix, passage_prefix
        self._batch = batch
        self._dimension = dimension
        self._lock = threading.Lock()

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        with self._lock:
            if self._dimension is None:
                self._dimension = self._embed(["dimension"]).shape[1]
            return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Array of shape (len(texts), dimension): float32, unit length.

        Raises:
            ModelError: retryable for overload, time-outs, lost connections and server faults.
        """
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        marked = [self._prefixes[1] + text for text in texts]
        batches = range(0, len(marked), self._batch)
        return np.concatenate([self._embed(marked[at : at + self._batch]) for at in batches])

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Array of shape (dimension,): float32, unit length.

        Raises:
            ModelError: retryable for overload, time-outs, lost connections and server faults.
        """
        vector: npt.NDArray[np.float32] = self._embed([self._prefixes[0] + text])[0]
        return vector

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        raw = self._ask(texts)
        return checked_vectors(raw, count=len(texts), dimension=self._dimension, name=self.name)

    @abstractmethod
    def _ask(self, texts: Sequence[str]) -> npt.ArrayLike:
        """One vector for each text, in their order."""
