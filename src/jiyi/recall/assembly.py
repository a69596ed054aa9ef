"""The layers of a context filled one after the other, the most needed first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from typing import Final, TypeVar

from jiyi.recall.entries import Entry, EntryWriter, cut_entry, plain
from jiyi.recall.excerpt import shorten
from jiyi.recall.labels import LABELS
from jiyi.recall.layers import LayerBudgets, LayerName, Line, Sheet
from jiyi.recall.parts import Assembled, ContextParts
from jiyi.recall.quoting import quoted
from jiyi.recall.standing import is_constraint, is_standing_family
from jiyi.text.exchanges import exchanges
from jiyi.text.language import Language
from jiyi.text.normalise import canonical
from jiyi.text.terms import query_terms
from jiyi.text.tokens import TokenCounter
from jiyi.types import Context, Hit, MemoryRecord, Turn

ENTRY_SHARE: Final = 0.4
"""What one memory or passage may take of the room that its layer has left: a long one is cut to
the part that matters, so that it does not push out all others."""

TURN_SHARE: Final = 0.15
"""The same for verbatim turns, which are many. Of 0.5, 0.25 and 0.15, the last kept most of the
evidence in contexts of 500 to 2,000 tokens, by 0 to 9 points, over long and short messages in both
languages (a turn counts as kept when its best part is)."""

LEAST_ENTRY: Final = 60
"""Tokens below which an entry is not cut any further: less would not say anything."""

LEAST_TEXT: Final = 20
"""Tokens below which an identity or a summary is left out rather than cut."""

PATIENCE: Final = 10
"""Entries in a row that did not fit, after which the rest of a layer is not tried any more."""

NAMED_CUTS: Final = 20
"""Ids that the trace names for each layer; the number that were left out is always exact."""


T = TypeVar("T")

_Candidate = tuple[tuple[str, ...], Callable[[int], Line]]
"""What the list of cuts calls an entry, and its line within so many tokens: most entries that find
no room are never written."""


class Assembly:
    """One context in the making."""

    def __init__(
        self,
        parts: ContextParts,
        *,
        budget: int,
        now: datetime,
        language: Language,
        budgets: LayerBudgets,
        count: TokenCounter,
    ) -> None:
        self._parts = parts
        self._budgets = budgets
        self._now = now
        # Lines are counted when they are cut, when they are placed and when they are given back.
        count = cache(count)
        self._count = count
        self._labels = LABELS[language]
        self._sheet = Sheet(budget, count)
        self._terms = query_terms(parts.query)
        self._write = EntryWriter(
            language, now, count, later=parts.later, conflicts=parts.conflicts
        )
        self._cuts: dict[LayerName, list[str]] = {}
        self._shortened: dict[LayerName, int] = {}
        self._recent: dict[str, Turn] = {}

    def run(self) -> Assembled:
        """Fill the layers, in the order in which they would be given up last."""
        free = [record for record in self._parts.standing if not is_constraint(record)]
        constraints = [record for record in self._parts.standing if is_constraint(record)]
        budgets = self._budgets
        self._application()
        self._sheet.open("standing", self._labels.standing, "memory")
        self._fill("standing", map(_standing_line, constraints), budgets.constraints)
        newest = self._newest_message()
        self._memories()
        self._fill(
            "standing", map(_standing_line, free), budgets.preferences, budgets.max_free_rules
        )
        self._profile()
        self._notes_and_summary()
        self._last_turns(newest)
        self._documents()
        self._turns()
        for name, line in self._sheet.fit():
            self._cut(name, _called(line))
        return self._finish()

    # --- what the application says -------------------------------------------------------------

    def _application(self) -> None:
        parts, budgets, labels, sheet = self._parts, self._budgets, self._labels, self._sheet
        sheet.open("identity")
        if parts.identity and parts.identity.strip():
            self._fill_short("identity", parts.identity.strip(), budgets.identity)
        sheet.open("rules", labels.rules)
        rules = [
            Line(f"- {_indented(rule)}", name=f"rule {number}")
            for number, rule in enumerate(parts.rules, 1)
        ]
        self._fill("rules", rules, budgets.rules, budgets.max_rules)
        sheet.open("guide")
        if self._quotes_anything():
            self._fill("guide", [Line(labels.guide, name="guide")])
        sheet.open("support")
        if remark := {"none": labels.none, "weak": labels.weak}.get(parts.hits.support):
            self._fill("support", [Line(remark, name="support")])
        sheet.open("permanent", labels.permanent)
        lines = [
            Line(f"- {_indented(f'{key}{labels.colon}{plain(value)}')}", name=key)
            for key, value in sorted(parts.profile.permanent.items())
        ]
        self._fill("permanent", lines, budgets.permanent)

    def _quotes_anything(self) -> bool:
        parts = self._parts
        remembered = (parts.hits.items, parts.standing, parts.notes, parts.summary, parts.recent)
        return any(remembered) or bool(parts.profile.learned)

    # --- what is remembered ----------------------------------------------------------------------

    def _memories(self) -> None:
        self._sheet.open("memories", self._labels.memories, "memory")
        shown = self._shown("standing")
        hits = [hit for hit in self._parts.hits if hit.unit == "memory" and hit.id not in shown]
        entries = self._entries("memories", hits, self._write.memory)
        self._place("memories", entries, self._budgets.memories, self._budgets.max_memories)

    def _documents(self) -> None:
        self._sheet.open("documents", self._labels.documents, "memory")
        hits = [hit for hit in self._parts.hits if hit.unit == "document"]
        entries = self._entries("documents", hits, self._write.document)
        self._place("documents", entries, self._budgets.documents, self._budgets.max_documents)

    def _turns(self) -> None:
        """Verbatim turns, best first, then the turns around them; they take what is left."""
        self._sheet.open("turns", self._labels.turns, "memory")
        skipped = set(self._recent) | self._told()
        within = self._budgets.turns_within
        oldest = None if within is None else self._now - within
        hits = [
            hit
            for hit in self._parts.hits
            if hit.unit == "turn"
            and hit.id not in skipped
            and (oldest is None or (hit.said_at or hit.recorded_at) >= oldest)
        ]
        self._sheet.settle()
        left_out = self._place("turns", self._entries("turns", hits, self._write.turn))
        self._sheet.settle()
        if left_out:
            self._cuts.pop("turns", None)
            self._place("turns", left_out)
        skipped.update(hit.id for hit in hits)
        for turn in self._parts.around:
            if turn.id not in skipped and (oldest is None or turn.said_at >= oldest):
                skipped.add(turn.id)
                line = self._cut_to_room("turns", self._write.turn, turn, self._sheet.left)
                self._sheet.place("turns", line)

    def _told(self) -> set[str]:
        """Turns that a memory shown above already gives in the same words."""
        shown = self._shown("memories") | self._shown("standing")
        memories = [*self._parts.standing, *self._parts.hits]
        told = {
            source.turn_id: memory.text
            for memory in memories
            if memory.id in shown
            for source in memory.sources
            if source.turn_id is not None
        }
        return {
            hit.id
            for hit in self._parts.hits
            if hit.id in told and canonical(told[hit.id]) == canonical(hit.text)
        }

    def _profile(self) -> None:
        shown = self._shown("standing")
        values: dict[str, list[str]] = {}
        ids: dict[str, list[str]] = {}
        for entry in self._parts.profile.learned:
            if entry.memory_id in shown or is_standing_family(entry.attribute):
                continue
            values.setdefault(entry.attribute, []).append(plain(entry.value))
            if entry.memory_id is not None:
                ids.setdefault(entry.attribute, []).append(entry.memory_id)
        names, labels = self._parts.attribute_labels, self._labels
        lines = [
            Line(
                "- " + quoted(f"{names.get(key, key)}{labels.colon}{labels.comma.join(texts)}"),
                tuple(ids.get(key, ())),
                name=key,
            )
            for key, texts in values.items()
        ]
        self._sheet.open("profile", labels.profile, "memory")
        self._fill("profile", lines, self._budgets.profile, self._budgets.max_profile)

    def _notes_and_summary(self) -> None:
        parts, labels = self._parts, self._labels
        self._sheet.open("notes", labels.notes, "memory")
        notes = [
            Line(f"- {quoted(f'{key}{labels.colon}{plain(value)}')}", name=key)
            for key, value in parts.notes.items()
        ]
        self._fill("notes", notes, self._budgets.notes)
        self._sheet.open("summary", labels.summary, "memory")
        if parts.summary and parts.summary.strip():
            lines = (line.lstrip("-*• ") for line in parts.summary.splitlines())
            text = "\n".join(f"- {quoted(line)}" for line in lines if line.strip())
            self._fill_short("summary", text, self._budgets.summary)

    # --- the conversation ------------------------------------------------------------------------

    def _groups(self) -> list[tuple[Turn, ...]]:
        """The last turns in groups that stay together, at most `max_recent` turns, oldest first."""
        groups: list[tuple[Turn, ...]] = []
        number = 0
        for group in reversed(exchanges([t for t in self._parts.recent if t.role != "system"])):
            number += len(group)
            if number > self._budgets.max_recent:
                break
            groups.insert(0, group)
        return groups

    def _newest_message(self) -> int:
        """Place the newest message of the user, which comes before anything recalled, cut if it
        must be. Returns the tokens that are left for the other turns."""
        self._sheet.open("recent", self._labels.recent, "transcript")
        allowed = self._allowed(self._budgets.recent)
        newest = next((t for t in reversed(self._parts.recent) if t.role == "user"), None)
        if newest is None or self._budgets.max_recent == 0:
            return allowed
        speaker = self._write.speaker(newest)
        # 2 tokens cover the joint of speaker and text and the line break.
        room = min(allowed, self._sheet.room("recent")) - self._count(speaker) - 2
        text = shorten(newest.text, room, self._count)
        line = self._spoken_line(replace(newest, text=text))
        cost = self._sheet.place("recent", line) if text else None
        if cost is None:
            self._cut("recent", _called(line))
            return 0
        self._recent[newest.id] = newest if text == newest.text else replace(newest, text=text)
        return allowed - cost

    def _last_turns(self, allowed: int) -> None:
        """The other last turns, from the newest back as far as they fit, without a gap; a tool's
        result stays with its call."""
        groups = self._groups()
        for place in reversed(range(len(groups))):
            lines = [self._spoken_line(t) for t in groups[place] if t.id not in self._recent]
            cost = sum(self._sheet.cost("recent", line) for line in lines)
            if cost > min(allowed, self._sheet.left):
                for turn in (t for group in groups[: place + 1] for t in group):
                    if turn.id not in self._recent:
                        self._cut("recent", (turn.id,))
                return
            for line in lines:
                self._sheet.place("recent", line)
            self._recent.update((t.id, t) for t in groups[place] if t.id not in self._recent)
            allowed -= cost

    def _spoken_line(self, turn: Turn) -> Line:
        order = next(n for n, other in enumerate(self._parts.recent) if other.id == turn.id)
        return Line(f"{self._write.speaker(turn)}{quoted(turn.text)}", (turn.id,), order=order)

    # --- filling ---------------------------------------------------------------------------------

    def _allowed(self, share: float) -> int:
        return min(int(share * self._sheet.budget), self._sheet.left)

    def _fill(
        self,
        name: LayerName,
        lines: Iterable[Line],
        share: float = 1,
        most: int | None = None,
    ) -> None:
        """Place lines in order while they fit; one that is too long does not stop the next."""
        self._place(
            name, [(_called(line), partial(_as_it_is, line)) for line in lines], share, most
        )

    def _entries(
        self, name: LayerName, hits: Sequence[Hit], write: Callable[[Hit], Entry]
    ) -> list[_Candidate]:
        """Hits as they are placed: in order, cut to what matters where they are long."""
        return [((hit.id,), partial(self._cut_to_room, name, write, hit)) for hit in hits]

    def _place(
        self,
        name: LayerName,
        candidates: Iterable[_Candidate],
        share: float = 1,
        most: int | None = None,
    ) -> list[_Candidate]:
        """Place lines in order while they fit. Returns the rest."""
        allowed = self._allowed(share)
        placed = failed = 0
        left_out = []
        for candidate in candidates:
            called, line = candidate
            cost = None
            if (most is None or placed < most) and failed < PATIENCE:
                cost = self._sheet.place(name, line(allowed), within=allowed)
                failed = failed + 1 if cost is None else 0
            if cost is None:
                left_out.append(candidate)
                self._cut(name, called)
            else:
                allowed -= cost
                placed += 1
        return left_out

    def _fill_short(self, name: LayerName, text: str, share: float) -> None:
        """Place one text, cut at its end where it is too long."""
        allowed = min(self._allowed(share), self._sheet.room(name) - 2)
        short = shorten(text, allowed, self._count)
        if allowed >= min(LEAST_TEXT, self._count(text)) and short:
            self._sheet.place(name, Line(short, name=name))
        if short != text:
            self._shortened[name] = self._count(text)

    def _cut_to_room(
        self, name: LayerName, write: Callable[[T], Entry], what: T, allowed: int
    ) -> Line:
        share = TURN_SHARE if name == "turns" else ENTRY_SHARE
        limit = max(LEAST_ENTRY, int(share * allowed))
        return cut_entry(write(what), self._terms, limit, self._count)

    def _cut(self, name: LayerName, called: tuple[str, ...]) -> None:
        self._cuts.setdefault(name, []).extend(called)
        for id in called:
            self._recent.pop(id, None)

    def _shown(self, name: LayerName) -> set[str]:
        return set(self._sheet.ids(name))

    def _finish(self) -> Assembled:
        text = self._sheet.text()
        context = Context(
            text=text,
            layers=self._sheet.layers(),
            tokens=self._count(text),
            budget=self._sheet.budget,
            support=self._parts.hits.support,
            trace_id=self._parts.hits.trace_id,
            recent=tuple(
                self._recent[turn.id] for turn in self._parts.recent if turn.id in self._recent
            ),
        )
        cuts: dict[str, str] = {name: _named(cut) for name, cut in self._cuts.items()}
        for name, tokens in self._shortened.items():
            cuts[name] = f"its {tokens} tokens were cut"
        return Assembled(context, cuts)


def _called(line: Line) -> tuple[str, ...]:
    return line.ids or (line.name,)


def _as_it_is(line: Line, _allowed: int) -> Line:
    return line


def _standing_line(record: MemoryRecord) -> Line:
    return Line(f"- {quoted(record.text)}", (record.id,))


def _indented(text: str) -> str:
    return "\n  ".join(line.strip() for line in text.splitlines() if line.strip())


def _named(cut: Sequence[str]) -> str:
    more = f" and {len(cut) - NAMED_CUTS} more" if len(cut) > NAMED_CUTS else ""
    return f"{len(cut)} left out: {', '.join(cut[:NAMED_CUTS])}{more}"
