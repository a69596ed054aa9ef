"""How answers look on a terminal: tables, ages, and marks for what is no longer current."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jiyi.cli.words import age, day, day_and_age, number_of, short, visible
from jiyi.types import (
    Document,
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

if TYPE_CHECKING:
    from jiyi.cli.upkeep import Finding

_MARKS = {
    "superseded": "no longer current",
    "expired": "expired",
    "archived": "archived",
    "retracted": "retracted",
    "candidate": "unconfirmed",
    "forgotten": "forgotten",
}
_STYLES = {"superseded": "dim", "expired": "dim", "retracted": "dim", "archived": "dim"}
_STATES = {"ok": ("✓", "green"), "note": ("!", "yellow"), "bad": ("✗", "red")}
_OUTCOMES = {
    "stored": "stored",
    "merged": "already known, source added",
    "superseding": "stored, replaces an older one",
    "candidate": "kept as unconfirmed",
    "skipped": "not kept",
    "pending": "recorded, will be read later",
}


def hits(found: Hits, now: datetime) -> RenderableType:
    """Hits, best first, with what they are, when they were said, and their score."""
    table = _table("", "what is known", "what it is", "said", "score", "id")
    for place, hit in enumerate(found, start=1):
        _add(
            table,
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
        _add(
            table,
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
    _add(table, "text", Text(visible(memory.text), style="bold"))
    _add(table, "id", memory.id)
    status = memory.status if memory.status == "active" else f"{memory.status} ({memory.reason})"
    _add(table, "status", status)
    _add(table, "kind", memory.kind)
    if memory.slot is not None:
        slot = memory.slot
        _add(table, "slot", f"{slot.subject} · {slot.attribute} = {slot.value}")
    if memory.event is not None:
        event = memory.event
        parts = [event.type, day(event.at), ", ".join(event.entities), event.outcome]
        _add(table, "event", " · ".join(part for part in parts if part and part != "–"))
    _add(table, "true", f"from {day(memory.valid_from)} until {day(memory.valid_to)}")
    _add(table, "said", f"{day(memory.said_at)} ({age(memory.said_at, now)})")
    if memory.expires_at is not None:
        _add(table, "expires", memory.expires_at.isoformat(timespec="seconds"))
    _add(table, "importance", f"{memory.importance:.2f}")
    _add(table, "confidence", f"{memory.confidence:.2f}")
    _add(table, "used", f"{memory.use_count} times")
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
            _add(table, name, value)
    for turn in sources:
        _add(table, "source", f"{turn.name or turn.role}, {day(turn.said_at)}: {turn.text}")
    for label in (source.label for source in memory.sources if source.label):
        _add(table, "source", label)
    return table


def history(told: History, now: datetime) -> RenderableType:
    """What replaced what, every state of this memory, and what was done to it."""
    chain = _table("", "in force", "what was known", "id", title="what replaced what")
    for memory in told.chain:
        here = "→" if memory.id == told.memory_id else ""
        span = f"{day(memory.valid_from)} … {_end(memory)}"
        _add(
            chain,
            here,
            span,
            _statement(memory.text, memory.status),
            short(memory.id),
            style=_STYLES.get(memory.status, ""),
        )
    versions = _table("known since", "text", "status", "why", title="states of this memory")
    for version in told.versions:
        _add(
            versions,
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
            _add(events, when, event.action, event.reason or "", event.id)
        parts.append(events)
    return Group(*parts)


def profile(known: Profile) -> RenderableType:
    """Permanent fields, then learned ones."""
    table = _table("", "field", "value", "since", "id")
    for name, value in known.permanent.items():
        _add(table, "permanent", name, _value(value), "", "")
    for field in known.learned:
        name = field.attribute if field.subject == "user" else f"{field.subject}: {field.attribute}"
        id = short(field.memory_id) if field.memory_id else ""
        _add(table, "learned", name, _value(field.value), day(field.since), id)
    return table


def receipt(done: Receipt, texts: Mapping[str, str]) -> RenderableType:
    """What a write did; `texts` holds the texts of the memories it touched, by id."""
    lines = [_outcome(outcome, texts) for outcome in done.outcomes]
    if done.turn_ids:
        lines.insert(0, f"{number_of(len(done.turn_ids), 'message')} recorded")
    return Text(visible("\n".join(lines) or "nothing to keep"))


def documents(found: Sequence[Document], now: datetime) -> RenderableType:
    """Documents with where they come from, by the order of adding."""
    table = _table("document", "collection", "passages", "changed", "comes from", "id")
    for each in found:
        _add(
            table,
            visible(each.title) + (" (shared)" if each.visibility == "shared" else ""),
            visible(each.collection),
            str(each.passages),
            day_and_age(each.changed_at, now),
            visible(each.name),
            short(each.id),
        )
    return table


def forget_report(report: ForgetReport, texts: Mapping[str, str]) -> RenderableType:
    """What would go, or what is gone, and how far the erasure reaches."""
    verb = "would be erased" if report.dry_run else "erased"
    memories = number_of(len(report.memory_ids), "memory", "memories")
    head = f"{memories} and {number_of(len(report.turn_ids), 'message')} {verb}"
    lines: list[RenderableType] = [Text(head, style="bold")]
    lines += [Text(f"  · {visible(texts[id])}") for id in report.memory_ids if id in texts]
    lines += [
        Text(f"  “{visible(texts[id])}”", style="dim") for id in report.turn_ids if id in texts
    ]
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
    _add(head, "question", told.query)
    if told.completed and told.completed != told.query:
        _add(head, "understood as", told.completed)
    _add(head, "asked", f"{told.operation}, {age(told.at, now)}")
    live = stats.memories.get("active", 0)
    _add(head, "remembered", f"{live} current memories, {stats.turns} messages")
    arms = ", ".join(f"{name} {number}" for name, number in told.arms.items())
    _add(head, "found", f"{arms or 'nothing'}; support {told.support}")
    _add(head, "took", ", ".join(f"{k} {v:.1f} ms" for k, v in told.latency_ms.items()))
    table = _table("rank", "candidate", "scores", "cut", "id", title="candidates")
    for candidate in told.candidates:
        scores = ", ".join(f"{name} {value:.2f}" for name, value in candidate.scores.items())
        _add(
            table,
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
            _add(injected, layer, "\n".join(texts.get(id, id) for id in ids))
        parts.append(injected)
    if told.cuts:
        cuts = _table("left out", "why", title="cut")
        for what, why in told.cuts.items():
            _add(cuts, texts.get(what, what), why)
        parts.append(cuts)
    return Group(*parts)


def stats(numbers: Stats) -> RenderableType:
    """What the scope holds, and the health of the store."""
    table = _pairs()
    _add(table, "messages", str(numbers.turns))
    _add(table, "memories", _counts(numbers.memories))
    if numbers.documents:
        _add(table, "documents", str(numbers.documents))
    _add(table, "queue", _counts(numbers.queue))
    _add(table, "embedder", numbers.embedder or "none (searching by words)")
    _add(table, "vectors", _counts(numbers.vectors))
    if numbers.budget:
        _add(table, "model today", _counts(numbers.budget))
    if numbers.bytes_on_disk is not None:
        _add(table, "on disk", f"{numbers.bytes_on_disk / 1_000_000:.1f} MB")
    _add(table, "schema", str(numbers.schema_version))
    return table


def findings(found: Sequence[Finding]) -> RenderableType:
    """What was looked at, in what state it is, and what to do."""
    table = _table("", "what", "state", "to do")
    for finding in found:
        mark, style = _STATES[finding.state]
        _add(table, Text(mark, style=style), finding.what, finding.detail, finding.remedy or "")
    return table


# --- pieces ---------------------------------------------------------------------------------------


def _table(*columns: str, title: str | None = None) -> Table:
    table = Table(box=box.SIMPLE, title=title, title_justify="left", title_style="bold")
    for column in columns:
        whole = column in ("id", "score", "said", "rank", "importance", "event")
        table.add_column(column, no_wrap=whole, overflow="fold")
    return table


def _add(table: Table, *cells: str | Text, style: str = "") -> None:
    """A row of plain text: what people remember is never read as markup."""
    row = (Text(visible(cell)) if isinstance(cell, str) else cell for cell in cells)
    table.add_row(*row, style=style)


def _pairs() -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _statement(text: str, status: str | None, hit: Hit | None = None) -> Text:
    rendered = Text(visible(text))
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
    return visible(next((f"from {s.label}" for s in hit.sources if s.label), "from a document"))


def _kind(memory: MemoryRecord) -> str:
    return f"{memory.kind}, pinned" if memory.pinned else memory.kind


def _end(memory: MemoryRecord) -> str:
    if memory.valid_to is not None:
        return day(memory.valid_to)
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
