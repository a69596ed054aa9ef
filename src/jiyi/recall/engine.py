"""`Recaller`: one question against everything a scope may read, in one snapshot of the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from jiyi.errors import ModelError
from jiyi.ids import new_id
from jiyi.recall.asked_before import place_asking, tells_something
from jiyi.recall.bm25 import term_masses
from jiyi.recall.boosts import boost
from jiyi.recall.borrowed import take_back
from jiyi.recall.candidate import Candidate, fetch
from jiyi.recall.completion import LOOK_BACK, complete
from jiyi.recall.conversation import KnownLinks
from jiyi.recall.corpora import Corpus, corpora, cut_documents
from jiyi.recall.dense import Centres, search_vectors
from jiyi.recall.diversity import cut_repeats
from jiyi.recall.entity_arm import (
    Named,
    find_named,
    near_scores,
    with_synonyms,
)
from jiyi.recall.evidence import Evidence, Question, gather
from jiyi.recall.hits import to_hit
from jiyi.recall.intent import asks_for_assistant, asks_for_recent, asks_something
from jiyi.recall.pasted import settings_for
from jiyi.recall.profile_arm import Part, fill, fill_scores
from jiyi.recall.question import heaviest, weighted_terms
from jiyi.recall.settings import RecallSettings
from jiyi.recall.speakers import favour_named
from jiyi.recall.succession import place_replaced, place_twins
from jiyi.recall.support import LOOK_AT, support_of, support_weights
from jiyi.recall.time_arm import periods_of, to_micros
from jiyi.recall.updates import place_updates
from jiyi.recall.whose import asks_of_oneself, favour_owner
from jiyi.types import Hits, Trace

if TYPE_CHECKING:
    from datetime import datetime

    import numpy.typing as npt

    from jiyi.ports import (
        Embedder,
        Layout,
        Postings,
        Reader,
        Reranker,
        Selection,
        Store,
        StoredUnit,
    )
    from jiyi.types import Scope, Support, Unit

ALL_UNITS: Final[tuple[Unit, ...]] = ("memory", "turn", "document")

_log = logging.getLogger(__name__)


class Recaller:
    """Ranks what a scope holds for a question. Thread-safe; keeps nothing but means of vectors, and
    which turns follow each other.

    Args:
        store: where the truth and the indexes are.
        embedder: makes the query's vector; None searches by words alone.
        settings: every weight.
        reranker: orders the best candidates again, before the cut.
        attributes_of: the parts of a profile that a question names, for the profile arm.
        words_of: the words that a part of the profile is indexed under.
    """

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder | None = None,
        settings: RecallSettings | None = None,
        reranker: Reranker | None = None,
        attributes_of: Callable[[str], Sequence[str]] | None = None,
        words_of: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._settings = settings or RecallSettings()
        self._reranker = reranker
        self._attributes_of = attributes_of
        self._words_of = words_of
        self._centres = Centres(getattr(embedder, "centre", None))
        self._links = KnownLinks()

    def recall(
        self,
        scope: Scope,
        query: str,
        *,
        limit: int,
        now: datetime,
        selection: Selection,
        session: str | None = None,
        units: Sequence[Unit] = ALL_UNITS,
        rerank: bool = True,
        completed: str | None = None,
        neighbours: int = 0,
        memories: int | None = None,
        found: dict[str, StoredUnit] | None = None,
    ) -> tuple[Hits, Trace]:
        """The best hits for a question, and the trace of how they were found.

        Args:
            limit: at most so many hits, >= 1.
            now: aware; times in the question are resolved against it.
            selection: what may be returned.
            session: whose last turns complete a question that leans on them.
            units: what is searched.
            rerank: whether the reranker, if there is one, is asked.
            completed: what to search for instead of the question, when the caller knows better.
            neighbours: turns before and after a hit that it brings along, on each side.
            memories: how many memories are of use among the hits, for a caller who shows few of
                them; None is as many as `limit`.
            found: filled with what the hits were made of, by id, for a caller who would read it
                again.

        Raises:
            StoreUnavailableError: the store cannot be read. A model that fails does not fail the
                recall: without the embedder the words are searched, without the reranker our own
                order stands, and the log says so.
        """
        settings, watch = settings_for(completed or query, self._settings), _Stopwatch()
        with self._store.read() as reader:
            erasures = reader.erasures(scope)
            if completed is None and session is not None:
                completed = _complete(reader, scope, query, session)
            text = completed or query
            watch.lap("complete")
            terms = weighted_terms(text, settings)
            named = find_named(reader, scope, text, now=now)
            watch.lap("entity")
            postings, near = _postings(reader, scope, terms, named)
            layouts = {layout.space: layout for layout in reader.layout(scope)}
            watch.lap("index")
            part = self._part(reader, scope, text, named, now)
            watch.lap("profile")
            vectors = self._vectors(reader, scope, text, postings, layouts)
            watch.lap("vector")
            question = Question(
                masses={},
                support={},
                vectors=vectors,
                periods=periods_of(text, now),
                asks_assistant=asks_for_assistant(text),
                asks_recent=asks_for_recent(text),
                units=units,
                now=to_micros(selection.as_of or now),
                near=near,
                filling={p.space: fill_scores(part.filling, p.space, p.size) for p in postings},
            )
            asked = [
                (corpus, _asked_of(corpus, question, terms, settings))
                for corpus in corpora(postings, layouts, units)
            ]
            bodies = [gather(c.postings, layouts, self._links, each, settings) for c, each in asked]
            watch.lap("score")
            candidates = [
                candidate
                for gathered in bodies
                for candidate in fetch(
                    reader,
                    scope,
                    gathered,
                    selection,
                    settings,
                    wanted=_pool(limit, settings),
                    memories=None if memories is None else _pool(min(memories, limit), settings),
                    linked=bool(neighbours) or found is not None,
                )
            ]
            watch.lap("read")
            boost(
                candidates,
                settings,
                question.periods,
                scale=max((gathered.scale for gathered in bodies), default=1.0),
            )
            place_asking(candidates, text, settings, after=bodies[0].after)
            favour_named(candidates, text, settings)
            if "memory" in units:
                place_replaced(reader, scope, candidates, selection, terms)
            place_twins(candidates, settings)
            place_updates(candidates, text, postings, terms, settings)
            if rerank and self._reranker is not None:
                _rerank(self._reranker, text, candidates)
            cut_repeats(candidates, settings)
            favour_owner(candidates, part, settings)
            candidates.sort(key=lambda c: -c.score)
            cut_documents(candidates, limit)
            kept = [c for c in candidates if c.cut is None]
            verdict, backing = self._verdict(kept, query, text, asked)
            if verdict == "none":
                for candidate in kept:
                    candidate.cut = "the question is not supported"
                kept = []
            for candidate in kept[limit:]:
                candidate.cut = "beyond the limit"
            kept = kept[:limit]
            watch.lap("rank")
            hits = tuple(
                to_hit(reader, scope, c, selection, neighbours) for c in _told(kept, found)
            )
            watch.lap("hits")
        trace_id = new_id()
        places = {id(c): rank for rank, c in enumerate(kept, 1)}
        trace = Trace(
            id=trace_id,
            at=now,
            operation="recall",
            scope=scope,
            query=query,
            completed=completed,
            arms={
                **_arms([e for gathered in bodies for e in gathered.spaces], question, backing),
                "names": named.count,
            },
            candidates=tuple(c.trace(places.get(id(c))) for c in candidates),
            support=verdict,
            latency_ms=watch.laps,
            erasures=erasures,
        )
        return Hits(hits, trace_id, verdict), trace

    def _verdict(
        self,
        kept: Sequence[Candidate],
        query: str,
        text: str,
        asked: Sequence[tuple[Corpus, Question]],
    ) -> tuple[Support, float]:
        """How well the best candidates back the question, see `support_of`. The same question,
        asked before, says nothing of what is known."""
        telling = list(filter(tells_something, kept[: 2 * LOOK_AT]))
        spoken = next((each.support for _, each in asked if "memory" in each.units), None)
        if spoken is not None and self._words_of is not None:
            take_back(telling[:LOOK_AT], text, spoken, self._words_of)
        near = any(bool(each.vectors) for _, each in asked)
        return support_of(telling, self._settings, near=near, asked=asks_something(query))

    def _part(self, reader: Reader, scope: Scope, text: str, named: Named, now: datetime) -> Part:
        """The part of a profile that a question names: the user's, or that of whom it names."""
        attributes = () if self._attributes_of is None else self._attributes_of(text)
        if not attributes:
            return Part()
        subjects = [name.text for name in reader.names(scope, named.meant)]
        return Part(
            attributes,
            fill(reader, scope, attributes, subjects or ["user"], now=now),
            owned=bool(subjects) or asks_of_oneself(text),
        )

    def _vectors(
        self,
        reader: Reader,
        scope: Scope,
        text: str,
        postings: Sequence[Postings],
        layouts: Mapping[int, Layout],
    ) -> dict[int, npt.NDArray[np.float32]]:
        if self._embedder is None:
            return {}
        blocks = reader.vectors(scope, self._embedder.name)
        if not blocks:
            return {}
        try:
            query = np.asarray(self._embedder.embed_query(text), np.float32)
        except ModelError as error:
            _log.warning("the embedder failed, searching by words only: %s", error)
            return {}
        sizes = {p.space: p.size for p in postings}
        return search_vectors(blocks, query, sizes, self._centres, layouts)


def _pool(limit: int, settings: RecallSettings) -> int:
    """How many candidates are looked at closely for so many hits."""
    return int(settings.pool * limit) + settings.pool_extra


def _told(kept: list[Candidate], found: dict[str, StoredUnit] | None) -> list[Candidate]:
    """The same candidates, after what they are was put into `found`."""
    if found is not None:
        found.update((candidate.id, candidate.stored) for candidate in kept)
    return kept


def _postings(
    reader: Reader, scope: Scope, terms: Mapping[str, float], named: Named
) -> tuple[list[Postings], dict[int, npt.NDArray[np.float32]]]:
    """What the index says about the question's terms, and what the entity arm makes of it."""
    names = {term for held in named.terms.values() for term in held}
    postings = reader.postings(scope, [*terms, *(names - terms.keys())])
    if not names:
        return postings, {}
    near = {p.space: near_scores(p, named) for p in postings}
    return with_synonyms(postings, named, terms), near


def _asked_of(
    corpus: Corpus, question: Question, terms: Mapping[str, float], settings: RecallSettings
) -> Question:
    """The question as the words of one body of text weigh it."""
    masses = term_masses(corpus.postings, terms)
    return replace(
        question,
        masses=heaviest(masses, corpus.postings, settings.max_terms),
        support=support_weights(corpus.postings, terms),
        units=corpus.units,
    )


class _Stopwatch:
    """Milliseconds by stage, in `laps`."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 3)
        self._last = now


def _complete(reader: Reader, scope: Scope, query: str, session: str) -> str | None:
    # One more than is read: the question itself may be the last turn.
    recent = reader.turns(scope, session=session, limit=LOOK_BACK + 1, order="newest")
    found = complete(query, recent[::-1])
    return None if found is None else found.text


def _rerank(reranker: Reranker, query: str, candidates: list[Candidate]) -> None:
    """Order by the reranker's scores; what it calls irrelevant (NaN) leaves."""
    alive = [c for c in candidates if c.cut is None]
    if not alive:
        return
    try:
        scores = np.asarray(reranker.rerank(query, [c.text for c in alive]), np.float64)
    except ModelError as error:
        _log.warning("the reranker failed, our own order stands: %s", error)
        return
    # Only its order counts: its best score takes the place of our best, and so on down.
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    ours = sorted((c.score for c in alive), reverse=True)
    for place, index in enumerate(order.tolist()):
        if np.isnan(scores[index]):
            alive[index].cut = "irrelevant, says the reranker"
        else:
            alive[index].add("rerank", ours[place] - alive[index].score)


def _arms(evidence: Sequence[Evidence], question: Question, backing: float) -> dict[str, int]:
    return {
        "text": sum(int(np.count_nonzero(e.matched)) for e in evidence),
        "vector": sum(int(np.count_nonzero(v)) for v in question.vectors.values()),
        "time": sum(int(np.count_nonzero(e.time)) for e in evidence),
        "entity": sum(int(np.count_nonzero(e.entity)) for e in evidence),
        "profile": sum(int(np.count_nonzero(e.profile)) for e in evidence),
        "support_percent": round(100 * backing),
    }
