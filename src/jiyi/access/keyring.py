"""The keys of a store: making, listing, revoking them, and letting their holders in."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

from jiyi.access.addresses import is_loopback
from jiyi.access.admission import Admission
from jiyi.access.secret import digest_of, is_right, make_token, read_token
from jiyi.arguments import read_time
from jiyi.errors import (
    AccessError,
    ConfigurationError,
    InvalidInputError,
    StoreUnavailableError,
)
from jiyi.ids import new_id, parse_id, read_clock
from jiyi.text.normalise import check_name, check_text
from jiyi.types import RIGHTS, Key, Right

if TYPE_CHECKING:
    from jiyi.memory import Memory

_DEFAULT: Final[tuple[Right, ...]] = ("read", "write")
_REMEMBERED: Final = timedelta(minutes=5)
_MOST_SEEN: Final = 10_000
_NOBODY: Final = "00000000-0000-7000-8000-000000000000"
_NO_DIGEST: Final = digest_of(_NOBODY, "")


class Made(NamedTuple):
    """A new key, and its token: this is the only time that anybody sees it."""

    key: Key
    token: str


class Keyring:
    """The keys of the store behind a memory. Thread-safe.

    Args:
        memory: what the keys open.
        open_without_keys: let everybody in as long as no key was ever made: for a service that
            only this machine reaches.
    """

    def __init__(self, memory: Memory, *, open_without_keys: bool = False) -> None:
        self._memory = memory
        self._open = open_without_keys
        self._salt = secrets.token_bytes(32)
        self._seen: dict[bytes, tuple[datetime, Key | None]] = {}

    def create(
        self,
        name: str,
        *,
        rights: Iterable[Right] = _DEFAULT,
        tenant: str | None = None,
        every_tenant: bool = False,
        users: Iterable[str] | None = None,
        agents: Iterable[str] | None = None,
        expires_at: datetime | str | None = None,
    ) -> Made:
        """Make a key.

        Args:
            name: for people, such as "the web shop".
            rights: what it may do; see `jiyi.types.Right`.
            tenant: the only tenant that it reaches; None is the one without a name.
            every_tenant: it reaches all of them. With "admin" it also opens the store as a whole.
            users, agents: the only ones that it may work for; None leaves them open.
            expires_at: when it ends.

        Raises:
            InvalidInputError: naming the argument.
        """
        now = read_clock(self._memory.clock)
        if every_tenant and tenant is not None:
            raise InvalidInputError("tenant", "the key is for every tenant", "Give one of them")
        key = Key(
            id=new_id(),
            name=check_text(name, "name"),
            rights=_read_rights(rights),
            created_at=now,
            tenant=check_name(tenant, "tenant"),
            every_tenant=every_tenant,
            users=_read_names(users, "users"),
            agents=_read_names(agents, "agents"),
            expires_at=read_time(expires_at, "expires_at", now),
        )
        if not key.is_good(now):
            raise InvalidInputError("expires_at", "it is past", "Give a time to come")
        token, digest = make_token(key.id)
        with self._memory.store.write() as writer:
            writer.add_access_key(key, digest)
        return Made(key, token)

    def list(self) -> tuple[Key, ...]:
        """Every key that was ever made, oldest first."""
        with self._memory.store.read() as reader:
            return tuple(reader.access_keys())

    def revoke(self, id: str) -> Key:
        """End a key at once and for good.

        Raises:
            NotFoundError: there is no such key.
        """
        with self._memory.store.write() as writer:
            return writer.revoke_access_key(parse_id(id), at=read_clock(self._memory.clock))

    def is_open(self) -> bool:
        """Whether everybody is let in: it was allowed, and no key was ever made."""
        if self._open and self.list():
            self._open = False  # for good: keys end, but are never gone
        return self._open

    def check_host(self, host: str) -> None:
        """Raise ConfigurationError where a service at this host would let other machines in without
        a key."""
        if not is_loopback(host) and not self.list():
            raise ConfigurationError(
                f"listening on {host} lets other machines in, so it needs keys: `jiyi keys create` "
                "makes one. Or listen on 127.0.0.1"
            )

    def admit(self, token: str | None) -> Admission:
        """Let the holder of a token in.

        While the store is away, whoever was let in within the last minutes still is, so that a
        chat can go on without its memory.

        Raises:
            AccessError: there is none where one is needed, or it is unknown, revoked or expired.
            StoreUnavailableError: the store is away, and this token was not seen lately.
        """
        mark = blake2b((token or "").encode("utf-8", "surrogatepass"), key=self._salt).digest()
        try:
            admission = self._admit(token)
        except StoreUnavailableError:
            seen = self._seen.get(mark)
            now = read_clock(self._memory.clock)
            if seen is None or not timedelta(0) <= now - seen[0] < _REMEMBERED:
                raise
            if seen[1] is not None and not seen[1].is_good(now):
                raise
            return Admission(seen[1], self._memory)
        except AccessError:
            self._seen.pop(mark, None)
            raise
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[mark] = read_clock(self._memory.clock), admission.key
        return admission

    def _admit(self, token: str | None) -> Admission:
        if token is None:
            if self.is_open():
                return Admission(None, self._memory)
            raise AccessError(
                "a key is needed, as `Authorization: Bearer …`; `jiyi keys create` makes one",
                known=False,
            )
        id, secret = read_token(token) or (_NOBODY, token)
        with self._memory.store.read() as reader:
            found = reader.access_key(id)
        # Without such a key the same work is done, so that the time tells nothing.
        right = is_right(id, secret, _NO_DIGEST if found is None else found[1])
        if found is None or not right or not found[0].is_good(read_clock(self._memory.clock)):
            if found is None and self.is_open():  # programs send any key where none is needed
                return Admission(None, self._memory)
            raise AccessError("this key is unknown, revoked or expired", known=False)
        return Admission(found[0], self._memory)


def _read_rights(rights: Iterable[Right]) -> frozenset[Right]:
    chosen = frozenset(rights)
    unknown = sorted(chosen - set(RIGHTS))
    if unknown or not chosen:
        problem = f"unknown right {unknown[0]!r}" if unknown else "there is none"
        raise InvalidInputError("rights", problem, f"Use {', '.join(RIGHTS)}")
    return chosen


def _read_names(names: Iterable[str] | None, field: str) -> tuple[str, ...] | None:
    if names is None:
        return None
    checked = tuple(dict.fromkeys(n for each in names if (n := check_name(each, field))))
    if not checked:
        raise InvalidInputError(field, "it is empty", "Leave it out for all of them")
    return checked
