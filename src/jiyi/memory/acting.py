"""A store on whose behalf somebody acts: what is written through it is logged as theirs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from jiyi.ports import Checkable, Copyable, Reader, Store, Writer
    from jiyi.types import Finding


class ActingStore:
    """The same store; every event of a transaction begun here names the actor."""

    def __init__(self, store: Store, actor: str) -> None:
        self._store = store
        self._actor = actor
        self.capabilities = store.capabilities

    @contextmanager
    def write(self) -> Iterator[Writer]:
        with self._store.write() as writer:
            writer.actor = self._actor
            yield writer

    def read(self) -> AbstractContextManager[Reader]:
        return self._store.read()

    def schema_version(self) -> int:
        return self._store.schema_version()

    def bytes_on_disk(self) -> int | None:
        return self._store.bytes_on_disk()

    def purge(self) -> tuple[str, ...]:
        return self._store.purge()

    def close(self) -> None:
        self._store.close()

    def backup(self, path: str | os.PathLike[str]) -> Path:
        return cast("Copyable", self._store).backup(path)

    def check(self) -> list[Finding]:
        return cast("Checkable", self._store).check()

    def repair(self) -> dict[str, int]:
        return cast("Checkable", self._store).repair()
