"""The assistants of `examples/` as modules."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jiyi.agent import Reply

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Imports an example by its name."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module


Replies = dict[tuple[str, str], list[Reply]]


@pytest.fixture(scope="session")
def told() -> dict[str, Replies]:
    """The replies of the stories that were played already."""
    return {}


@pytest.fixture
def play(load: Callable[[str], ModuleType], told: dict[str, Replies]) -> Callable[..., Replies]:
    """Plays the story of an example, or another one, and gives the replies by user and session."""

    def played(name: str, story: Any = None, *, again: bool = False) -> Replies:
        if story is None and name in told and not again:
            return told[name]
        example, stage = load(name), load("stage")
        scenes = [stage.Scene(*scene) for scene in story] if story else example.STORY
        replies = iter(stage.perform(example.build, example.play, scenes))
        found: Replies = {}
        for scene in scenes:
            found.setdefault((scene.user, scene.session), []).extend(
                next(replies) for _ in scene.lines
            )
        if story is None and not again:
            told[name] = found
        return found

    return played
