"""How the weights of recall are chosen: leaving one user out at a time.

`python -m bench.weights --shared ../shared --sets locomo,qmemory-zh` tries each alternative of
`GRID` on all users but one, keeps the best, ranks the questions of the one left out with it, and
pools those held-out results. What is printed beside them is the default of `RecallSettings`, and
each alternative alone on everybody (the ablation).
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from bench.folders import Folder, asked_at, speaker_names
from bench.recall import open_embedder
from bench.subject import Subject
from jiyi.ports import Selection
from jiyi.recall.bm25 import term_masses
from jiyi.recall.conversation import KnownLinks
from jiyi.recall.dense import Centres, search_vectors
from jiyi.recall.evidence import Question, best_first, gather
from jiyi.recall.intent import asks_for_assistant, asks_for_recent
from jiyi.recall.question import heaviest, weighted_terms
from jiyi.recall.settings import RecallSettings
from jiyi.recall.time_arm import periods_of, to_micros
from jiyi.types import Scope, UnitKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jiyi.ports import Embedder, Layout, Postings, Store

DEFAULT = RecallSettings()
GRID: dict[str, list[dict[str, Any]]] = {
    "k1": [{"k1": v} for v in (0.7, 1.0, 1.4)],
    "b": [{"b": v} for v in (0.4, 0.5, 0.6, 0.7, 0.8)],
    "vector": [{"vector": v} for v in (0.0, 0.3, 0.45, 0.6, 0.8, 1.0)],
    "neighbours": [
        {"after": (), "before": ()},
        {"after": (0.3, 0.1), "before": (0.2, 0.1)},
        {"after": (0.5, 0.25), "before": (0.3, 0.15)},
        {"after": (0.7, 0.35), "before": (0.5, 0.25)},
    ],
    "session": [{"session": v} for v in (0.0, 0.15, 0.3, 0.6)],
    "vector neighbours": [
        {"vector_after": (), "vector_before": ()},
        {"vector_after": (0.2, 0.1), "vector_before": (0.1, 0.05)},
        {"vector_after": (0.4, 0.2), "vector_before": (0.3, 0.1)},
    ],
    "assistant": [{"assistant": v} for v in (0.5, 0.7, 0.85, 1.0)],
    "time": [{"time": v} for v in (0.0, 0.1, 0.25, 0.5)],
    "recency": [{"recency": v} for v in (0.0, 0.03, 0.1, 0.2)],
    "recent": [{"recent": v} for v in (0.03, 0.1, 0.2, 0.4)],
}

Figures = tuple[float, float, float, float]


@dataclass
class Asked:
    """One question with what the indexes say about it: nothing here depends on the weights."""

    set: str
    user: str
    gold: frozenset[str]
    postings: list[Postings]
    layouts: Mapping[int, Layout]
    question: Question
    terms: Mapping[str, float]
    units: Mapping[UnitKey, Sequence[str]]
    links: KnownLinks = field(default_factory=KnownLinks)
    found: dict[RecallSettings, Figures] = field(default_factory=dict)

    def figures(self, settings: RecallSettings) -> Figures:
        """recall@1, recall@5, recall@10 and reciprocal rank under these settings."""
        if settings not in self.found:
            masses = heaviest(
                term_masses(self.postings, self.terms), self.postings, settings.max_terms
            )
            question = replace(self.question, masses=masses)
            gathered = gather(self.postings, self.layouts, self.links, question, settings)
            self.found[settings] = self._score(*best_first(gathered.spaces))
        return self.found[settings]

    def _score(self, spaces: Any, numbers: Any) -> Figures:
        seen: dict[str, None] = {}
        for index, number in zip(spaces.tolist(), numbers.tolist(), strict=True):
            key = UnitKey(self.postings[index].space, number)
            seen.update(dict.fromkeys(self.units.get(key, ())))
            if len(seen) >= 50:
                break
        hits = [id in self.gold for id in seen]
        first = next((place for place, hit in enumerate(hits, 1) if hit), None)
        one, five, ten = (sum(hits[:k]) / len(self.gold) for k in (1, 5, 10))
        return one, five, ten, 1 / first if first else 0.0


def load(folder: Folder, embedder: Embedder | None) -> list[Asked]:
    """Every question of a folder that has evidence and is asked at the end."""
    asked = []
    with tempfile.TemporaryDirectory() as directory:
        subject = Subject(str(Path(directory) / "weights.db"), embedder)
        store: Store = subject.memory._parts.store
        with subject.memory:
            for user, units in folder.users.items():
                subject.introduce(user, speaker_names(units))
                subject.load(units, {})
                for question in folder.questions:
                    if question["user"] != user or "before_seq" in question:
                        continue
                    if question["answerable"] and question["evidence"]:
                        now = asked_at(question, units)
                        asked.append(
                            _ask(
                                subject,
                                store,
                                embedder,
                                set_name=folder.name,
                                question=question,
                                now=now,
                            )
                        )
    return asked


def _ask(
    subject: Subject,
    store: Store,
    embedder: Embedder | None,
    *,
    set_name: str,
    question: dict[str, Any],
    now: datetime,
) -> Asked:
    text, scope = question["question"], Scope(user=question["user"])
    terms = weighted_terms(text, DEFAULT)
    with store.read() as reader:
        postings = reader.postings(scope, list(terms))
        layouts = {layout.space: layout for layout in reader.layout(scope)}
        vectors = {}
        if embedder is not None:
            vectors = search_vectors(
                reader.vectors(scope, embedder.name),
                np.asarray(embedder.embed_query(text), np.float32),
                {p.space: p.size for p in postings},
                Centres(),
            )
        keys = [UnitKey(p.space, n) for p in postings for n in np.flatnonzero(p.lengths).tolist()]
        held = reader.units(scope, keys, Selection(now=now))
    ids = {key: (unit.turn or unit.memory).id for key, unit in held.items()}  # type: ignore[union-attr]
    return Asked(
        set=set_name,
        user=question["user"],
        gold=frozenset(question["evidence"]),
        postings=postings,
        layouts=layouts,
        question=Question(
            masses={},
            support={},
            vectors=vectors,
            periods=periods_of(text, now),
            asks_assistant=asks_for_assistant(text),
            asks_recent=asks_for_recent(text),
            units=("memory", "turn"),
            now=to_micros(now),
        ),
        terms=terms,
        units={key: subject.units[id] for key, id in ids.items()},
    )


def mean(asked: Sequence[Asked], settings: RecallSettings) -> Any:
    """Mean figures: over the questions of each set, then over the sets."""
    by_set: dict[str, list[Figures]] = defaultdict(list)
    for one in asked:
        by_set[one.set].append(one.figures(settings))
    return np.mean([np.mean(rows, axis=0) for rows in by_set.values()], axis=0)


def choose(asked: Sequence[Asked]) -> RecallSettings:
    """The best alternative of each part in turn, by the mean of recall@1, @5, @10 and MRR."""
    best = DEFAULT
    for alternatives in GRID.values():
        tried = [replace(best, **a) for a in alternatives]
        best = max(tried, key=lambda s: float(mean(asked, s).mean()))
    return best


def main(
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    sets: Annotated[str, typer.Option(help="Names of folders, with commas.")],
    embedder: Annotated[str, typer.Option(help='"none" for words only, or a name.')] = "none",
) -> None:
    """Print the held-out figures, those of the default, and the ablation."""
    made = open_embedder(embedder)
    asked = [a for s in sets.split(",") for a in load(Folder(shared / "benchdata" / s), made)]
    people = sorted({(a.set, a.user) for a in asked})
    # Sets of a thousand tiny users are left out a tenth at a time.
    folds = [people[i :: min(len(people), 20)] for i in range(min(len(people), 20))]
    held: dict[str, list[Figures]] = defaultdict(list)
    for fold in folds:
        out = set(fold)
        settings = choose([a for a in asked if (a.set, a.user) not in out])
        for a in asked:
            if (a.set, a.user) in out:
                held[a.set].append(a.figures(settings))
    print("| set | | R@1 | R@5 | R@10 | MRR |\n|---|---|---|---|---|---|")
    for name, rows in held.items():
        print(_row(name, "held out", np.mean(rows, axis=0)))
        mine = [a for a in asked if a.set == name]
        print(_row(name, "default", mean(mine, DEFAULT)))
    print("\n| part | value | R@1 | R@5 | R@10 | MRR |\n|---|---|---|---|---|---|")
    for part, alternatives in GRID.items():
        for alternative in alternatives:
            value = ", ".join(str(v) for v in alternative.values())
            print(_row(part, value, mean(asked, replace(DEFAULT, **alternative))), flush=True)


def _row(first: str, second: str, figures: Any) -> str:
    return f"| {first} | {second} | " + " | ".join(f"{100 * v:.1f}" for v in figures) + " |"


if __name__ == "__main__":
    typer.run(main)
