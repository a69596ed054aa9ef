"""Memories as rows: the columns, and both ways between a row and a `MemoryRecord`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jiyi.stores.sql.codec import (
    dump,
    load,
    micros,
    moment,
    optional_micros,
    pack_id,
    pack_optional_id,
    unpack_id,
    unpack_optional_id,
    zone_of,
)
from jiyi.types import (
    KINDS,
    STATUSES,
    Event,
    GateScores,
    MemoryRecord,
    Slot,
    Source,
)

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import Row
    from jiyi.stores.sql.session import Space

# The columns of `memory`, in the order that `decode` unpacks.
COLUMNS = (
    *("key", "space", "id", "unit", "status", "kind", "audience", "fingerprint"),
    *("recorded_at", "said_at", "valid_from", "valid_to", "expires_at", "zone", "zones"),
    *("known_from", "text", "author", "agent", "session", "task", "tool", "tier", "trust"),
    *("pinned", "importance", "confidence", "tags", "meta", "entities", "flags", "gate"),
    *("slot_subject", "slot_attribute", "slot_value", "slot_many"),
    *("event_type", "event_at", "event_entities", "event_outcome"),
    *("superseded_by", "reason", "use_count", "last_used_at", "helpful", "unhelpful"),
)
SELECTED = ", ".join(f"m.{name}" for name in COLUMNS)
STATUS = {status: code for code, status in enumerate(STATUSES)}
KIND = {kind: code for code, kind in enumerate(KINDS)}
LIVE = (STATUS["candidate"], STATUS["active"])
EXPIRED = STATUS["expired"]
FORGOTTEN = STATUS["forgotten"]
# Fields whose offset is kept only where it differs from that of `said_at`.
_ZONED = ("recorded_at", "valid_from", "valid_to", "expires_at", "last_used_at")


def encode(
    record: MemoryRecord,
    *,
    key: int,
    space: int,
    unit: int | None,
    audience: str,
    fingerprint: bytes | None,
    known_from: datetime | None,
) -> dict[str, Any]:
    """The row of a memory; `known_from` None means since it was recorded."""
    recorded_at = micros(record.recorded_at)
    said_at = micros(record.said_at)
    valid_from = micros(record.valid_from)
    zone = zone_of(record.said_at)
    slot, event = record.slot, record.event
    return {
        "key": key,
        "space": space,
        "id": pack_id(record.id),
        "unit": unit,
        "status": STATUS[record.status],
        "kind": KIND[record.kind],
        "audience": audience,
        "fingerprint": fingerprint,
        "recorded_at": recorded_at,
        "said_at": None if said_at == recorded_at else said_at,
        "valid_from": None if valid_from == said_at else valid_from,
        "valid_to": optional_micros(record.valid_to),
        "expires_at": optional_micros(record.expires_at),
        "zone": zone,
        "zones": _zones(record, zone),
        "known_from": optional_micros(known_from),
        "text": record.text,
        "author": record.scope.user if audience == "shared" else None,
        "agent": record.scope.agent,
        "session": record.scope.session,
        "task": record.scope.task,
        "tool": record.scope.tool,
        "tier": None if record.tier == "extended" else record.tier,
        "trust": None if record.trust == "user" else record.trust,
        "pinned": 1 if record.pinned else None,
        "importance": None if record.importance == 0.5 else float(record.importance),
        "confidence": None if record.confidence == 1.0 else float(record.confidence),
        "tags": dump(record.tags, "tags") if record.tags else None,
        "meta": dump(dict(record.meta), "meta") if record.meta else None,
        "entities": dump(record.entities, "entities") if record.entities else None,
        "flags": dump(record.flags, "flags") if record.flags else None,
        "gate": _gate(record.gate),
        "slot_subject": slot.subject if slot else None,
        "slot_attribute": slot.attribute if slot else None,
        "slot_value": slot.value if slot else None,
        "slot_many": 1 if slot and slot.cardinality == "many" else None,
        "event_type": event.type if event else None,
        "event_at": optional_micros(event.at) if event else None,
        "event_entities": dump(event.entities, "event") if event and event.entities else None,
        "event_outcome": event.outcome if event else None,
        "superseded_by": pack_optional_id(record.superseded_by),
        "reason": record.reason,
        "use_count": record.use_count or None,
        "last_used_at": optional_micros(record.last_used_at),
        "helpful": record.helpful or None,
        "unhelpful": record.unhelpful or None,
    }


def _zones(record: MemoryRecord, zone: int) -> str | None:
    if record.recorded_at.tzinfo is record.said_at.tzinfo is record.valid_from.tzinfo and (
        record.valid_to is record.expires_at is record.last_used_at is None and not record.event
    ):
        return None  # by far the most frequent, and each offset takes a while to ask for
    moments = {name: getattr(record, name) for name in _ZONED}
    if record.event is not None:
        moments["event_at"] = record.event.at
    other = {
        name: offset
        for name, at in moments.items()
        if at is not None and (offset := zone_of(at)) != zone
    }
    return dump(other, "zones") if other else None


def _gate(gate: GateScores | None) -> str | None:
    if gate is None:
        return None
    parts = (gate.completeness, gate.relevance, gate.durability, gate.emphasis, gate.total)
    return dump(parts, "gate")


def decode(row: Row, space: Space, sources: Sequence[Source], at: int) -> MemoryRecord:
    """The record of a row of `COLUMNS`; what expired by `at` (microseconds) says so."""
    (_key, _space, id, _unit, status, kind, audience, _fingerprint) = row[:8]
    (recorded_at, said_at, valid_from, valid_to, expires_at, zone, zones) = row[8:15]
    (_known_from, text, author, agent, session, task, tool, tier, trust) = row[15:24]
    (pinned, importance, confidence, tags, meta, entities, flags, gate) = row[24:32]
    (slot_subject, slot_attribute, slot_value, slot_many) = row[32:36]
    (event_type, event_at, event_entities, event_outcome) = row[36:40]
    (superseded_by, reason, use_count, last_used_at, helpful, unhelpful) = row[40:]
    offsets: Mapping[str, int] = load(zones) if zones else _SAME

    def when(at: int | None, name: str) -> datetime | None:
        return None if at is None else moment(at, offsets.get(name, zone))

    if said_at is None:
        said_at = recorded_at
    said = moment(said_at, zone)
    if status in LIVE and expires_at is not None and expires_at <= at:
        status = EXPIRED
    event = None
    if event_type is not None:
        event = Event(
            type=event_type,
            at=when(event_at, "event_at"),
            entities=tuple(load(event_entities)) if event_entities else (),
            outcome=event_outcome,
        )
    slot = None
    if slot_subject is not None:
        slot = Slot(
            subject=slot_subject,
            attribute=slot_attribute,
            value=slot_value,
            cardinality="many" if slot_many else "one",
        )
    return MemoryRecord(
        id=unpack_id(id),
        text=text,
        kind=KINDS[kind],
        status=STATUSES[status],
        scope=space.scope(author or space.user, agent, session, task, tool),
        recorded_at=said
        if said_at == recorded_at and not zones
        else moment(recorded_at, offsets.get("recorded_at", zone)),
        said_at=said,
        valid_from=said
        if valid_from is None and not zones
        else moment(said_at if valid_from is None else valid_from, offsets.get("valid_from", zone)),
        valid_to=None if valid_to is None else when(valid_to, "valid_to"),
        expires_at=None if expires_at is None else when(expires_at, "expires_at"),
        tier=tier or "extended",
        tags=tuple(load(tags)) if tags else (),
        meta=load(meta) if meta else {},
        importance=0.5 if importance is None else importance,
        confidence=1.0 if confidence is None else confidence,
        slot=slot,
        event=event,
        entities=tuple(load(entities)) if entities else (),
        sources=tuple(sources),
        superseded_by=None if superseded_by is None else unpack_id(superseded_by),
        reason=reason,
        visibility=visibility_of(audience) if audience else "user",
        pinned=bool(pinned),
        trust=trust or "user",
        flags=tuple(load(flags)) if flags else (),
        gate=GateScores(**dict(zip(_GATE, load(gate), strict=True))) if gate else None,
        use_count=use_count or 0,
        last_used_at=None if last_used_at is None else when(last_used_at, "last_used_at"),
        helpful=helpful or 0,
        unhelpful=unhelpful or 0,
    )


_SAME: Mapping[str, int] = {}  # every time has the offset of `said_at`
_GATE = ("completeness", "relevance", "durability", "emphasis", "total")


def visibility_of(audience: str) -> Any:
    """The visibility that `ports.audience` made this audience from."""
    return audience.partition("=")[0] or "user"


SOURCE_COLUMNS = (
    "memory, ordinal, id, turn_id, start, stop, label, session, said_at, zone, added_at"
)


def encode_source(
    source: Source, memory: int, ordinal: int, added_at: int | None
) -> dict[str, Any]:
    start, stop = source.span or (None, None)
    return {
        "memory": memory,
        "ordinal": ordinal,
        "id": pack_id(source.id),
        "turn_id": pack_optional_id(source.turn_id),
        "start": start,
        "stop": stop,
        "label": source.label,
        "session": source.session,
        "said_at": optional_micros(source.said_at),
        "zone": (zone_of(source.said_at) or None) if source.said_at else None,
        "added_at": added_at,
    }


def decode_source(row: Row) -> Source:
    _memory, _ordinal, id, turn_id, start, stop, label, session, said_at, zone, _added = row
    if turn_id is None and label is None and session is None and said_at is None:
        return Source(id=unpack_id(id))  # what was remembered directly, by far the most of these
    return Source(
        id=unpack_id(id),
        turn_id=unpack_optional_id(turn_id),
        span=None if start is None else (start, stop),
        label=label,
        session=session,
        said_at=None if said_at is None else moment(said_at, zone or 0),
    )
