"""Cross-encoders that run in this process, by the package `fastembed`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jiyi.errors import ConfigurationError, ModelError

if TYPE_CHECKING:
    import numpy.typing as npt

DEFAULT_MODEL: Final = "jinaai/jina-reranker-v2-base-multilingual"
"""Reads Chinese and English; the small ones that fastembed offers read English only."""


class CrossEncoderReranker:
    """Scores by a local cross-encoder. fastembed fetches its weights from a model hub once; the
    model is loaded for the first question.

    Args:
        model: as fastembed names it.
        cache_folder: where its weights lie or are put; None is fastembed's own choice.
        local_only: never fetch; the weights must be there.
        least: a score (a logit) below it drops the text as irrelevant; None drops nothing.

    Raises:
        ConfigurationError: the package is not installed.
    """

    def __init__(
        self,
        model: str = "",
        *,
        cache_folder: str | None = None,
        local_only: bool = False,
        least: float | None = None,
    ) -> None:
        try:
            from fastembed.rerank.cross_encoder import TextCrossEncoder
        except ImportError as error:
            raise ConfigurationError.missing_extra("reranker 'fastembed'", "rerank") from error
        self._model = model or DEFAULT_MODEL
        self.name = f"fastembed:{self._model}"
        self._options = {"cache_dir": cache_folder, "local_files_only": local_only}
        self._factory: Any = TextCrossEncoder
        self._least = least
        self._loaded: Any = None
        self._lock = threading.Lock()

    def rerank(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Array of shape (len(texts),), higher is better; NaN drops a text.

        Raises:
            ModelError: the model cannot be loaded or fails.
        """
        if not texts:
            return np.zeros(0)
        try:
            scores = np.array(list(self._load().rerank(query, list(texts))), np.float64)
        except (OSError, RuntimeError, ValueError) as error:
            # What it says may quote the texts.
            raise ModelError(f"reranker {self.name!r} failed ({type(error).__name__})") from error
        if scores.shape != (len(texts),):
            raise ModelError(
                f"reranker {self.name!r} gave {scores.size} scores for {len(texts)} texts"
            )
        if self._least is not None:
            scores[scores < self._least] = np.nan
        return scores

    def _load(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._factory(model_name=self._model, **self._options)
            return self._loaded
