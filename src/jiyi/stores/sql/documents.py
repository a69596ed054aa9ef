"""Documents: external memory beside what was said and remembered, in passages that are units.

Each read adds the documents to what the other concepts give, so that these know nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jiyi.archived import Archived, ArchivedDocument
from jiyi.ports import Selection, StoredUnit, UnitCode
from jiyi.stores.sql.archive_reads import ArchiveReads
from jiyi.stores.sql.codec import (
    SPACE_BITS,
    key_of,
    load,
    micros,
    pack_id,
    unit_of,
)
from jiyi.stores.sql.document_rows import (
    DOCUMENT_COLUMNS,
    PASSAGE_COLUMNS,
    decode_document,
    decode_passage,
)
from jiyi.stores.sql.filters_sql import FilterCompiler
from jiyi.stores.sql.profile import ProfileReads
from jiyi.stores.sql.units import UnitReads
from jiyi.stores.sql.vectors import VectorReads
from jiyi.types import Document, Scope, UnitKey

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.stores.sql.session import Readable

_NUMBER = (1 << SPACE_BITS) - 1
DOCUMENTS = f"SELECT d.key, {DOCUMENT_COLUMNS} FROM document AS d WHERE d.space = :space"  # noqa: S608
_COUNT = "SELECT COUNT(*) FROM document AS d WHERE d.space = :space"
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
            sql = DOCUMENTS + _which(readable)
            parameters: dict[str, Any] = {"space": readable.space.id}
            named: dict[str, str] = {}
            if collection is not None:
                named["collection"] = collection
                # The one index on names begins with the author.
                if readable.own and scope.user is not None:
                    named["author"] = scope.user
            if names is not None and len(names) == 1:
                named["name"] = names[0]
            elif names is not None:
                sql += f" AND {self._dialect.within('d.name', 'names')}"
                parameters |= {"names": self._array(list(names))}
            if ids is not None:
                sql += f" AND {self._dialect.within_ids('d.id', 'ids')}"
                parameters |= {"ids": self._array([pack_id(id) for id in ids])}
            if under is not None:
                sql += " AND substr(d.collection, 1, :length) = :under"
                parameters |= {"length": len(under), "under": under}
            sql += self._with_names(named) + " ORDER BY d.key"
            rows = self._db.all(sql, parameters | named)
            found += [decode_document(row[1:], readable.space) for row in rows]
        return found

    def _with_names(self, columns: Iterable[str]) -> str:
        """The condition that columns of a document are the bound texts of these names."""
        return "".join(f" AND {self._dialect.is_name(f'd.{name}', name)}" for name in columns)

    def units(
        self,
        scope: Scope,
        keys: Sequence[UnitKey],
        selection: Selection,
        *,
        linked: bool = True,
    ) -> dict[UnitKey, StoredUnit]:
        found = super().units(scope, keys, selection, linked=linked)
        missing = [key for key in keys if key not in found]
        for readable in self._readable(scope) if missing else ():
            here = {unit_of(key): key for key in missing if key[0] == readable.space.id}
            wanted = self._may_be(here, UnitCode.DOCUMENT, readable=readable)
            if not wanted:
                continue
            condition, parameters = self._chosen(selection)
            rows = self._db.all(
                f"{_BY_UNIT} WHERE {self._dialect.within('p.unit', 'wanted')}"
                f"{_which(readable)}{condition}",
                {**parameters, "wanted": self._array(list(wanted))},
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
        documents = 0
        for readable in self._readable(scope):
            row = self._db.one(_COUNT + _which(readable), {"space": readable.space.id})
            documents += row[0] if row is not None else 0
        return super().counts(scope, now=now) | ({"documents": documents} if documents else {})

    def dump(self, scope: Scope, *, author: str | None = None) -> Iterator[Archived]:
        space = self._own_space(scope)
        if space is None:
            return
        sql = DOCUMENTS + ("" if author is None else " AND d.author = :author AND d.shared = 1")
        bound = {"author": author, "space": space.id}
        for key, *row in self._db.all(f"{sql} ORDER BY d.key", bound):
            document = decode_document(tuple(row), space)
            passages = self._db.all(_PASSAGES, {"key": key})
            yield ArchivedDocument(
                document=document,
                passages=tuple(decode_passage(each, document.id) for each in passages),
            )
        yield from super().dump(scope, author=author)


def _which(readable: Readable) -> str:
    """The condition on documents that a scope reads in a space."""
    return "" if readable.own else " AND d.shared = 1"
