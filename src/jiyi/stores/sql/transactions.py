"""The two faces of a transaction: `SqlReader` and `SqlWriter`, made of their concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.stores.sql.document_writes import DocumentWrites
from jiyi.stores.sql.documents import DocumentReads
from jiyi.stores.sql.entities import EntityReads
from jiyi.stores.sql.history import HistoryReads
from jiyi.stores.sql.keys import KeyReads, KeyWrites
from jiyi.stores.sql.layout import LayoutReads
from jiyi.stores.sql.profile import ProfileWrites
from jiyi.stores.sql.queue import QueueReads
from jiyi.stores.sql.sessions import SessionReads
from jiyi.stores.sql.traces import TraceReads
from jiyi.stores.sql.upkeep import UpkeepReads, UpkeepWrites

if TYPE_CHECKING:
    from jiyi.ports import Reader, Writer


class SqlReader(
    DocumentReads,
    EntityReads,
    HistoryReads,
    KeyReads,
    LayoutReads,
    QueueReads,
    TraceReads,
    SessionReads,
    UpkeepReads,
):
    """A consistent snapshot: the `Reader` port."""


class SqlWriter(DocumentWrites, UpkeepWrites, ProfileWrites, KeyWrites, HistoryReads, LayoutReads):
    """One atomic transaction: the `Writer` port. The driver calls `flush` before it commits."""


if TYPE_CHECKING:

    def _ports(reader: SqlReader, writer: SqlWriter) -> tuple[Reader, Writer]:
        """The type checker holds both classes to their ports."""
        return reader, writer
