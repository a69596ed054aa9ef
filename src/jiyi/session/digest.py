"""What an ended session leaves: one memory of what it came to, which can be recalled later."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from jiyi.ids import new_id
from jiyi.ports import ChatModel
from jiyi.session.summary import EMPTY, Summary, extend
from jiyi.text.language import language_of
from jiyi.text.tokens import TokenCounter, count_tokens
from jiyi.types import Draft, Event, Source, Turn

MAX_TOKENS: Final = 300
IMPORTANCE: Final = 0.4
"""Below that of a plain fact (0.5): where both answer, the fact does."""

TAG: Final = "digest"


class Digest(NamedTuple):
    """The draft of a digest, and the turns it quotes (which are not its sources; see
    `Writer.end_session`)."""

    draft: Draft
    cites: tuple[str, ...]


def digest(
    session: str,
    turns: Sequence[Turn],
    *,
    now: datetime,
    summary: Summary = EMPTY,
    chat_model: ChatModel | None = None,
    max_tokens: int = MAX_TOKENS,
    count: TokenCounter = count_tokens,
) -> Digest | None:
    """A draft of kind "episodic" that says when the session was and what it came to.

    Args:
        session: its id, kept as the event's label.
        turns: all its turns, oldest first.
        now: when it ended.
        summary: what was summarised already; the turns after it are added.
        chat_model: writes the points; rules do without one, or where it fails.
        max_tokens: of the points.
        count: counts tokens.

    Returns:
        None for a session in which nothing was said that is worth a point.
    """
    whole = extend(summary, turns, chat_model=chat_model, max_tokens=max_tokens, count=count)
    if not whole.points:
        return None
    spoken = [turn for turn in turns if turn.role in ("user", "assistant")]
    first = min((turn.said_at for turn in spoken), default=now)
    decisions = [point.text for point in whole.points if point.kind == "decision"]
    draft = Draft(
        text=_text(whole, first, len(spoken)),
        kind="episodic",
        tags=(TAG,),
        importance=IMPORTANCE,
        event=Event(type="session", at=first, outcome=decisions[-1] if decisions else None),
        sources=(Source(id=new_id(), label=TAG, session=session, said_at=first),),
        said_at=now,
        valid_from=first,
        meta={"session": session, "turns": len(spoken), "by": whole.made_by},
        trust="user" if all(point.role == "user" for point in whole.points) else "assistant",
    )
    return Digest(draft, whole.cites)


def _text(summary: Summary, first: datetime, turns: int) -> str:
    day = first.date().isoformat()
    points = [point.text.rstrip("。.;；") for point in summary.points]
    if language_of(summary.text) == "zh":
        return f"{day} 的会话（{turns} 条消息）：" + "；".join(points) + "。"
    return f"Conversation of {day} ({turns} messages): " + "; ".join(points) + "."
