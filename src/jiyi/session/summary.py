"""The summary of the part of a session that has left the window: points, each with its sources.

Without a model the points are sentences that were said; with one they are its words. The old
summary is merged into the new one, and condensed again whenever it grows too long.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from jiyi.ports import ChatModel
from jiyi.session.points import POINT_KINDS, Point, PointKind, extract_points
from jiyi.session.rewriting import rewrite
from jiyi.session.window import Window, window
from jiyi.text.normalise import canonical
from jiyi.text.tokens import TokenCounter, count_tokens
from jiyi.types import Turn

THRESHOLD_TURNS: Final = 8
"""Turns that have left the window, after which a summary is made or refreshed."""

THRESHOLD_TOKENS: Final = 2_000
"""Tokens of such turns, after which it is refreshed although they are few."""

MAX_TOKENS: Final = 400
"""What a summary may have; above it the points that weigh least go."""

FADING: Final[dict[PointKind, float]] = {
    "decision": 0.98,
    "request": 0.9,
    "open": 0.9,
    "fact": 0.85,
}
"""What an old point's weight is multiplied by at each refresh, so that a long session does not
keep its beginning for ever; what was decided holds longest."""

_POINT_OVERHEAD: Final = 3  # the bullet, the line break and the joint


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a session came to so far, oldest point first.

    `until` is the id of the last turn it covers, `turns` how many it covers. `made_by` is "rules"
    or the name of the model that wrote the points. `ended` says that the session was ended after
    that turn: what was said until then is digested.
    """

    points: tuple[Point, ...] = ()
    until: str | None = None
    turns: int = 0
    made_by: str = "rules"
    ended: bool = False

    @property
    def text(self) -> str:
        """The points as lines of a list."""
        return "\n".join(f"- {point.text}" for point in self.points)

    @property
    def cites(self) -> tuple[str, ...]:
        """The turns that the points were taken from."""
        return tuple(dict.fromkeys(id for point in self.points for id in point.turn_ids))


EMPTY: Final = Summary()


def refresh(
    summary: Summary,
    turns: Sequence[Turn],
    *,
    chat_model: ChatModel | None = None,
    threshold_turns: int = THRESHOLD_TURNS,
    threshold_tokens: int = THRESHOLD_TOKENS,
    max_tokens: int = MAX_TOKENS,
    shown: Window | None = None,
    count: TokenCounter = count_tokens,
) -> Summary:
    """The summary with the turns that have left the window, once they pass a threshold.

    Args:
        summary: the last one, or `EMPTY`.
        turns: the session's turns, oldest first; those up to `summary.until` may be missing.
        chat_model: writes the points; where it fails or answers without any, rules do.
        threshold_turns, threshold_tokens: below both, the same summary comes back.
        max_tokens: of the points' texts.
        shown: the window over the same turns; by default `window(turns)`.
        count: counts tokens.
    """
    older = _uncovered(summary, (shown or window(turns, count=count)).older)
    tokens = sum(count(turn.text) for turn in older)
    if not older or (len(older) < threshold_turns and tokens < threshold_tokens):
        return summary
    return extend(summary, older, chat_model=chat_model, max_tokens=max_tokens, count=count)


def extend(
    summary: Summary,
    turns: Sequence[Turn],
    *,
    chat_model: ChatModel | None = None,
    max_tokens: int = MAX_TOKENS,
    count: TokenCounter = count_tokens,
) -> Summary:
    """The summary with these turns merged in, whatever their number."""
    turns = _uncovered(summary, turns)
    if not turns:
        return summary
    made_by = "rules"
    points: list[Point] | None = None
    # What is not to be encoded (again) is not to come back through a summary either.
    told = [turn for turn in turns if turn.encodable]
    if chat_model is not None and told:
        points = rewrite(chat_model, summary.points, told, max_tokens=max_tokens)
        made_by = chat_model.name
    if not points:
        faded = [
            replace(point, weight=point.weight * FADING[point.kind]) for point in summary.points
        ]
        points, made_by = _merged([*faded, *extract_points(told)]), "rules"
    return Summary(
        points=_condensed(points, max_tokens, count),
        until=turns[-1].id,
        turns=summary.turns + len(turns),
        made_by=made_by,
    )


def without(summary: Summary, turn_ids: Iterable[str]) -> Summary:
    """The summary without the points taken from these turns, for when they are erased."""
    gone = set(turn_ids)
    return replace(
        summary, points=tuple(p for p in summary.points if not gone.intersection(p.turn_ids))
    )


def dump(summary: Summary) -> str:
    """A summary as JSON text, for the store."""
    points = [
        {
            "kind": point.kind,
            "text": point.text,
            "weight": point.weight,
            "turns": point.turn_ids,
            "at": point.said_at.isoformat(),
            "role": point.role,
        }
        for point in summary.points
    ]
    return json.dumps(
        {
            "points": points,
            "until": summary.until,
            "turns": summary.turns,
            "by": summary.made_by,
            "ended": summary.ended,
        },
        ensure_ascii=False,
    )


def load(text: str) -> Summary:
    """A summary from what `dump` wrote."""
    data: Mapping[str, Any] = json.loads(text)
    return Summary(
        points=tuple(
            Point(
                kind=_kind(entry["kind"]),
                text=entry["text"],
                weight=entry["weight"],
                turn_ids=tuple(entry["turns"]),
                said_at=datetime.fromisoformat(entry["at"]),
                role=entry["role"],
            )
            for entry in data["points"]
        ),
        until=data["until"],
        turns=data["turns"],
        made_by=data["by"],
        ended=data["ended"],
    )


def _kind(name: str) -> PointKind:
    return next((kind for kind in POINT_KINDS if kind == name), "fact")


def _uncovered(summary: Summary, turns: Sequence[Turn]) -> Sequence[Turn]:
    """The turns after the last one that the summary covers."""
    for place, turn in enumerate(turns):
        if turn.id == summary.until:
            return turns[place + 1 :]
    return turns


def _merged(points: Sequence[Point]) -> list[Point]:
    """One point for one text; a question that was answered since is not open any more."""
    merged: dict[str, Point] = {}
    last = points[-1].said_at if points else None
    for point in points:
        key = canonical(point.text)
        known = merged.get(key)
        if known is not None:
            turn_ids = tuple(dict.fromkeys(known.turn_ids + point.turn_ids))
            weight = max(known.weight, point.weight)
            merged[key] = replace(known, turn_ids=turn_ids, weight=weight)
        elif point.kind == "open" and last is not None and point.said_at < last:
            merged[key] = replace(point, kind="request")
        else:
            merged[key] = point
    return list(merged.values())


def _condensed(points: Sequence[Point], max_tokens: int, count: TokenCounter) -> tuple[Point, ...]:
    """The weightiest points that fit, in their order."""
    chosen: set[int] = set()
    left = max_tokens
    for place in sorted(range(len(points)), key=lambda place: -points[place].weight):
        cost = count(points[place].text) + _POINT_OVERHEAD
        if cost <= left:
            chosen.add(place)
            left -= cost
    return tuple(point for place, point in enumerate(points) if place in chosen)
