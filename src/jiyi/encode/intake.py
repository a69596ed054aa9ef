"""What people hand in becomes turns and drafts: checked whole, before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from jiyi.arguments import (
    MAX_MESSAGE_META_BYTES,
    read_choice,
    read_duration,
    read_event,
    read_flag,
    read_meta,
    read_share,
    read_slot,
    read_source,
    read_tags,
    read_time,
)
from jiyi.errors import InvalidInputError
from jiyi.ids import new_id
from jiyi.text.normalise import check_name, check_text
from jiyi.text.sentences import pieces
from jiyi.text.terms import date_words, term_weights
from jiyi.types import (
    KINDS,
    ROLES,
    VISIBILITIES,
    Draft,
    Json,
    Role,
    Scope,
    Trust,
    Turn,
)

if TYPE_CHECKING:
    from jiyi.ports import TermWeights

WRITERS: tuple[Trust, ...] = ("application", "user", "assistant", "tool")
MAX_ITEMS = 1000  # one transaction: others who write wait about a second at most
DRAFT_FIELDS = frozenset(
    {
        *("text", "kind", "tags", "importance", "confidence", "meta", "slot", "event"),
        *("valid_from", "valid_to", "expires_at", "ttl", "visibility", "pinned", "said_at"),
        *("source", "trust"),
    }
)
MESSAGE_FIELDS = frozenset({"role", "content", "name", "said_at", "id", "meta"})
# What OpenAI's and LangChain's messages carry beside ours; kept in meta when there is something.
FOREIGN_FIELDS = frozenset(
    {
        *("tool_calls", "tool_call_id", "refusal", "annotations", "audio", "function_call"),
        *("type", "status", "reasoning_content"),
    }
)
ROLE_NAMES: Mapping[str, Role] = {
    **{role: role for role in ROLES},
    "human": "user",
    "ai": "assistant",
    "developer": "system",
    "function": "tool",
}


def read_messages(messages: object, *, scope: Scope, now: datetime) -> list[Turn]:
    """Turns from what people have: one message or many, each a string (the user speaking), a
    mapping, or an OpenAI or LangChain message object.

    Raises:
        InvalidInputError: naming the message by its place and the field, such as
            `messages[2].role`.
    """
    if isinstance(messages, (str, Mapping)) or not isinstance(messages, Iterable):
        messages = [messages]
    turns = [
        _read_message(message, f"messages[{place}]", scope, now)
        for place, message in enumerate(cast("Iterable[object]", messages))
    ]
    if not turns:
        raise InvalidInputError("messages", "there is no message", "Pass at least one")
    return turns


def turn_terms(turn: Turn) -> list[tuple[tuple[int, int], TermWeights]]:
    """How a turn is indexed: in pieces, each with the speaker's name and the date in words."""
    context = [date_words(turn.said_at)]
    if turn.name:
        context.append(turn.name)
    spans = pieces(turn.text)
    return [(span, term_weights(turn.text[span[0] : span[1]], context=context)) for span in spans]


def read_draft(
    text: object,
    *,
    now: datetime,
    scope: Scope,
    kind: object = "semantic",
    tags: object = (),
    importance: object = 0.5,
    confidence: object = 1.0,
    meta: object = None,
    slot: object = None,
    event: object = None,
    valid_from: object = None,
    valid_to: object = None,
    expires_at: object = None,
    ttl: object = None,
    visibility: object = "user",
    pinned: object = False,
    said_at: object = None,
    source: object = None,
    trust: object = "application",
) -> Draft:
    """A draft from the arguments of `remember`; every argument is checked.

    Raises:
        InvalidInputError: naming the argument.
    """
    checked = check_text(text, "text")
    start = read_time(valid_from, "valid_from", now)
    end = read_time(valid_to, "valid_to", now)
    if start is not None and end is not None and end <= start:
        raise InvalidInputError("valid_to", "it is not after valid_from", "Give a later time")
    audience = read_choice(visibility, "visibility", VISIBILITIES)
    if audience in ("agent", "task", "tool") and getattr(scope, audience) is None:
        raise InvalidInputError(
            "visibility", f"{audience!r} needs a scope with {audience}", f"Pass {audience}=…"
        )
    expiry = read_time(expires_at, "expires_at", now)
    if ttl is not None:
        if expiry is not None:
            raise InvalidInputError("ttl", "it was given together with expires_at", "Give one")
        expiry = now + read_duration(ttl, "ttl")
    said = read_time(said_at, "said_at", now)
    return Draft(
        text=checked,
        kind=read_choice(kind, "kind", KINDS),
        tags=read_tags(tags),
        importance=read_share(importance, "importance"),
        confidence=read_share(confidence, "confidence"),
        meta=read_meta(meta, "meta"),
        slot=read_slot(slot),
        event=read_event(event, now),
        entities=(),
        sources=(read_source(source, scope, said or now),),
        said_at=said,
        valid_from=start,
        valid_to=end,
        expires_at=expiry,
        visibility=audience,
        pinned=read_flag(pinned, "pinned"),
        trust=read_choice(trust, "trust", WRITERS),
    )


def read_drafts(items: object, *, now: datetime, scope: Scope) -> list[Draft]:
    """Drafts from the items of `remember_all`, each a text or the arguments of `remember`.

    Raises:
        InvalidInputError: naming the item by its place and the argument.
    """
    if isinstance(items, (str, Mapping)) or not isinstance(items, Iterable):
        raise InvalidInputError("items", "expected a list", 'Use ["…", {"text": "…"}]')
    drafts = [
        _read_item(item, f"items[{place}]", now, scope)
        for place, item in enumerate(cast("Iterable[object]", items))
    ]
    if not 1 <= len(drafts) <= MAX_ITEMS:
        raise InvalidInputError(
            "items", f"there are {len(drafts)}", f"Pass 1 to {MAX_ITEMS:,} at a time"
        )
    return drafts


def _read_item(item: object, place: str, now: datetime, scope: Scope) -> Draft:
    fields = {"text": item} if isinstance(item, str) else item
    if not isinstance(fields, Mapping) or "text" not in fields:
        raise InvalidInputError(place, "it has no text", 'Use "…" or {"text": "…", "kind": …}')
    if unknown := sorted(str(name) for name in fields if name not in DRAFT_FIELDS):
        raise InvalidInputError(
            f"{place}.{unknown[0]}", "unknown argument", "Known: " + ", ".join(sorted(DRAFT_FIELDS))
        )
    try:
        return read_draft(**cast("Mapping[str, Any]", fields), now=now, scope=scope)
    except InvalidInputError as error:
        raise InvalidInputError(f"{place}.{error.field}", error.problem, error.hint) from None


# --- messages ---------------------------------------------------------------------------------


def _read_message(message: object, place: str, scope: Scope, now: datetime) -> Turn:
    if isinstance(message, str):
        message = {"role": "user", "content": message}
    fields = dict(message) if isinstance(message, Mapping) else _object_fields(message, place)
    unknown = sorted(str(k) for k in fields if k not in MESSAGE_FIELDS | FOREIGN_FIELDS)
    if unknown:
        raise InvalidInputError(
            f"{place}.{unknown[0]}",
            "unknown field",
            f"Known: {', '.join(sorted(MESSAGE_FIELDS))}; put anything else into meta",
        )
    role = ROLE_NAMES.get(str(fields.get("role", fields.get("type", ""))))
    if role is None:
        raise InvalidInputError(
            f"{place}.role",
            f"unknown role {fields.get('role', fields.get('type'))!r}",
            f"Use one of: {', '.join(ROLES)}",
        )
    limit = MAX_MESSAGE_META_BYTES
    meta = read_meta(fields.get("meta"), f"{place}.meta", limit_bytes=limit)
    foreign = {k: fields[k] for k in sorted(FOREIGN_FIELDS - {"type", "status"}) if fields.get(k)}
    if foreign:
        meta = {**read_meta(_plain(foreign), place, limit_bytes=limit), **meta}
    text = _read_content(fields.get("content"), place) or _describe_calls(meta)
    said_at = read_time(fields.get("said_at"), f"{place}.said_at", now)
    key = fields.get("id")
    return Turn(
        id=new_id(),
        role=role,
        text=check_text(text, f"{place}.content"),
        said_at=said_at or now,
        recorded_at=now,
        scope=scope,
        name=check_name(fields.get("name"), f"{place}.name"),
        key=check_name(key, f"{place}.id"),
        meta=meta,
    )


def _object_fields(message: object, place: str) -> dict[str, Any]:
    """The fields of an OpenAI (pydantic, role/content) or LangChain (type/content) message."""
    role = getattr(message, "role", None) or getattr(message, "type", None)
    if not isinstance(role, str) or not hasattr(message, "content"):
        raise InvalidInputError(
            place,
            f"{type(message).__name__} is not a message",
            'Use {"role": "user", "content": "…"}, a text, or an OpenAI or LangChain message',
        )
    names = ("content", "name", "id", "tool_calls", "tool_call_id")
    found = {name: value for name in names if (value := getattr(message, name, None))}
    return {"role": role, **found}


def _read_content(content: object, place: str) -> str | None:
    """Plain text, or the text parts of a list of content parts, joined by line ends. A message that
    is a picture and nothing else is told as such, for it was sent."""
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        raise InvalidInputError(
            f"{place}.content", f"expected a text, got {type(content).__name__}", "Pass the text"
        )
    texts, others = [], []
    for number, part in enumerate(content):
        if isinstance(part, str):
            texts.append(part)
            continue
        text = part.get("text") if isinstance(part, Mapping) else part
        if not isinstance(part, Mapping) or not (text is None or isinstance(text, str)):
            raise InvalidInputError(
                f"{place}.content[{number}]",
                f"expected a text or a part with one, got {type(text).__name__}",
                'Use {"type": "text", "text": "…"}',
            )
        if text is None:
            others.append(f"[{part.get('type', 'attachment')}]")
        else:
            texts.append(text)
    return "\n".join(texts or others)


def _describe_calls(meta: Mapping[str, Json]) -> str | None:
    """An assistant message that only calls tools has no text: say which tools it called."""
    calls = meta.get("tool_calls")
    if not isinstance(calls, list):
        return None
    names = []
    for call in calls:
        inner = call.get("function") if isinstance(call, dict) else None
        holder = inner if isinstance(inner, dict) else call
        names.append(str(holder.get("name")) if isinstance(holder, dict) else "?")
    return f"[calls {', '.join(names)}]"


def _plain(value: object) -> object:
    """Foreign objects inside a message (pydantic models) as plain data."""
    dump: Callable[[], object] | None = getattr(value, "model_dump", None)
    if dump is not None:
        return _plain(dump())
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
