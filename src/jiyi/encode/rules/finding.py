"""What a rule is, and what it finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Literal

from jiyi.encode.slots import cardinality_of, label_words
from jiyi.text.language import Language
from jiyi.types import Cardinality, Kind

Mark = Literal["hedge", "emphasis", "change", "past", "negated", "remember"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause with its subject told apart from what is said of it.

    `text` is the turn's text at `span`. `subject` is "user" or the name of the person or thing
    spoken of. `predicate` is the clause without fillers, subject and adverbs, contractions
    spelled out; rules match at its start. `lead` are the words to put in front when the subject
    was left out, and `resolved` is the clause with a pronoun replaced, when there was one.
    """

    span: tuple[int, int]
    text: str
    language: Language
    subject: str
    predicate: str
    lead: str = ""
    resolved: str | None = None
    marks: frozenset[Mark] = frozenset()
    subject_words: str = ""
    sentence: str = ""

    @property
    def standing(self) -> str:
        """The clause as a text that can be understood alone."""
        text = self.resolved if self.resolved is not None else self.text
        return f"{self.lead}{text}" if self.lead else text


class Context:
    """Who is being spoken of: what a pronoun or a missing subject falls back to."""

    __slots__ = ("inherited", "last", "last_words", "other", "other_words", "speaker")

    def __init__(self, speaker: str = "user") -> None:
        self.speaker = speaker
        self.other: str | None = None
        self.other_words = ""
        self.last: str | None = None
        self.last_words = ""
        self.inherited = False

    def inherit(self) -> None:
        """Go on to the next turn: whom it speaks of without naming them is likely, not certain."""
        self.inherited = True
        if self.last == self.speaker:
            self.last, self.last_words = None, ""

    def turn_to_speaker(self) -> None:
        """Begin a new sentence of a note, which without a subject is about its writer."""
        if self.last != self.speaker:
            self.last, self.last_words = None, ""

    def speaks_of(self, subject: str, words: str) -> None:
        self.last, self.last_words = subject, words
        self.inherited = False
        if subject != self.speaker:
            self.other, self.other_words = subject, words


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact found in a clause. Without an attribute it fills no slot.

    `held` is when it was so, where that is over: half-open, either end unknown.

    `replaces` is the value that it says it takes the place of, where one is named; `ends` means
    that the value no longer holds and nothing takes its place.
    """

    attribute: str | None
    value: str = ""
    kind: Kind = "semantic"
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float = 0.9
    cardinality: Cardinality | None = None
    subject: str | None = None
    event: str | None = None
    outcome: str | None = None
    replaces: str | None = None
    ends: bool = False
    strength: int = 0
    text: str | None = None
    durable: bool = True
    held: tuple[datetime | None, datetime | None] = (None, None)
    entities: tuple[str, ...] = ()

    def holds(self) -> Cardinality:
        """How many values the slot holds."""
        if self.cardinality is not None:
            return self.cardinality
        return cardinality_of(self.attribute) if self.attribute else "many"

    def labels(self, language: Language) -> tuple[str, ...]:
        """1 to 3 tags in the speaker's language."""
        if self.tags or self.attribute is None:
            return self.tags[:3]
        words = label_words(self.attribute)
        topic = self.attribute.partition("/")[2]
        first = next((w for w in words if w.isascii() == (language == "en") and w != topic), "")
        return tuple(word for word in (first, topic) if word)[:3]


Builder = Callable[[re.Match[str]], "Finding | None"]


class Rule:
    """A pattern tried at the start of a clause's predicate, and what to make of a match.

    `build` may refuse by returning None. `triggers` are words joined by |, in lower case, of which
    the predicate must hold one.
    """

    def __init__(self, pattern: str, build: Builder, triggers: str = "") -> None:
        self._text = pattern
        self._build = build
        self.triggers = tuple(triggers.split("|")) if triggers else ()

    @cached_property
    def _match(self) -> Callable[[str], re.Match[str] | None]:
        """Compiled when first needed: a speaker of one language never pays for the other."""
        return re.compile(self._text, re.IGNORECASE).match

    def find(self, predicate: str) -> Finding | None:
        """What the rule finds in a predicate that holds one of its triggers."""
        match = self._match(predicate)
        return self._build(match) if match is not None else None


def rule(pattern: str, build: Builder, triggers: str = "") -> Rule:
    """A rule; the case of the text does not matter to its pattern."""
    return Rule(pattern, build, triggers)


class RuleSet:
    """Rules in the order they are tried, of which a clause only meets those whose triggers it
    holds: each trigger is looked for once, whatever the number of rules that need it."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        waiting: dict[str, int] = {}
        self._always = 0
        for place, each in enumerate(self._rules):
            bit = 1 << place
            if not each.triggers:
                self._always |= bit
            for trigger in each.triggers:
                waiting[trigger] = waiting.get(trigger, 0) | bit
        self._waiting = tuple(waiting.items())

    def first(self, predicate: str) -> Finding | None:
        """What the first rule that fits finds."""
        folded = predicate.lower()
        bits = self._always
        for trigger, rules in self._waiting:
            if trigger in folded:
                bits |= rules
        while bits:
            lowest = bits & -bits
            finding = self._rules[lowest.bit_length() - 1].find(predicate)
            if finding is not None:
                return finding
            bits ^= lowest
        return None


MAX_VALUE: Final = 120
"""Longer values are prose, not values."""
