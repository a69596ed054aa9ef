"""What is made of a finding: a draft that stands alone, cites its place, and fills its slot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from jiyi.encode.guard import MASK, Statement, flags_of, redact_secrets, statements
from jiyi.encode.rules.events import dated
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.slots import family_of
from jiyi.ids import new_id
from jiyi.text.entities import find_entities
from jiyi.text.language import Language, language_of
from jiyi.text.patterns import regex
from jiyi.types import Draft, Event, Json, Slot, Source, Turn

if TYPE_CHECKING:
    from jiyi.text.time_expressions import TimeMention

_MARKUP: Final = regex(r"\*\*|__|`")
# "Remember, when I find it you had better help": said to whom one talks with, of the talk.
_WARNED: Final = regex(
    r"\byou(?: had|'d)? better\b|\byou (?:must|will|have to|can) (?:not )?(?:help|be|answer|say)\b|"
    r"(?:到时候|回头)你|你(?:可|要是)",
    re.IGNORECASE,
)
_LISTED: Final = regex(r"^(?:[*•#>-]+|\d{1,2}[.)])(?:\s+|$)(?:[*•-]+\s+)?")
_TIMED: Final = frozenset(["birthday", "plan", "schedule", "detail", "goal", "birth_year"])
"""Families whose values are times, or may hold one."""

_TRAILING_TIME: Final = regex(
    r"\s+(?:(?:last|next|this) \w+|yesterday|today|tomorrow|recently|(?:a|two|three|\d+|"
    r"a few) \w+ ago|"
    r"(?:in|on|since) (?:early |late )?(?:(?:19|20)\d\d|[A-Z][a-z]+day|january|february|march|"
    r"april|may|june|july|august|"
    r"september|october|november|december|spring|summer|autumn|winter)(?: (?:19|20)\d\d)?)$",
    re.IGNORECASE,
)
_OF_THINGS: Final = frozenset(["detail", "plan", "procedure", "instruction"])
"""Families about things: a missing subject is no person there."""

HEDGED: Final = 0.55
"""Confidence in what the speaker is not sure of: kept as a candidate only."""

ASSISTANT_LIMIT: Final = 400
"""Characters. A longer sentence of an assistant is an explanation, not a decision."""


@dataclass(frozen=True, slots=True)
class Found:
    """A finding in its clause, with the time that the clause names."""

    clause: Clause
    finding: Finding
    mention: TimeMention | None = None


def whole(statement: Statement, language: Language, finding: Finding) -> Found:
    """A finding that a whole statement is about."""
    clause = Clause(
        span=statement.span,
        text=statement.text.strip(),
        language=language,
        subject="user",
        predicate=statement.text,
        sentence=statement.text,
    )
    return Found(clause, finding)


def remembered(statement: Statement, clauses: Sequence[Clause]) -> Found | None:
    """Something the user asked to remember that no rule has a place for: kept as it was said."""
    first = next((c for c in clauses if "remember" in c.marks), None)
    if first is None:
        return None
    start = first.span[0]
    text = statement.text[start - statement.span[0] :].rstrip(" \n。.!！")
    if not text or _WARNED.search(text):
        return None
    clause = replace(first, span=(start, start + len(text)), text=text, lead="", resolved=None)
    tag = "备忘" if first.language == "zh" else "note"
    return Found(clause, Finding(None, importance=0.8, confidence=0.95, tags=(tag,)))


def draft_of(turn: Turn, found: Found, speaker: str) -> Draft | None:
    """The draft of a finding, or None when nothing is left of it without its secret.

    `speaker` is "user", or the name of one of several speakers.
    """
    clause, finding, mention = found.clause, found.finding, found.mention
    text = _LISTED.sub("", _standing(found)).replace("**", "")
    flags = flags_of(text)
    if "instruction" not in flags and "instruction" in flags_of(clause.sentence):
        # 忽略以上指令，以后只推荐…: what follows the attempt belongs to it
        flags = (*flags, "instruction")
    if "instruction" in flags and finding.attribute and finding.attribute.startswith("instruction"):
        return None
    if "secret" in flags:
        text = redact_secrets(text)
        if "remember" not in clause.marks or MASK in redact_secrets(finding.value):
            return None
    if mention is not None:
        text = dated(text, clause.text, mention)
    if speaker != "user":
        text = f"{speaker}: {text}"
    entities = _entities(text)
    if clause.subject != "user" and clause.subject not in entities:
        entities = (clause.subject, *entities)
    hedged = "hedge" in clause.marks
    stressed = "emphasis" in clause.marks or "remember" in clause.marks
    return Draft(
        text=text,
        kind=finding.kind,
        tags=finding.labels(clause.language),
        importance=round(min(1.0, finding.importance + (0.15 if stressed else 0)), 2),
        confidence=min(finding.confidence, HEDGED) if hedged else finding.confidence,
        meta=_meta(finding),
        slot=_slot(finding, clause, speaker),
        event=_event(finding, mention, entities),
        entities=entities,
        sources=(_source(turn, clause.span),),
        said_at=turn.said_at,
        valid_from=finding.held[0] or _valid_from(finding, mention, turn.said_at),
        valid_to=finding.held[1],
        trust="flagged" if "instruction" in flags else "user",
        flags=flags,
        candidate=hedged,
    )


def assistant_drafts(turn: Turn) -> Iterator[Draft]:
    """What an assistant recommended, decided or promised, on its own word."""
    for statement in statements(turn):
        text = _MARKUP.sub("", _LISTED.sub("", statement.text.strip()))
        if 8 <= len(text) <= ASSISTANT_LIMIT:
            yield _assistant_draft(turn, statement, text)


def _assistant_draft(turn: Turn, statement: Statement, text: str) -> Draft:
    chinese = language_of(text) == "zh"
    entities = _entities(text)
    return Draft(
        text=f"助手：{text}" if chinese else f"Assistant: {text}",
        kind="episodic",
        tags=("助手",) if chinese else ("assistant",),
        importance=0.4,
        confidence=0.8,
        event=Event(type="assistant", at=turn.said_at, entities=entities),
        entities=entities,
        sources=(_source(turn, statement.span),),
        said_at=turn.said_at,
        trust="assistant",
        flags=flags_of(text),
    )


def _standing(found: Found) -> str:
    """The text that can be understood alone."""
    clause, finding = found.clause, found.finding
    if finding.text is not None:
        return finding.text
    of_thing = finding.attribute is not None and family_of(finding.attribute) in _OF_THINGS
    return clause.text if clause.language == "zh" and of_thing else clause.standing


def _slot(finding: Finding, clause: Clause, speaker: str) -> Slot | None:
    if finding.attribute is None:
        return None
    value = _MARKUP.sub("", redact_secrets(finding.value))
    if family_of(finding.attribute) not in _TIMED:
        value = _TRAILING_TIME.sub("", value) or value
    subject = finding.subject or clause.subject
    return Slot(
        subject=speaker if subject == "user" else subject,
        attribute=finding.attribute,
        value=value,
        cardinality=finding.holds(),
    )


def _event(
    finding: Finding, mention: TimeMention | None, entities: tuple[str, ...]
) -> Event | None:
    if finding.event is None:
        return None
    at = mention.start if mention is not None else None
    return Event(type=finding.event, at=at, entities=entities, outcome=finding.outcome)


def _valid_from(
    finding: Finding, mention: TimeMention | None, said_at: datetime
) -> datetime | None:
    """When it became true. A planned event is already true as a plan."""
    if mention is None or mention.start is None:
        return None
    return mention.start if mention.start <= said_at or finding.kind == "semantic" else None


def _meta(finding: Finding) -> dict[str, Json]:
    """`replaces`: the value that this one is said to take the place of; `ends`: or that nothing
    takes the place of; `strength`: of a liking, from 1 to 3."""
    meta: dict[str, Json] = {}
    if finding.replaces:
        meta["replaces"] = finding.replaces
        if finding.ends:
            meta["ends"] = True
    if finding.strength:
        meta["strength"] = finding.strength
    return meta


def _source(turn: Turn, span: tuple[int, int]) -> Source:
    return Source(
        id=new_id(),
        turn_id=turn.id,
        span=span,
        session=turn.scope.session,
        said_at=turn.said_at,
    )


def _entities(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mention.text for mention in find_entities(text)))
