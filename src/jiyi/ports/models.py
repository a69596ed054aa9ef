"""Embedders, chat models and rerankers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Embedder(Protocol):
    """Texts become vectors: float32, unit length, shape (n, dimension) or (dimension,).

    `name` identifies model, version and prefixes: vectors of different names never mix. An embedder
    may have `centre`, the mean vector of texts in general, shape (dimension,): a squeezed model is
    told apart from noise by it while a scope is small.
    """

    name: str
    dimension: int

    def embed_documents(self, texts: list[str]) -> Any: ...
    def embed_query(self, text: str) -> Any: ...


class ChatModel(Protocol):
    """A chat model. `complete` returns the reply's text; `schema` is a JSON schema to aim for.

    Raises ModelError, with `retryable` set for overload, time-outs and lost connections.
    """

    name: str

    def complete(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any] | None = None
    ) -> str: ...


class Reranker(Protocol):
    """Scores how well texts answer a question: array of shape (n,), higher is better.

    NaN drops a text as irrelevant.
    """

    name: str

    def rerank(self, query: str, texts: Sequence[str]) -> Any: ...
