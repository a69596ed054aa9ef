"""Reading a turn: which rules are tried on a clause, in which order, and what the conversation
adds to what they find."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jiyi.encode.guard import Heard, statements
from jiyi.encode.rules import (
    clauses_en,
    clauses_zh,
    details,
    details_zh,
    identity_en,
    identity_zh,
    life_en,
    life_zh,
    preferences_en,
    preferences_zh,
    projects,
    terms_zh,
    things_en,
    work_en,
    work_zh,
)
from jiyi.encode.rules.amending import denied, put_right
from jiyi.encode.rules.announced import announced, told
from jiyi.encode.rules.answers import given_up
from jiyi.encode.rules.changes import change, renaming
from jiyi.encode.rules.circumstances import circumstance
from jiyi.encode.rules.conversation import Conversation
from jiyi.encode.rules.discourse import (
    LONG,
    is_letter,
    is_record,
    is_task,
    leans_on_before,
    speaker_of,
    statement_language,
)
from jiyi.encode.rules.drafts import Found, draft_of, remembered, whole
from jiyi.encode.rules.endings import ending, taken_up
from jiyi.encode.rules.events import event
from jiyi.encode.rules.finding import Clause, Context, Finding, RuleSet
from jiyi.encode.rules.given_up_zh import given_up_after, new_employer
from jiyi.encode.rules.habits import habit
from jiyi.encode.rules.instructions_en import english as english_instruction
from jiyi.encode.rules.instructions_zh import chinese as chinese_instruction
from jiyi.encode.rules.introducing import introduction
from jiyi.encode.rules.lasting_zh import lasting
from jiyi.encode.rules.loose import dangles, is_loose
from jiyi.encode.rules.losses_en import elsewhere, lost, renewed
from jiyi.encode.rules.moves import planned_move
from jiyi.encode.rules.naming import naming
from jiyi.encode.rules.occupation import beside
from jiyi.encode.rules.persons import of_whom, somebody
from jiyi.encode.rules.plain_en import plain
from jiyi.encode.rules.planned import planned
from jiyi.encode.rules.preferences_en import SUBJECT
from jiyi.encode.rules.procedures import procedure
from jiyi.encode.rules.profile_zh import profile
from jiyi.encode.rules.regained import regained
from jiyi.encode.rules.revoked import dropped, revoked
from jiyi.encode.rules.stages import as_of_then, formerly, still
from jiyi.encode.rules.whose import told_of_somebody
from jiyi.text.kept import until_erased
from jiyi.text.language import Language
from jiyi.text.patterns import regex
from jiyi.types import Draft, Turn

if TYPE_CHECKING:
    from jiyi.text.time_expressions import TimeMention

_PERSONAL: Final[dict[Language, RuleSet]] = {
    "en": RuleSet(
        [*identity_en.RULES, *work_en.RULES, *life_en.RULES, *preferences_en.RULES],
    ),
    "zh": RuleSet(
        [*identity_zh.RULES, *work_zh.RULES, *life_zh.RULES, *preferences_zh.RULES],
    ),
}
_DETAILS: Final[dict[Language, RuleSet]] = {
    "en": RuleSet([*details.EN, *things_en.EN, *projects.EN]),
    "zh": RuleSet([*details_zh.RULES, *terms_zh.RULES, *projects.ZH]),
}
_LONGEST: Final[dict[Language, int]] = {"en": 220, "zh": 100}
"""Characters of a clause. A longer one is prose, and no fact of one breath."""

_CHAIN: Final = 3
"""Turns back that a turn may lean on: each leans on the one before."""

_THIS_ONE: Final = regex(r"这个(?:项目|仓库|产品|系统|课题|小组)的?")
_ADDRESS: Final = regex(r"(?:叫|喊|称呼)我")
_OTHERS: Final = ("你", "您", "它", "这", "那", "大家", "有人", "人们")
_ONE_OF_SEVERAL: Final = regex(r"^(?:an?|another|one of)\b|[有一][一个位]个?", re.IGNORECASE)
_OWN: Final = regex(r"(?:my|our)\b|我", re.IGNORECASE)


class _ById:
    """A turn as a key."""

    __slots__ = ("turn",)

    def __init__(self, turn: Turn) -> None:
        self.turn = turn

    def __hash__(self) -> int:
        return hash(self.turn.id)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ById):
            return NotImplemented
        return (other.turn.id, other.turn.text) == (self.turn.id, self.turn.text)


@until_erased(64)
def _drafts_alone(key: _ById) -> tuple[Draft, ...]:
    """What a turn says without the turns before it. Kept for a while, because each of the next
    turns may ask for it again."""
    return tuple(Reader(key.turn, ()).drafts())


class Reader:
    """Reads one turn, clause by clause, and remembers what was found so far."""

    def __init__(self, turn: Turn, previous: Sequence[Turn]) -> None:
        self.turn = turn
        self.previous = previous
        self.speaker = speaker_of(turn, previous)
        self.task = is_task(turn.text)
        self.record = is_record(turn.text)
        self.found: list[Found] = []
        self.before = Conversation(
            turn, previous, self.speaker, self.found, lambda earlier: _drafts_alone(_ById(earlier))
        )
        self._news: tuple[str, Clause] | None = None

    def drafts(self) -> list[Draft]:
        drafts = (draft_of(self.turn, found, self.speaker) for found in self.read(()))
        return [draft for draft in drafts if draft is not None]

    def read(
        self, taken: Sequence[tuple[int, int]], said: Sequence[Heard] | None = None
    ) -> Iterator[Found]:
        """Everything found, in order; passages in `taken` are commands and hold no facts."""
        context = self._context()
        for statement in statements(self.turn, said):
            start, end = statement.span
            if any(start < right and left < end for left, right in taken):
                continue
            language = statement_language(statement.text)
            if not self.task and (steps := procedure(statement.text)) is not None:
                yield self._keep(whole(statement, language, steps))
                continue
            module = clauses_en if language == "en" else clauses_zh
            any_found = False
            before = len(self.found)
            if self.record:
                context.turn_to_speaker()
            clauses = list(module.clauses(start, statement.text, context))
            for clause in clauses:
                for found in self._in_clause(clause):
                    any_found = True
                    yield self._keep(found)
            if not self.task and (named := naming(statement, self._texts(before))) is not None:
                yield self._keep(whole(statement, language, named))
                continue
            # "Remember" is said of a task, in a note to oneself, to a friend as well.
            aside = any_found or self.task or self.record or self.speaker != "user"
            if not aside and (note := remembered(statement, clauses)) is not None:
                yield self._keep(note)

    def _context(self) -> Context:
        """Whom the turns before spoke of, where this turn leans on them."""
        context = Context()
        if not leans_on_before(self.turn):
            return context
        chain: list[Turn] = []
        leaning = self.turn
        for before in reversed(self.previous):
            if before.role != "user":
                continue
            if not leans_on_before(leaning) or len(before.text) > LONG or len(chain) == _CHAIN:
                break
            chain.append(before)
            leaning = before
        for before in reversed(chain):
            for statement in statements(before):
                module = clauses_en if statement_language(statement.text) == "en" else clauses_zh
                for _ in module.clauses(statement.span[0], statement.text, context):
                    pass
        if chain:
            context.inherit()
        return context

    def _texts(self, start: int) -> list[str]:
        """The statements found since, as they will stand."""
        return [found.finding.text or found.clause.standing for found in self.found[start:]]

    def _keep(self, found: Found) -> Found:
        self.found.append(found)
        return found

    def _in_clause(self, clause: Clause) -> Iterator[Found]:
        """What the first kind of rule that fits finds."""
        if len(clause.predicate) > _LONGEST[clause.language]:
            return
        before, self._news = self._news, None
        if before is not None and (new := told(clause, before[0], before[1].text)) is not None:
            yield Found(clause, new)
            return
        if (news := announced(clause)) is not None:
            self._news = news, clause
        if (named := renaming(clause)) is not None:
            yield Found(clause, named)
            return
        clause = still(put_right(clause) or clause)
        if (ordered := self._instruction(clause)) is not None:
            yield Found(clause, ordered)
            if (stopped := dropped(clause, self.before.earlier())) is not None:
                yield Found(clause, stopped)
        elif self._is_own(clause) and not is_loose(clause):
            yield from self._told(clause)

    def _told(self, clause: Clause) -> Iterator[Found]:
        """What a clause says that holds, or will from a day that it names."""
        if (foreseen := planned(clause, self.turn.said_at, _of_today)) is not None:
            yield Found(*foreseen)
            return
        for found in self._fact(clause):
            if dangles(clause, found.finding, self.turn.text, found.mention):
                continue
            finding = as_of_then(clause, found.finding, self.turn.said_at)
            # Another friend of mine lives elsewhere.
            if finding.attribute and _ONE_OF_SEVERAL.search(clause.subject_words):
                finding = replace(finding, cardinality="many")
            yield replace(found, finding=finding)

    def _instruction(self, clause: Clause) -> Finding | None:
        if clause.subject != "user" and clause.subject_words:
            return None
        if self.record and ("remember" not in clause.marks or is_letter(self.turn.text)):
            return None  # a record of something, or a message to somebody else
        if (ended := given_up(clause) or revoked(clause, self.before.earlier())) is not None:
            return ended
        # What is said of the answers beside much else is said of the answer to that.
        aside = len(self.turn.text) > 3 * len(clause.sentence) + 60
        if clause.language == "zh":
            return chinese_instruction(clause, task=self.task, aside=aside)
        alone = len(self.turn.text.strip()) <= len(clause.text) + 12
        return english_instruction(clause, task=self.task, aside=aside, alone=alone)

    def _is_own(self, clause: Clause) -> bool:
        """Whether a clause without a subject may be taken as the speaker's own fact."""
        if clause.subject_words:
            return True
        if clause.text.startswith(_OTHERS) and not _ADDRESS.search(clause.text):
            return _THIS_ONE.match(clause.text) is not None and not self.task
        return not self.task or _OWN.match(clause.predicate) is not None

    def _fact(self, clause: Clause) -> Iterator[Found]:
        if (gone := lost(clause, self.before.slots())) is not None:
            yield Found(clause, gone)
            if gone.attribute != "diet":
                return
        last = self.found[-1].finding if self.found else None
        if last is not None and last.ends and (new := elsewhere(clause, last)) is not None:
            yield Found(clause, new)
            return
        yield from self._plainly(clause)

    def _plainly(self, clause: Clause) -> Iterator[Found]:
        """What a clause says of itself."""
        last = self.found[-1].finding if self.found else None
        if special := _special(clause, self.turn, last):
            yield from (Found(clause, finding) for finding in special)
            return
        happened = event(clause, self.turn.said_at)
        if (finding := planned_move(clause)) is not None:
            yield Found(clause, finding, happened[1] if happened is not None else None)
            return
        if (finding := _PERSONAL[clause.language].first(clause.predicate)) is not None:
            yield from self._personal(clause, finding, happened)
            return
        corrected = self.before.corrected(clause)
        if corrected is not None and "change" in clause.marks:
            yield corrected
        elif changes := change(clause):
            for finding in changes:
                yield Found(
                    clause, renewed(clause, self.before.placed(finding), self.before.slots())
                )
        elif (finding := _DETAILS[clause.language].first(clause.predicate)) is not None:
            yield Found(clause, finding)
        elif corrected is not None:
            yield corrected
        elif (found := self._unslotted(clause, happened)) is not None:
            yield found

    def _unslotted(
        self, clause: Clause, happened: tuple[Finding, TimeMention | None] | None
    ) -> Found | None:
        """What has no place among the slots."""
        if (finding := circumstance(clause) or habit(clause)) is not None:
            return Found(clause, finding)
        if happened is not None:
            return Found(clause, *happened)
        if self.task or self.record:
            return None
        finding = plain(clause, self.turn) or lasting(clause, self.turn)
        return None if finding is None else Found(clause, finding)

    def _personal(
        self, clause: Clause, finding: Finding, happened: tuple[Finding, TimeMention | None] | None
    ) -> Iterator[Found]:
        mention = happened[1] if happened is not None else None
        if happened is not None and mention is not None:
            finding = replace(finding, event=happened[0].event)
        finding = renewed(clause, finding, self.before.slots())
        if finding.value == SUBJECT:
            finding = replace(finding, value=clause.subject_words, subject="user")
        if finding.attribute == "favourite":
            finding = self.before.favourite(finding)
        finding = of_whom(finding, clause)
        # What a task is to achieve is said of the task.
        if (self.task and finding.attribute == "goal") or not told_of_somebody(finding, clause):
            return
        if finding.replaces is None and (wrong := denied(clause)):
            # 不是花生过敏，是腰果过敏: among many values, the wrong one ends
            finding = replace(finding, replaces=wrong)
        yield Found(clause, finding, mention)
        yield from (Found(clause, second) for second in beside(finding, clause))


def _of_today(clause: Clause) -> Iterator[Finding | None]:
    """What a clause says, read as a statement about today."""
    yield _PERSONAL[clause.language].first(clause.predicate)
    yield from change(clause)
    yield _DETAILS[clause.language].first(clause.predicate)


def _special(clause: Clause, turn: Turn, last: Finding | None) -> list[Finding]:
    """What must be read before the common rules, which would take it for a plain statement."""
    rules = _PERSONAL[clause.language]
    finding = (
        given_up_after(clause)
        or new_employer(clause, last)
        or ending(clause, rules)
        or somebody(clause)
        or taken_up(clause)
        or regained(clause)
        or profile(clause)
        or formerly(clause, rules, turn.said_at)
    )
    return [finding] if finding is not None else introduction(clause, rules, turn.text)
