"""Years to replay: what one person says day by day, and what can be asked about it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from bench.folders import Folder, said_at
from bench.lives import Drift, Fading, Life

DAYS = 365


@dataclass(frozen=True)
class Said:
    """One message. `id` is what evidence names it by. What is `lasting` the agent keeps itself, as
    one with a chat model would: rules read only part of it."""

    id: str
    at: datetime
    text: str
    role: str = "user"
    name: str | None = None
    lasting: bool = False


@dataclass(frozen=True)
class Asked:
    """A question that can be asked from `since` until `until` (None: for good).

    `evidence` are ids of messages; or `value` is the current answer and `stale` are former ones,
    looked for as texts. Without either, what `stale` names is over and nobody said so: there is no
    current answer, and recall is not counted.
    """

    text: str
    since: datetime
    until: datetime | None = None
    evidence: frozenset[str] = frozenset()
    value: str | None = None
    stale: tuple[str, ...] = ()

    @property
    def answerable(self) -> bool:
        return bool(self.evidence) or self.value is not None


@dataclass
class Year:
    """A year of messages in the order of time, and questions about it."""

    name: str
    said: list[Said]
    asked: list[Asked]
    daily: list[str] = field(default_factory=list)

    def open_at(self, moment: datetime) -> list[Asked]:
        """The questions that can be answered at a moment."""
        return [
            asked
            for asked in self.asked
            if asked.since <= moment and (asked.until is None or moment < asked.until)
        ]


def phone_year(folder: Folder, user: str) -> Year:
    """One user's phone of a benchmark folder, with its questions about single facts."""
    units = folder.users[user]
    said = [Said(u["id"], said_at(u), u["text"]) for u in units]
    when = {each.id: each.at for each in said}
    asked = [
        Asked(
            q["question"],
            since=max(when[id] for id in q["evidence"]),
            evidence=frozenset(q["evidence"]),
        )
        for q in folder.questions
        if q["user"] == user and q["evidence"] and q["answerable"]
    ]
    return Year(f"{folder.name} {user}", said, asked)


# --- a year that we make up -----------------------------------------------------------------------


def made_year(
    life: Life, seed: int = 7, *, start: date = date(2026, 1, 1), days: int = DAYS
) -> Year:
    """A year of one person: facts that change, drift or quietly end, tastes told again and again,
    events of each day, small talk, and a tool that fails now and then."""
    return _Making(life, random.Random(seed), start, days).year()


class _Making:
    """One made-up year while it is put together."""

    def __init__(self, life: Life, chance: random.Random, start: date, days: int) -> None:
        self._life, self._chance, self._start, self._days = life, chance, start, days
        self._told: dict[int, list[tuple[str, bool]]] = {day: [] for day in range(days)}
        self._asked: list[Asked] = []

    def year(self) -> Year:
        life = self._life
        self._facts()
        for drift in life.drifts:
            self._drift(drift)
        for habit in life.habits:
            self._habit(habit)
        for once in life.once:
            day = self._some_day(0.05, 0.5)
            self._tell(day, once.texts[0], lasting=True)
            self._ask(once.question, day + 21, stale=(once.key,))
        for kept in life.kept:
            day = self._some_day(0.0, 0.2)
            self._tell(day, kept.texts[0], lasting=True)
            self._ask(kept.question, day + 1, value=kept.key)
        for question, wordings, key in life.tastes:
            for n, text in enumerate((*wordings, *wordings)):
                self._tell(min(self._days - 1, 3 + n * self._days // 9), text)
            self._ask(question, 10, value=key)
        daily = [fact[0] for fact in life.facts] + [taste[0] for taste in life.tastes]
        daily += [drift.question for drift in life.drifts]
        daily += [each.question for each in (*life.habits, *life.once, *life.kept)]
        return Year(f"made-up {life.language} year", self._said(), self._asked, daily)

    def _facts(self) -> None:
        """Facts whose changes rules can read."""
        days, chance = self._days, self._chance
        for question, first, change, values in self._life.facts:
            moments = [0, *sorted(chance.sample(range(5, days - 20), len(values) - 1)), days]
            for n, value in enumerate(values):
                day, until = moments[n], moments[n + 1]
                self._tell(day, (change if n else first).format(value))
                self._ask(question, day + 1, until, value=value, stale=tuple(values[:n]))
                if until - day > 2:
                    self._tell(chance.randrange(day + 1, until), first.format(value))

    def _drift(self, drift: Drift) -> None:
        """Told about every six weeks; from the change on the new way of it."""
        change = self._some_day(0.25, 0.6)
        self._again_and_again(drift.before, self._some_day(0, 0.05), change, 40)
        self._again_and_again(drift.after, change, self._days, 45)
        self._ask(drift.question, 20, change, value=drift.former)
        self._ask(drift.question, change + 1, value=drift.value, stale=(drift.former,))

    def _habit(self, habit: Fading) -> None:
        """Told about every month, until it stops and nobody says so."""
        stop = self._some_day(0.2, 0.5)
        self._again_and_again(habit.texts, self._some_day(0, 0.05), stop, 30)
        self._ask(habit.question, 20, stop, value=habit.key)
        self._ask(habit.question, stop + 14, stale=(habit.key,))

    def _again_and_again(self, texts: Sequence[str], day: int, until: int, every: int) -> None:
        n = 0
        while day < until:
            self._tell(day, texts[n % len(texts)], lasting=True)
            day += every + self._chance.randrange(-5, 6)
            n += 1

    def _some_day(self, low: float, high: float) -> int:
        return self._chance.randrange(int(low * self._days), int(high * self._days))

    def _tell(self, day: int, text: str, *, lasting: bool = False) -> None:
        self._told[day].append((text, lasting))

    def _ask(
        self,
        question: str,
        since: int,
        until: int | None = None,
        *,
        value: str | None = None,
        stale: tuple[str, ...] = (),
    ) -> None:
        # From the day after: what was said in the evening is known by then.
        end = None if until is None or until >= self._days else self._at(until, 0)
        self._asked.append(Asked(question, self._at(since, 0), end, value=value, stale=stale))

    def _at(self, day: int, hour: float = 8) -> datetime:
        return datetime.combine(self._start, time(), UTC) + timedelta(days=day, hours=hour)

    def _said(self) -> list[Said]:
        said, chance = [], self._chance
        for day in range(self._days):
            texts = [*self._told[day], *((text, False) for text in self._passing(day))]
            for n, (text, lasting) in enumerate(texts):
                at = self._at(day, 8 + n / 2)
                said.append(Said(f"{day}:{n}", at, text, lasting=lasting))
            if chance.random() < 0.05:
                error = self._life.error.format(chance.randrange(1000, 9999))
                at = self._at(day, 23)
                said.append(Said(f"{day}:tool", at, error, role="tool", name="query"))
        return said

    def _passing(self, day: int) -> list[str]:
        """What any day brings: something done with somebody, small talk, now and then a habit."""
        life, chance = self._life, self._chance
        texts = [life.today.format(chance.choice(life.does).format(chance.choice(life.people)))]
        texts += chance.sample(life.chat, 3)
        if day % 30 == 10:
            texts.append(chance.choice(life.routines).format(chance.choice(life.week)))
        return texts
