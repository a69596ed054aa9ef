"""Two names that were taken for one are told apart again; the words that tied them stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jiyi.encode.entities import APART, key_in
from jiyi.errors import NotFoundError
from jiyi.ports import ALIAS, Selection
from jiyi.resolve.authors import require_author
from jiyi.types import Outcome

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.encode.commit import TermsOf
    from jiyi.ports import Writer
    from jiyi.types import Json, MemoryRecord, Scope

SEPARATED: Final = "separated"
"""The action in the audit log; undoing it makes the names one again."""

_REASON: Final = "two names in it are not one, as a person said"


def separate(
    writer: Writer, scope: Scope, name: str, other: str, *, terms_of: TermsOf, now: datetime
) -> tuple[Outcome, ...]:
    """Stop every memory that ties two names together from doing so. What is said later may tie them
    again.

    Raises:
        NotFoundError: no memory says that they are one.
        ConflictError: another user shares a memory that says so.
    """
    pair = {key_in(name), key_in(other)}
    ids = dict.fromkeys(
        tie.memory_id
        for tie in writer.ties(scope, now=now)
        if tie.relation == ALIAS and {tie.one, tie.other} == pair
    )
    if not ids:
        raise NotFoundError("alias", f"{name} = {other}")
    records, _ = writer.memories(scope, Selection(now=now, ids=tuple(ids)))
    for record in records:
        require_author(record, scope)
    outcomes = []
    for record in records:
        meta = _apart(record, [name, other])
        writer.change_memory(
            scope,
            record.id,
            {"meta": meta},
            at=now,
            action=SEPARATED,
            reason=_REASON,
            terms=terms_of(replace(record, meta=meta)),
        )
        outcomes.append(Outcome(status="stored", memory_id=record.id, reason=_REASON))
    return tuple(outcomes)


def _apart(record: MemoryRecord, pair: list[Json]) -> dict[str, Json]:
    known = record.meta.get(APART)
    pairs: list[Json] = [*known] if isinstance(known, list) else []
    return {**record.meta, APART: [*pairs, pair]}
