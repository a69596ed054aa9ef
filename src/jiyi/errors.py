"""The errors a caller can meet. Each builds its message from its data and keeps the data.

JiyiError
├── InvalidInputError (ValueError)      a field of the call is wrong; nothing was written
├── NotFoundError (LookupError)         no such memory, turn, trace, session or run in this scope
├── AccessError (PermissionError)        the key is missing or no good, or does not reach so far
├── ConflictError                       the change contradicts the state it was meant for
├── ConfigurationError                  a name, URL or extra that does not lead anywhere
├── EmbedderMismatchError               the store's vectors come from another embedder
├── ModelError                          a chat model or embedder failed
└── StoreError                          the store could not do its work
    ├── StoreUnavailableError (OSError) it is down, full, locked, read-only or unreachable
    ├── StoreFormatError                the file is not ours, damaged, or newer than this program
    └── StoreClosedError                the memory was closed
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class JiyiError(Exception):
    """Root of every error that this package raises on purpose."""


class InvalidInputError(JiyiError, ValueError):
    """A field of the call is wrong. `field` names it, `hint` is the way out."""

    def __init__(self, field: str, problem: str, hint: str) -> None:
        self.field = field
        self.problem = problem
        self.hint = hint
        super().__init__(f"{field}: {problem}. {hint}")


class NotFoundError(JiyiError, LookupError):
    """No such thing in this scope; without an `id`, none at all yet."""

    def __init__(self, what: str, id: str | None) -> None:
        self.what = what
        self.id = id
        named = "yet" if id is None else repr(id)
        super().__init__(f"no {what} {named} in this scope")


class AccessError(JiyiError, PermissionError):
    """A key is missing or no good (`known` is False), or does not reach so far."""

    def __init__(self, problem: str, *, known: bool) -> None:
        self.problem = problem
        self.known = known
        super().__init__(problem)


class ConflictError(JiyiError):
    """The change contradicts the state it was meant for."""


class ConfigurationError(JiyiError):
    """A name, URL or extra that does not lead anywhere."""

    @classmethod
    def unknown(cls, what: str, name: str, known: Iterable[str]) -> ConfigurationError:
        """Name the known choices, nearest first."""
        choices = sorted(known)
        nearest = get_close_matches(name, choices, n=1)
        guess = f" Did you mean {nearest[0]!r}?" if nearest else ""
        return cls(f"unknown {what} {name!r}.{guess} Known: {', '.join(choices) or 'none'}")

    @classmethod
    def missing_extra(cls, what: str, extra: str) -> ConfigurationError:
        """Say what to install."""
        return cls(f"{what} needs an extra: pip install 'jiyi[{extra}]'")


class EmbedderMismatchError(JiyiError):
    """The store's vectors come from another embedder."""

    def __init__(self, stored: str, opened: str) -> None:
        self.stored = stored
        self.opened = opened
        super().__init__(
            f"vectors were made by {stored!r}, but the embedder is {opened!r}. Search by words "
            f"still works; run `jiyi reembed` to make new vectors, or open with {stored!r}"
        )


class ModelError(JiyiError):
    """A chat model or embedder failed. `retryable` says whether trying again can help."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        self.retryable = retryable
        super().__init__(message)


class StoreError(JiyiError):
    """The store could not do its work."""


class StoreUnavailableError(StoreError, OSError):
    """The store is down, full, locked, read-only or unreachable."""


class StoreFormatError(StoreError):
    """The file is not ours, is damaged, or was written by a newer program."""


class StoreClosedError(StoreError):
    """The memory was closed."""

    def __init__(self) -> None:
        super().__init__("this memory is closed. Open a new Memory on the same target")
