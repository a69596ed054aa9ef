"""Keyed hashes: the index and the tombstones hold these instead of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b

from jiyi.ports import ERASED

TERM_BYTES = 6  # 48 bits: two of 100,000 different terms of a space collide with chance 2e-5
TOMBSTONE_BYTES = 16
_REMEMBERED_TERMS = 65_536


class TermHash:
    """Terms become 6 bytes, under the key of one store. Frequent ones are remembered."""

    def __init__(self, key: bytes) -> None:
        # A keyed prefix, absorbed once and copied: blake2b has no length extension.
        keyed = blake2b(key, digest_size=TERM_BYTES)

        # Without a bound, which would cost more than the hash itself: `digests` sees to that.
        @cache
        def digest(term: str) -> bytes:
            state = keyed.copy()
            state.update(term.encode())
            return state.digest()

        self._digest = digest

    def digests(self, terms: Iterable[str]) -> Iterator[bytes]:
        """The hash of each term."""
        if self._digest.cache_info().currsize > _REMEMBERED_TERMS:
            self.forget()
        return map(self._digest, terms)

    def forget(self) -> None:
        """Drop the remembered terms: they are text."""
        self._digest.cache_clear()


def erased_name(key: bytes, tenant: str, user: str) -> str:
    """What stands in the place of the name of a user of whom everything was erased."""
    name = f"{len(tenant)} {tenant}{user}".encode()
    return ERASED + blake2b(name, digest_size=TOMBSTONE_BYTES, key=key).hexdigest()


def tombstone_hash(content: bytes, key: bytes) -> bytes:
    """What is left of an erased fingerprint or message key."""
    return blake2b(content, digest_size=TOMBSTONE_BYTES, key=key).digest()
