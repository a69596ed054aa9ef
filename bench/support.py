"""Nothing known: how often a question is met with silence, and whether it should have been.

`python -m bench.support --shared ../shared --sets locomo` asks each question of its own user
(silence is false when it is answerable) and, the same question, of another user (silence is
right), and prints both shares over the threshold of `RecallSettings.none`.
"""

from __future__ import annotations

import random
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from bench.folders import Folder, asked_at, speaker_names
from bench.recall import open_embedder
from bench.subject import Subject
from jiyi.ports import Selection
from jiyi.recall.engine import Recaller
from jiyi.recall.settings import RecallSettings
from jiyi.types import Scope

if TYPE_CHECKING:
    from jiyi.ports import Embedder

THRESHOLDS = np.round(np.arange(0.1, 1.05, 0.1), 2)
MOST = 400  # questions of a set that are asked, drawn with a fixed seed


def scores(folder: Folder, embedder: Embedder | None) -> dict[str, list[float]]:
    """Support by group: "answerable", "unanswerable" and "another user's"."""
    rng = random.Random(0)
    found: dict[str, list[float]] = {"answerable": [], "unanswerable": [], "another user's": []}
    settings = replace(RecallSettings(), none=0.0, none_near=0.0, weak=0.0)
    with tempfile.TemporaryDirectory() as directory:
        subject = Subject(str(Path(directory) / "support.db"), embedder)
        with subject.memory:
            for user, units in folder.users.items():
                subject.introduce(user, speaker_names(units))
                subject.load(units, {})
            recaller = Recaller(subject.memory._parts.store, embedder=embedder, settings=settings)

            def support(text: str, user: str) -> float:
                now = asked_at({"asked_at": None}, folder.users[user])
                _, trace = recaller.recall(
                    Scope(user=user), text, limit=5, now=now, selection=Selection(now=now)
                )
                return trace.arms["support_percent"] / 100

            users = list(folder.users)
            questions = [
                q for q in folder.questions if q["question"].strip() and q["user"] in folder.users
            ]
            for question in rng.sample(questions, min(MOST, len(questions))):
                group = "answerable" if question["answerable"] else "unanswerable"
                found[group].append(support(question["question"], question["user"]))
                others = [user for user in users if user != question["user"]]
                if group == "answerable" and others:
                    other = support(question["question"], rng.choice(others))
                    found["another user's"].append(other)
    return found


def main(
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    sets: Annotated[str, typer.Option(help="Names of folders, with commas.")] = "locomo",
    embedder: Annotated[str, typer.Option(help='"none" for words only, or a name.')] = "none",
) -> None:
    """Print the curves of each set."""
    made = open_embedder(embedder)
    for name in sets.split(","):
        found = {
            k: np.array(v) for k, v in scores(Folder(shared / "benchdata" / name), made).items()
        }
        print(
            f"\n### {name}\n\n| silent below | answerable (false) | unanswerable | another user's |"
        )
        print("|---|---|---|---|")
        for threshold in THRESHOLDS:
            cells = [
                f"{100 * (v < threshold).mean():.1f}" if len(v) else "–" for v in found.values()
            ]
            print(f"| {threshold:.1f} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    typer.run(main)
