"""Writing documents and erasing them; see `documents.py` for what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jiyi.errors import NotFoundError
from jiyi.ports import Erasure
from jiyi.stores.sql.archive_writes import ArchiveWrites
from jiyi.stores.sql.codec import dump, first_unit, micros, pack_id, unpack_id, zone_of
from jiyi.stores.sql.document_rows import (
    INSERT_DOCUMENT,
    INSERT_PASSAGE,
    UPDATE_DOCUMENT,
    UPDATED,
    decode_document,
    encode_document,
    encode_passage,
)
from jiyi.stores.sql.documents import DOCUMENTS, DocumentReads
from jiyi.stores.sql.erase import _Gone
from jiyi.types import Document, DocumentOutcome, Json, Passage, Scope

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.archived import ArchivedDocument, Restored
    from jiyi.ports import TermWeights
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space

_TEXTS = "SELECT unit, id, text FROM passage WHERE document = :key ORDER BY position"
_OWNED = """
SELECT d.key, d.author, p.unit, p.id, p.text
FROM passage AS p JOIN document AS d ON d.key = p.document WHERE d.space = :space
"""
_LEFT = "SELECT COUNT(*) FROM passage WHERE document = :key"
_SHORTER = "UPDATE document SET passages = :passages WHERE key = :key"


class DocumentWrites(DocumentReads, ArchiveWrites):
    """The document side of the `Writer` port."""

    def put_document(
        self, document: Document, passages: Sequence[tuple[Passage, TermWeights]]
    ) -> DocumentOutcome:
        space = self._home_of(document)
        names = {
            "author": document.scope.user or "",
            "collection": document.collection,
            "name": document.name,
        }
        found = self._db.one(DOCUMENTS + self._with_names(names), {"space": space.id, **names})
        if found is None:
            self._write(space, document, passages)
            return DocumentOutcome(status="added", document=document)
        former = decode_document(found[1:], space)
        if (former.digest, former.visibility) == (document.digest, document.visibility):
            return DocumentOutcome(status="unchanged", document=former)
        return DocumentOutcome(
            status="replaced",
            document=self._write(space, document, passages, former=(found[0], former)),
        )

    def note_document(
        self,
        scope: Scope,
        id: str,
        *,
        meta: Mapping[str, Json],
        changed_at: datetime | None = None,
    ) -> None:
        space = self._own_space(scope)
        keys = [] if space is None else self._keys(space, [id])
        bound: dict[str, Any] = {"meta": dump(meta, "meta") if meta else None}
        sql = "UPDATE document SET meta = :meta"
        if changed_at is not None:
            sql += ", changed_at = :changed_at, zone = :zone"
            bound |= {"changed_at": micros(changed_at), "zone": zone_of(changed_at)}
        if not keys:
            raise NotFoundError("document", id)
        self._db.run(f"{sql} WHERE key = :key", {**bound, "key": keys[0]})

    def remove_documents(
        self, scope: Scope, ids: Sequence[str], *, at: datetime, reason: str, event_id: str
    ) -> Erasure:
        documents, gone = self.documents(scope, ids=ids), _Gone()
        for readable in self._readable(scope):
            mine = [d for d in documents if readable.own or d.scope.user == scope.user]
            keys = self._keys(readable.space, [d.id for d in mine])
            self._drop(readable.space, keys, gone)
        self._log(
            self._open_own(scope), at, "erase", id=event_id, reason=reason, counts=gone.counts
        )
        return gone.result()

    def erase_passages(
        self, scope: Scope, ids: Sequence[str], *, at: datetime, reason: str, event_id: str
    ) -> Erasure:
        gone = _Gone()
        within = self._dialect.within_ids("p.id", "ids")
        for readable in self._readable(scope):
            rows = self._db.all(
                f"{_OWNED} AND {within}",
                {"space": readable.space.id, "ids": self._array([pack_id(id) for id in ids])},
            )
            found: dict[int, list[Row]] = {}
            for key, author, *passage in rows:
                if readable.own or author == scope.user:
                    found.setdefault(key, []).append(tuple(passage))
            for key, passages in found.items():
                self._drop_passages(readable.space, passages, gone)
                left = self._db.one(_LEFT, {"key": key})
                if left is None or not left[0]:
                    self._drop(readable.space, [key], gone)
                else:
                    self._db.run(_SHORTER, {"key": key, "passages": left[0]})
        self._log(
            self._open_own(scope), at, "erase", id=event_id, reason=reason, counts=gone.counts
        )
        return gone.result()

    def restore_document(self, kept: ArchivedDocument, terms: Sequence[TermWeights]) -> Restored:
        document = kept.document
        passages = list(zip(kept.passages, terms, strict=True))
        space = self._home_of(document)
        if space.erased and self._is_buried(space, _content(pack_id(document.id))):
            return "blocked"
        keys = self._keys(space, [document.id])
        if not keys:
            here = [
                each
                for each in self.documents(
                    document.scope, collection=document.collection, names=[document.name]
                )
                if each.scope.user == document.scope.user and each.visibility == document.visibility
            ]
            if here:
                return "known" if here[0].digest == document.digest else "differs"
            self._write(space, document, passages)
            return "added"
        (former,) = self.documents(document.scope, ids=[document.id])
        if former.changed_at >= document.changed_at:
            return "known"
        self._write(space, document, passages, former=(keys[0], former))
        return "extended"

    def _home_of(self, document: Document) -> Space:
        return self._home(document.scope, "shared" if document.visibility == "shared" else "")

    def _keys(self, space: Space, ids: Sequence[str]) -> list[int]:
        rows = (
            self._db.one(
                "SELECT key FROM document WHERE space = :space AND id = :id",
                {"space": space.id, "id": pack_id(id)},
            )
            for id in ids
        )
        return [row[0] for row in rows if row is not None]

    def _write(
        self,
        space: Space,
        document: Document,
        passages: Sequence[tuple[Passage, TermWeights]],
        *,
        former: tuple[int, Document] | None = None,
    ) -> Document:
        """Write a document and its passages, in the place of a former state if there is one."""
        if former is None:
            key = first_unit(space.id) + self._next_number(space)
            self._db.run(INSERT_DOCUMENT, encode_document(document, key, space))
        else:
            key, known = former
            self._drop_passages(space, self._passages_of(key), _Gone())
            document = replace(document, id=known.id, added_at=known.added_at)
            row = encode_document(document, key, space)
            self._db.run(UPDATE_DOCUMENT, {name: row[name] for name in UPDATED})
        rows = []
        for passage, terms in passages:
            number = self._next_number(space)
            rows.append(encode_passage(passage, first_unit(space.id) + number, key, document))
            self._index(space, number, terms)
        self._db.many(INSERT_PASSAGE, rows)
        self._log(
            space,
            document.changed_at,
            "add_document" if former is None else "replace_document",
            other_id=document.id,
            counts={"passages": len(rows)},
        )
        return document

    def _drop(self, space: Space, keys: Sequence[int], gone: _Gone) -> None:
        """Erase documents; their ids stay as hashes, so that no archive brings them back."""
        if not keys:
            return
        for key in keys:
            self._drop_passages(space, self._passages_of(key), gone)
            bound = {"key": key}
            row = self._db.one("SELECT id FROM document WHERE key = :key", bound)
            if row is not None:
                self._bury(space, [_content(bytes(row[0]))])
                gone.count(
                    "documents", self._db.run("DELETE FROM document WHERE key = :key", bound)
                )

    def _drop_passages(self, space: Space, passages: Sequence[Row], gone: _Gone) -> None:
        """Erase passages of one document, as rows of (unit, id, text)."""
        self._hold(space).has_erased = True
        units = [row[0] for row in passages]
        bound = {"units": self._array(units)}
        statement = f"DELETE FROM passage WHERE {self._dialect.within('unit', 'units')}"  # noqa: S608
        gone.count("passages", self._db.run(statement, bound))
        gone.count("index entries", self._unindex(space, units))
        gone.count("vectors", self._erase_vectors(units) if units else 0)
        ids = [unpack_id(bytes(row[1])) for row in passages]
        whole = "\n".join(row[2] for row in passages)
        for each in self._readers(space):
            gone.count("traces", self._erase_traces(each, ids, [whole]))

    def _passages_of(self, document: int) -> list[Row]:
        return self._db.all(_TEXTS, {"key": document})

    def _readers(self, space: Space) -> list[Space]:
        """Whose traces may name what lies in a space: what is shared is recalled by the tenant."""
        if not space.common:
            return [space]
        rows = self._db.all("SELECT id FROM space WHERE tenant = :tenant", {"tenant": space.tenant})
        found = (self._space_by_id(row[0]) for row in rows)
        return [each for each in found if each is not None]

    def _erase_shared(
        self, scope: Scope, common: Space, gone: _Gone, *, at: datetime, event_id: str
    ) -> None:
        super()._erase_shared(scope, common, gone, at=at, event_id=event_id)
        rows = self._db.all(
            "SELECT key FROM document WHERE space = :space AND author = :author ORDER BY key",
            {"space": common.id, "author": scope.user},
        )
        self._drop(common, [row[0] for row in rows], gone)

    def _erase_unnamed(self, own: Space, gone: _Gone, *, at: datetime, event_id: str) -> None:
        super()._erase_unnamed(own, gone, at=at, event_id=event_id)
        rows = self._db.all(
            "SELECT key FROM document WHERE space = :space AND author = ''", {"space": own.id}
        )
        self._drop(own, [row[0] for row in rows], gone)

    def _empty(self, space: Space, gone: _Gone) -> None:
        rows = self._db.all("SELECT key FROM document WHERE space = :space", {"space": space.id})
        self._drop(space, [row[0] for row in rows], gone)
        super()._empty(space, gone)


def _content(id: bytes) -> bytes:
    """What is hashed of a removed document's packed id: an archive must not bring it back."""
    return b"document " + id
