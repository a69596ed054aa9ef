"""What the assistants of this folder share: the time of their story, the choice of a model, the
printing. Each runs offline with a function that plays the model, and with `--model NAME` on any
model that LangChain's `init_chat_model` can open."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from jiyi import ConfigurationError, Memory
from jiyi.agent import MemoryAgent, Reply
from jiyi.testing.agent_model import Answer, PlayedChatModel, Prompt


@dataclass(frozen=True)
class Scene:
    """One conversation: when, who speaks, in which session, and what they say."""

    at: str
    user: str
    session: str
    lines: tuple[str, ...]


class Clock:
    """The time of the story."""

    def __init__(self) -> None:
        self.now = datetime.fromisoformat("2026-06-01T08:00:00+08:00")

    def __call__(self) -> datetime:
        return self.now


def perform(
    build: Callable[[Any, Memory], MemoryAgent],
    play: Callable[[Prompt], Answer],
    story: Sequence[Scene],
    argv: Sequence[str] = (),
) -> list[Reply]:
    """Play a story scene by scene, and return the replies."""
    parser = argparse.ArgumentParser(description="An assistant that remembers")
    parser.add_argument("--model", help="such as ollama:qwen3:8b; without it, the model is played")
    parser.add_argument("--db", default=":memory:", help="where to remember")
    chosen = parser.parse_args(argv)
    clock, replies = Clock(), []
    with Memory(chosen.db, embedder=None, clock=clock) as memory:
        try:
            agent = build(chosen.model or PlayedChatModel(play=play), memory)
        except ConfigurationError as error:
            raise SystemExit(str(error).splitlines()[0]) from error
        for scene in story:
            clock.now = datetime.fromisoformat(scene.at)
            print(f"\n── {scene.at[:10]} · {scene.user} · {scene.session}")
            for line in scene.lines:
                print(f"\n  {line}")
                reply = agent.chat(line, user=scene.user, session=scene.session)
                for use in reply.tools:
                    print(f"    ⚙ {use.name} {dict(use.arguments)}")
                print("    " + str(reply).replace("\n", "\n    "))
                replies.append(reply)
    return replies
