"""How one memory, turn or passage reads in a context: date, age, speaker, remarks, text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from jiyi.recall.age import age_in_words
from jiyi.recall.excerpt import excerpt, shorten
from jiyi.recall.labels import LABELS
from jiyi.recall.layers import Line
from jiyi.recall.quoting import quoted
from jiyi.text.language import Language
from jiyi.text.tokens import TokenCounter
from jiyi.types import Hit, Json, Turn

if TYPE_CHECKING:
    from jiyi.recall.labels import Labels

LATER_TOKENS: Final = 40
"""What the text of a successor may take behind the entry that it replaces."""

TITLE_KEYS: Final = ("title", "path", "file", "name", "collection")
"""Where a passage says which document it comes from, the most telling first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line whose text may be cut to what matters: `before` and `after` stay."""

    before: str
    text: str
    after: str
    ids: tuple[str, ...]
    group: str | None = None
    order: float = 0
    name: str = ""

    def line(self, text: str | None = None) -> Line:
        body = quoted(self.text if text is None else text)
        return Line(f"{self.before}{body}{self.after}", self.ids, self.group, self.order)


def cut_entry(entry: Entry, terms: Mapping[str, float], limit: int, count: TokenCounter) -> Line:
    """The line of an entry, its text cut to the part that bears on `terms` where the line would
    have more than `limit` tokens. An entry whose text vanishes altogether stays above it."""
    line = entry.line()
    if count(line.text) <= limit:
        return line
    room = limit - count(entry.before) - count(entry.after) - 2
    return entry.line(excerpt(entry.text, terms, room, count) or None)


class EntryWriter:
    """Writes entries in one language, as of one moment."""

    def __init__(
        self,
        language: Language,
        now: datetime,
        count: TokenCounter,
        *,
        later: Mapping[str, str],
        conflicts: frozenset[str],
    ) -> None:
        self.labels: Labels = LABELS[language]
        self._language = language
        self._now = now
        self._count = count
        self._later = later
        self._conflicts = conflicts
        # Many entries share the few days and speakers of a conversation.
        self._days: dict[date, str] = {}
        self._speakers: dict[tuple[str | None, str | None], str] = {}

    def memory(self, hit: Hit) -> Entry:
        moment = hit.valid_from or hit.said_at or hit.recorded_at
        return Entry(
            before=f"- {self.dated(moment)}{self.labels.colon}",
            text=hit.text,
            after=self._remarks(hit),
            ids=(hit.id,),
        )

    def document(self, hit: Hit) -> Entry:
        title = next((s.label for s in hit.sources if s.label), None) or hit.name
        title = title or next((str(hit.meta[key]) for key in TITLE_KEYS if hit.meta.get(key)), None)
        before = f"- [{quoted(title)}] " if title else "- "
        return Entry(before=before, text=hit.text, after=self._remarks(hit), ids=(hit.id,))

    def turn(self, turn: Turn | Hit) -> Entry:
        """A verbatim turn under the heading of its day, in the order of saying."""
        said_at = turn.said_at or turn.recorded_at
        return Entry(
            before=f"- {self.speaker(turn)}",
            text=turn.text,
            after=self._remarks(turn) if isinstance(turn, Hit) else "",
            ids=(turn.id,),
            group=self.dated(said_at) + self.labels.colon.rstrip(),
            order=said_at.timestamp(),
        )

    def speaker(self, turn: Turn | Hit) -> str:
        written = self._speakers.get((turn.name, turn.role))
        if written is None:
            name = turn.name or self.labels.roles.get(turn.role or "", "")
            # A name is not checked by anyone: it must not begin a heading or span lines.
            written = f"{' '.join(quoted(name).split()).lstrip('#->* ')}{self.labels.colon}"
            self._speakers[turn.name, turn.role] = written
        return written

    def dated(self, moment: datetime) -> str:
        day = moment.astimezone(self._now.tzinfo).date()
        written = self._days.get(day)
        if written is None:
            age = age_in_words(moment, self._now, self._language)
            written = self._days[day] = self.labels.dated.format(date=day.isoformat(), age=age)
        return written

    def _remarks(self, hit: Hit) -> str:
        labels = self.labels
        remarks = []
        if hit.trust == "flagged" or "instruction" in hit.flags:
            remarks.append(labels.flagged)
        if hit.id in self._conflicts:
            remarks.append(labels.conflict)
        if hit.status == "candidate":
            remarks.append(labels.unsure)
        if hit.status == "archived":
            remarks.append(labels.cold)
        successor = hit.later or hit.superseded_by
        if successor is not None and successor in self._later:
            text = shorten(quoted(self._later[successor]), LATER_TOKENS, self._count)
            remarks.append(labels.later.format(text=text))
        elif hit.status in ("superseded", "expired", "retracted"):
            remarks.append(labels.replaced)
        elif hit.valid_to is not None:
            date = hit.valid_to.astimezone(self._now.tzinfo).date().isoformat()
            remarks.append(labels.until.format(date=date))
        return "".join(f" {remark}" for remark in remarks)


def plain(value: Json) -> str:
    """A value of a profile or a note as people read it: text as it is, else JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
