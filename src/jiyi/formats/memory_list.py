"""A list of finished memories as JSON: `{"memories": [{"content": …, "memory_type": …}, …]}`.

Small agents keep such files. The scale of importance (0–1, 1–5 or 0–10) is told from the whole
list, because 1 alone means the highest on one scale and the lowest on another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jiyi.errors import InvalidInputError
from jiyi.formats.values import ImportedMemory, not_ours, read_moment
from jiyi.text.normalise import check_text
from jiyi.types import KINDS, Kind, MemoryRecord

_KIND_WORDS: Mapping[str, Kind] = {
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("declarative", "fact", "preference", "profile", "summary"), "semantic"),
    **dict.fromkeys(("experience", "event", "episode"), "episodic"),
    **dict.fromkeys(("skill", "procedure", "workflow"), "procedural"),
    **dict.fromkeys(("reflection", "lesson", "insight"), "reflective"),
}
_KIND_KEYS = ("memory_type", "kind", "type")
_TIME_KEYS = ("said_at", "create_time", "created_at", "timestamp")
_TEXT_KEYS = ("content", "text", "memory")
_TAKEN = frozenset(
    {*_KIND_KEYS, *_TIME_KEYS, *_TEXT_KEYS, "id", "tags", "importance", "update_time", "metadata"}
)


def fits(value: Any) -> bool:
    """Whether decoded JSON looks like a list of memories."""
    if isinstance(value, dict):
        return isinstance(value.get("memories"), list)
    first = value[0] if isinstance(value, list) and value else None
    return (
        isinstance(first, dict)
        and "role" not in first
        and "memory_type" in first
        and any(key in first for key in _TEXT_KEYS)
    )


def read(value: Any, name: str) -> tuple[ImportedMemory, ...]:
    """The memories of a list, in its order."""
    entries = value["memories"] if isinstance(value, dict) else value
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise not_ours(f"{name}, memory {number}", f"it is a {type(entry).__name__}")
    top = _top_of_scale([entry.get("importance") for entry in entries])
    return tuple(
        _read_one(entry, f"{name}, memory {number}", top)
        for number, entry in enumerate(entries, start=1)
    )


def dump(records: Sequence[MemoryRecord]) -> dict[str, Any]:
    """Memories in the same shape, importance on the scale 1–5. Lossy: for other programs to read;
    our own archive (`Memory.export`) keeps everything."""
    return {
        "memories": [
            {
                "id": record.id,
                "content": record.text,
                "memory_type": "declarative"
                if record.kind in ("semantic", "episodic")
                else record.kind,
                "tags": list(record.tags),
                "importance": max(1, round(record.importance * 5)),
                "create_time": record.recorded_at.timestamp(),
                "update_time": (record.last_used_at or record.recorded_at).timestamp(),
            }
            for record in records
        ]
    }


def _read_one(entry: dict[str, Any], place: str, top: float) -> ImportedMemory:
    word = next((entry[key] for key in _KIND_KEYS if key in entry), "semantic")
    kind = _KIND_WORDS.get(word.casefold()) if isinstance(word, str) else None
    if kind is None:
        known = ", ".join(sorted(_KIND_WORDS))
        raise InvalidInputError(f"{place}, kind", f"unknown kind {word!r}", f"Use one of: {known}")
    tags = entry.get("tags") or ()
    if not isinstance(tags, (list, tuple)) or not all(isinstance(t, str) and t for t in tags):
        raise InvalidInputError(f"{place}, tags", "expected a list of texts", 'Use ["a", "b"]')
    moment = next((entry[key] for key in _TIME_KEYS if entry.get(key)), None)
    text = next((entry[key] for key in _TEXT_KEYS if key in entry), None)
    meta = dict(entry.get("metadata") or {}) if isinstance(entry.get("metadata"), dict) else {}
    meta.update({k: v for k, v in entry.items() if k not in _TAKEN and _is_plain(v)})
    if entry.get("id") is not None:
        meta["imported_id"] = entry["id"]
    return ImportedMemory(
        text=check_text(text, f"{place}, content"),
        kind=kind,
        tags=tuple(tags),
        importance=_importance(entry.get("importance"), top),
        said_at=read_moment(moment, f"{place}, time"),
        meta=meta,
    )


def _top_of_scale(values: list[Any]) -> float:
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    highest = max(numbers, default=0)
    if highest > 5:
        return 10.0
    # Whole numbers are a scale of steps even where nobody gave more than 1.
    return 1.0 if highest <= 1 and any(isinstance(v, float) for v in numbers) else 5.0


def _importance(value: Any, top: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.5  # nothing readable: the middle
    return min(1.0, max(0.0, value / top))


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool))
