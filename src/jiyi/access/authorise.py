"""What a key opens: pure decisions about rights and scopes."""

from __future__ import annotations

from dataclasses import replace

from jiyi.errors import AccessError
from jiyi.types import Key, Right, Scope


def authorise(key: Key, right: Right, scope: Scope) -> Scope:
    """The scope in which a key may do something: what it is bound to is filled in.

    Raises:
        AccessError: it lacks the right, or does not reach this scope.
    """
    check_right(key, right)
    return confine(key, scope)


def check_right(key: Key, right: Right) -> None:
    """Raise AccessError unless the key has the right."""
    if right not in key.rights:
        raise AccessError(f"this key may not {_DOES[right]}", known=True)


def confine(key: Key, scope: Scope) -> Scope:
    """The scope with the only tenant, user or agent of a key filled in where none is named.

    Raises:
        AccessError: the scope names another one, or none where the key has several.
    """
    tenant = scope.tenant
    if not key.every_tenant:
        if tenant not in (None, key.tenant):
            raise AccessError("this key is for another tenant", known=True)
        tenant = key.tenant
    return replace(
        scope,
        tenant=tenant,
        user=_one_of(key.users, scope.user, "user"),
        agent=_one_of(key.agents, scope.agent, "agent"),
    )


def _one_of(allowed: tuple[str, ...] | None, named: str | None, what: str) -> str | None:
    if allowed is None:
        return named
    if named is None:
        if len(allowed) == 1:
            return allowed[0]
        raise AccessError(f"this key works for several {what}s: name one of them", known=True)
    if named not in allowed:
        raise AccessError(f"this key does not work for that {what}", known=True)
    return named


_DOES = {
    "read": "read",
    "write": "write",
    "forget": "erase",
    "admin": "administer",
}
