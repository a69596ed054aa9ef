"""Any object with `embed_documents` and `embed_query`, such as LangChain's, as an embedder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jiyi.embedders.checks import checked_vectors
from jiyi.errors import ConfigurationError, JiyiError, ModelError

if TYPE_CHECKING:
    import numpy.typing as npt

    from jiyi.ports import Embedder


class AdaptedEmbedder:
    """Adds what LangChain's embeddings lack: a name, a dimension, checks and our errors.

    Args:
        embedder: has `embed_documents(list of texts)` and `embed_query(text)`.
        name: recorded beside every vector; it must name model, version and prefixes. Without it,
            the class and its `model` or `model_name`.
        dimension: None asks the embedder once, when it is first needed.
        batch: texts for one call.

    Raises:
        ConfigurationError: it lacks a method, or nothing tells which model it is.
    """

    def __init__(
        self,
        embedder: Any,
        *,
        name: str | None = None,
        dimension: int | None = None,
        batch: int = 64,
    ) -> None:
        for method in ("embed_documents", "embed_query"):
            if not callable(getattr(embedder, method, None)):
                raise ConfigurationError(f"{type(embedder).__name__} has no method {method!r}")
        self._embedder = embedder
        self._batch = max(1, batch)
        self._dimension = dimension or _known_dimension(embedder)
        self._lock = threading.Lock()
        self.name = name or _name_of(embedder)

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        with self._lock:
            if self._dimension is None:
                raw = self._call(self._embedder.embed_query, "dimension")
                self._dimension = self._check([raw], 1).shape[1]
            return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Array of shape (len(texts), dimension): float32, unit length."""
        parts = []
        for start in range(0, len(texts), self._batch):
            part = list(texts[start : start + self._batch])
            parts.append(self._check(self._call(self._embedder.embed_documents, part), len(part)))
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Array of shape (dimension,): float32, unit length."""
        vector: npt.NDArray[np.float32] = self._check(
            [self._call(self._embedder.embed_query, text)], 1
        )[0]
        return vector

    def _call(self, method: Callable[[Any], Any], argument: Any) -> Any:
        try:
            return method(argument)
        except JiyiError:
            raise
        except Exception as error:
            # Foreign errors may quote the text that was embedded, and ours are logged.
            message = f"embedder {self.name!r} failed ({type(error).__name__})"
            raise ModelError(message, retryable=True) from error

    def _check(self, raw: Any, count: int) -> npt.NDArray[np.float32]:
        return checked_vectors(raw, count=count, dimension=self._dimension, name=self.name)


def adapt(embedder: Any) -> Embedder:
    """The embedder itself when it has a name and a dimension, else wrapped."""
    # Asked of the class, because finding out a dimension may mean a request to a server.
    known = hasattr(type(embedder), "dimension") or isinstance(
        getattr(embedder, "__dict__", {}).get("dimension"), int
    )
    if known and isinstance(getattr(embedder, "name", None), str):
        return cast("Embedder", embedder)
    return cast("Embedder", AdaptedEmbedder(embedder))


def _name_of(embedder: Any) -> str:
    for attribute in ("name", "model", "model_name", "model_id", "repo_id", "deployment"):
        value = getattr(embedder, attribute, None)
        if isinstance(value, str) and value:
            return f"{type(embedder).__name__}:{value}"
    raise ConfigurationError(
        f"nothing tells which model {type(embedder).__name__} is. "
        "Wrap it: AdaptedEmbedder(embedder, name='…')"
    )


def _known_dimension(embedder: Any) -> int | None:
    for attribute in ("dimension", "dimensions", "size"):
        value = getattr(embedder, attribute, None)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return None
