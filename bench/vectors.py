"""Vectors computed once and kept outside the repository, so that a benchmark can be run again."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from jiyi.ports import Embedder

BATCH = 32  # texts between two commits: an interrupted run loses at most a second of work


def cache_dir() -> Path:
    """`$XDG_CACHE_HOME/jiyi-bench`, or `~/.cache/jiyi-bench`."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "jiyi-bench"


class CachedEmbedder:
    """An embedder that remembers every vector it ever made, by model, side and text."""

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.dimension = embedder.dimension
        self.centre = getattr(embedder, "centre", None)
        folder = folder or cache_dir()
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(
            folder / "vectors.db", timeout=60, isolation_level=None, check_same_thread=False
        )
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB)")

    def embed_documents(self, texts: list[str]) -> npt.NDArray[np.float32]:
        return self._embed("passage", texts, self._embedder.embed_documents)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        def one(texts: list[str]) -> list[Any]:
            return [self._embedder.embed_query(t) for t in texts]

        return self._embed("query", [text], one)[0]

    def missing(self, side: str, texts: Iterable[str]) -> list[str]:
        """The texts, each once, that have no vector yet."""
        return [t for t in dict.fromkeys(texts) if self._get(self._key(side, t)) is None]

    def _embed(
        self, side: str, texts: list[str], make: Callable[[list[str]], Any]
    ) -> npt.NDArray[np.float32]:
        todo = self.missing(side, texts)
        for at in range(0, len(todo), BATCH):
            part = todo[at : at + BATCH]
            rows = [
                (self._key(side, text), np.asarray(vector, np.float32).tobytes())
                for text, vector in zip(part, make(part), strict=True)
            ]
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)
            self._db.execute("COMMIT")
        out = np.empty((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            out[row] = np.frombuffer(self._get(self._key(side, text)) or b"", np.float32)
        return out

    def _get(self, key: bytes) -> bytes | None:
        row = self._db.execute("SELECT value FROM vector WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    def _key(self, side: str, text: str) -> bytes:
        whole = f"{self.name}\0{side}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(whole, digest_size=16).digest()
