"""Values that cross the store port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from jiyi.filters import Condition
    from jiyi.types import (
        Document,
        EntityKind,
        Json,
        MemoryRecord,
        Passage,
        Scope,
        Status,
        Turn,
        Unit,
        UnitKey,
    )


class Capability(Enum):
    """Named differences between stores; flows ask for these, never for a store's name."""

    MANY_PROCESSES = "several processes may write at once"
    PHYSICAL_ERASE = "erased bytes are gone from the files when erase() has returned"
    ONLINE_BACKUP = "backup() copies a store that is in use: see Copyable"
    SELF_CHECK = "check() looks for damage and repair() mends: see Checkable"
    READ_ONLY = "it was opened for reading only: write() is refused"


IMPORTANT: Final = 0.8
"""From this importance (0 to 1) on, a memory is looked at whatever the question is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which memories or turns are meant. Fields combine with AND; None narrows nothing.

    `statuses` applies to memories. `as_of` keeps what was true in the world at that instant:
    valid_from <= as_of < valid_to, and not expired then; statuses active, superseded and expired
    then count alike. `known_at` reads every memory as it stood in the store at that instant.
    `now` is the clock's time: what expired before it is not live. `keys` are unit keys. `marked`
    keeps memories that are pinned or of at least `IMPORTANT` importance, which stores find without
    looking at all others.
    """

    now: datetime
    statuses: frozenset[Status] = frozenset({"active"})
    where: Condition | None = None
    ids: tuple[str, ...] | None = None
    keys: tuple[UnitKey, ...] | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    marked: bool = False


class Name(NamedTuple):
    """A name in a text: `key` is equal for names that are one, `text` as it was written. One that
    is not `sure` may be any word, and is a name where another memory knows it as one."""

    key: str
    text: str
    kind: EntityKind
    sure: bool = True


ALIAS = "alias"
"""The relation between two names of one entity."""

SELF = ""
"""The key of the user, whom no name stands for."""


class Tie(NamedTuple):
    """`one` stands in `relation` to `other`; both are keys of names. `memory_id` says so."""

    one: str
    relation: str
    other: str
    memory_id: str = ""


class Mention(NamedTuple):
    """A live memory that mentions a name, with the unit that is its text."""

    name: Name
    memory_id: str
    unit: UnitKey


class TermWeights(NamedTuple):
    """What a text is found by: how often each term occurs, and the length that BM25 divides by; of
    a memory also the names that it mentions and what it says of them. Both ends of a tie are among
    `names`."""

    counts: Mapping[str, int]
    length: int
    names: tuple[Name, ...] = ()
    ties: tuple[Tie, ...] = ()


@dataclass(frozen=True, slots=True)
class Postings:
    """What one space's text index says about some terms.

    `size` is one more than the highest unit number in the space; arrays indexed by unit number
    have that length. `lengths[number]` is the unit's length in terms, 0 where the number holds no
    indexed text. `terms` maps each asked term to (numbers ascending int32, counts float32); terms
    nobody used are absent. `count` is the number of indexed units, `mean_length` their mean.
    """

    space: int
    size: int
    count: int
    mean_length: float
    lengths: npt.NDArray[np.uint16]
    terms: Mapping[str, tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]]


class UnitCode(IntEnum):
    """What a number of a space holds, in one byte (see `Layout.kinds`)."""

    NOTHING = 0
    MEMORY = 1
    USER_TURN = 2
    ASSISTANT_TURN = 3
    OTHER_TURN = 4
    DOCUMENT = 5


@dataclass(frozen=True, slots=True)
class Layout:
    """What a space holds, by unit number; pieces of a long turn count as turns of their session.

    Arrays of length `size`, which is at least that of the same snapshot's postings. `kinds` are
    values of `UnitCode` (a number erased since may still be named). `sessions[number]` is any
    number that the turns of one session, and nothing else, share; -1 for all that is no turn.
    `said` are microseconds since the epoch, UTC: said_at of turns and memories. Read-only.
    """

    space: int
    size: int
    kinds: npt.NDArray[np.uint8]
    sessions: npt.NDArray[np.int32]
    said: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """The vectors of one space: `matrix` of shape (n, dimension) float32 unit length, row i
    belonging to unit `numbers[i]` (int32, ascending). Read-only; shared between callers."""

    space: int
    numbers: npt.NDArray[np.int32]
    matrix: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredUnit:
    """A memory, a turn or a passage with its place in the store.

    A long turn is indexed in pieces: `piece` is the half-open character range of the piece that
    was asked for, and `key` the key of the whole unit. `previous` and `next` are the keys of the
    neighbouring turns of the same session. `later` is the id of the live memory that replaced
    what this turn says, when every memory drawn from it has been replaced or retracted. `cited`
    is False where it is known that no memory was drawn from this turn.
    A `passage` comes with its `document`.
    """

    unit: Unit
    key: UnitKey
    memory: MemoryRecord | None = None
    turn: Turn | None = None
    passage: Passage | None = None
    document: Document | None = None
    piece: tuple[int, int] | None = None
    previous: UnitKey | None = None
    next: UnitKey | None = None
    later: str | None = None
    stale: bool = False
    cited: bool = True


JobKind = Literal[
    "extract", "read", "embed", "checkpoint", "digest", "begin", "consolidate", "consolidating"
]
"""extract: turns for the rules; read: turns for a chat model; begin: a planned fact comes true;
consolidating: a claim, no work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of background work. `attempt` counts from 1 while leased."""

    id: int
    kind: JobKind
    scope: Scope
    payload: Mapping[str, Json]
    attempt: int
    created_at: datetime
    error: str | None = None


ERASED = "\ufdd0"
"""How the name of a user begins of whom everything was erased: a keyed hash follows. It is not a
character, and no name that is given may begin with it."""

DERIVED = ("summary_of", "lesson", "insight_of")
"""Fields of `meta` that mark a memory as made out of others by consolidation: it may repeat their
words, and so goes when one of its members or cited turns is erased (audit actions "summarised in"
and "drawn into" link a member to it)."""


class Erasure(NamedTuple):
    """What `Writer.erase` removed: ids and rows by kind."""

    memory_ids: tuple[str, ...]
    turn_ids: tuple[str, ...]
    counts: Mapping[str, int]


def audience(draft_visibility: str, scope: Scope) -> str:
    """Whom a memory is for, as one string: uniqueness holds within an audience.

    "" for every agent of the user, "agent=x", "task=x", "tool=x", or "shared".
    """
    if draft_visibility == "user":
        return ""
    if draft_visibility == "shared":
        return "shared"
    return f"{draft_visibility}={getattr(scope, draft_visibility)}"
