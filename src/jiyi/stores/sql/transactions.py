"""The two faces of a transaction: `SqlReader` and `SqlWriter`, made of their concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.stores.sql.archive_reads import ArchiveReads
from jiyi.stores.sql.archive_writes import ArchiveWrites
from jiyi.stores.sql.history import HistoryReads
from jiyi.stores.sql.layout import LayoutReads
from jiyi.stores.sql.profile import ProfileReads, ProfileWrites
from jiyi.stores.sql.queue import QueueReads
from jiyi.stores.sql.sessions import SessionReads
from jiyi.stores.sql.traces import TraceReads
from jiyi.stores.sql.units import UnitReads
from jiyi.stores.sql.upkeep import UpkeepReads, UpkeepWrites
from jiyi.stores.sql.vectors import VectorReads

if TYPE_CHECKING:
    from jiyi.ports import Reader, Writer


class SqlReader(
    HistoryReads,
    UnitReads,
    LayoutReads,
    VectorReads,
    QueueReads,
    TraceReads,
    ProfileReads,
    SessionReads,
    UpkeepReads,
    ArchiveReads,
):
    """A consistent snapshot: the `Reader` port."""


class SqlWriter(UpkeepWrites, ArchiveWrites, ProfileWrites, HistoryReads, UnitReads, LayoutReads):
    """One atomic transaction: the `Writer` port. The driver calls `flush` before it commits."""


if TYPE_CHECKING:

    def _ports(reader: SqlReader, writer: SqlWriter) -> tuple[Reader, Writer]:
        """The type checker holds both classes to their ports."""
        return reader, writer
