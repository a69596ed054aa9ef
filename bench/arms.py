"""The arms alone and fused: `python -m bench.arms --shared ../shared --sets locomo --embedder X`.

Fusion must not cost what one arm finds by itself. Each set is asked three times in the same store,
without silence: with the weights that ship, with the vectors given no weight, and with vectors that
outweigh all words. The last column is the fused figure less that of the better arm, in points; the
smallest of all measures is what the rule "never more than one point under the better arm" is about.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bench.folders import Folder, load_scorer, scored
from bench.recall import SETS, open_embedder
from bench.subject import Subject, in_time
from bench.tables import ALL, level_of
from jiyi.recall.engine import Recaller
from jiyi.recall.settings import RecallSettings

if TYPE_CHECKING:
    from jiyi.ports import Embedder

LIMIT = 20
OPEN = replace(RecallSettings(), none=0.0, none_near=0.0)
ARMS = {
    "words": replace(OPEN, vector=0.0),
    "vectors": replace(OPEN, vector=1e4),
    "fused": OPEN,
}
MEASURES = ("recall@1", "recall@5", "recall@10", "mrr")


def rank(folder: Folder, embedder: Embedder) -> dict[str, list[dict[str, Any]]]:
    """Ranking lines by arm."""
    lines: dict[str, list[dict[str, Any]]] = {arm: [] for arm in ARMS}
    questions = [
        q
        for q in folder.questions
        if (q["evidence"] or q["evidence_sessions"]) and q["question"].strip()
    ]
    with tempfile.TemporaryDirectory() as directory:
        subject = Subject(str(Path(directory) / "arms.db"), embedder)
        store = subject.memory._parts.store
        asked = {a: Recaller(store, embedder=embedder, settings=s) for a, s in ARMS.items()}
        with subject.memory:
            for question, now in in_time(subject, folder, questions, {}):
                for arm, recaller in asked.items():
                    ids = subject.ask_by(recaller, question, now)
                    lines[arm].append({"question_id": question["id"], "ids": ids})
    return lines


def figures(scorer: Any, folder: Folder, lines: list[dict[str, Any]]) -> dict[str, float]:
    """The measures over all answerable questions."""
    table = scored(scorer, folder, lines)[level_of(folder.name)]
    row = table.get(ALL) or next(iter(table.values()))
    return {measure: 100 * row[measure] for measure in MEASURES}


def main(
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    embedder: Annotated[str, typer.Option(help="A name.")],
    sets: Annotated[str, typer.Option(help="Names of folders, with commas.")] = ",".join(SETS),
) -> None:
    """Print a row per set and arm."""
    made = open_embedder(embedder)
    if made is None:
        raise typer.BadParameter("without vectors there is one arm", param_hint="--embedder")
    scorer = load_scorer(shared / "benchdata")
    print("| set | | R@1 | R@5 | R@10 | MRR |\n|---|---|---|---|---|---|")
    for name in sets.split(","):
        folder = Folder(shared / "benchdata" / name)
        found = {a: figures(scorer, folder, rows) for a, rows in rank(folder, made).items()}
        for arm, row in found.items():
            print(f"| {name} | {arm} | " + " | ".join(f"{v:.1f}" for v in row.values()) + " |")
        gain = [found["fused"][m] - max(found["words"][m], found["vectors"][m]) for m in MEASURES]
        print(
            f"| {name} | fused less the better arm | "
            + " | ".join(f"{v:+.1f}" for v in gain)
            + " |",
            flush=True,
        )


if __name__ == "__main__":
    typer.run(main)
