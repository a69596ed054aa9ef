"""Documents and passages as rows, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jiyi.stores.sql.codec import dump, load, micros, moment, pack_id, unpack_id, zone_of
from jiyi.types import Document, Passage, Scope

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space

DOCUMENT_COLUMNS = (
    "d.id, d.author, d.shared, d.collection, d.name, d.title, d.digest, d.passages, d.added_at,"
    " d.changed_at, d.zone, d.meta"
)
PASSAGE_COLUMNS = "p.id, p.position, p.start, p.stop, p.heading, p.text, p.flags, p.meta"
INSERT_DOCUMENT = """
INSERT INTO document (key, space, id, author, shared, collection, name, title, digest, passages,
    added_at, changed_at, zone, meta)
VALUES (:key, :space, :id, :author, :shared, :collection, :name, :title, :digest, :passages,
    :added_at, :changed_at, :zone, :meta)
"""
UPDATE_DOCUMENT = """
UPDATE document SET shared = :shared, title = :title, digest = :digest, passages = :passages,
    changed_at = :changed_at, zone = :zone, meta = :meta WHERE key = :key
"""
INSERT_PASSAGE = """
INSERT INTO passage (unit, document, id, position, start, stop, shared, heading, text, flags, meta)
VALUES (:unit, :document, :id, :position, :start, :stop, :shared, :heading, :text, :flags, :meta)
"""
UPDATED = ("key", "shared", "title", "digest", "passages", "changed_at", "zone", "meta")


def decode_document(row: Row, space: Space) -> Document:
    """The document of a row of `DOCUMENT_COLUMNS`."""
    id, author, shared, collection, name, title, digest, passages, added, changed, zone, meta = row
    return Document(
        id=unpack_id(bytes(id)),
        name=name,
        title=title,
        collection=collection,
        scope=Scope(tenant=space.tenant or None, user=author or None),
        added_at=moment(added, zone),
        changed_at=moment(changed, zone),
        digest=bytes(digest).hex(),
        passages=passages,
        visibility="shared" if shared else "user",
        meta=load(meta) if meta else {},
    )


def encode_document(document: Document, key: int, space: Space) -> dict[str, Any]:
    return {
        "key": key,
        "space": space.id,
        "id": pack_id(document.id),
        "author": document.scope.user or "",
        "shared": int(document.visibility == "shared"),
        "collection": document.collection,
        "name": document.name,
        "title": document.title,
        "digest": bytes.fromhex(document.digest),
        "passages": document.passages,
        "added_at": micros(document.added_at),
        "changed_at": micros(document.changed_at),
        "zone": zone_of(document.changed_at),
        "meta": dump(dict(document.meta), "meta") if document.meta else None,
    }


def decode_passage(row: Row, document_id: str) -> Passage:
    """The passage of a row of `PASSAGE_COLUMNS`."""
    id, position, start, stop, heading, text, flags, meta = row
    return Passage(
        id=unpack_id(bytes(id)),
        document_id=document_id,
        position=position,
        text=text,
        span=(start, stop),
        heading=tuple(load(heading)) if heading else (),
        flags=tuple(load(flags)) if flags else (),
        meta=load(meta),
    )


def encode_passage(passage: Passage, unit: int, key: int, document: Document) -> dict[str, Any]:
    return {
        "unit": unit,
        "document": key,
        "id": pack_id(passage.id),
        "position": passage.position,
        "start": passage.span[0],
        "stop": passage.span[1],
        "shared": int(document.visibility == "shared"),
        "heading": dump(list(passage.heading), "heading") if passage.heading else None,
        "text": passage.text,
        "flags": dump(list(passage.flags), "flags") if passage.flags else None,
        "meta": dump(dict(passage.meta), "meta"),
    }
