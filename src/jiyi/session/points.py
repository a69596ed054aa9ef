"""Points of a conversation found without a model: sentences that ask, decide or inform."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from jiyi.text.normalise import canonical
from jiyi.text.patterns import regex
from jiyi.text.sentences import sentences
from jiyi.text.terms import query_terms
from jiyi.types import Role, Turn

PointKind = Literal["decision", "request", "fact", "open"]
POINT_KINDS: Final[tuple[PointKind, ...]] = ("decision", "request", "fact", "open")

MAX_CHARACTERS: Final = 240
"""A sentence longer than this is cut: a point is one statement, not a paragraph."""

READ_SENTENCES: Final = 40
"""Sentences of one turn that are considered: a pasted document is no conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing that a session came to.

    `weight` (> 0, higher is more important) decides which points go when the summary grows.
    `turn_ids` are the turns it was taken from.
    """

    kind: PointKind
    text: str
    weight: float
    turn_ids: tuple[str, ...]
    said_at: datetime
    role: Role = "user"


_DECIDES: Final = regex(
    r"\b(?:decided?|agreed?|let'?s (?:go|use|do|take)|go with|going with|(?:will|shall) (?:use|"
    r"take|do|go|be)|we'll|i'll take|switch(?:ed)? to|instead|scratch that|confirmed|settled|"
    r"booked|from now on|final(?:ly)?)\b"
    r"|决定|定了|就用|就选|就要|就按|改成|改为|换成|换到|选定"
    r"|还是用|算了|确认|敲定|以后都|从现在起|已预订|定在|同意",
    re.IGNORECASE,
)
_REQUESTS: Final = regex(
    r"\b(?:please|can you|could you|would you|i (?:need|want|would like)|i'd like|help me|"
    r"remind me|make sure|show me|give me|write|create|design|fix|find)\b"
    r"|请|帮我|帮忙|我(?:想|要|需要)|麻烦|能不能|可不可以|写一|做一|设计|生成|查一下|提醒我",
    re.IGNORECASE,
)
_INFORMS: Final = regex(
    r"\b(?:i am|i'm|my|i have|i've|i (?:work|live|use|like|prefer|hate)|is|are|was|costs?|because|"
    r"must|never|always|only)\b"
    r"|我(?:是|在|有|住|用|喜欢|不)|我的|是|因为|必须|不要|只能|总是|从不|需要",
    re.IGNORECASE,
)
_ASKS: Final = regex(r"[?？]\s*[\"'”’）)]*$|(?:吗|呢|么)[。.!！]?$")
_NUMBERS: Final = regex(r"\d|[A-Z]{2,}|[一二三四五六七八九十]+(?:点|号|月|天|个)")
_SMALL_TALK: Final = regex(
    r"(?:ok(?:ay)?|thanks?|thank you|hi|hello|hey|great|sure|no problem|you'?re welcome|good "
    r"(?:morning|evening|night)|bye|how can i help.{0,20}|let me know.{0,60}|anything else.{0,20}|"
    r"好的?|谢谢.{0,4}|你好.{0,3}|您好.{0,3}|没问题|不客气|嗯+|收到|明白了?|再见|还有什么.{0,12}|有什么.{0,8}帮.{0,6})",
    re.IGNORECASE,
)
_EDGES: Final = " \t.。!！,，~…?？"

# What a kind adds to a sentence's weight; what someone decided outlives what was only mentioned.
_KIND_WEIGHT: Final[dict[PointKind, float]] = {
    "decision": 1.0,
    "request": 0.6,
    "open": 0.5,
    "fact": 0.4,
}
_NUMBER_WEIGHT: Final = 0.3
_SHARED_WEIGHT: Final = 0.5
_ASSISTANT_WEIGHT: Final = 0.5
"""The assistant's words count half: what the user said is what the session was about."""


def extract_points(turns: Sequence[Turn]) -> list[Point]:
    """Every point of the turns, in the order of saying; system prompts and tool output give none.

    A sentence weighs what its kind and its numbers weigh, plus how much it shares with the rest
    of the conversation: the mean share of its terms (Nenkova & Vanderwende 2005, SumBasic).
    """
    spoken = [turn for turn in turns if turn.role in ("user", "assistant")]
    counts: Counter[str] = Counter()
    for turn in spoken:
        counts.update(set(query_terms(turn.text[:4_000])))
    answered = _answered(spoken)
    points: dict[str, Point] = {}
    for turn in spoken:
        for text in _sentences(turn.text):
            kind = _kind(text, turn, turn.id in answered)
            if kind is None:
                continue
            point = Point(
                kind=kind,
                text=text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…",
                weight=_weight(text, kind, turn, counts, len(spoken)),
                turn_ids=(turn.id,),
                said_at=turn.said_at,
                role=turn.role,
            )
            points.setdefault(canonical(text), point)
    return list(points.values())


def _sentences(text: str) -> Iterator[str]:
    for start, end in sentences(text)[:READ_SENTENCES]:
        sentence = " ".join(text[start:end].split())
        bare = sentence.strip(_EDGES)
        if len(bare) > 1 and not _SMALL_TALK.fullmatch(bare):
            yield sentence


def _answered(turns: Sequence[Turn]) -> frozenset[str]:
    """User turns that the assistant has replied to."""
    last_reply = max(
        (place for place, turn in enumerate(turns) if turn.role == "assistant"), default=-1
    )
    return frozenset(turn.id for turn in turns[:last_reply] if turn.role == "user")


def _kind(text: str, turn: Turn, answered: bool) -> PointKind | None:
    asks = _ASKS.search(text) is not None
    if turn.role == "assistant":
        if asks:
            return None
        return "decision" if _DECIDES.search(text) else "fact" if _NUMBERS.search(text) else None
    if asks and not answered:
        return "open"
    if _DECIDES.search(text) and not asks:
        return "decision"
    if asks or _REQUESTS.search(text):
        return "request"
    return "fact" if _INFORMS.search(text) or _NUMBERS.search(text) or len(text) > 12 else None


def _weight(text: str, kind: PointKind, turn: Turn, counts: Counter[str], turns: int) -> float:
    terms = query_terms(text)
    shared = sum(counts[term] for term in terms) / (len(terms) * turns) if terms else 0.0
    weight = (
        _KIND_WEIGHT[kind]
        + _SHARED_WEIGHT * shared
        + _NUMBER_WEIGHT * (_NUMBERS.search(text) is not None)
    )
    return weight * (_ASSISTANT_WEIGHT if turn.role == "assistant" else 1.0)
