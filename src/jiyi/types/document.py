"""External memory: documents, their passages, and what adding them did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from jiyi.types.scope import Scope
from jiyi.types.words import Json


@dataclass(frozen=True, slots=True)
class Section:
    """A passage of a text: the headings it stands under, outermost first, and its half-open range
    of characters."""

    heading: tuple[str, ...]
    start: int
    stop: int
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentText:
    """A document as it came in. `name` tells it from the others of its collection."""

    name: str
    title: str
    text: str
    sections: tuple[Section, ...]
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document that can be recalled beside memories: what it is, not its text.

    `name` is its path, or the id or title it was given; a document with the same name in the same
    collection is the same one, and `digest` says whether it still has the same content. `passages`
    counts its parts.
    """

    id: str
    name: str
    title: str
    collection: str
    scope: Scope
    added_at: datetime
    changed_at: datetime
    digest: str
    passages: int
    visibility: Literal["user", "shared"] = "user"
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a document, at `position` among its parts (from 0), with the headings above it.

    `span` is its half-open range of characters in the document. `meta` is what filters ask.
    """

    id: str
    document_id: str
    position: int
    text: str
    span: tuple[int, int]
    heading: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentOutcome:
    """What became of one document: new, its passages replaced, or the same as before."""

    status: Literal["added", "replaced", "unchanged"]
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReport:
    """What `add_documents` did, one outcome per document, in order. `pending` names what could not
    yet be driven out of the files of the passages that were replaced."""

    outcomes: tuple[DocumentOutcome, ...]
    pending: tuple[str, ...] = ()
