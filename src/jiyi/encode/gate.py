"""The gate: is a statement worth keeping? Four parts, one weighted sum, one threshold."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from jiyi.encode.slots import family_of
from jiyi.text.patterns import regex
from jiyi.types import Draft, GateScores, Scope

Scale = Literal["auto", "0-1", "1-5", "0-10"]

MIDDLE: Final = 0.5
"""What an unreadable importance counts as."""

CANDIDATE_BELOW: Final = 0.7
"""A draft that passes with less confidence than this is kept as a candidate only."""

DROPPED_BELOW: Final = 0.25
"""With less confidence than this it is not kept at all."""

_LASTING: Final = frozenset(
    re.findall(
        r"\S+",
        "name nickname age birthday birth_year gender nationality ethnicity hometown "
        "residence address phone email wechat account timezone employer occupation "
        "department position education school major marital family children pet allergy "
        "condition medication blood_type diet language skill preference favourite hobby "
        "instruction reply_language reply_style units format habit",
    )
)
_PASSING: Final = regex(
    r"\b(?:right now|at the moment|today|tonight|this (?:morning|afternoon|evening)|just now|"
    r"for now|currently "
    r"(?:waiting|sitting|on hold)|a bit (?:tired|busy|hungry)|tired|hungry|sleepy|bored|"
    r"stuck in traffic)\b"
    r"|现在(?=在|正|就|很|好|有点|想|要|不想|太|没|去|开会|不方便|心情|我|吃|看|是早|是晚|是中午|是上午|是下午)|今天|今晚|今早|刚才|刚刚|这会儿|此刻|暂时|有点(?:累|困|饿|烦|忙)|好(?:累|困|饿|烦)|"
    r"待会儿?",
    re.IGNORECASE,
)
_DANGLING: Final = regex(
    r"^(?:it|this|that|these|those|they|he|she|him|her|them)\b(?!\s+(?:is|was) (?:my|our)\b)"
    r"|^(?:它|这(?:个|样|些|里)?|那(?:个|样|些|里)?|他|她)(?:们)?(?=[是在有很也不都就会要])",
    re.IGNORECASE,
)
_HIGH: Final = regex(
    r"\b(?:important(?:ly)?|critical|crucial|essential|must|never|always|urgent|allerg\w+|"
    r"deadline|remember|"
    r"don't forget|deal-?breaker|non-negotiable|strictly|required?|emergency|key|forbidden|"
    r"mandatory)\b"
    r"|重要|关键|务必|必须|一定|千万|绝对|记住|记得|切记|永远|从不|禁止|严禁|截止|过敏|底线|"
    r"紧急|一律|以后",
    re.IGNORECASE,
)
_LOW: Final = regex(
    r"\b(?:by the way|btw|whatever|random(?:ly)?|anyway|not (?:a big deal|important)|"
    r"doesn't matter|trivial|"
    r"just saying|fun fact|for fun|no big deal|minor)\b|随便|无所谓|不重要|没关系|顺便|小事|"
    r"不要紧|闲聊|随口",
    re.IGNORECASE,
)
# Who says "I" has said of whom: "I foster cats" is whole.
_FIRST_PERSON: Final = regex(r"(?:I|we|my|our)(?:['’]\w+)? (?=\w)", re.IGNORECASE)
_CONTENT: Final = regex(r"[A-Za-z0-9]{2,}|[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Gate:
    """Weights and thresholds. The weights are shares of the total, which is then from 0 to 1.

    `threshold`: below it a draft is dropped. `candidate_below`: a passing draft with less
    confidence than this becomes a candidate, which is not recalled until it is confirmed.
    """

    completeness: float = 0.3
    relevance: float = 0.4
    durability: float = 0.2
    emphasis: float = 0.1
    threshold: float = 0.6
    candidate_below: float = CANDIDATE_BELOW
    dropped_below: float = DROPPED_BELOW

    def __post_init__(self) -> None:
        weights = (self.completeness, self.relevance, self.durability, self.emphasis)
        if min(weights) < 0 or not math.isclose(sum(weights), 1.0, abs_tol=1e-6):
            raise ValueError(f"gate weights must be at least 0 and add up to 1, not {weights}")

    def score(self, draft: Draft) -> GateScores:
        """The four parts of a draft and their weighted sum, each from 0 to 1, higher is better."""
        parts = (_completeness(draft), _relevance(draft), _durability(draft), _emphasis(draft))
        weights = (self.completeness, self.relevance, self.durability, self.emphasis)
        total = sum(weight * part for weight, part in zip(weights, parts, strict=True))
        return GateScores(
            completeness=parts[0],
            relevance=parts[1],
            durability=parts[2],
            emphasis=parts[3],
            total=round(total, 4),
        )

    def check(self, draft: Draft) -> Draft | str:
        """The draft with its scores, as a candidate when its confidence is middling; or, when it
        is not let in, the reason."""
        scores = self.score(draft)
        if scores.total < self.threshold:
            weakest = min(
                ("completeness", "relevance", "durability"), key=lambda name: getattr(scores, name)
            )
            return (
                f"gate: {scores.total:.2f} is below {self.threshold:.2f}, "
                f"{weakest} {getattr(scores, weakest):.2f}"
            )
        if draft.confidence < self.dropped_below:
            return f"gate: confidence {draft.confidence:.2f} is below {self.dropped_below:.2f}"
        unsure = draft.candidate or draft.confidence < self.candidate_below
        return replace(draft, gate=scores, candidate=unsure)


_DEFAULT: Final = Gate()

GateOf = Callable[[Scope], Gate]
"""The gate of a scope."""


def gate_for(gate: Gate | GateOf | None, scope: Scope) -> Gate:
    """The gate that decides for a scope; the default one for None."""
    if gate is None or isinstance(gate, Gate):
        return gate or _DEFAULT
    return gate(scope)


def score(draft: Draft) -> GateScores:
    """`Gate().score`: the four parts with the default weights."""
    return Gate().score(draft)


def importance_from(value: object, scale: Scale = "auto") -> float:
    """An importance from 0 to 1 out of what a model or a person gives.

    Args:
        value: a number, or text with one ("4", "8/10", "0.7", "high", 重要). What cannot be read
            is the middle.
        scale: the scale of a bare number. "auto" takes numbers up to 1 as 0–1, whole numbers
            from 2 to 5 as 1–5 and others up to 10 as 0–10; a bare 1 is ambiguous and read as 0–1
            when it is a float, as the lowest of 1–5 when it is an int or text.
    """
    if isinstance(value, bool) or value is None:
        return MIDDLE
    if isinstance(value, str):
        return _importance_from_text(value, scale)
    if isinstance(value, (int, float)) and math.isfinite(value):
        return _mapped(float(value), scale, whole=isinstance(value, int))
    return MIDDLE


_SHARE: Final = regex(r"(-?\d+(?:\.\d+)?)\s*(?:/|out of|分之)\s*(\d+(?:\.\d+)?)")
_NUMBER: Final = regex(r"-?\d+(?:\.\d+)?")
_WORDS: Final[Mapping[str, float]] = {
    "critical": 1.0, "very high": 1.0, "highest": 1.0, "high": 0.8, "medium": 0.5, "moderate": 0.5,
    "normal": 0.5, "very low": 0.0, "low": 0.2, "none": 0.0,
    "极高": 1.0, "非常重要": 1.0, "很重要": 0.9, "不重要": 0.1, "重要": 0.8, "高": 0.8, "中": 0.5,
    "一般": 0.5, "低": 0.2,
}  # fmt: skip


def _importance_from_text(text: str, scale: Scale) -> float:
    if (share := _SHARE.search(text)) is not None and float(share[2]) > 0:
        top, got = float(share[2]), float(share[1])
        if top == 5:
            return _mapped(got, "1-5", whole=True)
        return min(1.0, max(0.0, got / top))
    if (number := _NUMBER.search(text)) is not None:
        if "%" in text[number.end() : number.end() + 2]:
            return min(1.0, max(0.0, float(number[0]) / 100))
        return _mapped(float(number[0]), scale, whole="." not in number[0])
    plain = text.strip().lower()
    return next((share for word, share in _WORDS.items() if word in plain), MIDDLE)


def _mapped(number: float, scale: Scale, *, whole: bool) -> float:
    if scale == "auto":
        if number < 0 or number > 10:
            return MIDDLE
        if number <= 1:
            scale = "1-5" if whole and number == 1 else "0-1"
        else:
            scale = "1-5" if number <= 5 else "0-10"
    low, high = {"0-1": (0, 1), "1-5": (1, 5), "0-10": (0, 10)}[scale]
    if not low <= number <= high:
        return MIDDLE
    return (number - low) / (high - low)


# --- the four parts ----------------------------------------------------------------------------


def _completeness(draft: Draft) -> float:
    """Whether the text can be understood alone: it has content, and no pronoun left open."""
    content = len(_CONTENT.findall(draft.text))
    if content < 2:
        return 0.0
    value = 1.0 if draft.slot is not None or draft.event is not None else 0.85
    if _DANGLING.search(draft.text):
        value -= 0.6
    if content < 3 and draft.slot is None and not _FIRST_PERSON.match(draft.text):
        value -= 0.3
    return max(0.0, value)


def _relevance(draft: Draft) -> float:
    """Whether it is about the user, their people and things, or how to serve them."""
    if draft.slot is not None or draft.kind == "procedural":
        return 1.0
    if draft.trust == "application":
        return 0.9
    if draft.event is not None:
        return 0.8
    if draft.trust == "assistant":
        return 0.6
    return 0.55 if draft.confidence >= CANDIDATE_BELOW else 0.4


def _durability(draft: Draft) -> float:
    """Whether it will still matter: identity and rules do, moods and moments do not."""
    if draft.slot is not None and family_of(draft.slot.attribute) in _LASTING:
        return 1.0
    if draft.kind == "procedural":
        return 0.95
    if draft.kind == "episodic":
        return 0.4 if draft.event is None else 0.6
    if _PASSING.search(draft.text):
        return 0.15
    return 0.8 if draft.slot is not None else 0.6


def _emphasis(draft: Draft) -> float:
    """How much weight the speaker gave it."""
    value = 0.4 + 0.4 * (draft.importance - MIDDLE)
    if draft.pinned or _HIGH.search(draft.text):
        value += 0.5
    if _LOW.search(draft.text):
        value -= 0.3
    return min(1.0, max(0.0, value))
