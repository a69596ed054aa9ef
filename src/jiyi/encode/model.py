"""A chat model proposes memories from turns; checked here, decided by resolve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final

from jiyi.encode.commit import TermsOf, commit
from jiyi.encode.gate import Gate, GateOf, gate_for, importance_from
from jiyi.encode.guard import flags_of, redact_secrets, statements
from jiyi.encode.prompt import SCHEMA, messages_for, repair_of, segments
from jiyi.encode.replies import Proposal, Reply, read_reply, text_of
from jiyi.encode.schema import ProfileSchema
from jiyi.encode.slots import cardinality_of, spec_of
from jiyi.encode.support import Support, find_support, holds
from jiyi.errors import JiyiError, ModelError
from jiyi.ids import Clock, new_id, read_clock
from jiyi.text.entities import find_entities
from jiyi.text.time_expressions import find_times
from jiyi.text.tokens import count_tokens
from jiyi.types import AuditEvent, Draft, Event, Kind, Scope, Slot, Source, Turn

if TYPE_CHECKING:
    from jiyi.ports import ChatModel, Job, Reader, Store, Writer

EARLIER: Final = 4
"""Turns before the first one that a model sees to understand it."""

_DEFAULT_CONFIDENCE: Final = 0.8
_KINDS: Final[dict[str, Kind]] = {
    "semantic": "semantic",
    "episodic": "episodic",
    "procedural": "procedural",
    "event": "episodic",
    "procedure": "procedural",
}
ALIAS: Final = "alias"
_POLARITY: Final = frozenset({"like", "dislike", "do", "avoid"})

LoadTurns = Callable[["Reader", "Job"], list[Turn]]


class PostponedError(JiyiError):
    """A job cannot be done before `until`; that is no failure."""

    def __init__(self, why: str, until: datetime) -> None:
        self.until = until
        super().__init__(f"{why}; waits until {until.isoformat()}")


@dataclass(slots=True)
class Findings:
    """What a model proposed for some turns, after the check."""

    drafts: list[tuple[str, Draft]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    problem: str | None = None


class ModelReader:
    """Reads turns with a chat model, within a daily budget of calls and tokens per user."""

    def __init__(
        self,
        model: ChatModel,
        store: Store,
        clock: Clock,
        *,
        calls_per_day: int | None,
        tokens_per_day: int | None,
        gate: Gate | GateOf | None = None,
        schema: ProfileSchema | None = None,
        terms_of: TermsOf | None = None,
    ) -> None:
        self._model = model
        self._store = store
        self._clock = clock
        self._calls = calls_per_day
        self._tokens = tokens_per_day
        self._gate = gate
        self._schema = schema or ProfileSchema()
        self._terms_of = terms_of

    def read(self, job: Job, load: LoadTurns) -> Callable[[Writer], str | None]:
        """Ask the model about a job's turns, outside any transaction.

        Returns what writes the answer; that returns why a part of it could not be used, or None.

        Raises:
            ModelError: the model failed, or no reply could be read.
            PostponedError: the budget of the day is spent.
        """
        with self._store.read() as reader:
            turns = load(reader, job)
            earlier = _earlier(reader, turns)
        found = self.propose(turns, earlier, job.scope)
        return lambda writer: self._write(writer, job, load, found)

    def propose(self, turns: Sequence[Turn], earlier: Sequence[Turn], scope: Scope) -> Findings:
        """What the model proposes for turns and the check lets through."""
        found = Findings()
        for segment in segments(turns):
            reply = self._ask(
                messages_for(segment, turns, earlier, self._schema.slots), scope, found
            )
            context = "\n".join(turn.text for turn in (*earlier, *turns))
            numbers = sorted({number for number, _ in segment})
            for proposal in reply.proposals:
                found.counts["proposed"] += 1
                drafted = check_proposal(
                    proposal, turns, numbers, context=context, schema=self._schema
                )
                if isinstance(drafted, str):
                    found.counts[drafted] += 1
                    continue
                turn_id, draft = drafted
                passed = gate_for(self._gate, scope).check(draft)
                if isinstance(passed, str):
                    found.counts["gate"] += 1
                    continue
                found.drafts.append((turn_id, passed))
        return found

    def _ask(self, messages: list[dict[str, str]], scope: Scope, found: Findings) -> Reply:
        raw = self._complete(messages, scope)
        reply = read_reply(raw)
        if reply.problem is None:
            return reply
        found.counts["repaired"] += 1
        second = read_reply(self._complete(repair_of(messages, raw, reply.problem), scope))
        if second.problem is None:
            return second
        usable = max((reply, second), key=lambda r: len(r.proposals))
        if not usable.proposals:
            raise ModelError(
                f"{self._model.name}: {second.problem}, also when asked again; "
                "the turns stay as they were said"
            )
        found.problem = f"{self._model.name}: {second.problem}; the complete entries were used"
        return usable

    def _complete(self, messages: list[dict[str, str]], scope: Scope) -> str:
        now = read_clock(self._clock)
        day = now.date().isoformat()
        with self._store.read() as reader:
            spent = reader.spent(scope, day)
        for limit, name in ((self._calls, "calls"), (self._tokens, "tokens")):
            if limit is not None and spent.get(name, 0) >= limit:
                raise PostponedError(f"{limit} {name} are spent today", _tomorrow(now))
        asked = sum(count_tokens(message["content"]) for message in messages)
        answered = 0
        try:
            reply = self._model.complete(messages, schema=SCHEMA)
            answered = count_tokens(reply) if reply else 0
        finally:
            with self._store.write() as writer:
                writer.spend(scope, day, calls=1, tokens=asked + answered)
        return reply

    def _write(self, writer: Writer, job: Job, load: LoadTurns, found: Findings) -> str | None:
        now, run_id = read_clock(self._clock), new_id()
        # What was erased while the model was thinking stays away.
        turns = {turn.id: turn for turn in load(writer, job)}
        counts = Counter(found.counts)
        for turn_id, draft in found.drafts:
            turn = turns.get(turn_id)
            if turn is None:
                counts["erased"] += 1
                continue
            outcome = commit(
                writer,
                turn.scope,
                draft,
                now=now,
                run_id=run_id,
                heed_tombstones=True,
                terms_of=self._terms_of,
            )
            counts[outcome.status] += 1
        writer.add_event(
            job.scope,
            AuditEvent(
                id=new_id(), at=now, action="model read", run_id=run_id, counts=dict(counts)
            ),
        )
        return found.problem


def check_proposal(
    proposal: Proposal,
    turns: Sequence[Turn],
    numbers: Sequence[int],
    *,
    context: str = "",
    schema: ProfileSchema | None = None,
) -> tuple[str, Draft] | str:
    """A proposal as a draft with the id of its turn, or the reason it is refused (a short word for
    the count). Fields that are null, absent or unreadable are left out; they clear nothing.

    Args:
        turns: the turns asked about; `numbers` are the places (from 1) that the model was shown.
        context: all the text that it was shown.
        schema: the attributes that it may fill.
    """
    text = text_of(proposal)
    if text is None:
        return "unreadable"
    quote = proposal.get("quote")
    quote = quote if isinstance(quote, str) else None
    asked = _number(proposal.get("turn"))
    order = [n for n in numbers if n == asked] + [n for n in numbers if n != asked]
    for number in order:
        turn = turns[number - 1]
        allowed = [(s.span, s.trust) for s in statements(turn)]
        support = find_support(
            text,
            turn,
            quote=quote,
            context=context,
            allowed=tuple(span for span, _ in allowed),
        )
        if not isinstance(support, str):
            draft = _draft(proposal, text, support, context, schema or ProfileSchema())
            return turn.id, draft
    return "unsupported"


def _draft(
    proposal: Proposal, text: str, support: Support, context: str, schema: ProfileSchema
) -> Draft:
    turn, span = support.turn, support.span
    confidence = _share(proposal.get("confidence"), _DEFAULT_CONFIDENCE)
    kind = _KINDS.get(str(proposal.get("kind")).lower(), "semantic")
    clean = redact_secrets(text)
    said_by_user = turn.role == "user"
    slot = _slot(proposal, turn.text, context, schema) if said_by_user and clean == text else None
    when = _date(proposal.get("date"), turn)
    tags = proposal.get("tags")
    flags = flags_of(turn.text[span[0] : span[1]])
    return Draft(
        text=clean,
        kind=kind if said_by_user else "episodic",
        tags=tuple(str(t).strip() for t in tags if str(t).strip())[:3]
        if isinstance(tags, (list, tuple))
        else (),
        importance=importance_from(proposal.get("importance")),
        confidence=confidence,
        slot=slot,
        event=Event(type="event", at=when) if kind == "episodic" else None,
        entities=tuple(dict.fromkeys(e.text for e in find_entities(clean))),
        sources=(
            Source(
                id=new_id(),
                turn_id=turn.id,
                span=span,
                session=turn.scope.session,
                said_at=turn.said_at,
            ),
        ),
        said_at=turn.said_at,
        trust="flagged" if "instruction" in flags else "user" if said_by_user else "assistant",
        flags=flags,
    )


def _slot(proposal: Proposal, source: str, context: str, schema: ProfileSchema) -> Slot | None:
    """The slot of a proposal, when the schema has it and its value was said."""
    attribute, value = proposal.get("attribute"), proposal.get("value")
    nested = proposal.get("slot")
    if isinstance(nested, Mapping):
        attribute, value = nested.get("attribute", attribute), nested.get("value", value)
    if not (isinstance(attribute, str) and isinstance(value, str) and value.strip()):
        return None
    attribute, value = attribute.strip(), value.strip()
    topic = attribute.partition("/")[2].strip()
    if spec_of(attribute, schema.slots) is None or (topic and not holds(source, topic)):
        return None
    if value.lower() in _POLARITY:
        value = value.lower()
        if not topic:
            return None
    elif not holds(source, value):
        return None
    if schema.problem(attribute, value) is not None:
        return None
    subject = proposal.get("subject")
    subject = subject.strip() if isinstance(subject, str) and subject.strip() else "user"
    if subject.lower() in ("user", "the user", "speaker", "me", "i", "用户", "我", "本人"):
        subject = "user"
    elif not holds(source, subject) and not (attribute == ALIAS and holds(context, subject)):
        return None  # the long form of a name may have been said before
    cardinality = cardinality_of(attribute, schema.slots)
    return Slot(subject=subject, attribute=attribute, value=value, cardinality=cardinality)


def _date(value: Any, turn: Turn) -> datetime | None:
    """A date that the turn speaks of; a model's other dates are guesses."""
    if not isinstance(value, str):
        return None
    try:
        day = date.fromisoformat(value.strip()[:10])
    except ValueError:
        return None
    moment = datetime.combine(day, time(), turn.said_at.tzinfo)
    if day == turn.said_at.date():
        return moment
    spoken = find_times(turn.text, turn.said_at)
    covered = any(
        m.start is not None and m.end is not None and m.start <= moment < m.end for m in spoken
    )
    return moment if covered else None


def _share(value: Any, default: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return default
    share = float(value) / 100 if 1 < value <= 100 else float(value)
    return share if 0 <= share <= 1 else default


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip("[] ").isdecimal():
        return int(value.strip("[] "))
    return value if isinstance(value, int) else None


def _earlier(reader: Reader, turns: Sequence[Turn]) -> list[Turn]:
    if not turns:
        return []
    first, ours = turns[0], {turn.id for turn in turns}
    recent = reader.turns(
        first.scope,
        session=first.scope.session,
        limit=EARLIER,
        order="newest",
        said_before=first.said_at,
    )
    return [
        turn
        for turn in reversed(recent)
        if turn.id not in ours and turn.scope.session == first.scope.session and turn.encodable
    ]


def _tomorrow(now: datetime) -> datetime:
    return datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo)
