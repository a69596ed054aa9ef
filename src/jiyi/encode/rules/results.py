"""What a reading of a turn yields."""

from __future__ import annotations

from dataclasses import dataclass

from jiyi.types import Draft


@dataclass(frozen=True, slots=True)
class Retract:
    """ "Don't go by that any more": what is about `topic` no longer holds, and is kept.

    `span` is the place of the command in the turn. An empty topic means that the conversation
    does not tell what is meant.
    """

    topic: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Erase:
    """ "Delete what I said about …": everything about `topic` is erased for good."""

    topic: str
    span: tuple[int, int]


Command = Retract | Erase


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a turn yields: facts proposed, and commands about forgetting."""

    drafts: tuple[Draft, ...] = ()
    commands: tuple[Command, ...] = ()
