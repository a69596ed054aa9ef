"""Forgetting by what a user says: "don't go by that any more" retracts, "delete it" erases."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from jiyi.ids import new_id
from jiyi.ports import Selection
from jiyi.privacy.forgetting import EVERY_STATUS, ForgetPlan, erase_plan
from jiyi.privacy.meaning import meant_by
from jiyi.resolve.authors import is_author
from jiyi.text.normalise import fold
from jiyi.text.terms import query_terms
from jiyi.types import MemoryRecord, Outcome, Scope, Status, Turn

if TYPE_CHECKING:
    from jiyi.ports import Reader, Writer

LIVE: frozenset[Status] = frozenset({"active", "candidate"})
LOOK_BACK = 12  # turns of the session in which a bare "that" is looked for


def obey(
    writer: Writer,
    scope: Scope,
    action: Literal["retract", "erase"],
    topic: str,
    *,
    turn: Turn,
    now: datetime,
) -> list[Outcome]:
    """Carry out what a user said about forgetting, inside the transaction that reads the turn."""
    act = retract_topic if action == "retract" else erase_topic
    return act(writer, scope, topic, turn=turn, now=now)


def retract_topic(
    writer: Writer, scope: Scope, topic: str, *, turn: Turn, now: datetime
) -> list[Outcome]:
    """Take back what was said about a topic, kept for audit and undoable.

    Without a topic ("don't go by that any more") it is what was learned last in the session.
    """
    reason = "retracted by the user"
    memories = _live_about(writer, scope, topic, turn, now)
    for memory in memories:
        writer.change_memory(
            scope, memory.id, {"status": "retracted"}, at=now, action="retracted", reason=reason
        )
    return [Outcome(status="retracted", memory_id=m.id, reason=reason) for m in memories] or [
        _nothing(topic)
    ]


def erase_topic(
    writer: Writer, scope: Scope, topic: str, *, turn: Turn, now: datetime
) -> list[Outcome]:
    """Erase what was said about a topic: memories in any status, the turns they cite, and the
    user's own turns that hold all of the topic's words.

    The turn that asks for it stays, unless it repeats what is to be erased.
    """
    reason = "erased on the user's word"
    if topic.strip():
        selection = Selection(now=now, statuses=EVERY_STATUS)
        memories = meant_by(writer, scope, topic, selection).memories
        turns = meant_by(writer, scope, topic, selection, coverage=1.0).turns
    else:
        memories = {m.id: m for m in _learned_last(writer, scope, turn)}
        turns = {}
    if not memories and not turns.keys() - {turn.id}:
        if topic.strip():  # earlier questions may hold it, and they are kept in traces
            nothing = ForgetPlan(memories=(), turns=(), cited=())
            erasures = erase_plan(
                writer, scope, nothing, keep_turns=False, now=now, event_id=new_id(), reason=reason
            )
            if any(erasure.counts.get("traces") for erasure in erasures):
                return [Outcome(status="erased", reason="only earlier questions were kept")]
        return [_nothing(topic)]
    cited = {s.turn_id for m in memories.values() for s in m.sources if s.turn_id is not None}
    spoken = {id for id, said in turns.items() if said.role == "user"} - {turn.id}
    if _repeats(turn, list(memories.values())):
        spoken.add(turn.id)
    plan = ForgetPlan(
        memories=tuple(memories),
        turns=tuple(sorted(spoken)),
        cited=tuple(sorted(cited - {turn.id})),
    )
    erase_plan(writer, scope, plan, keep_turns=False, now=now, event_id=new_id(), reason=reason)
    return [Outcome(status="erased", memory_id=id, reason=reason) for id in memories] or [
        Outcome(status="erased", reason=reason)
    ]


def _live_about(
    reader: Reader, scope: Scope, topic: str, turn: Turn, now: datetime
) -> list[MemoryRecord]:
    if not topic.strip():
        return _learned_last(reader, scope, turn)
    selection = Selection(now=now, statuses=LIVE)
    meant = meant_by(reader, scope, topic, selection).memories.values()
    # What another user shares is theirs to take back.
    return [
        m for m in meant if is_author(m, scope) and all(s.turn_id != turn.id for s in m.sources)
    ]


def _learned_last(reader: Reader, scope: Scope, turn: Turn) -> list[MemoryRecord]:
    """The live memories of the newest earlier turn of the session that left any."""
    recent = reader.turns(scope, session=turn.scope.session, limit=LOOK_BACK, order="newest")
    for said in recent:
        if said.id == turn.id:
            continue
        cited = reader.citing(scope, [said.id])
        learned = [m for m in cited if m.status in LIVE and is_author(m, scope)]
        if learned:
            return learned
    return []


def _repeats(turn: Turn, memories: list[MemoryRecord]) -> bool:
    """Whether the turn says again what it asks to erase: the value, what a preference is about
    (`preference/tea`), or all the words of a memory."""
    text, terms = fold(turn.text), query_terms(turn.text).keys()
    for memory in memories:
        slot = memory.slot
        told = [memory.text] if slot is None else [slot.value, *slot.attribute.split("/")[1:]]
        if any(fold(each) in text for each in told):
            return True
        words = query_terms(memory.text).keys()
        if words and words <= terms:
            return True
    return False


def _nothing(topic: str) -> Outcome:
    about = "what was said last" if not topic.strip() else "these words"
    return Outcome(status="skipped", reason=f"nothing is remembered about {about}")
