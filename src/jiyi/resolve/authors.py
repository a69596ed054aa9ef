"""Whose a memory is: what a user shares is read by all of the tenant, and changed by its author."""

from __future__ import annotations

from jiyi.errors import ConflictError
from jiyi.types import MemoryRecord, Scope


def is_author(record: MemoryRecord, scope: Scope) -> bool:
    """Whether the memory belongs to the user of this scope."""
    return (record.scope.tenant, record.scope.user) == (scope.tenant, scope.user)


def require_author(record: MemoryRecord, scope: Scope) -> None:
    """Refuse to change what another user shares.

    Raises:
        ConflictError: it is another user's.
    """
    if not is_author(record, scope):
        raise ConflictError(
            f"memory {record.id} is shared by another user, and only they can change it;"
            " remember your own beside it"
        )
