"""A store as a whole, and what some stores can do besides."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from jiyi.ports.reader import Reader
from jiyi.ports.values import Capability
from jiyi.ports.writer import Writer

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from jiyi.types import Finding


class Store(Protocol):
    """Where truth lives. Indexes are caches that can be rebuilt from it."""

    capabilities: frozenset[Capability]

    def read(self) -> AbstractContextManager[Reader]: ...
    def write(self) -> AbstractContextManager[Writer]:
        """A transaction: commits when the block ends, rolls back when it raises.

        Waits for other writers, fairly; StoreUnavailableError after the store's timeout.
        """
        ...

    def schema_version(self) -> int: ...
    def bytes_on_disk(self) -> int | None: ...
    def purge(self) -> tuple[str, ...]:
        """Drive erased bytes out of the files (checkpoint, vacuum). Returns what is pending."""
        ...

    def close(self) -> None: ...


class Copyable(Protocol):
    """A store with Capability.ONLINE_BACKUP. What cannot be copied here has a server that can."""

    def backup(self, path: str | os.PathLike[str]) -> Path:
        """Copy the store, also while it is in use, and verify the copy.

        Raises ConflictError when there is a file at `path`.
        """
        ...


class Checkable(Protocol):
    """A store with Capability.SELF_CHECK."""

    def check(self) -> list[Finding]:
        """Look for damage; reads everything, changes nothing. Empty when all is well."""
        ...

    def repair(self) -> dict[str, int]:
        """Delete rows whose owner is gone. Returns rows by the name of the finding."""
        ...
