"""What HTTP headers say of a caller: the key, and the scope to work in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from jiyi.types import ScopeFields

_SCOPE: Final = {f"x-jiyi-{field}": field for field in ("tenant", "user", "agent", "session")}


def token_in(headers: Mapping[str, str]) -> str | None:
    """The token in `Authorization: Bearer …`. Headers are as Starlette reads them."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


def scope_in(headers: Mapping[str, str]) -> ScopeFields:
    """The scope in `X-Jiyi-User`, `-Tenant`, `-Agent` and `-Session`."""
    found = {
        field: name_in_header(value.encode("latin-1"))
        for name, field in _SCOPE.items()
        if (value := headers.get(name))
    }
    return cast("ScopeFields", found)


def name_in_header(value: bytes) -> str:
    """The name that a header means: UTF-8, or percent-encoded UTF-8 where a client sends nothing
    but ASCII, or else Latin-1, as older clients have it.

    A percent sign that encodes nothing beyond ASCII stands for itself. What does not decode is
    never replaced by a sign for "unknown": two users would share it.
    """
    if value.isascii():
        decoded = unquote_to_bytes(value)
        value = value if decoded.isascii() else _as_utf8(decoded, value)
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _as_utf8(decoded: bytes, value: bytes) -> bytes:
    try:
        decoded.decode("utf-8")
    except UnicodeDecodeError:
        return value
    return decoded
