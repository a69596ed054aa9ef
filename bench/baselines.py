"""What anyone could write in an afternoon, ranked over the same units in the same run."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.folders import Folder, Question, Unit, said_at, speaker_names
from jiyi.text.terms import date_words, query_terms, term_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from jiyi.ports import Embedder

K1, B = 1.2, 0.75
LIMIT = 100


class Baselines:
    """Plain BM25; cosine; and the plain script: BM25 with dates plus 0.8 centred cosine, each
    turn with 0.3 of its neighbours' scores."""

    def __init__(self, units: list[Unit], embedder: Embedder | None) -> None:
        self.ids = [unit["id"] for unit in units]
        self.plain = _Bm25([term_weights(u["text"]).counts for u in units])
        self.dated = _Bm25(
            [term_weights(u["text"], context=[date_words(said_at(u))]).counts for u in units]
        )
        sessions = [u["session"] for u in units]
        self.joined = np.array([a is not None and a == b for a, b in pairwise(sessions)], bool)
        self.embedder = embedder
        if embedder is not None:
            names = speaker_names(units)
            texts = [
                f"{u['speaker']}: {u['text']}" if u["speaker"] in names else u["text"]
                for u in units
            ]
            self.matrix = np.asarray(embedder.embed_documents(texts), np.float32)
            self.mean = self.matrix.mean(axis=0)
            centred = self.matrix - self.mean
            self.centred = centred / np.maximum(np.linalg.norm(centred, axis=1), 1e-6)[:, None]

    def rankings(self, question: Question) -> Iterator[tuple[str, list[str]]]:
        """Name and ranking of each baseline."""
        text, before = question["question"], question.get("before_seq")
        terms = query_terms(text) if text.strip() else {}
        yield "BM25", self._top(self.plain.scores(terms), before)
        dated = self.dated.scores(terms)
        yield "BM25 + date + neighbours", self._top(self._with_neighbours(dated, 0.5), before)
        if self.embedder is None or not text.strip():
            return
        query = np.asarray(self.embedder.embed_query(text), np.float32)
        yield "cosine", self._top(self.matrix @ query, before)
        offset = query - self.mean
        cosine = self.centred @ (offset / max(float(np.linalg.norm(offset)), 1e-6))
        fused = dated / max(float(dated.max()), 1e-6) + 0.8 * cosine
        yield "plain script", self._top(self._with_neighbours(fused, 0.3), before)

    def _with_neighbours(
        self, scores: npt.NDArray[np.float64], weight: float
    ) -> npt.NDArray[np.float64]:
        result = scores.copy()
        result[1:] += weight * np.where(self.joined, scores[:-1], 0)
        result[:-1] += weight * np.where(self.joined, scores[1:], 0)
        return result

    def _top(self, scores: npt.NDArray[Any], before: int | None) -> list[str]:
        order = np.argsort(-scores[:before], kind="stable")[:LIMIT]
        return [self.ids[i] for i in order]


class _Bm25:
    def __init__(self, counts: list[Any]) -> None:
        self.size = len(counts)
        self.lengths = np.array([sum(c.values()) for c in counts], np.float64)
        self.holders = Counter(term for c in counts for term in c)
        self.lists: dict[str, tuple[list[int], list[int]]] = {}
        for number, terms in enumerate(counts):
            for term, count in terms.items():
                numbers, times = self.lists.setdefault(term, ([], []))
                numbers.append(number)
                times.append(count)

    def scores(self, terms: dict[str, float]) -> npt.NDArray[np.float64]:
        total = np.zeros(self.size)
        norm = K1 * (1 - B + B * self.lengths / max(self.lengths.mean(), 1e-9))
        for term in terms:
            if term in self.lists:
                numbers = np.array(self.lists[term][0])
                counts = np.array(self.lists[term][1], np.float64)
                held = self.holders[term]
                idf = np.log1p((self.size - held + 0.5) / (held + 0.5))
                total[numbers] += idf * counts * (K1 + 1) / (counts + norm[numbers])
        return total


def rank_all(folder: Folder, embedder: Embedder | None) -> dict[str, list[dict[str, Any]]]:
    """Ranking lines by baseline."""
    lines: dict[str, list[dict[str, Any]]] = {}
    built = {user: Baselines(units, embedder) for user, units in folder.users.items()}
    for question in folder.questions:
        if question["user"] not in built:  # somebody of whom nothing is known
            continue
        for name, ids in built[question["user"]].rankings(question):
            lines.setdefault(name, []).append({"question_id": question["id"], "ids": ids})
    return lines
