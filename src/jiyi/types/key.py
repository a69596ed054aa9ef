"""An access key: who knocks at the door of a service, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

Right = Literal["read", "write", "forget", "admin"]
"""read: look and search. write: add and change. forget: erase. admin: hard facts, archives and,
with a key for every tenant, the store as a whole and its keys."""

RIGHTS: tuple[Right, ...] = get_args(Right)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What a key opens. The secret itself is not kept, only its digest.

    `tenant` is the only tenant that it reaches, None being the one without a name; with
    `every_tenant` it reaches all of them. `users` and `agents` are the only ones that it may work
    for; None leaves them open. It is good until `expires_at` (exclusive) or `revoked_at`.
    """

    id: str
    name: str
    rights: frozenset[Right]
    created_at: datetime
    tenant: str | None = None
    every_tenant: bool = False
    users: tuple[str, ...] | None = None
    agents: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_good(self, now: datetime) -> bool:
        """Whether it is neither revoked nor expired at `now`."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a service answered to a request that may come again, or None while it is at work.

    `digest` tells that request from another with the same name. `body` holds ids, counts and
    reasons, never what people said.
    """

    digest: bytes
    at: datetime
    body: str | None = None
