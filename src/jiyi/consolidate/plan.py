"""What a consolidation would do: records in, steps out, each with its reason. Nothing is written.

The order matters: what is over leaves first, then what says the same becomes one, then groups are
summed up, then the policies look at what is left. No memory is touched twice in one run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from jiyi.consolidate.lessons import Outcomes, lessons
from jiyi.consolidate.merging import likely_pairs, merges
from jiyi.consolidate.model import Advisor
from jiyi.consolidate.policies import Policies
from jiyi.consolidate.steps import Step, changed
from jiyi.consolidate.strength import age_of
from jiyi.consolidate.summaries import summaries, unmade
from jiyi.consolidate.tiers import tier_of
from jiyi.ports import audience
from jiyi.types import MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a run has read. `memories` are the active ones, candidates and archived ones, in order
    of recording, with the status that is stored: what has expired meanwhile is among them.
    `cited` are the members of summaries by id, in any status. `fresh` are the ids of what was told
    since the last run: without any, nothing can have become the same. `restored` are ids that a
    person took back out of a run: what was undone is not done again. `needed` are ids that a
    question brought back out of the archive lately: no policy puts them away again at once.
    `outcomes` is None when there was no new one."""

    memories: Sequence[MemoryRecord]
    cited: Mapping[str, MemoryRecord] = field(default_factory=dict)
    fresh: frozenset[str] = frozenset()
    restored: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()
    outcomes: Outcomes | None = None


def make_plan(
    seen: Seen, policies: Policies, *, now: datetime, advisor: Advisor | None = None
) -> list[Step]:
    """The steps of one run, as many as `policies.most_changes` has room for.

    Raises:
        ModelError: the advisor asked its model, and it failed.
    """
    steps: list[Step] = []
    taken: set[str] = set()
    room = policies.most_changes

    def left(*statuses: str) -> list[MemoryRecord]:
        return [m for m in seen.memories if m.id not in taken and m.status in statuses]

    def loose(*statuses: str) -> list[MemoryRecord]:
        return [m for m in left(*statuses) if m.id not in seen.restored]

    def take(found: Iterable[Step]) -> None:
        nonlocal room
        for step in found:
            ids = {memory.id for memory in step.touched}
            size = max(1, len(ids))
            # A step that is bigger than a whole run would otherwise wait for ever.
            if taken.isdisjoint(ids) and (size <= room or room == policies.most_changes):
                room -= size
                taken.update(ids)
                steps.append(step)

    take(_expired(left("active", "candidate"), now))
    take(unmade(seen.cited, left("active")))
    if policies.merge and seen.fresh:
        alike = advisor.same(likely_pairs(loose("active"), seen.fresh)) if advisor else []
        take(merges(loose("active", "candidate", "archived"), alike))
    take(_candidates(left("candidate"), left("active"), policies, now))
    write = None if advisor is None else advisor.summary
    take(summaries(loose("active"), now, policies, write))
    settled = [m for m in loose("active") if m.id not in seen.needed]
    take(_archived(settled, policies, now))
    take(_tiers(left("active")))
    if policies.reflect:
        known = [m for m in left("active") if "lesson" in m.meta]
        if seen.outcomes is not None:
            take(lessons(seen.outcomes, known, least=policies.lesson_after))
        if advisor is not None:
            take(advisor.insights([m for m in left("active") if m.id in seen.fresh]))
    return steps


def _expired(memories: Sequence[MemoryRecord], now: datetime) -> Iterator[Step]:
    for memory in memories:
        if memory.expires_at is not None and memory.expires_at <= now:
            yield changed("expire", memory, "its time is over", status="expired")


def _candidates(
    candidates: Sequence[MemoryRecord],
    active: Sequence[MemoryRecord],
    policies: Policies,
    now: datetime,
) -> Iterator[Step]:
    held = {_place(memory) for memory in active if memory.slot is not None}
    for memory in candidates:
        turns = {source.turn_id or source.id for source in memory.sources}
        confirmed = len(turns) > 1 or memory.helpful > memory.unhelpful
        if confirmed and _place(memory) not in held:
            held.add(_place(memory))
            reason = f"confirmed: {len(turns)} sources, marked helpful {memory.helpful} times"
            tier = tier_of(replace(memory, status="active"))
            yield changed("promote", memory, reason, status="active", tier=tier)
        elif age_of(memory, now) >= timedelta(days=policies.candidate_days):
            reason = f"a candidate that nothing confirmed in {age_of(memory, now).days} days"
            yield changed("drop", memory, reason, status="expired")


def _place(memory: MemoryRecord) -> tuple[object, ...]:
    """The one-valued place that a memory fills; a place of its own where it fills none."""
    slot = memory.slot
    if slot is None or slot.cardinality == "many":
        return (memory.id,)
    return (audience(memory.visibility, memory.scope), slot.subject, slot.attribute)


def _archived(
    memories: Sequence[MemoryRecord], policies: Policies, now: datetime
) -> Iterator[Step]:
    for memory, reason in policies.choose(memories, now):
        yield changed("archive", memory, reason, status="archived", tier="archive")


def _tiers(memories: Sequence[MemoryRecord]) -> Iterator[Step]:
    for memory in memories:
        tier = tier_of(memory)
        if memory.tier != tier:
            # Why the memory is as it is stays its reason: a tier changes nothing it says.
            moved = f"from {memory.tier} to {tier}"
            yield changed("tier", memory, moved, tier=tier, reason=memory.reason)
