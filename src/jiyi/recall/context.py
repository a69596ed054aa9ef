"""From what is known to a text for the prompt, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING, Final, Protocol

from jiyi.errors import InvalidInputError
from jiyi.ports import Selection
from jiyi.recall.assembly import Assembly
from jiyi.recall.layers import MOST_RECENT_TURNS, LayerBudgets
from jiyi.recall.parts import Assembled, ContextParts
from jiyi.recall.profile import read_profile
from jiyi.recall.standing import standing
from jiyi.text.language import Language, language_of
from jiyi.text.tokens import TokenCounter, count_tokens
from jiyi.types import Context, Hits, MemoryRecord, Scope, Trace, Turn

if TYPE_CHECKING:
    from jiyi.ports import Reader, Store, StoredUnit

__all__ = ["Assembled", "ContextBuilder", "ContextParts", "build_context"]

DEFAULT_BUDGETS: Final = LayerBudgets()
TOKENS_PER_HIT: Final = 30
"""A budget of so many tokens asks recall for one hit more: turns of a chat take 30 to 60."""

FEWEST_HITS: Final = 20
MOST_HITS: Final = 150
WITH_NEIGHBOURS: Final = 5
"""Of so many turns, the best found, those before and after are read: they fill what is left, since
an answer often stands next to its question."""

_COMPARED: Final = 20  # best memories that are held against each other
InConflict = Callable[["Reader", Scope, Sequence[MemoryRecord]], frozenset[str]]

RECENT_READ: Final = MOST_RECENT_TURNS
"""Turns of the session that are read where they are not given."""


class Recall(Protocol):
    """What a context needs of a recall engine."""

    def recall(
        self,
        scope: Scope,
        query: str,
        *,
        limit: int,
        now: datetime,
        selection: Selection,
        session: str | None = None,
        memories: int | None = None,
        found: dict[str, StoredUnit] | None = None,
    ) -> tuple[Hits, Trace]:
        """See `Recaller.recall`; what it does not put into `found` is read again."""
        ...


def build_context(
    parts: ContextParts,
    *,
    budget: int,
    now: datetime,
    language: Language | None = None,
    budgets: LayerBudgets = DEFAULT_BUDGETS,
    count: TokenCounter = count_tokens,
) -> Assembled:
    """Assemble the layers of a context.

    Args:
        parts: what there is to say.
        budget: the most tokens that the rendered text may have, at least 1.
        now: the clock's time; dates and ages are given in its zone.
        language: of the headings; by default that of the question.
        budgets: shares and numbers by layer.
        count: counts tokens; any function of a text that is 0 for an empty one.

    Raises:
        InvalidInputError: the budget is not a positive number.
    """
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise InvalidInputError("budget", f"{budget!r} is no number of tokens", "Use 1 or more")
    assembly = Assembly(
        parts,
        budget=budget,
        now=now,
        language=language or language_of(parts.query),
        budgets=budgets,
        count=count,
    )
    return assembly.run()


class ContextBuilder:
    """Gathers what is known from a store and a recall engine, and assembles it.

    Args:
        store: where profile, standing preferences and the session's turns are read.
        recaller: finds what bears on the question; it completes the question from the session.
        budgets: shares and numbers by layer.
        count: counts tokens.
        label_of: names a slot attribute for readers, in a language.
        in_conflict: which of some memories contradict each other and were not settled; by default
            those that fill one place with different values.
    """

    def __init__(
        self,
        store: Store,
        recaller: Recall,
        *,
        budgets: LayerBudgets = DEFAULT_BUDGETS,
        count: TokenCounter = count_tokens,
        label_of: Callable[[str, Language], str] | None = None,
        in_conflict: InConflict | None = None,
    ) -> None:
        self._store = store
        self._recaller = recaller
        self._budgets = budgets
        self._count = count
        self._label_of = label_of
        self._in_conflict = in_conflict or (lambda _reader, _scope, records: conflicts(records))

    def build(
        self,
        scope: Scope,
        query: str,
        *,
        session: str | None = None,
        recent: Sequence[Turn] | None = None,
        summary: str | None = None,
        task: str | None = None,
        budget: int = 2000,
        identity: str | None = None,
        rules: Sequence[str] = (),
        now: datetime,
        selection: Selection | None = None,
        language: Language | None = None,
    ) -> tuple[Context, Trace]:
        """The context for a question, and the trace that says what went into it and what did not.

        `recent` are the last turns as they were said, by default the newest of `session`, and
        `summary` what was said before them. `task` (by default that of the scope) gives the
        working notes. `rules` come newest first. `selection` narrows what is recalled; by default
        all that is active now.
        """
        selection = selection or Selection(now=now)
        found: dict[str, StoredUnit] = {}
        hits, trace = self._recaller.recall(
            scope,
            query,
            limit=max(FEWEST_HITS, min(MOST_HITS, budget // TOKENS_PER_HIT)),
            now=now,
            selection=selection,
            session=session,
            memories=max(_COMPARED, 2 * self._budgets.max_memories),
            found=found,
        )
        started = perf_counter()
        spoken_in = language or language_of(query)
        with self._store.read() as reader:
            parts = self._gather(
                reader,
                scope,
                query,
                hits,
                found,
                task=task or scope.task,
                selection=selection,
                language=spoken_in,
            )
            if recent is None:
                recent = () if session is None else _newest(reader, scope, session)
        gathered = perf_counter()
        parts = replace(parts, identity=identity, rules=rules, recent=recent, summary=summary)
        context, cuts = build_context(
            parts,
            budget=budget,
            now=now,
            language=spoken_in,
            budgets=self._budgets,
            count=self._count,
        )
        latency = {
            **trace.latency_ms,
            "gather": (gathered - started) * 1000,
            "assemble": (perf_counter() - gathered) * 1000,
        }
        injected = {layer.name: layer.unit_ids for layer in context.layers if layer.unit_ids}
        return context, replace(
            trace, operation="context", injected=injected, cuts=cuts, latency_ms=latency
        )

    def _gather(
        self,
        reader: Reader,
        scope: Scope,
        query: str,
        hits: Hits,
        units: Mapping[str, StoredUnit],
        *,
        task: str | None,
        selection: Selection,
        language: Language,
    ) -> ContextParts:
        slots = reader.slot_values(scope, subject="user", now=selection.now)
        profile = read_profile(reader, scope, now=selection.now, slots=slots)
        found = _records(reader, scope, hits, units, selection)
        label_of = self._label_of
        return ContextParts(
            query=query,
            hits=hits,
            profile=profile,
            standing=standing(reader, scope, selection, slots=slots),
            later={id: record.text for id, record in found.items()},
            conflicts=self._in_conflict(
                reader, scope, [found[hit.id] for hit in hits if hit.id in found][:_COMPARED]
            ),
            notes={} if task is None else reader.notes(scope, task),
            around=_around(reader, scope, hits, units, selection),
            attribute_labels={
                field.attribute: label_of(field.attribute, language) for field in profile.learned
            }
            if label_of is not None
            else {},
        )


def conflicts(records: Sequence[MemoryRecord]) -> frozenset[str]:
    """Ids of live memories that fill the same one-valued slot with different values.

    Within one space the store keeps such a slot unique; memories shared by others, or seen by
    one agent only, can still contradict the user's own.
    """
    filled: dict[tuple[str, str], list[MemoryRecord]] = {}
    for record in records:
        slot = record.slot
        if slot is not None and slot.cardinality == "one" and record.status == "active":
            filled.setdefault((slot.subject, slot.attribute), []).append(record)
    return frozenset(
        record.id
        for group in filled.values()
        if len({record.slot.value.casefold() for record in group if record.slot}) > 1
        for record in group
    )


def _newest(reader: Reader, scope: Scope, session: str) -> Sequence[Turn]:
    return reader.turns(scope, session=session, limit=RECENT_READ, order="newest")[::-1]


def _records(
    reader: Reader,
    scope: Scope,
    hits: Hits,
    known: Mapping[str, StoredUnit],
    selection: Selection,
) -> Mapping[str, MemoryRecord]:
    """The records of the memories among the hits, and of those that replaced what a hit says."""
    wanted = {hit.id for hit in hits if hit.unit == "memory"}
    wanted.update(id for hit in hits if (id := hit.later or hit.superseded_by) is not None)
    units = (known[id] for id in wanted if id in known)
    found = {unit.memory.id: unit.memory for unit in units if unit.memory is not None}
    if missing := wanted - found.keys():
        chosen = replace(selection, ids=tuple(sorted(missing)), where=None, as_of=None)
        records, _ = reader.memories(scope, chosen)
        found.update((record.id, record) for record in records)
    return found


def _around(
    reader: Reader,
    scope: Scope,
    hits: Hits,
    known: Mapping[str, StoredUnit],
    selection: Selection,
) -> list[Turn]:
    """The turns before and after the best turns found, in the order of these."""
    best = [hit.id for hit in hits if hit.unit == "turn"][:WITH_NEIGHBOURS]
    found = [known.get(id) or _turn_unit(reader, scope, id, selection) for id in best]
    wanted = [
        key
        for unit in found
        if unit is not None
        for key in (unit.next, unit.previous)
        if key is not None
    ]
    units = reader.units(scope, wanted, selection) if wanted else {}
    turns = [units[key].turn for key in wanted if key in units]
    return [turn for turn in turns if turn is not None and turn.role in ("user", "assistant")]


def _turn_unit(reader: Reader, scope: Scope, id: str, selection: Selection) -> StoredUnit | None:
    key = reader.turn_key(scope, id)
    return None if key is None else reader.units(scope, [key], selection).get(key)
