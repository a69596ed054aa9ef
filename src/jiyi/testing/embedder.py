"""An embedder without a model: equal words point in equal directions."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")


class HashEmbedder:
    """Texts as bags of hashed words (Chinese: characters and pairs of them), unit length float32.

    The same text gives the same vector on every machine; texts that share words have a positive
    cosine; a text without words lies on the first axis.

    Args:
        dimension: length of the vectors.
        name: what the store records beside them.
        groups: sets of words that shall count as one, such as ("car", "automobile"), to play a
            paraphrase. Matched after NFKC and casefold.
    """

    def __init__(
        self,
        dimension: int = 64,
        *,
        name: str | None = None,
        groups: tuple[tuple[str, ...], ...] = (),
    ) -> None:
        self.dimension = dimension
        self.name = name or f"hash-{dimension}"
        self._leader = {_fold(word): _fold(group[0]) for group in groups for word in group}

    def embed_documents(self, texts: list[str]) -> npt.NDArray[np.float32]:
        """Array of shape (len(texts), dimension)."""
        rows = [self._embed(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Array of shape (dimension,)."""
        return self._embed(text)

    def _embed(self, text: str) -> npt.NDArray[np.float32]:
        vector = np.zeros(self.dimension, np.float32)
        for word in self._words(text):
            digest = blake2b(word.encode(), digest_size=8).digest()
            # One bit for the sign lets unrelated words cancel instead of adding up.
            vector[int.from_bytes(digest[:7]) % self.dimension] += 1 if digest[7] & 1 else -1
        length = float(np.linalg.norm(vector))
        if length == 0:
            vector[0] = length = 1
        return (vector / np.float32(length)).astype(np.float32)

    def _words(self, text: str) -> list[str]:
        folded = _fold(text)
        for word, leader in self._leader.items():
            folded = folded.replace(word, leader)
        tokens = _TOKEN.findall(folded)
        pairs = [a + b for a, b in pairwise(tokens) if _is_han(a + b)]
        return tokens + pairs


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _is_han(text: str) -> bool:
    return re.fullmatch(f"[{_HAN}]+", text) is not None
