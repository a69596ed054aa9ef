"""Documents become passages that are indexed: external memory, never turned into memories."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal

from jiyi.encode.guard import flags_of
from jiyi.ids import new_id
from jiyi.text.terms import term_weights
from jiyi.types import Document, DocumentText, Json, Passage, Scope

if TYPE_CHECKING:
    from jiyi.ports import TermWeights

_DIGEST_BYTES = 16


def make_document(
    given: DocumentText,
    *,
    collection: str,
    meta: Mapping[str, Json],
    visibility: Literal["user", "shared"],
    scope: Scope,
    now: datetime,
) -> Document:
    """What is kept of a document beside its passages."""
    return Document(
        id=new_id(),
        name=given.name,
        title=given.title,
        collection=collection,
        scope=Scope(tenant=scope.tenant, user=scope.user),
        added_at=now,
        changed_at=now,
        digest=_digest(given, meta),
        passages=len(given.sections),
        visibility=visibility,
        meta={**meta, **given.meta},
    )


def make_passages(document: Document, given: DocumentText) -> list[tuple[Passage, TermWeights]]:
    """The passages of a document, each with the terms it is found by: its own words, those of the
    headings above it, and the title."""
    passages = []
    for position, section in enumerate(given.sections):
        text = given.text[section.start : section.stop]
        about: dict[str, Json] = {
            "collection": document.collection,
            "title": given.title,
            "heading": list(section.heading),
        }
        passage = Passage(
            id=new_id(),
            document_id=document.id,
            position=position,
            text=text,
            span=(section.start, section.stop),
            heading=section.heading,
            flags=flags_of(text),
            meta={**document.meta, **section.meta, **about},
        )
        passages.append((passage, passage_terms(document, passage)))
    return passages


def passage_terms(document: Document, passage: Passage) -> TermWeights:
    """How a passage is indexed."""
    return term_weights(passage.text, context=[document.title, *passage.heading])


def _digest(given: DocumentText, meta: Mapping[str, Json]) -> str:
    """Of everything that would be written."""
    sections = [(s.heading, s.start, s.stop, dict(s.meta)) for s in given.sections]
    whole = [given.title, given.text, sections, dict(given.meta), dict(meta)]
    written = json.dumps(whole, ensure_ascii=False, sort_keys=True)
    return blake2b(written.encode(), digest_size=_DIGEST_BYTES).hexdigest()
