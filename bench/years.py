"""Years to replay: what one person says day by day, and what can be asked about it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from bench.folders import Folder, said_at

DAYS = 365


@dataclass(frozen=True)
class Said:
    """One message. `id` is what evidence names it by."""

    id: str
    at: datetime
    text: str
    role: str = "user"
    name: str | None = None


@dataclass(frozen=True)
class Asked:
    """A question that can be asked from `since` until `until` (None: for good).

    `evidence` are ids of messages; or `value` is the current answer and `stale` are former ones,
    looked for as texts.
    """

    text: str
    since: datetime
    until: datetime | None = None
    evidence: frozenset[str] = frozenset()
    value: str | None = None
    stale: tuple[str, ...] = ()


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

# (question, how a value is told first, how a change is told, values of the year)
_FACTS: Sequence[tuple[str, str, str, tuple[str, ...]]] = (
    ("Where do I live?", "I live in {}.", "I moved to {}.", ("Lyon", "Nantes", "Bergen")),
    (
        "Which company do I work for?",
        "I work at {}.",
        "I started a new job at {}.",
        ("Marlow Pumps", "Tessera Labs"),
    ),
    (
        "What is my phone number?",
        "My phone number is {}.",
        "My new phone number is {}.",
        ("555-0142", "555-0178", "555-0199"),
    ),
    (
        "What is my favourite tea?",
        "My favourite tea is {}.",
        "My favourite tea is now {}.",
        ("oolong", "sencha", "rooibos", "assam"),
    ),
    (
        "What is my email address?",
        "My email is {}.",
        "My email is {} now.",
        ("kim@marlow.example", "kim@tessera.example"),
    ),
    ("What is my job?", "I work as a {}.", "I now work as a {}.", ("fitter", "planner")),
    ("What diet do I follow?", "I'm {}.", "I'm {} now.", ("vegetarian", "vegan")),
    # What no slot holds: nothing but time tells which of two is current.
    (
        "When does the backup of the server run?",
        "The backup of the server runs at {}.",
        "The backup of the server runs at {} from now on.",
        ("2 am", "4 am", "11 pm"),
    ),
    (
        "Where is the key of the shed?",
        "The key of the shed is under {}.",
        "The key of the shed is now under {}.",
        ("the mat", "the bench", "the rain barrel"),
    ),
    (
        "When is the choir practice?",
        "Our choir practice is on {}.",
        "Our choir practice is on {} now.",
        ("Monday", "Thursday"),
    ),
    (
        "Who looks after the boiler?",
        "Mr {} looks after the boiler.",
        "Mr {} looks after the boiler now.",
        ("Abel", "Brandt", "Cortez"),
    ),
)
_TASTES: Sequence[tuple[str, Sequence[str]]] = (
    (
        "Do I like concise answers?",
        (
            "Please keep your answers concise.",
            "I prefer short answers.",
            "Answers should be concise.",
            "I like brief replies.",
        ),
    ),
    (
        "Do I like spicy food?",
        (
            "I love spicy food.",
            "I'm a big fan of spicy food.",
            "I really enjoy spicy food.",
            "I do like spicy food.",
        ),
    ),
    (
        "Do I like jazz?",
        ("I love jazz.", "I really enjoy jazz.", "I'm a fan of jazz.", "I like jazz a lot."),
    ),
    (
        "How should dates be written?",
        (
            "Always write dates as 2026-01-31.",
            "From now on, write dates as 2026-01-31.",
            "Please always write dates as 2026-01-31.",
        ),
    ),
)
_PEOPLE = ("Ann", "Ravi", "Greta", "Tom", "Mei", "Olga")
_DOES = (
    *("met {} for lunch", "called {} about the shed", "went to the market with {}"),
    *("fixed the pump with {}", "helped {} move a piano", "played chess with {}"),
    *("visited {} in hospital", "lent {} the drill", "repainted the boat with {}"),
)
_CHAT = (
    *("Thanks, that helps.", "What's the weather like?", "Can you rephrase that?", "Ok.", "Hm."),
    *("How do I boil an egg?", "This queue is endless.", "I'm a bit tired today."),
    *("Suppose I lived on Mars, what would I eat?", "Tell me a joke.", "Never mind."),
)
_HABITS = ("I usually run on {} mornings.", "I keep {} evenings free.")
_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def made_year(seed: int = 7, *, start: date = date(2026, 1, 1), days: int = DAYS) -> Year:
    """A year of an English speaker: facts that change, tastes told again and again, events of each
    day, small talk, and a tool that fails now and then."""
    chance = random.Random(seed)
    told: dict[int, list[str]] = {day: [] for day in range(days)}
    year = Year("made-up English year", [], [])

    def at(day: int, hour: float = 8) -> datetime:
        return datetime.combine(start, time(), UTC) + timedelta(days=day, hours=hour)

    for question, first, change, values in _FACTS:
        moments = [0, *sorted(chance.sample(range(5, days - 20), len(values) - 1)), days]
        for n, value in enumerate(values):
            day, until = moments[n], moments[n + 1]
            told[day].append((change if n else first).format(value))
            # From the day after: what was said in the evening is known by then.
            end = None if until == days else at(until, 0)
            former = tuple(values[:n])
            year.asked.append(Asked(question, at(day + 1, 0), end, value=value, stale=former))
            if until - day > 2:
                told[chance.randrange(day + 1, until)].append(first.format(value))
    for question, wordings in _TASTES:
        for n, text in enumerate(wordings * 2):
            told[min(days - 1, 3 + n * days // 9)].append(text)
        key = wordings[0].rstrip(".").split()[-1]
        year.asked.append(Asked(question, at(10, 0), value=key))
    year.daily = [question for question, *_ in (*_FACTS, *_TASTES)]
    for day in range(days):
        texts = [*told[day], *_passing(day, chance)]
        for n, text in enumerate(texts):
            year.said.append(Said(f"{day}:{n}", at(day, 8 + n), text))
        if chance.random() < 0.05:
            error = f"Error: connection {chance.randrange(1000, 9999)} refused by host"
            year.said.append(Said(f"{day}:tool", at(day, 20), error, role="tool", name="query"))
    return year


def _passing(day: int, chance: random.Random) -> list[str]:
    """What any day brings: something done with somebody, small talk, now and then a habit."""
    texts = [f"Today I {chance.choice(_DOES).format(chance.choice(_PEOPLE))}."]
    texts += chance.sample(_CHAT, 3)
    if day % 30 == 10:
        texts.append(chance.choice(_HABITS).format(chance.choice(_WEEK)))
    return texts
