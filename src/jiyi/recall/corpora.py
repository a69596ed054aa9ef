"""What was said and what is written in documents are two bodies of text, each with its own words.

A manual that says "coffee" on every page must not make the word worthless for what a user said
about coffee: how rare a word is, and how long a unit, is judged within each body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from jiyi.ports import Postings, UnitCode

if TYPE_CHECKING:
    import numpy.typing as npt

    from jiyi.ports import Layout
    from jiyi.recall.candidate import Candidate
    from jiyi.types import Unit


@dataclass(frozen=True, slots=True)
class Corpus:
    """One body of text: its postings, and the units that are searched in it."""

    postings: Sequence[Postings]
    units: tuple[Unit, ...]


def corpora(
    postings: Sequence[Postings], layouts: Mapping[int, Layout], units: Sequence[Unit]
) -> list[Corpus]:
    """The bodies of text among the postings that `units` ask for; what was said comes first."""
    spoken = tuple(unit for unit in units if unit != "document")
    written = {p.space: _is_written(p, layouts[p.space]) for p in postings}
    if not any(each.any() for each in written.values()):
        return [Corpus(postings, spoken)]
    found = []
    if spoken:
        found.append(Corpus([p for e in postings if (p := _part(e, ~written[e.space]))], spoken))
    if "document" in units:
        kept = [p for e in postings if (p := _part(e, written[e.space]))]
        found.append(Corpus(kept, ("document",)))
    return found


def cut_documents(candidates: Sequence[Candidate], limit: int) -> None:
    """Leave passages at most half of `limit` places while others wait for theirs, so that a manual
    never pushes out all that was said. `candidates` are best first."""
    alive = [c for c in candidates if c.cut is None]
    passages = [c for c in alive if c.stored.passage is not None]
    others = len(alive) - len(passages)
    for candidate in passages[max(limit - others, (limit + 1) // 2) :]:
        candidate.cut = "beyond the share of documents"


def _is_written(postings: Postings, layout: Layout) -> npt.NDArray[np.bool_]:
    written: npt.NDArray[np.bool_] = layout.kinds[: postings.size] == UnitCode.DOCUMENT
    return written


def _part(postings: Postings, keep: npt.NDArray[np.bool_]) -> Postings | None:
    """The postings of some units; None when these hold no text."""
    lengths = np.where(keep, postings.lengths, 0).astype(np.uint16)
    count = int(np.count_nonzero(lengths))
    if not count:
        return None
    terms = {}
    for term, (numbers, counts) in postings.terms.items():
        seen = keep[numbers]
        if seen.any():
            terms[term] = (numbers[seen], counts[seen])
    mean = float(lengths.sum(dtype=np.int64)) / count
    return replace(postings, count=count, mean_length=mean, lengths=lengths, terms=terms)
