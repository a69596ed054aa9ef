"""Names of a scope in HTTP headers, which were made for ASCII."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes


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
