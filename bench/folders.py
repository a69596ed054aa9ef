"""Benchmark folders: `corpus.jsonl.gz`, `questions.jsonl.gz`, and the scorer beside them."""

from __future__ import annotations

import gzip
import importlib.util
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

START = datetime(2024, 1, 1, tzinfo=UTC)  # for sets without dates: one unit a minute, in order

Unit = dict[str, Any]
Question = dict[str, Any]


@dataclass(frozen=True)
class Folder:
    """One benchmark."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    @cached_property
    def users(self) -> dict[str, list[Unit]]:
        """The units of each user, in the order they were said."""
        users: dict[str, list[Unit]] = defaultdict(list)
        for unit in _rows(self.path / "corpus.jsonl.gz"):
            users[unit["user"]].append(unit)
        for units in users.values():
            units.sort(key=lambda u: u["seq"])
        return dict(users)

    @cached_property
    def questions(self) -> list[Question]:
        return _rows(self.path / "questions.jsonl.gz")

    @cached_property
    def language(self) -> str:
        return "zh" if self.name.endswith("-zh") or self.name == "memdaily" else "en"


def said_at(unit: Unit) -> datetime:
    """When a unit was said, aware; local times are taken as UTC."""
    if unit["said_at"] is None:
        return START + timedelta(minutes=unit["seq"])
    return datetime.fromisoformat(unit["said_at"]).replace(tzinfo=UTC)


def asked_at(question: Question, units: list[Unit]) -> datetime:
    """When a question was asked: its own time, else an hour after the last thing said."""
    last = max((said_at(unit) for unit in units), default=START) + timedelta(hours=1)
    if question["asked_at"] is None:
        return last
    return max(datetime.fromisoformat(question["asked_at"]).replace(tzinfo=UTC), last)


def speaker_names(units: list[Unit]) -> set[str]:
    """The names that tell a user's speakers apart: none where only one is named."""
    generic = {"user", "assistant", "用户", "助手"}
    names = {unit["speaker"] for unit in units} - {None}
    named = {name for name in names if name.casefold() not in generic}
    return named if len(named) > 1 else set()


def load_scorer(benchdata: Path) -> Any:
    """The `score.py` that comes with the data, as a module."""
    spec = importlib.util.spec_from_file_location("benchmark_score", benchdata / "score.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(benchdata / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scored(scorer: Any, folder: Folder, lines: Iterable[dict[str, Any]]) -> Any:
    """The scorer's report on the lines of a ranking."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        file.flush()
        return scorer.Report(str(folder.path), file.name).json()


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
