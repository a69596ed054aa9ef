"""The verbs of external memory: documents beside memories, found and cited apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Unpack

from jiyi.arguments import read_choice, read_meta
from jiyi.encode.documents import make_document, make_passages
from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.formats.documents import read_documents
from jiyi.ids import new_id, parse_id
from jiyi.memory.view import View
from jiyi.privacy.forgetting import BEYOND
from jiyi.text.normalise import check_name
from jiyi.types import (
    Document,
    DocumentOutcome,
    DocumentReport,
    ForgetReport,
    ScopeFields,
)

COLLECTION: Final = "documents"
"""Where a document goes when no collection is named."""

VISIBILITIES: Final[tuple[Literal["user", "shared"], ...]] = ("user", "shared")


class Documents(View):
    """What a memory looks up in documents."""

    def add_documents(
        self,
        documents: object,
        *,
        collection: str = COLLECTION,
        meta: Mapping[str, Any] | None = None,
        visibility: Literal["user", "shared"] = "user",
        **scope: Unpack[ScopeFields],
    ) -> DocumentReport:
        """Add documents to look things up in: read-only, recalled as unit "document" and cited by
        title and heading, in a layer of their own in contexts, and never turned into memories.

        A document is known by its path, or by its id or title. Adding it again changes nothing;
        when it has changed, its passages are replaced and the old ones erased.

        Args:
            documents: one or many paths of files or folders (Markdown, plain text, JSON lines with
                a `text` each), or texts as {"title": …, "text": …, "id"?, "meta"?, "markdown"?}.
            collection: a group, to list, filter (`meta.collection`) and remove them by.
            meta: what filters may ask of every passage.
            visibility: "shared" lets everyone of the tenant read them.

        Raises:
            InvalidInputError: naming the item or file; then nothing is added.
        """
        where, now = self._within(scope), self._now()
        group = _read_collection(collection)
        about = read_meta(meta, "meta")
        seen_by = read_choice(visibility, "visibility", VISIBILITIES)
        given_documents, outcomes = read_documents(documents), []
        store = self._parts.store
        self._parts.journal.flush(at=now)
        with store.read() as reader:
            known = {
                (each.name, each.visibility, each.digest): each
                for each in reader.documents(where, collection=group)
                if each.scope.user == where.user
            }
        for given in given_documents:
            document = make_document(
                given, collection=group, meta=about, visibility=seen_by, scope=where, now=now
            )
            same = known.get((given.name, seen_by, document.digest))
            if same is not None:
                outcomes.append(DocumentOutcome(status="unchanged", document=same))
                continue
            passages = make_passages(document, given)
            # Each by itself, so that others who write need not wait for all of them.
            with store.write() as writer:
                outcomes.append(writer.put_document(document, passages))
        self._parts.worker.wake()
        replaced = any(outcome.status == "replaced" for outcome in outcomes)
        pending = self._drive_out(where, now) if replaced else ()
        return DocumentReport(outcomes=tuple(outcomes), pending=pending)

    def documents(
        self, *, collection: str | None = None, **scope: Unpack[ScopeFields]
    ) -> tuple[Document, ...]:
        """The documents that this scope reads, in the order they were added."""
        where = self._within(scope)
        group = None if collection is None else _read_collection(collection)
        with self._parts.store.read() as reader:
            return tuple(reader.documents(where, collection=group))

    def remove_documents(
        self,
        ids: str | Sequence[str] | None = None,
        *,
        collection: str | None = None,
        **scope: Unpack[ScopeFields],
    ) -> ForgetReport:
        """Erase documents for good: by id, or a whole collection.

        Raises:
            NotFoundError: no such document among one's own; then nothing is erased.
            InvalidInputError: neither ids nor a collection.
        """
        where, now, parts = self._within(scope), self._now(), self._parts
        group = None if collection is None else _read_collection(collection)
        wanted = [ids] if isinstance(ids, str) else ids
        if (wanted is None) == (group is None):
            raise InvalidInputError("ids", "nothing says which", "Give ids, or a collection")
        chosen = None if wanted is None else [parse_id(id, "ids") for id in wanted]
        parts.journal.flush(at=now)
        event_id = new_id()
        with parts.store.write() as writer:
            there = writer.documents(where, collection=group, ids=chosen)
            mine = [each.id for each in there if each.scope.user == where.user]
            missing = set(chosen or ()) - set(mine)
            if missing or not mine:
                raise NotFoundError("document", min(missing, default=str(collection)))
            erasure = writer.remove_documents(
                where, mine, at=now, reason="removed on request", event_id=event_id
            )
        return ForgetReport(
            memory_ids=(),
            turn_ids=(),
            counts=erasure.counts,
            dry_run=False,
            beyond=BEYOND,
            event_id=event_id,
            pending=self._drive_out(where, now),
        )


def _read_collection(value: object) -> str:
    name = check_name(value, "collection")
    if name is None:
        raise InvalidInputError("collection", "is missing", "Name one, such as 'manual'")
    return name
