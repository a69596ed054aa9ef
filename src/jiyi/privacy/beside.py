"""What is to be forgotten, and what of it lies beside memories and turns: documents, notes."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from jiyi.ids import to_utc
from jiyi.ports import Selection
from jiyi.privacy.meaning import COVERAGE, holds, meant_by
from jiyi.text.normalise import fold
from jiyi.text.terms import term_weights

if TYPE_CHECKING:
    from jiyi.ports import Reader
    from jiyi.types import Document, Passage, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRequest:
    """The selectors of `forget`; those that are given combine with AND."""

    ids: tuple[str, ...] | None = None
    query: str | None = None
    subject: str | None = None
    session: str | None = None
    before: datetime | None = None
    everything: bool = False
    keep_turns: bool = False
    confirm: bool = False


def is_wanted(text: str, request: ForgetRequest) -> bool:
    """Whether a text beside memories and turns, without id or session, is what a request means."""
    wanted = (request.query, request.subject) != (None, None)
    if not wanted or request.ids is not None or request.session is not None:
        return False
    by_subject = request.subject is None or mentions(text, request.subject)
    return by_subject and (request.query is None or holds(text, request.query))


def documents_meant(
    reader: Reader, scope: Scope, request: ForgetRequest, *, now: datetime
) -> list[Document]:
    """One's own documents whose title, name or values are what a request means."""
    return [
        document
        for document in reader.documents(scope)
        if _is_ours(document, scope, request, now)
        and is_wanted(
            f"{document.title}\n{document.name}\n{json.dumps(document.meta, ensure_ascii=False)}",
            request,
        )
    ]


def _is_ours(document: Document, scope: Scope, request: ForgetRequest, now: datetime) -> bool:
    """Whether a document may go at all; `before` is compared with when it came or changed."""
    if request.before is not None and to_utc(document.changed_at, now) >= request.before:
        return False
    return document.scope.user == scope.user


def passages_meant(
    reader: Reader,
    scope: Scope,
    request: ForgetRequest,
    *,
    now: datetime,
    but: Collection[str],
) -> tuple[str, ...]:
    """The passages that a request means, of one's own documents `but` those that go whole."""
    if request.ids is not None or request.session is not None:
        return ()
    every = Selection(now=now)
    found: dict[str, tuple[Passage, Document]] | None = None
    for words, coverage in ((request.query, COVERAGE), (request.subject, 1.0)):
        if words is not None:
            meant = meant_by(reader, scope, words, every, coverage=coverage).passages
            found = meant if found is None else {id: found[id] for id in found.keys() & meant}
    return tuple(
        id
        for id, (passage, document) in sorted((found or {}).items())
        if document.id not in but
        and _is_ours(document, scope, request, now)
        and (request.subject is None or mentions(_whole(passage, document), request.subject))
    )


def _whole(passage: Passage, document: Document) -> str:
    """A passage with what it stands under."""
    return "\n".join((document.title, *passage.heading, passage.text))


def notes_meant(
    reader: Reader, scope: Scope, request: ForgetRequest
) -> tuple[tuple[str, str], ...]:
    """The notes of tasks that a request means; they have no id, session or time of saying."""
    if request.before is not None:
        return ()
    return tuple(
        (task, name)
        for task in reader.tasks(scope)
        for name, value in reader.notes(scope, task).items()
        if is_wanted(f"{name}: {value}", request)
    )


def mentions(text: str, subject: str) -> bool:
    """Whether every term of the subject stands in the text, in the same words."""
    wanted = term_weights(subject).counts
    return (
        bool(wanted)
        and fold(subject) in fold(text)
        and wanted.keys() <= (term_weights(text).counts.keys())
    )
