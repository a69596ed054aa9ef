"""Documents: external memory beside what was said and remembered, in passages that are units.

Each read adds the documents to what the other concepts give, so that these know nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jiyi.archived import Archived, ArchivedDocument
from jiyi.errors import NotFoundError
from jiyi.ports import Erasure, Selection, StoredUnit
from jiyi.stores.sql.archive_reads import ArchiveReads
from jiyi.stores.sql.archive_writes import ArchiveWrites
from jiyi.stores.sql.codec import (
    SPACE_BITS,
    dump,
    first_unit,
    key_of,
    load,
    micros,
    pack_id,
    unit_of,
    unpack_id,
    zone_of,
)
from jiyi.stores.sql.document_rows import (
    DOCUMENT_COLUMNS,
    INSERT_DOCUMENT,
    INSERT_PASSAGE,
    PASSAGE_COLUMNS,
    UPDATE_DOCUMENT,
    UPDATED,
    decode_document,
    decode_passage,
    encode_document,
    encode_passage,
)
from jiyi.stores.sql.erase import _Gone
from jiyi.stores.sql.filters_sql import FilterCompiler
from jiyi.stores.sql.profile import ProfileReads
from jiyi.stores.sql.units import UnitReads
from jiyi.stores.sql.vectors import VectorReads
from jiyi.types import Document, DocumentOutcome, Json, Passage, Scope, UnitKey

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.archived import Restored
    from jiyi.ports import TermWeights
    from jiyi.stores.sql.session import Readable, Space

_NUMBER = (1 << SPACE_BITS) - 1
_DOCUMENTS = f"SELECT d.key, {DOCUMENT_COLUMNS} FROM document AS d WHERE d.space = :space"  # noqa: S608
_PASSAGES = (
    f"SELECT {PASSAGE_COLUMNS} FROM passage AS p WHERE p.document = :key ORDER BY p.position"  # noqa: S608
)
_BY_UNIT = f"""
SELECT p.unit, {PASSAGE_COLUMNS}, {DOCUMENT_COLUMNS}
FROM passage AS p JOIN document AS d ON d.key = p.document
"""  # noqa: S608
_UNEMBEDDED = """
SELECT p.unit, d.title, p.heading, p.text
FROM passage AS p JOIN document AS d ON d.key = p.document
WHERE NOT EXISTS (SELECT 1 FROM vector AS v WHERE v.model = :model AND v.unit = p.unit) LIMIT :limit
"""
# Fields of a passage; what is not here it does not have.
_FIELDS: Mapping[str, str] = {
    "id": "p.id",
    "unit": "'document'",
    "text": "p.text",
    "name": "d.title",
    "trust": "'document'",
    "visibility": "CASE WHEN d.shared = 1 THEN 'shared' ELSE 'user' END",
    "recorded_at": "d.changed_at",
    "meta": "p.meta",
}


class DocumentReads(ProfileReads, ArchiveReads, VectorReads, UnitReads):
    """The document side of the `Reader` port."""

    def documents(
        self,
        scope: Scope,
        *,
        collection: str | None = None,
        ids: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        under: str | None = None,
    ) -> list[Document]:
        found = []
        for readable in self._readable(scope):
            sql = _DOCUMENTS + _which(readable)
            parameters: dict[str, Any] = {"space": readable.space.id}
            if collection is not None:
                sql += " AND d.collection = :collection"
                parameters |= {"collection": collection}
                # The one index on names begins with the author.
                if readable.own and scope.user is not None:
                    sql += " AND d.author = :author"
                    parameters |= {"author": scope.user}
            if names is not None:
                sql += f" AND {self._dialect.within('d.name', 'names')}"
                parameters |= {"names": self._array(list(names))}
            if under is not None:
                sql += " AND substr(d.collection, 1, :length) = :under"
                parameters |= {"length": len(under), "under": under}
            rows = self._db.all(sql + " ORDER BY d.key", parameters)
            found += [decode_document(row[1:], readable.space) for row in rows]
        wanted = None if ids is None else set(ids)
        return [each for each in found if wanted is None or each.id in wanted]

    def units(
        self, scope: Scope, keys: Sequence[UnitKey], selection: Selection
    ) -> dict[UnitKey, StoredUnit]:
        found = super().units(scope, keys, selection)
        missing = [key for key in keys if key not in found]
        for readable in self._readable(scope) if missing else ():
            wanted = [unit_of(key) for key in missing if key[0] == readable.space.id]
            if not wanted:
                continue
            condition, parameters = self._chosen(selection)
            rows = self._db.all(
                f"{_BY_UNIT} WHERE {self._dialect.within('p.unit', 'wanted')}"
                f"{_which(readable)}{condition}",
                {**parameters, "wanted": self._array(wanted)},
            )
            for row in rows:
                document = decode_document(row[9:], readable.space)
                key, passage = key_of(row[0]), decode_passage(row[1:9], document.id)
                found[key] = StoredUnit(
                    unit="document", key=key, passage=passage, document=document
                )
        return found

    def _chosen(self, selection: Selection) -> tuple[str, dict[str, Any]]:
        """What a selection asks of passages, to follow a WHERE."""
        condition, parameters = "", dict[str, Any](now=micros(selection.now))
        for name, at in (("as_of", selection.as_of), ("known_at", selection.known_at)):
            if at is not None:
                condition += f" AND d.changed_at <= :{name}"
                parameters[name] = micros(at)
        if selection.ids is not None:
            packed = dict(enumerate(map(pack_id, selection.ids)))
            condition += f" AND p.id IN ({', '.join(f':id{place}' for place in packed) or 'NULL'})"
            parameters |= {f"id{place}": id for place, id in packed.items()}
        if selection.where is not None:
            compiler = FilterCompiler(_FIELDS, self._dialect)
            condition += f" AND ({compiler.compile(selection.where)})"
            parameters |= compiler.parameters
        return condition, parameters

    def _visible_numbers(self, readable: Readable, scope: Scope) -> npt.NDArray[np.bool_] | None:
        visible = super()._visible_numbers(readable, scope)
        if visible is not None and not readable.own:
            shared = self._db.all(
                "SELECT unit FROM passage WHERE shared = 1 AND unit >= :low AND unit < :high",
                readable.space.range(),
            )
            visible[[row[0] & _NUMBER for row in shared]] = True
        return visible

    def unembedded(self, model: str, *, limit: int) -> list[tuple[Scope, UnitKey, str]]:
        found = super().unembedded(model, limit=limit)
        if len(found) < limit:
            known = self._model(model)
            bound = {"model": known[0] if known else -1, "limit": limit - len(found)}
            for unit, title, heading, text in self._db.all(_UNEMBEDDED, bound):
                space = self._space_by_id(unit >> SPACE_BITS)
                if space is not None:
                    scope = Scope(tenant=space.tenant or None, user=space.user or None)
                    # What it is about often stands in the headings only.
                    names = [title, *(load(heading) if heading else ())]
                    about = " › ".join(dict.fromkeys(names))
                    found.append((scope, key_of(unit), f"{about}: {text}"))
        return found

    def counts(self, scope: Scope, *, now: datetime | None = None) -> dict[str, int]:
        documents = len(self.documents(scope))
        return super().counts(scope, now=now) | ({"documents": documents} if documents else {})

    def dump(self, scope: Scope, *, author: str | None = None) -> Iterator[Archived]:
        space = self._own_space(scope)
        if space is None:
            return
        sql = _DOCUMENTS + ("" if author is None else " AND d.author = :author AND d.shared = 1")
        bound = {"author": author, "space": space.id}
        for key, *row in self._db.all(f"{sql} ORDER BY d.key", bound):
            document = decode_document(tuple(row), space)
            passages = self._db.all(_PASSAGES, {"key": key})
            yield ArchivedDocument(
                document=document,
                passages=tuple(decode_passage(each, document.id) for each in passages),
            )
        yield from super().dump(scope, author=author)


class DocumentWrites(DocumentReads, ArchiveWrites):
    """The document side of the `Writer` port."""

    def put_document(
        self, document: Document, passages: Sequence[tuple[Passage, TermWeights]]
    ) -> DocumentOutcome:
        space = self._home_of(document)
        found = self._db.one(
            _DOCUMENTS
            + " AND d.author = :author AND d.collection = :collection AND d.name = :name",
            {
                "space": space.id,
                "author": document.scope.user or "",
                "collection": document.collection,
                "name": document.name,
            },
        )
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
        wanted, gone = set(ids), _Gone()
        for readable in self._readable(scope):
            documents = self.documents(scope, ids=ids)
            mine = [d for d in documents if readable.own or d.scope.user == scope.user]
            keys = self._keys(readable.space, [d.id for d in mine if d.id in wanted])
            self._drop(readable.space, keys, gone)
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
                for each in self.documents(document.scope, collection=document.collection)
                if (each.name, each.scope.user) == (document.name, document.scope.user)
                and each.visibility == document.visibility
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
            self._drop_passages(space, [key], _Gone())
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
        self._drop_passages(space, keys, gone)
        for key in keys:
            bound = {"key": key}
            row = self._db.one("SELECT id FROM document WHERE key = :key", bound)
            if row is not None:
                self._bury(space, [_content(bytes(row[0]))])
                gone.count(
                    "documents", self._db.run("DELETE FROM document WHERE key = :key", bound)
                )

    def _drop_passages(self, space: Space, keys: Sequence[int], gone: _Gone) -> None:
        self._hold(space).has_erased = True
        for key in keys:
            rows = self._db.all(
                "SELECT unit, id, text FROM passage WHERE document = :key ORDER BY position",
                {"key": key},
            )
            units = [row[0] for row in rows]
            removed = self._db.run("DELETE FROM passage WHERE document = :key", {"key": key})
            gone.count("passages", removed)
            gone.count("index entries", self._unindex(space, units))
            gone.count("vectors", self._erase_vectors(units) if units else 0)
            ids = [unpack_id(bytes(row[1])) for row in rows]
            whole = "\n".join(row[2] for row in rows)
            for each in self._readers(space):
                gone.count("traces", self._erase_traces(each, ids, [whole]))

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


def _which(readable: Readable) -> str:
    """The condition on documents that a scope reads in a space."""
    return "" if readable.own else " AND d.shared = 1"
