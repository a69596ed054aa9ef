"""What a file holds once it is read: conversations, finished memories, or a knowledge graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from jiyi.errors import InvalidInputError
from jiyi.types import Json, Kind

Message = dict[str, Any]
"""A message as `Memory.observe` takes it: role, content, and what else the file says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One sitting: its session name (None when the file gives none) and its messages in order."""

    session: str | None
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMemory:
    """A finished memory of another system, with the arguments of `Memory.remember`."""

    text: str
    kind: Kind = "semantic"
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    said_at: datetime | None = None
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entity:
    """A node, with what was observed about it."""

    name: str
    entity_type: str
    observations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed edge between two entities, by name."""

    source: str
    target: str
    relation_type: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Entities and relations, in the order in which they were made."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """Everything one file holds. `format` names what it was recognised as."""

    format: str
    conversations: tuple[Conversation, ...] = ()
    memories: tuple[ImportedMemory, ...] = ()
    graph: Graph = field(default_factory=Graph)

    @property
    def message_count(self) -> int:
        return sum(len(conversation.messages) for conversation in self.conversations)


def not_ours(place: str, problem: str) -> InvalidInputError:
    """The one error for content that is not a conversation; `place` is file and line or item."""
    return InvalidInputError(
        place,
        problem,
        "jiyi import reads messages as JSON or JSONL, ChatGPT and Claude exports, memory lists, "
        "and transcripts with lines such as 'Name: text'",
    )


def group_sessions(messages: Iterable[tuple[str | None, Message]]) -> tuple[Conversation, ...]:
    """Messages with their session names become conversations, in order of first appearance.

    A message without an id gets one made of its session, place and content, so that importing
    the same file twice, or a longer version of it, stores nothing twice.
    """
    sessions: dict[str | None, list[Message]] = {}
    for session, message in messages:
        sessions.setdefault(session, []).append(message)
    return tuple(
        Conversation(
            session=session,
            messages=tuple(_with_id(session, n, message) for n, message in enumerate(group)),
        )
        for session, group in sessions.items()
    )


def _with_id(session: str | None, place: int, message: Message) -> Message:
    if message.get("id") is not None:
        return message
    parts = (session, place, message.get("role"), message.get("said_at"), message.get("content"))
    digest = blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return {**message, "id": f"file:{digest}"}


def read_moment(value: object, place: str) -> datetime | None:
    """A time as files write it: ISO 8601, or seconds or milliseconds since 1970."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str):
            return datetime.fromisoformat(value.strip().replace("/", "-"))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            # Seconds stay below this until the year 5138; milliseconds passed it in 1973.
            return datetime.fromtimestamp(value / 1000 if abs(value) > 1e11 else value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise InvalidInputError(
        place, f"{value!r} is not a time", "Use ISO 8601, such as 2026-03-05T14:00:00+08:00"
    )
