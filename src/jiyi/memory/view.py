"""What every verb needs: the parts behind a memory, a scope, and the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jiyi.errors import InvalidInputError
from jiyi.ids import Clock, read_clock
from jiyi.text.kept import forget_texts
from jiyi.text.normalise import check_name
from jiyi.types import Scope, ScopeFields

if TYPE_CHECKING:
    from jiyi.consolidate.consolidator import Consolidator
    from jiyi.consolidate.policies import Policies
    from jiyi.consolidate.schedule import Schedule
    from jiyi.encode.commit import TermsOf
    from jiyi.encode.encoder import Encoder
    from jiyi.encode.schema import ProfileSchema
    from jiyi.encode.worker import Worker
    from jiyi.ports import Embedder, Store
    from jiyi.recall.context import ContextBuilder
    from jiyi.recall.engine import Recaller
    from jiyi.recall.journal import Journal
    from jiyi.session.keeper import SessionKeeper

SCOPE_FIELDS = frozenset(ScopeFields.__optional_keys__)


@dataclass(frozen=True, slots=True)
class Parts:
    """What every view of one memory shares."""

    store: Store
    embedder: Embedder | None
    clock: Clock
    encoder: Encoder
    worker: Worker
    recaller: Recaller
    contexts: ContextBuilder
    sessions: SessionKeeper
    digests_wait: bool
    journal: Journal
    consolidator: Consolidator
    policies: Policies
    schema: ProfileSchema
    terms_of: TermsOf
    schedule: Schedule | None = None
    opened: tuple[object, ...] = ()
    """Models that this memory made itself from their names, and closes."""


class View:
    """A memory seen from a scope."""

    _parts: Parts
    _scope: Scope
    _allow: Callable[[Scope], Scope] | None = None

    @property
    def scope(self) -> Scope:
        """The scope that this view fills in."""
        return self._scope

    @property
    def store(self) -> Store:
        """The store behind it, for what stands beside the verbs, such as access keys."""
        return self._parts.store

    @property
    def clock(self) -> Clock:
        """What tells this memory the time."""
        return self._parts.clock

    def _now(self) -> datetime:
        return read_clock(self._parts.clock)

    def _within(self, fields: Mapping[str, Any]) -> Scope:
        """This view's scope with `fields` filled in, each checked."""
        known = SCOPE_FIELDS
        for name, value in fields.items():
            if name not in known:
                raise InvalidInputError(
                    name, "unknown argument", f"Scope fields are: {', '.join(sorted(known))}"
                )
            check_name(value, name)
        scope = replace(self._scope, **fields)
        return scope if self._allow is None else self._allow(scope)

    def _drive_out(self, scope: Scope, now: datetime) -> tuple[str, ...]:
        """Drive what was erased out of this process and the files; what has to wait is tried again
        from the queue."""
        parts = self._parts
        parts.journal.drop(scope)
        forget_texts()
        pending = parts.store.purge()
        if pending:
            with parts.store.write() as writer:
                # The files are everybody's, and the scope may be what was just forgotten.
                writer.enqueue(Scope(), "checkpoint", {}, at=now, due=now)
            parts.worker.wake()
        return pending
