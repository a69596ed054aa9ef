"""The verbs that look after the store as a whole: archives, backups, checks, vectors, work."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack, cast

from jiyi.arguments import read_flag
from jiyi.errors import ConfigurationError, InvalidInputError
from jiyi.memory.view import View
from jiyi.ports import Capability
from jiyi.types import Finding, Scope, ScopeFields

# What reads and writes archives is imported by the verbs that do: most programs never call them.
if TYPE_CHECKING:
    from jiyi.archived import Archived, ExportReport, LoadReport
    from jiyi.ports import Checkable, Copyable, Reader

_DROP: Final = 2000  # vectors deleted per transaction, so that nobody waits long

Progress = Callable[[int], None]


class Archiving(View):
    """What can be done with everything that is kept."""

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        everything: bool = False,
        progress: Progress | None = None,
        **scope: Unpack[ScopeFields],
    ) -> ExportReport:
        """Write an archive of a user: turns, memories with their history, documents, the audit log,
        hard facts, sessions, notes and tombstones. See docs/archive.md.

        It is one state of the store, also while others write, and holds what the user shared;
        labels (`agent`, `session`, …) do not narrow it. The file appears under its name when it is
        whole.

        Args:
            path: a new file, or an archive to replace.
            everything: all users of the tenant, or of every tenant when none is named.
            progress: called with the number of values so far, now and then.

        Raises:
            ConflictError: there is another kind of file at `path`.
            StoreUnavailableError: it cannot be written there.
        """
        from importlib.metadata import version

        from jiyi.archived import ExportReport
        from jiyi.formats.archive import write_archive

        where, now, parts = self._within(scope), self._now(), self._parts
        if read_flag(everything, "everything") and where.user is not None:
            raise InvalidInputError("everything", f"a user is named: {where.user!r}", "Give one")
        parts.journal.flush(at=now)
        with parts.store.read() as reader:
            values = _values(reader, where, everything=everything)
            summary = write_archive(
                path, _counted(values, progress), now=now, program=f"jiyi {version('jiyi')}"
            )
        return ExportReport(path=os.fspath(path), counts=summary.counts)

    def load(
        self,
        path: str | os.PathLike[str],
        *,
        progress: Progress | None = None,
        **scope: Unpack[ScopeFields],
    ) -> LoadReport:
        """Take in an archive, merged by id: loading it twice changes nothing, and a load that was
        interrupted is begun again. What was erased here stays away. No model is called; vectors
        are made in the background.

        A named user or tenant takes in its own only; without one, all that the archive holds.

        Args:
            progress: called with the number of values after each transaction.

        Raises:
            InvalidInputError: it is damaged, newer than this program, or holds others' memories;
                then nothing is written.
        """
        from jiyi.encode.restoring import restore
        from jiyi.formats.archive import check_archive, name_of, read_archive

        where, now, parts = self._within(scope), self._now(), self._parts
        check_archive(path, look=lambda value: _must_be_within(value, where))
        values = read_archive(path)
        report = restore(
            parts.store,
            values,
            now=now,
            name_of=name_of,
            progress=progress,
            terms_of=parts.terms_of,
        )
        parts.worker.wake()
        return report

    def backup(self, path: str | os.PathLike[str]) -> Path:
        """Copy the whole store to a new file, also while it is in use, and verify the copy.

        `jiyi.registry.restore_store` puts it back. What is forgotten later stays in the copy.

        Raises:
            ConflictError: there is a file at `path`.
            ConfigurationError: the store lives on a server, which has backups of its own.
        """
        parts = self._parts
        if Capability.ONLINE_BACKUP not in parts.store.capabilities:
            raise ConfigurationError(
                "this store lives on a server: use its own backup (PostgreSQL: pg_dump --schema),"
                " or `export`"
            )
        parts.journal.flush(at=self._now())
        return cast("Copyable", parts.store).backup(path)

    def check(self) -> tuple[Finding, ...]:
        """Look for damage in the whole store: integrity, orphans, stale indexes, stuck work. Reads
        everything, changes nothing; empty when all is well."""
        return tuple(self._checkable().check())

    def repair(self) -> Mapping[str, int]:
        """Delete rows whose owner is gone, read the names of memories from before names were kept,
        give jobs that were set aside their attempts back, and drive erased bytes out of the files.
        Returns rows by the name of the finding."""
        from jiyi.encode.renaming import read_names

        parts = self._parts
        rows = self._checkable().repair()
        if read := read_names(parts.store, terms_of=parts.terms_of, now=self._now()):
            rows = {**rows, "names not read": read}
        if retried := self._parts.worker.retry_parked():
            rows = {**rows, "parked jobs": retried}
            self._parts.worker.wake()
        self._parts.store.purge()
        return rows

    def reembed(self, progress: Progress | None = None) -> int:
        """Make vectors with this memory's embedder for all that has none, then drop those of other
        embedders. Searching goes on meanwhile, by words; stopped in the middle, it goes on where it
        was.

        Args:
            progress: called with the number of vectors after each batch.

        Returns:
            How many vectors were made.

        Raises:
            ConfigurationError: this memory has no embedder.
            ModelError: the embedder failed; what was made stays.
        """
        parts = self._parts
        if parts.embedder is None:
            raise ConfigurationError(
                "there is no embedder to make vectors with. Name one, or pip install 'jiyi[local]'"
            )
        made, ours = parts.worker.reembed(progress), parts.embedder.name
        with parts.store.read() as reader:
            whole = not reader.unembedded(ours, limit=1)
            others = [name for name in reader.vector_models() if name != ours]
        for name in others if whole else ():
            dropped = _DROP
            while dropped:
                with parts.store.write() as writer:
                    dropped = writer.drop_vectors(name, limit=_DROP)
        return made

    def work(self, until: threading.Event, *, retry_parked: bool = False) -> int:
        """Do background work until the event is set, whoever queued it: for a process that does
        nothing else, such as `jiyi worker`. Returns how many jobs and vectors were done.

        Args:
            retry_parked: first give the jobs that failed again and again their attempts back.
        """
        if read_flag(retry_parked, "retry_parked"):
            self._parts.worker.retry_parked()
        return self._parts.worker.work(until)

    def _checkable(self) -> Checkable:
        store = self._parts.store
        if Capability.SELF_CHECK not in store.capabilities:
            raise ConfigurationError("this store has no check of its own: use its server's")
        return cast("Checkable", store)


def _values(reader: Reader, where: Scope, *, everything: bool) -> Iterator[Archived]:
    if everything:
        for space in reader.spaces():
            if where.tenant in (None, space.tenant):
                yield from reader.dump(space)
        return
    own = Scope(tenant=where.tenant, user=where.user)
    yield from reader.dump(own)
    if where.user is not None:
        yield from reader.dump(Scope(tenant=where.tenant), author=where.user)


def _counted(values: Iterator[Archived], progress: Progress | None) -> Iterator[Archived]:
    for number, value in enumerate(values, start=1):
        yield value
        if progress is not None and number % 500 == 0:
            progress(number)


def _must_be_within(value: Archived, where: Scope) -> None:
    """A view of a user or tenant takes in nothing of others."""
    from jiyi.archived import ArchivedEvent
    from jiyi.encode.restoring import scope_of

    scope = scope_of(value)
    if where.user is None and where.tenant is None:
        return
    shared = isinstance(value, ArchivedEvent) and scope.user is None  # of what the user shares
    same = scope.tenant == where.tenant and (where.user in (None, scope.user) or shared)
    if not same:
        raise InvalidInputError(
            "path",
            f"the archive holds memories of {scope.as_dict() or 'the common space'}",
            "Load it without naming a user, or export that user alone",
        )
