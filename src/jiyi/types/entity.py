"""Who and what is spoken of: entities with their names, and how they hang together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EntityKind = Literal[
    "person", "place", "organisation", "product", "title", "code", "address", "name", "user"
]
"""What a name stands for; "name" where the words do not tell, "user" for the speaker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """An edge: `subject` stands in `relation` to `object`, as `memory_ids` say, the newest first.

    "Anna is the sister of the user" is (user, sister, Anna): read it "the user's sister is Anna".
    """

    subject: str
    relation: str
    object: str
    memory_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """Two names of one entity, and the memories that say so, the newest first."""

    name: str
    other: str
    memory_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A node: one person, place, product or other thing.

    `name` is the name that most live memories use, `names` are all of them with it, `aliases` say
    why they are one. `memory_ids` are the live memories that name it, the newest first.
    """

    name: str
    kind: EntityKind
    names: tuple[str, ...]
    aliases: tuple[Alias, ...]
    relations: tuple[Relation, ...]
    memory_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityGraph:
    """Everything that live memories name, the most often named first, and what ties it together."""

    nodes: tuple[Entity, ...]
    edges: tuple[Relation, ...]
