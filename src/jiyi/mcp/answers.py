"""What the tools answer: few fields, since a model reads each of them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from jiyi.types import (
    ForgetReport,
    History,
    Hit,
    Hits,
    MemoryRecord,
    OutcomeStatus,
    Profile,
    Receipt,
    Status,
    Support,
    Unit,
)


class Remembered(BaseModel):
    """What became of a statement."""

    memory_id: str | None
    status: OutcomeStatus
    reason: str | None = None
    replaced: list[str] = Field(default_factory=list)

    @classmethod
    def of(cls, receipt: Receipt) -> Remembered:
        outcome = receipt.outcomes[0]
        return cls(
            memory_id=outcome.memory_id,
            status=outcome.status,
            reason=outcome.reason,
            replaced=list(outcome.replaced),
        )


class Found(BaseModel):
    """One memory, turn or passage of a document."""

    id: str
    unit: Unit
    text: str
    date: str
    score: float
    kind: str | None = None
    status: Status | None = None
    role: str | None = None
    replaced_by: Annotated[str | None, Field(description="The memory that holds now")] = None

    @classmethod
    def of(cls, hit: Hit) -> Found:
        return cls(
            id=hit.id,
            unit=hit.unit,
            text=hit.text,
            date=_day(hit.said_at or hit.recorded_at),
            score=round(hit.score, 4),
            kind=hit.kind,
            status=hit.status,
            role=hit.role,
            replaced_by=hit.superseded_by or hit.later,
        )


class Recalled(BaseModel):
    """What was found, best first. With support "none" nothing is known: say so, do not guess."""

    support: Support
    hits: list[Found]
    trace_id: str

    @classmethod
    def of(cls, hits: Hits) -> Recalled:
        return cls(
            support=hits.support, hits=[Found.of(hit) for hit in hits], trace_id=hits.trace_id
        )


class ContextText(BaseModel):
    """A text for the prompt, within the budget."""

    text: str
    tokens: int
    support: Support
    trace_id: str


class Learned(BaseModel):
    """A fact about the user that was learned from what they said."""

    attribute: str
    value: Any
    memory_id: str | None = None
    since: str | None = None


class ProfileAnswer(BaseModel):
    """What the application set, and what was learned."""

    permanent: dict[str, Any]
    learned: list[Learned]

    @classmethod
    def of(cls, profile: Profile) -> ProfileAnswer:
        return cls(
            permanent=dict(profile.permanent),
            learned=[
                Learned(
                    attribute=field.attribute,
                    value=field.value,
                    memory_id=field.memory_id,
                    since=None if field.since is None else _day(field.since),
                )
                for field in profile.learned
            ],
        )


class Forgotten(BaseModel):
    """What was erased, or with dry_run what would be."""

    dry_run: bool
    memory_ids: list[str]
    turn_ids: list[str]
    texts: Annotated[
        list[str], Field(description="In a dry run: the texts of the memories that would go")
    ]
    beyond: Annotated[list[str], Field(description="What no erasure here can reach")]
    pending: list[str]

    @classmethod
    def of(cls, report: ForgetReport, texts: list[str]) -> Forgotten:
        return cls(
            dry_run=report.dry_run,
            memory_ids=list(report.memory_ids),
            turn_ids=list(report.turn_ids),
            texts=texts,
            beyond=list(report.beyond),
            pending=list(report.pending),
        )


class Statement(BaseModel):
    """A memory as it stands, or stood."""

    id: str
    text: str
    status: Status
    valid_from: str
    valid_to: str | None = None

    @classmethod
    def of(cls, record: MemoryRecord) -> Statement:
        return cls(
            id=record.id,
            text=record.text,
            status=record.status,
            valid_from=_day(record.valid_from),
            valid_to=None if record.valid_to is None else _day(record.valid_to),
        )


class Change(BaseModel):
    """One thing that happened to a memory."""

    at: str
    action: str
    reason: str | None = None
    other_id: str | None = None


class HistoryAnswer(BaseModel):
    """How a memory came to be what it is: what it replaced and was replaced by, oldest first."""

    memory_id: str
    chain: list[Statement]
    events: list[Change]

    @classmethod
    def of(cls, history: History) -> HistoryAnswer:
        return cls(
            memory_id=history.memory_id,
            chain=[Statement.of(record) for record in history.chain],
            events=[
                Change(
                    at=event.at.isoformat(timespec="seconds"),
                    action=event.action,
                    reason=event.reason,
                    other_id=event.other_id,
                )
                for event in history.events
            ],
        )


class Judged(BaseModel):
    """How often a memory was marked, now."""

    memory_id: str
    helpful: int
    unhelpful: int


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
