"""The secret of a key: made once, shown once, kept as a digest only.

A token is `jiyi_<id of the key>_<256 random bits>`. Nobody can try that many, so a fast hash is
enough; scrypt is for what people can think up.
"""

from __future__ import annotations

import hmac
import secrets
import uuid
from hashlib import blake2b
from typing import Final

_PREFIX: Final = "jiyi"
_SECRET_BYTES: Final = 32
_DIGEST_BYTES: Final = 32


def make_token(id: str) -> tuple[str, bytes]:
    """A token for the key with this id, and the digest to keep of it."""
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    return f"{_PREFIX}_{uuid.UUID(id).hex}_{secret}", digest_of(id, secret)


def read_token(token: str) -> tuple[str, str] | None:
    """The id and secret of a token; None when it cannot be one of ours."""
    parts = token.split("_", 2)
    if len(parts) != 3 or parts[0] != _PREFIX or not token.isascii():
        return None
    try:
        id = str(uuid.UUID(hex=parts[1]))
    except ValueError:
        return None
    return id, parts[2]


def digest_of(id: str, secret: str) -> bytes:
    """What is kept of a secret: BLAKE2b, salted with the id of its key."""
    hashed = blake2b(
        secret.encode(),
        digest_size=_DIGEST_BYTES,
        salt=uuid.UUID(id).bytes,
        person=b"jiyi access key",
    )
    return hashed.digest()


def is_right(id: str, secret: str, digest: bytes) -> bool:
    """Whether the secret is the one with this digest, in a time that tells nothing about it."""
    return hmac.compare_digest(digest_of(id, secret), digest)
