"""How answers look on a terminal: tables, ages, and marks for what is no longer current."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jiyi.cli.shell import SHORT
from jiyi.recall.age import age_in_words
from jiyi.types import (
    ForgetReport,
    History,
    Hit,
    Hits,
    Json,
    MemoryRecord,
    Outcome,
    Page,
    Profile,
    Receipt,
    Stats,
    Trace,
    Turn,
)

_MARKS = {
    "superseded": "no longer current",
    "expired": "expired",
    "archived": "archived",
    "retracted": "retracted",
    "candidate": "unconfirmed",
    "forgotten": "forgotten",
}
_STYLES = {"superseded": "dim", "expired": "dim", "retracted": "dim", "archived": "dim"}
_OUTCOMES = {
    "stored": "stored",
    "merged": "already known, source added",
    "superseding": "stored, replaces an older one",
    "candidate": "kept as unconfirmed",
    "skipped": "not kept",
    "pending": "recorded, will be read later",
}


def short(id: str) -> str:
    """The random tail of an id, enough to tell memories apart; commands accept it."""
    return id[-SHORT:]


def age(moment: datetime, now: datetime) -> str:
    """How long ago, in words."""
    return age_in_words(moment, now, "en")


def day(moment: datetime | None, now: datetime) -> str:
    """A date in the zone of `now`, or a dash."""
    return "–" if moment is None else moment.astimezone(now.tzinfo).strftime("%Y-%m-%d")


def day_and_age(moment: datetime | None, now: datetime) -> str:
    return "–" if moment is None else f"{day(moment, now)}\n{age(moment, now)}"


def hits(found: Hits, now: datetime) -> RenderableType:
    """Hits, best first, with what they are, when they were said, and their score."""
    table = _table("", "what is known", "what it is", "said", "score", "id")
    for place, hit in enumerate(found, start=1):
        table.add_row(
            str(place),
            _statement(hit.text, hit.status, hit),
            _nature(hit),
            day_and_age(hit.said_at, now),
            f"{hit.score:.2f}",
            short(hit.id),
            style=_STYLES.get(hit.status or "", ""),
        )
    parts: list[RenderableType] = [table]
    if found.support == "weak":
        parts.append(Text("Weak support: this may not answer the question.", style="yellow"))
    return Group(*parts)


def page(memories: Page, now: datetime) -> RenderableType:
    """A list of memories and how many there are in all."""
    table = _table("what is known", "kind", "said", "importance", "id")
    for record in memories.items:
        table.add_row(
            _statement(record.text, record.status),
            _kind(record),
            day_and_age(record.said_at, now),
            f"{record.importance:.2f}",
            short(record.id),
            style=_STYLES.get(record.status, ""),
        )
    shown = len(memories.items)
    foot = f"{shown} of {memories.total}"
    if memories.cursor is not None:
        foot += f"; the next page: --cursor {memories.cursor}"
    return Group(table, Text(foot, style="dim"))


def record(memory: MemoryRecord, sources: Sequence[Turn], now: datetime) -> RenderableType:
    """One memory with everything that is known about it."""
    table = _pairs()
    table.add_row("text", Text(memory.text, style="bold"))
    table.add_row("id", memory.id)
    status = memory.status if memory.status == "active" else f"{memory.status} ({memory.reason})"
    table.add_row("status", status)
    table.add_row("kind", memory.kind)
    if memory.slot is not None:
        slot = memory.slot
        table.add_row("slot", f"{slot.subject} · {slot.attribute} = {slot.value}")
    if memory.event is not None:
        event = memory.event
        parts = [event.type, day(event.at, now), ", ".join(event.entities), event.outcome]
        table.add_row("event", " · ".join(part for part in parts if part and part != "–"))
    table.add_row("true", f"from {day(memory.valid_from, now)} until {day(memory.valid_to, now)}")
    table.add_row("said", f"{day(memory.said_at, now)} ({age(memory.said_at, now)})")
    if memory.expires_at is not None:
        table.add_row("expires", memory.expires_at.isoformat(timespec="seconds"))
    table.add_row("importance", f"{memory.importance:.2f}")
    table.add_row("confidence", f"{memory.confidence:.2f}")
    table.add_row("used", f"{memory.use_count} times")
    optional: Mapping[str, str | None] = {
        "tags": ", ".join(memory.tags),
        "about": ", ".join(memory.entities),
        "meta": ", ".join(f"{key}={value}" for key, value in memory.meta.items()),
        "pinned": "yes" if memory.pinned else None,
        "flags": ", ".join(memory.flags),
        "replaced by": memory.superseded_by,
    }
    for name, value in optional.items():
        if value:
            table.add_row(name, value)
    for turn in sources:
        table.add_row("source", f"{turn.name or turn.role}, {day(turn.said_at, now)}: {turn.text}")
    for label in (source.label for source in memory.sources if source.label):
        table.add_row("source", label)
    return table


def history(told: History, now: datetime) -> RenderableType:
    """What replaced what, every state of this memory, and what was done to it."""
    chain = _table("", "in force", "what was known", "id", title="what replaced what")
    for memory in told.chain:
        here = "→" if memory.id == told.memory_id else ""
        span = f"{day(memory.valid_from, now)} … {_end(memory, now)}"
        chain.add_row(
            here,
            span,
            _statement(memory.text, memory.status),
            short(memory.id),
            style=_STYLES.get(memory.status, ""),
        )
    versions = _table("known since", "text", "status", "why", title="states of this memory")
    for version in told.versions:
        versions.add_row(
            version.known_from.astimezone(now.tzinfo).strftime("%Y-%m-%d %H:%M:%S"),
            version.record.text,
            version.record.status,
            version.reason or "",
        )
    parts: list[RenderableType] = [chain]
    if len(told.versions) > 1:
        parts.append(versions)
    if told.events:
        events = _table("when", "what", "why", "event", title="audit")
        for event in told.events:
            when = event.at.astimezone(now.tzinfo).strftime("%Y-%m-%d %H:%M:%S")
            events.add_row(when, event.action, event.reason or "", event.id)
        parts.append(events)
    return Group(*parts)


def profile(known: Profile, now: datetime) -> RenderableType:
    """Permanent fields, then learned ones."""
    table = _table("", "field", "value", "since", "id")
    for name, value in known.permanent.items():
        table.add_row("permanent", name, _value(value), "", "")
    for field in known.learned:
        name = field.attribute if field.subject == "user" else f"{field.subject}: {field.attribute}"
        id = short(field.memory_id) if field.memory_id else ""
        table.add_row("learned", name, _value(field.value), day(field.since, now), id)
    return table


def receipt(done: Receipt, texts: Mapping[str, str]) -> RenderableType:
    """What a write did; `texts` holds the texts of the memories it touched, by id."""
    lines = [_outcome(outcome, texts) for outcome in done.outcomes]
    if done.turn_ids:
        number = len(done.turn_ids)
        lines.insert(0, f"{number} message{'' if number == 1 else 's'} recorded")
    return Text("\n".join(lines) or "nothing to keep")


def forget_report(report: ForgetReport, texts: Mapping[str, str]) -> RenderableType:
    """What would go, or what is gone, and how far the erasure reaches."""
    verb = "would be erased" if report.dry_run else "erased"
    head = f"{len(report.memory_ids)} memories and {len(report.turn_ids)} messages {verb}"
    lines: list[RenderableType] = [Text(head, style="bold")]
    lines += [Text(f"  · {texts[id]}") for id in report.memory_ids if id in texts]
    lines += [Text(f"  “{texts[id]}”", style="dim") for id in report.turn_ids if id in texts]
    rows = ", ".join(f"{name} {number}" for name, number in report.counts.items() if number)
    if rows and not report.dry_run:
        lines.append(Text(f"rows: {rows}"))
    lines += [Text(f"still on its way out: {reason}", style="yellow") for reason in report.pending]
    lines += [Text(f"out of reach: {place}", style="dim") for place in report.beyond]
    if report.event_id is not None and not report.dry_run:
        lines.append(Text(f"receipt {report.event_id}", style="dim"))
    return Group(*lines)


def trace(told: Trace, texts: Mapping[str, str], stats: Stats, now: datetime) -> RenderableType:
    """What was remembered, found, injected and cut, in this order."""
    head = _pairs()
    head.add_row("question", told.query)
    if told.completed and told.completed != told.query:
        head.add_row("understood as", told.completed)
    head.add_row("asked", f"{told.operation}, {age(told.at, now)}")
    live = stats.memories.get("active", 0)
    head.add_row("remembered", f"{live} current memories, {stats.turns} messages")
    arms = ", ".join(f"{name} {number}" for name, number in told.arms.items())
    head.add_row("found", f"{arms or 'nothing'}; support {told.support}")
    head.add_row("took", ", ".join(f"{k} {v:.1f} ms" for k, v in told.latency_ms.items()))
    table = _table("rank", "candidate", "scores", "cut", "id", title="candidates")
    for candidate in told.candidates:
        scores = ", ".join(f"{name} {value:.2f}" for name, value in candidate.scores.items())
        table.add_row(
            "" if candidate.rank is None else str(candidate.rank),
            texts.get(candidate.id, f"({candidate.unit})"),
            scores,
            candidate.cut or "",
            short(candidate.id),
            style="dim" if candidate.cut else "",
        )
    parts: list[RenderableType] = [head, table]
    if told.injected:
        injected = _table("layer", "what went into the prompt", title="injected")
        for layer, ids in told.injected.items():
            injected.add_row(layer, "\n".join(texts.get(id, id) for id in ids))
        parts.append(injected)
    if told.cuts:
        cuts = _table("left out", "why", title="cut")
        for what, why in told.cuts.items():
            cuts.add_row(texts.get(what, what), why)
        parts.append(cuts)
    return Group(*parts)


def stats(numbers: Stats) -> RenderableType:
    """What the scope holds, and the health of the store."""
    table = _pairs()
    table.add_row("messages", str(numbers.turns))
    table.add_row("memories", _counts(numbers.memories))
    table.add_row("queue", _counts(numbers.queue))
    table.add_row("embedder", numbers.embedder or "none (searching by words)")
    table.add_row("vectors", _counts(numbers.vectors))
    if numbers.budget:
        table.add_row("model today", _counts(numbers.budget))
    if numbers.bytes_on_disk is not None:
        table.add_row("on disk", f"{numbers.bytes_on_disk / 1_000_000:.1f} MB")
    table.add_row("schema", str(numbers.schema_version))
    return table


# --- pieces ---------------------------------------------------------------------------------------


def _table(*columns: str, title: str | None = None) -> Table:
    table = Table(box=box.SIMPLE, title=title, title_justify="left", title_style="bold")
    for column in columns:
        whole = column in ("id", "score", "said", "rank", "importance", "event")
        table.add_column(column, no_wrap=whole, overflow="fold")
    return table


def _pairs() -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _statement(text: str, status: str | None, hit: Hit | None = None) -> Text:
    rendered = Text(text)
    mark = _MARKS.get(status or "")
    if hit is not None and hit.unit == "turn" and hit.later is not None:
        mark = "later changed"
    if mark:
        rendered.append(f"  [{mark}]", style="yellow")
    return rendered


def _nature(hit: Hit) -> str:
    if hit.unit == "memory":
        return str(hit.kind)
    if hit.unit == "turn":
        return f"said by {hit.name or hit.role}"
    return "document"


def _kind(memory: MemoryRecord) -> str:
    return f"{memory.kind}, pinned" if memory.pinned else memory.kind


def _end(memory: MemoryRecord, now: datetime) -> str:
    if memory.valid_to is not None:
        return day(memory.valid_to, now)
    return "now" if memory.status == "active" else memory.status


def _value(value: Json) -> str:
    return value if isinstance(value, str) else str(value)


def _outcome(outcome: Outcome, texts: Mapping[str, str]) -> str:
    parts: Iterable[str | None] = (
        _OUTCOMES[outcome.status],
        f"“{texts[outcome.memory_id]}”"
        if outcome.memory_id and outcome.memory_id in texts
        else None,
        f"[{short(outcome.memory_id)}]" if outcome.memory_id else None,
        f"({outcome.reason})" if outcome.reason else None,
    )
    return " ".join(part for part in parts if part)


def _counts(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in numbers.items()) or "none"
