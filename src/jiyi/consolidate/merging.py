"""Memories that say the same become one that cites all of their sources.

Decided by `resolve` (same statement, same gist, same value in the same place); put together here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from jiyi.arguments import MAX_TAGS
from jiyi.consolidate.steps import Step, all_sources
from jiyi.consolidate.suspects import rare_words
from jiyi.consolidate.tiers import is_derived, tier_of
from jiyi.ports import audience
from jiyi.resolve.evidence import last_said
from jiyi.resolve.gist import Gist, covers, gist_key
from jiyi.resolve.wording import statement_key, value_key
from jiyi.text.terms import query_terms
from jiyi.types import Draft, MemoryRecord, Slot

OWN_WORD: Final = frozenset({"application", "user"})
MERGED_REASON: Final = "the same in other words"


Pair = tuple[MemoryRecord, MemoryRecord]

LIKELY: Final = 0.4
"""Share of the terms of two texts, together, that both hold, from which it is worth asking a model
whether they say the same."""

ASKED: Final = 40
"""Such pairs in one run at most."""


def merges(memories: Sequence[MemoryRecord], known: Sequence[Pair] = ()) -> list[Step]:
    """One step for each group of memories that say the same.

    Archived memories join a group that has a live one: what was told again is no longer cold.
    `known` are pairs that somebody else found to say the same.
    """
    groups = _Groups(memories)
    for pair in known:
        groups.join(pair)
    for bundle in _bundles(memories).values():
        gists = {memory.id: gist_key(memory.text) for memory in bundle}
        same_gist = _keyed((gists[memory.id], memory) for memory in bundle)
        for keys in (_statements(bundle), same_gist, _places(bundle)):
            for alike in keys.values():
                groups.join(alike)
        for longer, shorter in _covered(bundle, gists):
            groups.join((longer, shorter))
    return [
        _merge(members)
        for members in groups.found()
        if any(member.status in ("active", "candidate") for member in members)
    ]


def likely_pairs(memories: Sequence[MemoryRecord], fresh: Container[str]) -> list[Pair]:
    """Live memories of which one, with an id in `fresh`, shares many words with the other, the
    likeliest first. For a model to judge: rules do not merge on shared words."""
    found: list[tuple[float, MemoryRecord, MemoryRecord]] = []
    for bundle in _bundles(memories).values():
        terms = {memory.id: frozenset(query_terms(memory.text)) for memory in bundle}
        holders: dict[str, list[MemoryRecord]] = defaultdict(list)
        for memory in bundle:
            for term in terms[memory.id]:
                holders[term].append(memory)
        for memory in bundle:
            if memory.id not in fresh:
                continue
            near = {m.id: m for term in terms[memory.id] for m in holders[term][-ASKED:]}
            for other in near.values():
                twice = other.id in fresh and other.id < memory.id
                if other.id == memory.id or twice or not _agree(memory, other):
                    continue
                ours, theirs = terms[memory.id], terms[other.id]
                share = len(ours & theirs) / len(ours | theirs)
                if share >= LIKELY:
                    found.append((share, memory, other))
    found.sort(key=lambda entry: (-entry[0], entry[1].id, entry[2].id))
    return [(one, other) for _, one, other in found[:ASKED]]


class _Groups:
    """Sets of memories that are joined pair by pair, never against their slots."""

    def __init__(self, memories: Sequence[MemoryRecord]) -> None:
        self._of = {memory.id: [memory] for memory in memories}

    def join(self, alike: Sequence[MemoryRecord]) -> None:
        first = alike[0]
        for other in alike[1:]:
            ours, theirs = self._of[first.id], self._of[other.id]
            if ours is theirs or not all(_agree(a, b) for a in ours for b in theirs):
                continue
            ours.extend(theirs)
            for member in theirs:
                self._of[member.id] = ours

    def found(self) -> list[tuple[MemoryRecord, ...]]:
        distinct = {id(group): group for group in self._of.values() if len(group) > 1}
        return [tuple(sorted(group, key=last_said)) for group in distinct.values()]


def _bundles(memories: Iterable[MemoryRecord]) -> dict[Hashable, list[MemoryRecord]]:
    """Memories that may be compared at all: same readers, same standing, same nature; and what
    happened only with what happened on the same day."""
    bundles: dict[Hashable, list[MemoryRecord]] = defaultdict(list)
    for memory in memories:
        if memory.flags or memory.valid_to is not None or is_derived(memory):
            continue
        happened = None
        if memory.kind == "episodic":
            at = memory.event.at if memory.event is not None and memory.event.at else None
            happened = (at or memory.said_at).date()
        trust = "own" if memory.trust in OWN_WORD else memory.trust
        whose = (audience(memory.visibility, memory.scope), memory.scope.user)
        bundles[whose, trust, memory.kind == "episodic", happened].append(memory)
    return bundles


def _statements(bundle: Sequence[MemoryRecord]) -> dict[Hashable, list[MemoryRecord]]:
    near = _keyed((rare_words(memory.text), memory) for memory in bundle)
    return _keyed(
        (statement_key(memory.text) or None, memory) for block in near.values() for memory in block
    )


def _places(bundle: Sequence[MemoryRecord]) -> dict[Hashable, list[MemoryRecord]]:
    """By slots that are one place in other words, with the same value in it."""
    pairs: list[tuple[Hashable, MemoryRecord]] = []
    for memory in bundle:
        slot = memory.slot
        if slot is None:
            continue
        family, _, topic = slot.attribute.partition("/")
        about = gist_key(topic) if topic else frozenset[Gist]()
        if about is not None:
            pairs.append(((slot.subject, family, about, value_key(slot.value)), memory))
    return _keyed(pairs)


def _keyed(
    pairs: Iterable[tuple[Hashable | None, MemoryRecord]],
) -> dict[Hashable, list[MemoryRecord]]:
    found: dict[Hashable, list[MemoryRecord]] = defaultdict(list)
    for key, memory in pairs:
        if key is not None:
            found[key].append(memory)
    return {key: members for key, members in found.items() if len(members) > 1}


def _covered(
    bundle: Sequence[MemoryRecord], gists: Mapping[str, frozenset[Gist] | None]
) -> Iterable[tuple[MemoryRecord, MemoryRecord]]:
    """(longer, shorter): the longer says all of the shorter. Only where neither fills a slot: a
    slot changes alone, and would take the rest of the longer one along."""
    free = [m for m in bundle if m.slot is None]
    by_clause: dict[Gist, dict[str, MemoryRecord]] = defaultdict(dict)
    for memory in free:
        for clause in gists[memory.id] or ():
            by_clause[clause][memory.id] = memory
    for memory in free:
        key = gists[memory.id]
        if not key:
            continue
        rarest = min((by_clause[clause] for clause in key), key=len)
        for other in rarest.values():
            # Nearly nothing says more: only what does is looked at closely.
            if key < (gists[other.id] or frozenset()) and covers(other.text, memory.text):
                yield other, memory


def _agree(one: MemoryRecord, other: MemoryRecord) -> bool:
    if one.slot is None or other.slot is None or one.slot.attribute != other.slot.attribute:
        return True
    return value_key(one.slot.value) == value_key(other.slot.value)


def _merge(members: tuple[MemoryRecord, ...]) -> Step:
    keeper = max(members, key=_rank)
    text = max((m.text for m in members if covers(m.text, keeper.text)), key=len, default=None)
    sources = all_sources(members)
    ends = [member.expires_at for member in members]
    draft = Draft(
        text=text or keeper.text,
        kind=keeper.kind,
        tags=tuple(dict.fromkeys(tag for m in (keeper, *members) for tag in m.tags))[:MAX_TAGS],
        importance=max(member.importance for member in members),
        confidence=max(member.confidence for member in members),
        meta={key: value for member in (*members, keeper) for key, value in member.meta.items()},
        slot=_slot(keeper, members),
        event=keeper.event or next((m.event for m in members if m.event is not None), None),
        entities=tuple(dict.fromkeys(name for m in (keeper, *members) for name in m.entities)),
        sources=sources,
        said_at=keeper.said_at,
        valid_from=min(member.valid_from for member in members),
        expires_at=None if None in ends else max(end for end in ends if end is not None),
        visibility=keeper.visibility,
        pinned=any(member.pinned for member in members),
        trust=keeper.trust,
        gate=keeper.gate,
    )
    used = [member.last_used_at for member in members if member.last_used_at is not None]
    gains: dict[str, Any] = {
        "use_count": sum(member.use_count for member in members),
        "last_used_at": max(used, default=None),
        "helpful": sum(member.helpful for member in members),
        "unhelpful": sum(member.unhelpful for member in members),
    }
    made = replace(
        keeper, status="active", pinned=draft.pinned, importance=draft.importance, slot=draft.slot
    )
    return Step(
        action="merge",
        reason=f"{MERGED_REASON}: {len(members)} memories, {len(sources)} sources",
        draft=draft,
        place=keeper.scope,
        members=members,
        becoming="superseded",
        gains={**gains, "tier": tier_of(replace(made, **gains))},
    )


def _rank(memory: MemoryRecord) -> tuple[object, ...]:
    """Whose wording is kept: pinned, live, of the user's own word, in a place, said last."""
    return (
        memory.pinned,
        memory.status == "active",
        memory.trust in OWN_WORD,
        memory.slot is not None,
        last_said(memory),
        memory.id,
    )


def _slot(keeper: MemoryRecord, members: Sequence[MemoryRecord]) -> Slot | None:
    """The place of the merged memory: a place of its own before one among preferences."""
    slots = [m.slot for m in (keeper, *members) if m.slot is not None]
    named = [slot for slot in slots if not slot.attribute.startswith("preference/")]
    return next(iter(named or slots), None)
