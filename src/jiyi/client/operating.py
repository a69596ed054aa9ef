"""What each verb of the whole store and its keys sends, and what it makes of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from jiyi.client.call import Call, get_call, many, one, part, plain
from jiyi.client.calls import When
from jiyi.types import Finding, Key, Right


def flush() -> Call[None]:
    """Finish the background work that is due: see `Memory.flush`."""
    return Call("POST", "/flush", lambda _: None)


def check() -> Call[tuple[Finding, ...]]:
    """Look for damage in the whole store: see `Memory.check`."""
    return get_call("/check", many(Finding), {})


def repair() -> Call[Mapping[str, int]]:
    """Delete rows whose owner is gone: see `Memory.repair`."""
    return Call("POST", "/repair", lambda data: cast("dict[str, int]", data["rows"]))


def keys() -> Call[tuple[Key, ...]]:
    """Every key that was ever made: see `jiyi.access.Keyring.list`."""
    return get_call("/keys", many(Key), {})


def create_key(
    name: str,
    *,
    rights: Sequence[Right] = ("read", "write"),
    tenant: str | None = None,
    every_tenant: bool = False,
    users: Sequence[str] | None = None,
    agents: Sequence[str] | None = None,
    expires_at: When = None,
) -> Call[tuple[Key, str]]:
    """Make a key; the second value is its token: see `jiyi.access.Keyring.create`."""
    body = {
        "name": name,
        "rights": rights,
        "tenant": tenant,
        "every_tenant": every_tenant,
        "users": users,
        "agents": agents,
        "expires_at": expires_at,
    }
    return Call("POST", "/keys", _made, body=plain(body), scoped=False)


def revoke_key(id: str) -> Call[Key]:
    """End a key at once and for good: see `jiyi.access.Keyring.revoke`."""
    return Call("DELETE", f"/keys/{part(id)}", one(Key))


def _made(data: Any) -> tuple[Key, str]:
    return one(Key)(data["key"]), str(data["token"])
