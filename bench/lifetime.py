"""A year replayed day by day, with and without consolidation each night.

`python -m bench.lifetime --shared ../shared` replays one user of LifeBench-zh and a made-up English
year, asks what is current at the end of each month, and writes figures and a chart.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.folders import Folder
from bench.lives import CHINESE, ENGLISH
from bench.recall import machine
from bench.subject import Clock
from bench.years import Asked, Said, Year, made_year, phone_year
from jiyi import Hit, Memory, Source
from jiyi.consolidate import Policies, Unconfirmed, Unused
from jiyi.evaluation.charts import page
from jiyi.ids import new_id
from jiyi.text.normalise import fold

LIMIT = 10
SHARES = ("recall", "first", "doubted", "recall_of_memories", "stale")
MONTH = 30
QUESTIONS = 60  # asked at the end of a month, at most
CONTEXTS = 3  # a day: what an agent would ask for, so that uses are counted
CURRENT = (Unused(), Unconfirmed(days=90))
WAYS: Mapping[str, Policies | None] = {
    "without": None,
    "nightly": Policies(),
    "confirmed": Policies(archive=CURRENT),
    "limited": Policies(archive=CURRENT, turn_days=90),
}
"""No consolidation; each night with the defaults; with what nobody confirmed for 90 days put away;
and with turns that nothing cites erased after 90 days as well."""


@dataclass
class Month:
    """What was measured on one day.

    Recall, first (the current value stands first) and doubted (its first hit is marked as not
    confirmed, though it is current) are shares of the questions that have an answer. Stale is the
    share of all questions where a former value stands above the current one, unmarked; former is
    how many of the hits of a question state one unmarked. Seconds are processor time of the nights
    since the last measurement; live are active memories.
    """

    day: int
    turns_said: int
    turns: int
    live: int
    archived: int
    megabytes: float
    questions: int
    recall: float
    first: float
    doubted: float
    recall_of_memories: float
    stale: float
    former: float
    seconds: float
    slowest: float


class Replay:
    """One year in one store."""

    def __init__(self, year: Year, target: str, policies: Policies | None) -> None:
        self.year = year
        self.clock = Clock()
        self.memory = Memory(target, embedder=None, clock=self.clock, background=False)
        self.policies = policies
        self.steps: dict[str, int] = {}
        self._target = Path(target)
        self._units: dict[str, str] = {}
        self._chance = random.Random(11)
        self._nights: list[float] = []

    def run(self, days: int) -> Iterator[Month | None]:
        """Live day by day; yields a measurement at the end of each month, else None."""
        start = self.year.said[0].at.replace(hour=0, minute=0, second=0, microsecond=0)
        by_day: dict[int, list[Said]] = {}
        for said in self.year.said:
            by_day.setdefault((said.at - start).days, []).append(said)
        for day in range(days):
            for said in by_day.get(day, ()):
                self._say(said, str(day))
            night = start + timedelta(days=day + 1, hours=3)
            self.clock.now = max(self.clock.now, night)
            for text in self._chance.sample(self.year.daily, min(CONTEXTS, len(self.year.daily))):
                self.memory.context(text)
            if self.policies is not None:
                self._consolidate()
            last = day == days - 1
            yield self._measure(day + 1) if (day + 1) % MONTH == 0 or last else None

    def _say(self, said: Said, session: str) -> None:
        self.clock.now = max(self.clock.now, said.at)
        message = {"role": said.role, "content": said.text, "said_at": said.at}
        if said.name is not None:
            message["name"] = said.name
        for id in self.memory.observe(message, session=session).turn_ids:
            self._units[id] = said.id
            if said.lasting:
                source = Source(id=new_id(), turn_id=id, session=session, said_at=said.at)
                self.memory.remember(said.text, source=source, said_at=said.at, trust="user")

    def _consolidate(self) -> None:
        started = process_time()
        report = self.memory.consolidate(policies=self.policies)
        self._nights.append(process_time() - started)
        assert report.failed is None, report.failed
        for action, number in report.counts.items():
            self.steps[action] = self.steps.get(action, 0) + number

    def _measure(self, day: int) -> Month:
        asked = self.year.open_at(self.clock.now)
        if len(asked) > QUESTIONS:
            asked = random.Random(day).sample(asked, QUESTIONS)
        found = first = doubted = stale = former = of_memories = 0.0
        told = [question for question in asked if question.answerable]
        for question in asked:
            hits = self.memory.recall(question.text, limit=LIMIT)
            stale += _is_stale(question, list(hits))
            former += sum(_is_former(question, hit) for hit in hits)
            if question not in told:
                continue
            found += self._recalled(question, list(hits))
            first += self._first(question, list(hits))
            doubted += _is_doubted(question, list(hits))
            # As of now: what looks into the past brings nothing back from the archive, so that
            # measuring changes nothing.
            now = self.clock.now
            only = self.memory.recall(question.text, limit=LIMIT, units="memory", as_of=now)
            of_memories += self._recalled(question, list(only))
        stats = self.memory.stats()
        number, of = max(1, len(asked)), max(1, len(told))
        nights, self._nights = self._nights, []
        return Month(
            day=day,
            turns_said=len(self._units),
            turns=stats.turns,
            live=stats.memories.get("active", 0),
            archived=stats.memories.get("archived", 0),
            megabytes=self._target.stat().st_size / 1e6,
            questions=len(asked),
            recall=found / of,
            first=first / of,
            doubted=doubted / of,
            recall_of_memories=of_memories / of,
            stale=stale / number,
            former=former / number,
            seconds=sum(nights) / max(1, len(nights)),
            slowest=max(nights, default=0.0),
        )

    def _recalled(self, question: Asked, hits: list[Hit]) -> float:
        if question.value is not None:
            value = fold(question.value)
            return float(any(value in fold(hit.text) for hit in hits))
        units = {unit for hit in hits for unit in self._cited(hit)}
        return len(units & question.evidence) / len(question.evidence)

    def _first(self, question: Asked, hits: list[Hit]) -> float:
        return self._recalled(question, hits[:1])

    def _cited(self, hit: Hit) -> list[str]:
        turns = [hit.id] if hit.unit == "turn" else [s.turn_id for s in hit.sources if s.turn_id]
        return [self._units[turn] for turn in turns if turn in self._units]


def _is_stale(question: Asked, hits: list[Hit]) -> bool:
    """Whether a former value stands above the current one, and is not marked as former."""
    current = fold(question.value or "")
    for hit in hits:
        if current and current in fold(hit.text):
            return False
        if any(fold(former) in fold(hit.text) for former in question.stale):
            return _is_former(question, hit)
    return False


def _is_former(question: Asked, hit: Hit) -> bool:
    """Whether a hit states a former value alone, as if it were current."""
    text = fold(hit.text)
    if question.value is not None and fold(question.value) in text:
        return False
    unmarked = hit.later is None and hit.status in (None, "active")
    return unmarked and any(fold(former) in text for former in question.stale)


def _is_doubted(question: Asked, hits: list[Hit]) -> bool:
    """Whether the first hit that holds the current value is marked as not confirmed."""
    value = None if question.value is None else fold(question.value)
    holding = [hit for hit in hits if value is not None and value in fold(hit.text)]
    return bool(holding) and holding[0].status == "archived"


def compare(year: Year, days: int, progress: Progress) -> dict[str, Any]:
    """Both ways through one year."""
    found: dict[str, Any] = {}
    for way, policies in WAYS.items():
        task = progress.add_task(f"{year.name}, {way}", total=days)
        with tempfile.TemporaryDirectory() as folder:
            replay = Replay(year, str(Path(folder) / "life.db"), policies)
            months = []
            with replay.memory:
                for month in replay.run(days):
                    progress.advance(task)
                    if month is not None:
                        months.append(asdict(month))
            found[way] = {"months": months, "steps": replay.steps}
    return found


def table(name: str, result: dict[str, Any]) -> str:
    """The figures of the ends of quarters, as Markdown."""
    columns = (
        *("way", "day", "turns", "live", "archived", "MB", "MB per 1,000 turns", "recall@10"),
        *("first", "doubted", "of memories", "stale", "former hits", "s a night"),
    )
    lines = [f"### {name}", "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for way in result:
        months = result[way]["months"]
        for month in [*months[2:-1:3], months[-1]]:
            shares = [month[name] for name in SHARES]
            lines.append(
                f"| {way} | {month['day']} | {month['turns']:,} | {month['live']:,} | "
                f"{month['archived']:,} | {month['megabytes']:.2f} | "
                f"{1000 * month['megabytes'] / month['turns_said']:.2f} | "
                + " | ".join(f"{100 * share:.1f}" for share in shares)
                + f" | {month['former']:.2f} | {month['seconds']:.3f} |"
            )
    for way in result:
        months = result[way]["months"]
        mean = sum(month["stale"] for month in months) / len(months)
        slowest = max(month["slowest"] for month in months)
        lines.append(
            f"\n{way}: stale {100 * mean:.1f} over all months, slowest night {slowest:.2f} s"
        )
        steps = ", ".join(f"{k} {v}" for k, v in result[way]["steps"].items())
        if steps:
            lines.append(f"\n{way}: {steps}")
    return "\n".join([*lines, ""])


def chart(results: dict[str, Any]) -> str:
    """Live memories, size, recall and nights of every year."""
    wanted = (
        ("live", "live memories"),
        ("megabytes", "MB"),
        ("recall", "recall@10 of what is current"),
        ("seconds", "seconds a night"),
    )
    charts = []
    for name, result in results.items():
        for field, title in wanted:
            lines = {
                way: [(0.0, 0.0), *((m["day"], m[field]) for m in result[way]["months"])]
                if field in ("live", "megabytes")
                else [(m["day"], m[field]) for m in result[way]["months"]]
                for way in result
            }
            charts.append((f"{name}: {title}", lines))
    return page(charts, unit="day")


def main(
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    user: Annotated[str, typer.Option(help="Whose phone of LifeBench-zh.")] = "lumingqiang",
    days: Annotated[int, typer.Option(help="How many days to replay.")] = 365,
    out: Annotated[Path | None, typer.Option(help="Folder for figures and chart.")] = None,
) -> None:
    """Replay the years, print the tables, and write figures and a chart."""
    years = [phone_year(Folder(shared / "benchdata" / "lifebench-zh"), user)]
    years += [made_year(life, days=days) for life in (ENGLISH, CHINESE)]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    results: dict[str, Any] = {}
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True
    ) as progress:
        for year in years:
            results[year.name] = compare(year, days, progress)
            print(table(year.name, results[year.name]), flush=True)
    if out is not None:
        today = datetime.now(UTC).date().isoformat()
        about = {"date": today, "machine": machine(), "days": days, "years": results}
        out.mkdir(parents=True, exist_ok=True)
        stem = out / f"lifetime-{today}"
        figures = json.dumps(about, indent=1, ensure_ascii=False) + "\n"
        stem.with_suffix(".json").write_text(figures, encoding="utf-8")
        stem.with_suffix(".svg").write_text(chart(results), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
