"""Groups of related memories that fade become one summary that cites them.

Without a model the summary quotes its members, with the date of each; then they are archived,
because nothing of them is lost. With a model the words are its own, checked against the members.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from jiyi.consolidate.policies import Policies
from jiyi.consolidate.steps import Step, all_sources, changed
from jiyi.consolidate.strength import strength
from jiyi.consolidate.tiers import is_core, is_derived
from jiyi.ports import audience
from jiyi.text.language import language_of
from jiyi.text.normalise import fold
from jiyi.types import Draft, MemoryRecord, Trust

MOST_MEMBERS: Final = 12
"""Members of one summary at most; a larger group becomes several, in the order of time."""

MOST_CHARACTERS: Final = 1_500
"""Of an extractive summary: about what a model reads at a glance."""

Write = Callable[[str, Sequence[MemoryRecord]], str | None]
"""Words a summary about a topic over members; None when no trustworthy words came."""

_HEAD: Final = {"zh": "关于{topic}：", "en": "About {topic}: "}
_JOIN: Final = {"zh": "；", "en": "; "}
_WEAKEST: Final[tuple[Trust, ...]] = (
    *("flagged", "document", "tool", "assistant", "user", "application"),
)


def summaries(
    memories: Sequence[MemoryRecord],
    now: datetime,
    policies: Policies,
    write: Write | None = None,
) -> Iterator[Step]:
    """A step for each group that is large and faded enough."""
    if policies.summarise_above is None:
        return
    for topic, members in _groups(memories, now, policies, policies.summarise_above):
        text, made_by = None, "rules"
        if write is not None:
            text, made_by = write(topic, members), "model"
        quoted = members
        if text is None:
            (text, quoted), made_by = extract(topic, members), "rules"
        if len(quoted) <= policies.summarise_above:
            continue
        yield _summary(topic, quoted, text, made_by)


def extract(topic: str, members: Sequence[MemoryRecord]) -> tuple[str, tuple[MemoryRecord, ...]]:
    """The members' own words in the order of time, and whose words found room."""
    language = language_of("".join(member.text for member in members))
    text = _HEAD[language].format(topic=topic)
    quoted: list[MemoryRecord] = []
    for member in members:
        when = member.event.at if member.event is not None and member.event.at else None
        part = f"{(when or member.said_at):%Y-%m-%d} {member.text.strip().rstrip('。.')}"
        joint = _JOIN[language] if quoted else ""
        if len(text) + len(joint) + len(part) > MOST_CHARACTERS:
            continue
        text += joint + part
        quoted.append(member)
    return text, tuple(quoted)


def unmade(
    summary_members: Mapping[str, MemoryRecord], live: Sequence[MemoryRecord]
) -> Iterator[Step]:
    """Steps that take back summaries whose members no longer all stand: what is left of those is
    summarised anew by a later run.

    Args:
        summary_members: by id, the members of summaries that still exist, in any status.
    """
    for summary in live:
        cited = cited_by(summary)
        if not cited:
            continue
        members = [summary_members.get(id) for id in cited]
        if all(m is not None and m.status in ("active", "archived") for m in members):
            continue
        yield changed("retract", summary, "one of its members no longer holds", status="retracted")
        for member in members:
            if member is not None and member.status == "archived":
                yield changed(
                    "thaw",
                    member,
                    "its summary was taken back",
                    status="active",
                    tier="extended",
                )


def cited_by(memory: MemoryRecord) -> tuple[str, ...]:
    """The ids of the memories that a summary was made of; empty for other memories."""
    cited = memory.meta.get("summary_of")
    return tuple(str(id) for id in cited) if isinstance(cited, (list, tuple)) else ()


def _groups(
    memories: Sequence[MemoryRecord], now: datetime, policies: Policies, more_than: int
) -> Iterator[tuple[str, tuple[MemoryRecord, ...]]]:
    """(topic, members): the largest groups first, no memory in two."""
    related: dict[tuple[object, ...], list[tuple[str, MemoryRecord]]] = defaultdict(list)
    for memory in memories:
        if not _may_be_summed_up(memory, now, policies):
            continue
        whose = (audience(memory.visibility, memory.scope), memory.scope.user, memory.kind)
        for name in _topics(memory):
            related[*whose, fold(name)].append((name, memory))
    topics: dict[tuple[object, ...], list[MemoryRecord]] = defaultdict(list)
    names: dict[tuple[object, ...], str] = {}
    for (*whose_kind, topic), found in related.items():
        for name, memory in found if len(found) > more_than else ():
            key = (*whose_kind, language_of(memory.text), topic)
            names.setdefault(key, name)
            topics[key].append(memory)
    taken: set[str] = set()
    for group in sorted(topics, key=lambda group: (-len(topics[group]), str(group))):
        left = [memory for memory in topics[group] if memory.id not in taken]
        left.sort(key=lambda memory: (memory.said_at, memory.id))
        for start in range(0, len(left), MOST_MEMBERS):
            members = tuple(left[start : start + MOST_MEMBERS])
            if len(members) > more_than:
                taken.update(member.id for member in members)
                yield names[group], members


def _may_be_summed_up(memory: MemoryRecord, now: datetime, policies: Policies) -> bool:
    """What fades, and cannot change: what fills a slot is replaced one by one."""
    return (
        memory.status == "active"
        and memory.slot is None
        and memory.kind in ("semantic", "episodic", "procedural")
        and not memory.flags
        and not is_derived(memory)
        and not is_core(memory)
        and memory.expires_at is None
        and memory.valid_to is None
        and strength(memory, now, policies.half_lives) < policies.summarise_below
    )


def _topics(memory: MemoryRecord) -> list[str]:
    entities = [*memory.entities, *(memory.event.entities if memory.event is not None else ())]
    return list(dict.fromkeys((*entities, *memory.tags)))


def _summary(topic: str, members: tuple[MemoryRecord, ...], text: str, made_by: str) -> Step:
    draft = Draft(
        text=text,
        kind=members[0].kind,
        tags=("summary",),
        importance=max(member.importance for member in members),
        confidence=min(member.confidence for member in members),
        meta={"summary_of": [member.id for member in members], "made_by": made_by},
        entities=tuple(dict.fromkeys(name for m in members for name in (topic, *m.entities))),
        sources=all_sources(members),
        said_at=members[-1].said_at,
        valid_from=min(member.valid_from for member in members),
        visibility=members[0].visibility,
        trust=min((member.trust for member in members), key=_WEAKEST.index),
    )
    return Step(
        action="summarise",
        reason=f"{len(members)} related memories that fade",
        draft=draft,
        place=members[-1].scope,
        members=members,
        becoming="archived",
    )
