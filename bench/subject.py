"""A memory under test: a benchmark's users loaded through the public surface, and asked."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench.folders import START, Folder, Question, Unit, asked_at, said_at, speaker_names
from jiyi import Memory
from jiyi.ports import Selection
from jiyi.types import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from jiyi.ports import Embedder
    from jiyi.recall.engine import Recaller

LIMIT = 100  # places per ranking: pair and exclude measures look at the whole list
TIMED_LIMIT = 10


class Clock:
    """Tells the time that the benchmark has reached."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


class Subject:
    """One store with every user of a benchmark, each in a scope of their own."""

    def __init__(self, target: str, embedder: Embedder | None) -> None:
        self.clock = Clock()
        self.memory = Memory(target, embedder=embedder, clock=self.clock, background=False)
        self.embeds = embedder is not None
        self.units: dict[str, list[str]] = defaultdict(list)
        self._memory_of: dict[str, str] = {}
        self._names: dict[str, set[str]] = {}

    def introduce(self, user: str, names: set[str]) -> None:
        """Say which names the turns of a user carry."""
        self._names[user] = names

    def load(self, units: list[Unit], heirs: dict[str, str]) -> None:
        """Write units in order; nothing is extracted, every turn stays a turn.

        `heirs` maps the id of a unit to the id of the older one that it replaces.
        """
        run: list[Unit] = []
        for unit in units:
            if run and (unit["role"] == "memory" or unit["session"] != run[-1]["session"]):
                self._observe(run)
                run = []
            if unit["role"] == "memory":
                self._remember(unit, heirs.get(unit["id"]))
            else:
                run.append(unit)
        if run:
            self._observe(run)
        if self.embeds:
            self.memory.flush()

    def ask_by(self, recaller: Recaller, question: Question, now: datetime) -> list[list[str]]:
        """What another recaller on the same store finds, by the ids that each hit stands for."""
        hits, _ = recaller.recall(
            Scope(user=question["user"]),
            question["question"],
            limit=LIMIT,
            now=now,
            selection=Selection(now=now),
        )
        return [self.units[hit.id] for hit in hits]

    def ask(self, question: Question, now: datetime) -> tuple[list[list[str]], float]:
        """The ranking as lists of unit ids, and how long a recall of ten took in milliseconds."""
        self.clock.now = now
        user, text = question["user"], question["question"]
        where = {"meta.scope": question["scope"]} if question.get("scope") else None
        if not text.strip():
            return [self.units[id] for id in self._in_force(user, where)], 0.0
        started = perf_counter()
        self.memory.recall(text, limit=TIMED_LIMIT, where=where, user=user)
        elapsed = (perf_counter() - started) * 1000
        hits = self.memory.recall(text, limit=LIMIT, where=where, user=user)
        found = dict.fromkeys(hit.id for hit in hits)
        found |= dict.fromkeys(self._in_force(user, where))
        return [self.units[id] for id in found], elapsed

    def _in_force(self, user: str, where: dict[str, Any] | None) -> list[str]:
        """What is pinned, newest first: every context holds it, whatever the question."""
        if where is None:
            return []
        pinned = self.memory.list(where={"pinned": True, **where}, limit=LIMIT, user=user)
        return [record.id for record in pinned.items]

    def shown(self, question: Question, now: datetime, budget: int) -> list[str]:
        """Ids of the units that stand in a context of so many tokens."""
        self.clock.now = now
        context = self.memory.context(question["question"], budget=budget, user=question["user"])
        return [
            unit
            for layer in context.layers
            for id in layer.unit_ids
            for unit in self.units.get(id, ())
        ]

    def support(self, question: Question, user: str, now: datetime) -> str:
        """How well `user`'s memory supports a question, which may be somebody else's."""
        self.clock.now = now
        support: str = self.memory.recall(question["question"], limit=5, user=user).support
        return support

    def _observe(self, run: list[Unit]) -> None:
        self.clock.now = max(self.clock.now, said_at(run[-1]))
        names = self._names.get(run[0]["user"], set())
        messages = [
            {
                "role": unit["role"],
                "content": unit["text"],
                "said_at": said_at(unit),
                **({"name": unit["speaker"]} if unit["speaker"] in names else {}),
            }
            for unit in run
        ]
        receipt = self.memory.observe(
            messages, encode=False, user=run[0]["user"], session=run[0]["session"]
        )
        for unit, turn_id in zip(run, receipt.turn_ids, strict=True):
            self.units[turn_id].append(unit["id"])

    def _remember(self, unit: Unit, replaces: str | None) -> None:
        self.clock.now = max(self.clock.now, said_at(unit))
        user = unit["user"]
        # Only one set gives these: other names of a thing, what is always in force, the field of
        # life it belongs to, and questions that were settled since: those are no longer true.
        known: dict[str, Any] = {
            "tags": unit.get("aliases") or [],
            "pinned": bool(unit.get("pinned")),
        }
        if unit.get("scope"):
            known["meta"] = {"scope": unit["scope"][0]}
        if unit.get("status") == "resolved":
            known["expires_at"] = said_at(unit) + timedelta(seconds=1)
        if replaces is not None:
            receipt = self.memory.correct(self._memory_of[replaces], unit["text"], user=user)
            assert receipt.memory_id is not None
            self.memory.update(receipt.memory_id, user=user, **known)
        else:
            receipt = self.memory.remember(unit["text"], said_at=said_at(unit), user=user, **known)
        assert receipt.memory_id is not None
        self._memory_of[unit["id"]] = receipt.memory_id
        self.units[receipt.memory_id].append(unit["id"])


def ask_all(
    folder: Folder,
    embedder: Embedder | None,
    *,
    progress: Callable[[], None],
    budgets: Sequence[int] = (),
    target: str | None = None,
    users: Collection[str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Load a folder and yield one line of a ranking file per question, from a fresh file or the
    store at `target`, of all users or of these.

    A question with `before_seq` is asked when only earlier units have been loaded. `budgets` are
    tokens of contexts; what stands in each is added to the line under "shown".
    """
    heirs = {
        unit["superseded_by"]: unit["id"]
        for units in folder.users.values()
        for unit in units
        if unit.get("superseded_by")
    }
    questions = [q for q in folder.questions if users is None or q["user"] in users]
    with tempfile.TemporaryDirectory() as directory:
        subject = Subject(target or str(Path(directory) / "bench.db"), embedder)
        with subject.memory:
            for question, now in in_time(subject, folder, questions, heirs):
                ids, elapsed = subject.ask(question, now)
                shown = {
                    budget: subject.shown(question, now, budget)
                    for budget in budgets
                    if question["evidence"] and question["question"].strip()
                }
                progress()
                yield {
                    "question_id": question["id"],
                    "ids": ids,
                    "latency_ms": elapsed,
                    "shown": shown,
                }


def in_time(
    subject: Subject, folder: Folder, questions: Iterable[Question], heirs: dict[str, str]
) -> Iterator[tuple[Question, datetime]]:
    """The questions user by user, each with the time it is asked at, when no more is loaded than
    had been said by then."""
    by_user = defaultdict(list)
    for question in questions:
        by_user[question["user"]].append(question)
    for user, mine in by_user.items():
        units, loaded = folder.users.get(user, []), 0
        subject.introduce(user, speaker_names(units))
        for question in sorted(mine, key=lambda q: _loaded_before(q, len(units))):
            upto = _loaded_before(question, len(units))
            subject.load(units[loaded:upto], heirs)
            loaded = max(loaded, upto)
            yield question, asked_at(question, units[:loaded])


def _loaded_before(question: Question, end: int) -> int:
    """How many units had been said when the question was asked."""
    before = question.get("before_seq")
    return end if before is None else int(before)
