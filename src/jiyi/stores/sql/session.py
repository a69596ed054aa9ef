"""One transaction's view of the store: its spaces, and who may read what in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jiyi.ports import ERASED
from jiyi.stores.sql.block_heads import BlockHeads
from jiyi.stores.sql.codec import first_unit
from jiyi.stores.sql.hashing import erased_name
from jiyi.stores.sql.tails import Tails
from jiyi.types import Scope

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from jiyi.stores.sql.connection import Connection, Dialect
    from jiyi.stores.sql.hashing import TermHash
    from jiyi.stores.sql.layout import LayoutCache
    from jiyi.stores.sql.vector_cache import VectorCache

_SPACE = """
SELECT id, tenant, user_id, next_number, next_event, change, erased
FROM space WHERE tenant = :tenant AND user_id = :user_id
"""
_SPACE_BY_ID = """
SELECT id, tenant, user_id, next_number, next_event, change, erased FROM space WHERE id = :id
"""
_NEW_SPACE = """
INSERT INTO space (tenant, user_id) VALUES (:tenant, :user_id) ON CONFLICT DO NOTHING
"""
_USERS = "SELECT id, user_id FROM space WHERE tenant = :tenant AND user_id <> ''"
_RENAME = "UPDATE space SET user_id = :user_id WHERE id = :id"
_SAVE_SPACE = """
UPDATE space SET next_number = :next_number, next_event = :next_event,
    change = change + :change, erased = erased + :erased
WHERE id = :id
"""


@dataclass(slots=True)
class Space:
    """One (tenant, user) pair, '' for an absent name, with its counters in this transaction."""

    id: int
    tenant: str
    user: str
    next_number: int
    next_event: int
    change: int
    erased: int
    held: bool = False
    changed: bool = False
    has_erased: bool = False
    hidden: bool = False
    """Whether its name is a hash in the database, because everything in it was erased."""
    emptied: bool = False
    first_number: int = 0
    scopes: dict[tuple[str | None, ...], Scope] = field(default_factory=dict)

    def scope(self, user: str, *labels: str | None) -> Scope:
        """A scope in this tenant, made once: the same few come back in every list of memories."""
        known = self.scopes.get((user, *labels))
        if known is None:
            agent, session, task, tool = labels
            known = self.scopes[user, *labels] = Scope(
                tenant=self.tenant or None,
                user=user or None,
                agent=agent,
                session=session,
                task=task,
                tool=tool,
            )
        return known

    @property
    def common(self) -> bool:
        """Whether this is the tenant's common space."""
        return not self.user

    @property
    def is_back(self) -> bool:
        """Whether something was written for a user of whom everything had been erased."""
        named = self.hidden and not self.emptied and not self.user.startswith(ERASED)
        return named and (self.next_number > self.first_number or not self.has_erased)

    def range(self) -> dict[str, int]:
        """The half-open range of its unit keys, as the parameters :low and :high."""
        return {"low": first_unit(self.id), "high": first_unit(self.id + 1)}


@dataclass(frozen=True, slots=True)
class Readable:
    """A space that a scope reads: wholly as its own, or only what others share there."""

    space: Space
    own: bool

    def audiences(self, column: str = "m.audience") -> str:
        """The condition on a memory's audience; parameters from `Readable.parameters`."""
        if self.own:
            return f"{column} IN ('', 'shared', :agent, :task, :tool)"
        return f"({column} = 'shared' AND {column} <> '')"


def labels(scope: Scope) -> dict[str, str | None]:
    """The audiences that a scope belongs to through its labels."""
    return {
        name: None if value is None else f"{name}={value}"
        for name, value in (("agent", scope.agent), ("task", scope.task), ("tool", scope.tool))
    }


@dataclass(slots=True)
class StoreState:
    """What all transactions of one open store share."""

    term_hash: TermHash
    key: bytes
    vector_cache: VectorCache
    layout_cache: LayoutCache
    block_heads: BlockHeads = field(default_factory=BlockHeads)
    tails: Tails = field(default_factory=Tails)


@dataclass(slots=True)
class _Known:
    spaces: dict[int, Space] = field(default_factory=dict)
    by_name: dict[tuple[str, str], int] = field(default_factory=dict)
    absent: set[tuple[str, str]] = field(default_factory=set)
    visible: dict[tuple[int, Scope], npt.NDArray[np.bool_] | None] = field(default_factory=dict)


class ReadSession:
    """What every read needs: a connection inside a transaction, and the spaces it has met."""

    _snapshot = True
    """Whether what is absent stays absent: no writes are seen, be they others' or its own."""

    def __init__(self, connection: Connection, dialect: Dialect, state: StoreState) -> None:
        self._db = connection
        self._dialect = dialect
        self._state = state
        self._known = _Known()

    @property
    def connection(self) -> Connection:
        """The connection of this transaction, for checks of the store as a whole."""
        return self._db

    def _space(self, tenant: str | None, user: str | None) -> Space | None:
        name = (tenant or "", user or "")
        known = self._known.by_name.get(name)
        if known is not None:
            return self._known.spaces[known]
        if name in self._known.absent:
            return None
        row = self._db.one(_SPACE, {"tenant": name[0], "user_id": name[1]})
        if row is not None:
            return self._meet(Space(*row))
        hidden = self._hidden_space(*name) if name[1] else None
        if hidden is None and self._snapshot:
            self._known.absent.add(name)
        return hidden

    def _hidden_space(self, tenant: str, user: str, keys: Iterable[bytes] = ()) -> Space | None:
        """The space whose name is the hash of this user, or the other way round: the one that an
        archive calls by its hash. Hashes of loaded archives were made with their stores' keys."""
        rows = self._db.all("SELECT DISTINCT key FROM tombstone_key", {})
        keys = [self._state.key, *(bytes(row[0]) for row in rows), *keys]
        if user.startswith(ERASED):
            for id, name in self._db.all(_USERS, {"tenant": tenant}):
                if any(erased_name(key, tenant, name) == user for key in keys):
                    return self._space_by_id(id)
            return None
        for key in keys:
            row = self._db.one(
                _SPACE, {"tenant": tenant, "user_id": erased_name(key, tenant, user)}
            )
            if row is not None:
                space = self._known.spaces.get(row[0]) or self._meet(Space(*row))
                space.user = user
                self._known.by_name[tenant, user] = space.id
                return space
        return None

    def _space_by_id(self, id: int) -> Space | None:
        known = self._known.spaces.get(id)
        if known is not None:
            return known
        row = self._db.one(_SPACE_BY_ID, {"id": id})
        return None if row is None else self._meet(Space(*row))

    def _meet(self, space: Space) -> Space:
        space.hidden, space.first_number = space.user.startswith(ERASED), space.next_number
        self._known.spaces[space.id] = space
        self._known.by_name[space.tenant, space.user] = space.id
        return space

    def _readable(self, scope: Scope) -> list[Readable]:
        """The spaces a scope reads: its own first, then its tenant's common space."""
        own = self._own_space(scope)
        found = [] if own is None else [Readable(own, own=True)]
        if scope.user is not None:
            common = self._space(scope.tenant, None)
            if common is not None:
                found.append(Readable(common, own=False))
        return found

    def _own_space(self, scope: Scope) -> Space | None:
        return self._space(scope.tenant, scope.user)

    def _place(self, scope: Scope, audience: str) -> Space | None:
        """Where memories for this audience lie."""
        return self._space(scope.tenant, None if audience == "shared" else scope.user)

    def _array(self, values: Any) -> Any:
        return self._dialect.array(values)


class WriteSession(ReadSession):
    """A read session that also counts: numbers for units and events, changes of spaces."""

    _snapshot = False

    def _open(self, tenant: str | None, user: str | None) -> Space:
        """The space, made if it is new and held against other writers."""
        return self._hold(self._look(tenant, user) or self._make(tenant, user))

    def _look(self, tenant: str | None, user: str | None) -> Space | None:
        """The space as it stays until this transaction ends: what a writer saw must still be so
        when it acts on it. Where all writers come one after the other, that needs no lock."""
        if not self._dialect.lock_row:
            return self._space(tenant, user)
        space = self._space(tenant, user) or self._make(tenant, user)
        self._lock(space)
        return space

    def _make(self, tenant: str | None, user: str | None) -> Space:
        parameters = {"tenant": tenant or "", "user_id": user or ""}
        self._db.run(_NEW_SPACE, parameters)
        row = self._db.one(_SPACE, parameters)
        assert row is not None  # noqa: S101 - it was inserted, by us or by another writer
        return self._meet(Space(*row))

    def _lock(self, space: Space) -> None:
        if self._dialect.lock_row and not space.held:
            row = self._db.one(_SPACE_BY_ID + self._dialect.lock_row, {"id": space.id})
            assert row is not None  # noqa: S101 - spaces are never deleted
            _, _, name, space.next_number, space.next_event, space.change, space.erased = row
            space.hidden, space.first_number = name.startswith(ERASED), space.next_number
        space.held = True

    def _hold(self, space: Space) -> Space:
        """A space that was only read so far becomes one that is being changed."""
        self._lock(space)
        space.changed = True
        return space

    def _own_space(self, scope: Scope) -> Space | None:
        return self._look(scope.tenant, scope.user)

    def _place(self, scope: Scope, audience: str) -> Space | None:
        return self._look(scope.tenant, None if audience == "shared" else scope.user)

    def _open_own(self, scope: Scope) -> Space:
        return self._open(scope.tenant, scope.user)

    def _home(self, scope: Scope, audience: str) -> Space:
        """Where a memory for this audience lives."""
        return self._open(scope.tenant, None if audience == "shared" else scope.user)

    def _next_number(self, space: Space) -> int:
        number = space.next_number
        space.next_number = number + 1
        return number

    def _next_event(self, space: Space) -> int:
        number = space.next_event
        space.next_event = number + 1
        return first_unit(space.id) + number

    def _hide(self, space: Space) -> None:
        """Put a hash in the place of a user's name, after everything was erased."""
        space.emptied = True
        if not space.user or space.user.startswith(ERASED):
            return
        name = erased_name(self._state.key, space.tenant, space.user)
        self._db.run(_RENAME, {"id": space.id, "user_id": name})

    def flush(self) -> None:
        """Write the counters of every space that was changed. The driver calls it at commit."""
        for space in self._known.spaces.values():
            if space.changed:
                self._db.run(
                    _SAVE_SPACE,
                    {
                        "id": space.id,
                        "next_number": space.next_number,
                        "next_event": space.next_event,
                        "change": 1,
                        "erased": int(space.has_erased),
                    },
                )
                if space.is_back:
                    self._db.run(_RENAME, {"id": space.id, "user_id": space.user})

    def committed(self) -> None:
        """Drop from memory what was erased. The driver calls it after a commit."""
        for space in self._known.spaces.values():
            if space.has_erased:
                self._state.vector_cache.drop(space.id)
                self._state.layout_cache.drop(space.id)
                self._state.tails.drop(space.id)
                self._state.term_hash.forget()
