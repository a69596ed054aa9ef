"""The arms side by side, and their weighted sum: what speaks for each unit of the readable spaces.

Scores are dense arrays by unit number, so that the cost depends on what the scope holds and on
nothing else in the store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from jiyi.ports import UnitCode
from jiyi.recall.bm25 import search
from jiyi.recall.conversation import KnownLinks, Links, spread_scores, spread_terms
from jiyi.recall.time_arm import Period, score_times
from jiyi.types import UnitKey

if TYPE_CHECKING:
    import numpy.typing as npt

    from jiyi.ports import Layout, Postings
    from jiyi.recall.settings import RecallSettings
    from jiyi.types import Unit

    Floats = npt.NDArray[np.float32]

DAY = 86_400_000_000  # microseconds
ARMS = ("text", "vector", "time", "entity", "profile", "recency")

_CODES: Mapping[str, tuple[UnitCode, ...]] = {
    "memory": (UnitCode.MEMORY,),
    "turn": (UnitCode.USER_TURN, UnitCode.ASSISTANT_TURN, UnitCode.OTHER_TURN),
    "document": (UnitCode.DOCUMENT,),
}


@dataclass(frozen=True, slots=True)
class Question:
    """What the arms search for.

    `masses` are the weights of the query's terms (see `bm25.term_masses`), `support` what holding
    each says for an answer (see `support.support_weights`); `vectors` the cosines
    by space, empty without an embedder; `now` in microseconds since the epoch; `near` and `filling`
    what the entity and the profile arm say, by space and unit number.
    """

    masses: Mapping[str, float]
    support: Mapping[str, float]
    vectors: Mapping[int, Floats]
    periods: Sequence[Period]
    asks_assistant: bool
    asks_recent: bool
    units: Sequence[Unit]
    now: int
    near: Mapping[int, Floats] = field(default_factory=dict)
    filling: Mapping[int, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the units of one space; arrays of shape (size,), higher is better.

    `text` and `vector` are the arms with what the conversation around a turn adds, `matched` the
    support by the words and `cosine` the cosine of the unit alone, `time`, `entity` and `profile`
    these arms, and `recency`, all from 0 to 1. `total` is the fused score, and -inf for what is not
    searched or has nothing that speaks for it. `kinds` are the `UnitCode` of each unit, `following`
    the number of the turn said next (see `conversation.Links`).
    """

    space: int
    kinds: npt.NDArray[np.uint8]
    following: npt.NDArray[np.int64]
    text: Floats
    vector: Floats
    time: Floats
    entity: Floats
    profile: Floats
    recency: Floats
    factor: Floats
    matched: Floats
    cosine: Floats
    total: Floats

    @property
    def size(self) -> int:
        """How many numbers the space has given."""
        return len(self.kinds)

    def only(self, mask: npt.NDArray[np.bool_]) -> Evidence:
        """The same, as if nothing spoke for the other units."""
        return replace(self, total=np.where(mask, self.total, np.float32(-np.inf)))


def gather(
    postings: Sequence[Postings],
    layouts: Mapping[int, Layout],
    known: KnownLinks,
    question: Question,
    settings: RecallSettings,
) -> Gathered:
    """Run the arms over every readable space and fuse them.

    answer = (text + vector weight x cosine) x factor of the speaker. The weights multiply
    calibrated scores: text is divided by the query's mass, cosines are centred. Then
    total = answer + best answer x (the weights of the time, entity and profile arms and of recency,
    each x its score), so that what is no answer by itself is bounded by what the best answer
    scores.
    """
    found = search(postings, question.masses, k1=settings.k1, b=settings.b)
    result = []
    for occurrences in found:
        layout = layouts[occurrences.space]
        size = occurrences.size
        links = known.of(layout, size)
        text = spread_terms(
            occurrences,
            links,
            after=settings.after,
            before=settings.before,
            session=settings.session,
        )
        cosine = question.vectors.get(occurrences.space)
        if cosine is None:
            cosine = vector = np.zeros(size, np.float32)
        else:
            vector = _spread_vector(cosine, links, settings)
        kinds, said = layout.kinds[:size], layout.said[:size]
        factor = _factors(kinds, question, settings)
        nothing = np.zeros_like(text)
        time = score_times(said, question.periods) if question.periods else nothing
        age = np.maximum(question.now - said, 0).astype(np.float32)
        recency = np.exp2(age / np.float32(-settings.half_life_days * DAY))
        total = (text + settings.vector * vector) * factor
        result.append(
            Evidence(
                space=occurrences.space,
                kinds=kinds,
                following=links.next,
                text=text,
                vector=vector,
                time=time,
                entity=question.near.get(occurrences.space, nothing),
                profile=question.filling.get(occurrences.space, nothing),
                recency=recency,
                factor=factor,
                matched=occurrences.held(question.support),
                cosine=cosine,
                total=total.astype(np.float32),
            )
        )
    scale = max((float(e.total.max(initial=0.0)) for e in result), default=0.0) or 1.0
    newness = settings.recent if question.asks_recent else settings.recency
    return Gathered([_finished(e, scale, settings, newness) for e in result], scale, newness)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The evidence of all spaces, and the `scale` that bounds are relative to: the score of the
    best answer before anything is added to it (1 when there is none). `newness` is the weight that
    recency had."""

    spaces: Sequence[Evidence]
    scale: float
    newness: float

    def after(self, key: UnitKey) -> UnitKey | None:
        """The turn that was said after a turn, if there is one."""
        for space in self.spaces:
            if space.space == key.space and (number := space.following[key.number]) < space.size:
                return UnitKey(key.space, int(number))
        return None

    def parts(
        self, index: int, numbers: Sequence[int], settings: RecallSettings
    ) -> npt.NDArray[np.float64]:
        """For each of these units of a space: its `matched` and `cosine`, then what each of `ARMS`
        adds to its score."""
        space, at = self.spaces[index], np.asarray(numbers)
        factor, scale = space.factor[at].astype(np.float64), self.scale
        columns = (
            space.matched[at],
            space.cosine[at],
            space.text[at] * factor,
            settings.vector * space.vector[at].astype(np.float64) * factor,
            scale * settings.time * space.time[at].astype(np.float64),
            scale * settings.entity * space.entity[at].astype(np.float64),
            scale * settings.profile * space.profile[at].astype(np.float64),
            scale * self.newness * space.recency[at].astype(np.float64),
        )
        return np.stack(columns, axis=1, dtype=np.float64)


def _finished(
    evidence: Evidence, scale: float, settings: RecallSettings, newness: float
) -> Evidence:
    arms = settings.time * evidence.time
    if evidence.entity.any() or evidence.profile.any():
        arms = arms + settings.entity * evidence.entity + settings.profile * evidence.profile
    extra = arms + newness * evidence.recency
    speaks = (evidence.text > 0) | (evidence.vector > 0) | (arms > 0)
    total = np.where(speaks & (evidence.factor > 0), evidence.total + scale * extra, -np.inf)
    return replace(evidence, total=total.astype(np.float32))


def best_first(
    evidence: Sequence[Evidence], most: int | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """What something speaks for, best first, the newer first among equals.

    Args:
        most: about so many suffice (ties may bring more); None sorts everything.

    Returns:
        Two arrays of equal length: the index of the space in `evidence`, and the unit number.
    """
    if not evidence:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    totals = np.concatenate([e.total for e in evidence])
    speaks = np.isfinite(totals)
    if most is not None and most < len(totals):
        speaks &= totals >= np.partition(totals, -most)[-most]
    held = np.flatnonzero(speaks)
    starts = np.cumsum([0, *(len(e.total) for e in evidence)])
    space = np.searchsorted(starts, held, side="right") - 1
    number = held - starts[space]
    order = np.lexsort((-number, -totals[held]))
    return space[order], number[order]


def _spread_vector(cosine: Floats, links: Links, settings: RecallSettings) -> Floats:
    return spread_scores(cosine, links, after=settings.vector_after, before=settings.vector_before)


def _factors(
    kinds: npt.NDArray[np.uint8], question: Question, settings: RecallSettings
) -> npt.NDArray[np.float32]:
    """The factor of each unit's speaker; 0 for units that are not searched."""
    weights = {
        UnitCode.MEMORY: settings.memory,
        UnitCode.USER_TURN: 1.0,
        UnitCode.ASSISTANT_TURN: 1.0 if question.asks_assistant else settings.assistant,
        UnitCode.OTHER_TURN: settings.other,
        UnitCode.DOCUMENT: 1.0,
    }
    table = np.zeros(256, np.float32)
    for unit in question.units:
        for code in _CODES[unit]:
            table[code] = weights[code]
    return table[kinds]
