"""From a turn to drafts and commands: the order in which the rules are tried, and what is made of
what they find."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jiyi.encode.guard import MASK, Statement, flags_of, redact_secrets, spoken, statements
from jiyi.encode.rules import clauses_en, clauses_zh
from jiyi.encode.rules.changes import change, correction, is_time, put_right, renaming
from jiyi.encode.rules.commands import Command, commands_in
from jiyi.encode.rules.work import occupation
from jiyi.encode.rules.details import EN as DETAILS_EN
from jiyi.encode.rules.details import ZH as DETAILS_ZH
from jiyi.encode.rules.events import dated, event
from jiyi.encode.rules.finding import Clause, Context, Finding, Rule, first_finding
from jiyi.encode.rules.identity_en import RULES as IDENTITY_EN
from jiyi.encode.rules.identity_zh import RULES as IDENTITY_ZH
from jiyi.encode.rules.instructions_en import english as english_instruction
from jiyi.encode.rules.instructions_zh import chinese as chinese_instruction
from jiyi.encode.rules.preferences import EN as PREFERENCES_EN
from jiyi.encode.rules.preferences import SUBJECT
from jiyi.encode.rules.preferences import ZH as PREFERENCES_ZH
from jiyi.encode.rules.procedures import procedure
from jiyi.encode.slots import family_of
from jiyi.ids import new_id
from jiyi.text.entities import find_entities
from jiyi.text.language import Language, language_of
from jiyi.text.scripts import han_pattern
from jiyi.types import Draft, Event, Slot, Source, Turn

if TYPE_CHECKING:
    from jiyi.text.time_expressions import TimeMention

_MARKUP: Final = re.compile(r"\*\*|__|`")
_TIMED: Final = frozenset(["birthday", "plan", "schedule", "detail", "goal", "birth_year"])
"""Families whose values are times, or may hold one."""

_TRAILING_TIME: Final = re.compile(
    r"\s+(?:(?:last|next|this) \w+|yesterday|today|tomorrow|recently|(?:a|two|three|\d+|a few) \w+ ago|"
    r"(?:in|on|since) (?:early |late )?(?:(?:19|20)\d\d|[A-Z][a-z]+day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|spring|summer|autumn|winter)(?: (?:19|20)\d\d)?)$",
    re.IGNORECASE,
)
_HEDGED: Final = 0.55
_OPINION: Final = 0.5


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a turn yields: facts proposed, and commands about forgetting."""

    drafts: tuple[Draft, ...] = ()
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding in its clause."""

    clause: Clause
    finding: Finding
    mention: TimeMention | None = None


def extract(turn: Turn, previous: Sequence[Turn] = ()) -> Extraction:
    """What the rules find in a turn.

    Args:
        turn: the message to read.
        previous: earlier turns of the same session, oldest first; they tell what "that" and
            "Tuesday instead" are about.

    Returns:
        Drafts and commands in the order of saying; each draft cites the turn and its span.
    """
    if turn.role == "assistant":
        return Extraction(tuple(_said_by_assistant(turn)))
    if turn.role != "user":
        return Extraction()
    commands, taken = _commands(turn, previous)
    if not turn.encodable:
        return Extraction(commands=commands)
    reader = _Reader(turn, previous)
    drafts: list[Draft] = []
    seen: set[str] = set()
    for found in reader.read(taken):
        draft = _draft(turn, found, reader.speaker)
        if draft is not None and draft.text not in seen:
            seen.add(draft.text)
            drafts.append(draft)
    return Extraction(tuple(drafts), commands)


def _commands(
    turn: Turn, previous: Sequence[Turn]
) -> tuple[tuple[Command, ...], list[tuple[int, int]]]:
    found: list[Command] = []
    before = ""
    for start, sentence in spoken(turn):
        here = commands_in(start, sentence, before)
        if here and not here[0].topic:
            here = [replace(here[0], topic=_last_said(previous))]
        found += here
        before = sentence if not here else before
    return tuple(found), [command.span for command in found]


def _last_said(previous: Sequence[Turn]) -> str:
    """What was said last that could be taken back: the newest fact of the earlier user turns."""
    for turn in reversed(previous):
        if turn.role == "user":
            drafts = _Reader(turn, ()).drafts()
            if drafts:
                return drafts[-1].text
    return ""


class _Reader:
    """Reads one turn, clause by clause, and remembers what was found so far."""

    def __init__(self, turn: Turn, previous: Sequence[Turn]) -> None:
        self.turn = turn
        self.previous = previous
        self.speaker = _speaker(turn, previous)
        self.task = _is_task(turn.text)
        self.found: list[_Found] = []

    def drafts(self) -> list[Draft]:
        drafts = (_draft(self.turn, found, self.speaker) for found in self.read(()))
        return [draft for draft in drafts if draft is not None]

    def read(self, taken: Sequence[tuple[int, int]]) -> Iterator[_Found]:
        """Everything found, in order; passages in `taken` are commands and hold no facts."""
        context = Context()
        language: Language | None = None
        for statement in statements(self.turn):
            start, end = statement.span
            if any(start < right and left < end for left, right in taken):
                continue
            language = _language(statement.text)
            if not self.task and (steps := procedure(statement.text)) is not None:
                yield self._keep(_whole(statement, language, steps))
                continue
            module = clauses_en if language == "en" else clauses_zh
            any_found = False
            clauses = list(module.clauses(start, statement.text, context))
            for clause in clauses:
                for found in self._in_clause(clause):
                    any_found = True
                    yield self._keep(found)
            if not any_found and clauses and any("remember" in c.marks for c in clauses):
                yield self._keep(_remembered(statement, clauses))

    def _keep(self, found: _Found) -> _Found:
        self.found.append(found)
        return found

    def _in_clause(self, clause: Clause) -> Iterator[_Found]:
        english = clause.language == "en"
        if len(clause.predicate) > (220 if english else 100):
            return
        if (named := renaming(clause)) is not None:
            yield _Found(clause, named)
            return
        if (righted := put_right(clause)) is not None:
            clause = righted
        if clause.subject == "user" or clause.subject_words == "":
            instruction = english_instruction if english else chinese_instruction
            if (found := instruction(clause, task=self.task)) is not None:
                yield _Found(clause, found)
                return
        if self.task and not clause.subject_words and not _OWN.match(clause.predicate):
            return
        happened = event(clause, self.turn.said_at)
        families: tuple[tuple[Rule, ...], ...] = (
            (IDENTITY_EN, PREFERENCES_EN) if english else (IDENTITY_ZH, PREFERENCES_ZH)
        )
        for rules in families:
            if (finding := first_finding(rules, clause)) is not None:
                mention = None
                if happened is not None and happened[1] is not None:
                    mention = happened[1]
                    finding = replace(finding, event=happened[0].event)
                if finding.value == SUBJECT:
                    finding = replace(finding, value=clause.subject_words, subject="user")
                if finding.attribute == "favourite":
                    finding = self._favourite(finding)
                yield _Found(clause, finding, mention)
                if finding.attribute in ("employer", "workplace") and (job := occupation(clause)):
                    yield _Found(clause, job)
                return
        corrected = self._corrected(clause)
        if corrected is not None and "change" in clause.marks:
            yield corrected
            return
        if changes := change(clause):
            yield from (_Found(clause, self._placed(finding)) for finding in changes)
            return
        if (finding := first_finding(DETAILS_EN if english else DETAILS_ZH, clause)) is not None:
            yield _Found(clause, finding)
            return
        if corrected is not None:
            yield corrected
            return
        if happened is not None:
            yield _Found(clause, *happened)

    # what was said before

    def _earlier(self) -> Iterator[tuple[Draft, str]]:
        """Facts said before this clause, newest first: those of this turn, then earlier turns'."""
        for found in reversed(self.found):
            draft = _draft(self.turn, found, self.speaker)
            if draft is not None:
                yield draft, draft.text
        for turn in reversed(self.previous):
            if turn.role == "user":
                for draft in reversed(_Reader(turn, ()).drafts()):
                    yield draft, draft.text

    def _placed(self, finding: Finding) -> Finding:
        """A change that names the old value, or only a product, takes the attribute under which
        the conversation told the old value."""
        if finding.replaces is None or finding.ends or finding.attribute is None:
            return finding
        if family_of(finding.attribute) not in ("tool", "version"):
            return finding
        old = finding.replaces.casefold()
        for draft, _ in self._earlier():
            slot = draft.slot
            if (
                slot is not None
                and slot.cardinality == "one"
                and slot.value.casefold().startswith(old)
            ):
                return replace(finding, attribute=slot.attribute)
        return finding

    def _favourite(self, finding: Finding) -> Finding:
        """"My current favourite is …": of what, the conversation tells."""
        for draft, _ in self._earlier():
            if draft.slot is not None and family_of(draft.slot.attribute) == "favourite":
                return replace(finding, attribute=draft.slot.attribute)
        return finding

    def _corrected(self, clause: Clause) -> _Found | None:
        """A correction without a topic is about the newest fact whose value is of its kind."""
        value = correction(clause)
        if value is None:
            return None
        for draft, text in self._earlier():
            slot = draft.slot
            if slot is None or slot.cardinality != "one":
                continue
            if family_of(slot.attribute) in ("preference", "instruction", "procedure"):
                continue
            if is_time(value) != is_time(slot.value):
                continue
            new = text.replace(slot.value, value, 1) if slot.value in text else None
            if new is None and slot.value.lower() in text.lower():
                new = re.sub(re.escape(slot.value), lambda _: value, text, count=1, flags=re.IGNORECASE)
            new = re.sub(r" ?[(（]\d{4}-[\d/-]+[)）]", "", new) if new is not None else None
            finding = Finding(
                slot.attribute, value, kind=draft.kind, tags=draft.tags, importance=max(0.6, draft.importance),
                subject=slot.subject, replaces=slot.value, text=new, event=draft.event.type if draft.event else None,
            )  # fmt: skip
            return _Found(clause, finding)
        return None


_TASK: Final = re.compile(
    r"\s*(?:please |kindly |can you |could you |i want you to |i need you to )*(?:you(?:'re| are| will)\b|act as|your (?:task|job|role)|(?:re)?write|create|generate|"
    r"summari[sz]e|translate|compose|draft|design|develop|make (?:a|an|me)|give me|provide|list|paraphrase|base|answer the|explain|analy[sz]e|assist|improve|"
    r"correct|edit|rephrase|pretend|imagine|continue|complete|prepare|produce|as an? )\b"
    r"|(?:请|帮我|麻烦|你来)*(?:写|生成|翻译|总结|润色|扮演|作为|根据|基于|列出|设计|创作|你是|你现在是|你将|你的任务|续写|改写|分析|解释|概括|撰写|编写|制作|整理以下|阅读)",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b|我|咱", re.IGNORECASE)
_OWN: Final = re.compile(r"(?:my|our)\b|我", re.IGNORECASE)
_LONG: Final = 600
"""Characters. A longer turn with few words about its speaker is a document."""


def _is_task(text: str) -> bool:
    """Whether a turn hands over a task or a document, whose sentences are about that and not
    about the user: only what speaks of "I" and "my" counts there."""
    if _TASK.match(text):
        return True
    return len(text) > _LONG and len(_FIRST_PERSON.findall(text)) < len(text) / 150


def _language(text: str) -> Language:
    """The language whose grammar a statement follows: 我的 iPhone 15 Pro Max is Chinese, whatever
    the share of Latin letters."""
    letter = _LETTER.search(text)
    if letter is not None and han_pattern.match(letter.group()):
        return "zh"
    return language_of(text)


_LETTER: Final = re.compile(r"[^\W\d_]")


def _speaker(turn: Turn, previous: Sequence[Turn]) -> str:
    """ "user", or the speaker's name where the conversation has several people of this role."""
    if turn.name is None:
        return "user"
    others = {t.name for t in previous if t.role == "user" and t.name is not None}
    return turn.name if others - {turn.name} else "user"


def _whole(statement: Statement, language: Language, finding: Finding) -> _Found:
    clause = Clause(
        span=statement.span, text=statement.text.strip(), language=language, subject="user",
        predicate=statement.text, sentence=statement.text,
    )  # fmt: skip
    return _Found(clause, finding)


def _remembered(statement: Statement, clauses: Sequence[Clause]) -> _Found:
    """Something the user asked to remember that no rule has a place for: kept as it was said."""
    first = next(c for c in clauses if "remember" in c.marks)
    start, end = first.span[0], statement.span[1]
    text = statement.text[start - statement.span[0] :].rstrip(" \n。.!！")
    clause = replace(first, span=(start, start + len(text)), text=text, lead="", resolved=None)
    del end
    tag = "备忘" if first.language == "zh" else "note"
    return _Found(clause, Finding(None, importance=0.8, confidence=0.95, tags=(tag,)))


def _draft(turn: Turn, found: _Found, speaker: str) -> Draft | None:
    clause, finding, mention = found.clause, found.finding, found.mention
    text = finding.text if finding.text is not None else clause.standing
    flags = flags_of(text)
    if "secret" in flags:
        text = redact_secrets(text)
        if "remember" not in clause.marks or MASK in finding.value:
            return None
    if mention is not None:
        text = dated(text, clause.text, mention)
    if speaker != "user":
        text = f"{speaker}: {text}"
    subject = finding.subject or clause.subject
    slot = None
    if finding.attribute is not None:
        value = _MARKUP.sub("", redact_secrets(finding.value) if "secret" in flags else finding.value)
        if family_of(finding.attribute) not in _TIMED:
            value = _TRAILING_TIME.sub("", value) or value
        slot = Slot(
            subject=speaker if subject == "user" else subject,
            attribute=finding.attribute,
            value=value,
            cardinality=finding.holds(),
        )
    entities = tuple(dict.fromkeys(m.text for m in find_entities(text)))
    if clause.subject != "user" and clause.subject not in entities:
        entities = (clause.subject, *entities)
    confidence, importance = finding.confidence, finding.importance
    if "hedge" in clause.marks:
        confidence = min(confidence, _HEDGED)
    if "emphasis" in clause.marks or "remember" in clause.marks:
        importance = min(1.0, importance + 0.15)
    happened = None
    if finding.event is not None:
        at = mention.start if mention is not None else None
        happened = Event(type=finding.event, at=at, entities=entities, outcome=finding.outcome)
    past = mention is not None and mention.start is not None and mention.start <= turn.said_at
    meta: dict[str, str | int] = {}
    if finding.replaces:
        meta["replaces"] = finding.replaces
    if finding.strength:
        meta["strength"] = finding.strength
    return Draft(
        text=text,
        kind=finding.kind,
        tags=finding.labels(clause.language),
        importance=round(importance, 2),
        confidence=confidence,
        meta=meta,
        slot=slot,
        event=happened,
        entities=entities,
        sources=(
            Source(
                id=new_id(),
                turn_id=turn.id,
                span=clause.span,
                session=turn.scope.session,
                said_at=turn.said_at,
            ),
        ),
        said_at=turn.said_at,
        valid_from=mention.start if mention is not None and (past or finding.kind == "semantic") else None,
        flags=flags,
        candidate="hedge" in clause.marks,
    )


def _said_by_assistant(turn: Turn) -> Iterator[Draft]:
    for statement in statements(turn):
        language = language_of(statement.text)
        text = statement.text.strip()
        if len(text) < 8 or len(text) > 400:
            continue
        yield Draft(
            text=f"助手：{text}" if language == "zh" else f"Assistant: {text}",
            kind="episodic",
            tags=("助手建议",) if language == "zh" else ("assistant",),
            importance=0.4,
            confidence=0.8,
            event=Event(type="assistant", at=turn.said_at),
            entities=tuple(dict.fromkeys(m.text for m in find_entities(text))),
            sources=(
                Source(
                    id=new_id(), turn_id=turn.id, span=statement.span,
                    session=turn.scope.session, said_at=turn.said_at,
                ),
            ),
            said_at=turn.said_at,
            trust="assistant",
            flags=flags_of(text),
        )  # fmt: skip
