"""Nothing known: how often a question is met with silence, and whether it should have been.

`python -m bench.support --shared ../shared --sets locomo` asks each question of its own user
(silence is false when it is answerable) and, the same question, of another user (silence is
right), and prints both shares over the threshold of `RecallSettings.none`. Then it chooses the
threshold again without one user at a time, over all sets named, and prints what the choice does to
the one left out, pooled, beside what ships.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
import typer

from bench.folders import Folder, asked_at, speaker_names
from bench.recall import open_embedder
from bench.subject import Subject, in_time
from jiyi.ports import Selection
from jiyi.recall.engine import Recaller
from jiyi.recall.intent import asks_something
from jiyi.recall.settings import RecallSettings
from jiyi.types import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from jiyi.ports import Embedder

Group = Literal["answerable", "unanswerable", "another user's"]
GROUPS: tuple[Group, ...] = ("answerable", "unanswerable", "another user's")
DEFAULT = RecallSettings()
THRESHOLDS = np.round(np.arange(0.1, 1.05, 0.1), 2)
GRID = np.round(np.arange(0.2, 1.2, 0.01), 2)
MOST = 400  # questions of a set that are asked, drawn with a fixed seed
FALSE = 0.05  # share of answerable questions that silence may cost, mean of the sets
FOLDS = 20


@dataclass(frozen=True)
class Asked:
    """One question and the support that a user's memory gave it. `held` is the support over the
    factor that the threshold has for this text: silence below a threshold t means held < t."""

    set: str
    user: str
    group: Group
    held: float


def ask_all(folder: Folder, embedder: Embedder | None) -> Iterator[Asked]:
    """The questions of a folder, each of its own user as time goes by, and then of another."""
    rng = random.Random(0)
    settings = replace(DEFAULT, none=0.0, none_near=0.0, weak=0.0)
    questions = [q for q in folder.questions if q["question"].strip() and q["user"] in folder.users]
    questions = rng.sample(questions, min(MOST, len(questions)))
    with tempfile.TemporaryDirectory() as directory:
        subject = Subject(str(Path(directory) / "support.db"), embedder)
        recaller = Recaller(subject.memory._parts.store, embedder=embedder, settings=settings)

        def held(text: str, user: str, now: datetime) -> float:
            _, trace = recaller.recall(
                Scope(user=user), text, limit=5, now=now, selection=Selection(now=now)
            )
            factor = 1.0 if asks_something(text) else settings.unasked
            return trace.arms["support_percent"] / 100 / factor

        with subject.memory:
            for question, now in in_time(subject, folder, questions, {}):
                group: Group = "answerable" if question["answerable"] else "unanswerable"
                user = question["user"]
                yield Asked(folder.name, user, group, held(question["question"], user, now))
            known = {question["user"] for question in questions}
            for user in folder.users.keys() - known:
                subject.introduce(user, speaker_names(folder.users[user]))
                subject.load(folder.users[user], {})
            for question in questions:
                others = [user for user in folder.users if user != question["user"]]
                if question["answerable"] and others:
                    other = rng.choice(others)
                    now = asked_at({"asked_at": None}, folder.users[other])
                    support = held(question["question"], other, now)
                    yield Asked(folder.name, question["user"], "another user's", support)


def silent(asked: Sequence[Asked], group: Group, threshold: float) -> dict[str, float]:
    """Share of a group that is met with silence below a threshold, by set."""
    found: dict[str, list[bool]] = {}
    for one in asked:
        if one.group == group:
            found.setdefault(one.set, []).append(one.held < threshold)
    return {name: sum(each) / len(each) for name, each in found.items()}


def choose(asked: Sequence[Asked]) -> float:
    """The highest threshold whose false silence, mean over the sets, stays within `FALSE`."""

    def false(threshold: float) -> float:
        return float(np.mean(list(silent(asked, "answerable", threshold).values())))

    allowed = [t for t in GRID.tolist() if false(t) <= FALSE]
    return float(max(allowed, default=GRID[0]))


def held_out(asked: Sequence[Asked]) -> tuple[dict[tuple[str, Group], float], list[float]]:
    """Silence by set and group when each user's threshold was chosen on all others, and those
    thresholds."""
    people = sorted({(one.set, one.user) for one in asked})
    count = min(len(people), FOLDS)
    found: dict[tuple[str, Group], list[bool]] = {}
    chosen = []
    for fold in range(count):
        out = set(people[fold::count])
        threshold = choose([a for a in asked if (a.set, a.user) not in out])
        chosen.append(threshold)
        for one in asked:
            if (one.set, one.user) in out:
                found.setdefault((one.set, one.group), []).append(one.held < threshold)
    return {key: sum(each) / len(each) for key, each in found.items()}, chosen


def main(
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    sets: Annotated[str, typer.Option(help="Names of folders, with commas.")] = "locomo",
    embedder: Annotated[str, typer.Option(help='"none" for words only, or a name.')] = "none",
) -> None:
    """Print the curves of each set, and what a threshold chosen without the user does."""
    made = open_embedder(embedder)
    everything: list[Asked] = []
    for name in sets.split(","):
        asked = list(ask_all(Folder(shared / "benchdata" / name), made))
        everything += asked
        print(
            f"\n### {name}\n\n| silent below | answerable (false) | unanswerable | another user's |"
        )
        print("|---|---|---|---|")
        for threshold in THRESHOLDS:
            shares = [silent(asked, group, float(threshold)).get(name) for group in GROUPS]
            print(f"| {threshold:.1f} | " + " | ".join(map(_cell, shares)) + " |", flush=True)
    pooled, chosen = held_out(everything)
    ships = DEFAULT.none if made is None else DEFAULT.none_near
    print(f"\nChosen without the user: {min(chosen):.2f} to {max(chosen):.2f}; ships: {ships}\n")
    print("| set | false, held out | false, ships | another user's, held out | ships |")
    print("|---|---|---|---|---|")
    for name in sets.split(","):
        cells = []
        for group in (GROUPS[0], GROUPS[2]):
            shipped = silent(everything, group, ships).get(name)
            cells += [_cell(pooled.get((name, group))), _cell(shipped)]
        print(f"| {name} | " + " | ".join(cells) + " |")


def _cell(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


if __name__ == "__main__":
    typer.run(main)
