"""What is left of erased content: keyed hashes, which block it from coming back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.stores.sql.hashing import tombstone_hash
from jiyi.stores.sql.session import ReadSession

if TYPE_CHECKING:
    from jiyi.stores.sql.session import Space


def message_key_content(message_key: str) -> bytes:
    """What is hashed of an erased turn's idempotency key: a redelivery must not bring it back."""
    return b"message key " + message_key.encode()


def turn_content(id: bytes) -> bytes:
    """What is hashed of an erased turn's packed id: an archive must not bring it back."""
    return b"turn " + id


class TombstoneReads(ReadSession):
    """Whether something was erased."""

    def _is_buried(self, space: Space, content: bytes) -> bool:
        return any(self._has_hash(space, content, key) for key in self._tombstone_keys(space))

    def _tombstone_keys(self, space: Space) -> list[bytes]:
        """The store's own key, and those of stores whose tombstones were loaded."""
        rows = self._db.all(
            "SELECT key FROM tombstone_key WHERE space = :space ORDER BY key", {"space": space.id}
        )
        return [self._state.key, *(bytes(row[0]) for row in rows)]

    def _has_hash(self, space: Space, content: bytes, key: bytes) -> bool:
        row = self._db.one(
            "SELECT 1 FROM tombstone WHERE space = :space AND hash = :hash",
            {"space": space.id, "hash": tombstone_hash(content, key)},
        )
        return row is not None
