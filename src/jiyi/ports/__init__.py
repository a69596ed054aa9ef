"""What the adapters must do: stores, embedders, chat models, rerankers.

Policy sits above these ports (what is a duplicate, what supersedes what, what a question means),
storage below them. Every port is synchronous and thread-safe.
"""

from jiyi.ports.models import ChatModel, Embedder, Reranker
from jiyi.ports.reader import Reader
from jiyi.ports.store import Checkable, Copyable, Store
from jiyi.ports.values import (
    ALIAS,
    DERIVED,
    ERASED,
    IMPORTANT,
    SELF,
    Capability,
    Erasure,
    Job,
    JobKind,
    Layout,
    Mention,
    Name,
    Postings,
    Selection,
    StoredUnit,
    TermWeights,
    Tie,
    UnitCode,
    VectorBlock,
    audience,
)
from jiyi.ports.writer import Writer

__all__ = [
    "ALIAS",
    "DERIVED",
    "ERASED",
    "IMPORTANT",
    "SELF",
    "Capability",
    "ChatModel",
    "Checkable",
    "Copyable",
    "Embedder",
    "Erasure",
    "Job",
    "JobKind",
    "Layout",
    "Mention",
    "Name",
    "Postings",
    "Reader",
    "Reranker",
    "Selection",
    "Store",
    "StoredUnit",
    "TermWeights",
    "Tie",
    "UnitCode",
    "VectorBlock",
    "Writer",
    "audience",
]
