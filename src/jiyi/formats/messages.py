"""Messages as JSON: ours, OpenAI's, LangChain's, ShareGPT's; one conversation or many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jiyi.errors import InvalidInputError
from jiyi.formats.values import Conversation, Message, group_sessions, not_ours, read_moment
from jiyi.text.normalise import check_text
from jiyi.types import ROLES

ROLE_WORDS: Mapping[str, str] = {
    **{role: role for role in ROLES},
    **dict.fromkeys(("human", "me", "prompter", "用户", "我"), "user"),
    **dict.fromkeys(
        ("ai", "bot", "gpt", "chatgpt", "claude", "model", "agent", "助手", "助理", "机器人"),
        "assistant",
    ),
    **dict.fromkeys(("developer", "系统"), "system"),
    **dict.fromkeys(("function", "工具"), "tool"),
}
"""What files call a speaker, and the role it means. Compared case-folded."""

_TIMES = ("said_at", "timestamp", "created_at", "create_time", "time", "date")
_SESSIONS = ("session", "session_id", "thread_id", "conversation_id")
_TAKEN = frozenset(
    {"role", "type", "from", "content", "text", "value", "name", "id", "meta", *_TIMES, *_SESSIONS}
)
# What chat APIs put beside a message; `observe` knows what to do with these.
_KEPT = ("tool_calls", "tool_call_id")
_LISTS = ("messages", "conversation", "conversations")


def read(value: Any, name: str, unit: str = "item") -> tuple[Conversation, ...]:
    """Conversations from decoded JSON.

    Args:
        value: a message, a list of messages, `{"messages": […]}`, or a list of those.
        name: the file's name, for error messages.
        unit: what an entry of a top-level list is called in error messages.
    """
    conversations = group_sessions(_entries(value, name, unit, None))
    if not conversations:
        raise not_ours(name, "there is no message in it")
    return conversations


def _entries(
    value: Any, place: str, unit: str, session: str | None
) -> Iterator[tuple[str | None, Message]]:
    if isinstance(value, list):
        many = any(_holds_messages(entry) for entry in value)
        for number, entry in enumerate(value, start=1):
            inner = f"{place}, {unit} {number}"
            # Each conversation of a list is a sitting of its own, whether it has a name or not.
            own = f"{session or 'conversation'} {number}" if many and len(value) > 1 else session
            yield from _entries(entry, inner, "message", own)
    elif isinstance(value, dict) and (key := _holds_messages(value)):
        yield from _entries(value[key], place, "message", _session(value, place) or session)
    elif isinstance(value, dict):
        yield _session(value, place) or session, _message(value, place)
    else:
        raise not_ours(place, f"expected a message, got {type(value).__name__}")


def _holds_messages(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    return next((key for key in _LISTS if isinstance(value.get(key), list)), None)


def _session(value: Mapping[str, Any], place: str) -> str | None:
    found = next((value[key] for key in _SESSIONS if value.get(key) is not None), None)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, (str, int)) or found == "":
        raise InvalidInputError(f"{place}, session", f"{found!r} is not a name", "Use a text")
    return str(found)


def _message(value: dict[str, Any], place: str) -> Message:
    if isinstance(value.get("data"), dict) and "type" in value:  # LangChain's messages_to_dict
        value = {**value["data"], "type": value["type"]}
    speaker = next((value[key] for key in ("role", "type", "from") if key in value), None)
    if speaker is None:
        raise not_ours(place, "it has no role")
    role = ROLE_WORDS.get(speaker.casefold()) if isinstance(speaker, str) else None
    if role is None:
        raise InvalidInputError(
            f"{place}, role", f"unknown role {speaker!r}", f"Use one of: {', '.join(ROLES)}"
        )
    content = next((value[key] for key in ("content", "text", "value") if key in value), None)
    message: Message = {"role": role, "content": _checked(content, value, place)}
    message.update((key, value[key]) for key in _KEPT if value.get(key))
    for key in ("name", "id"):
        if value.get(key) is not None:
            message[key] = str(value[key])
    if (moment := next((value[key] for key in _TIMES if value.get(key)), None)) is not None:
        message["said_at"] = read_moment(moment, f"{place}, said_at")
    if meta := _meta(value, place):
        message["meta"] = meta
    return message


def _checked(content: Any, value: Mapping[str, Any], place: str) -> Any:
    """The content, text or parts, once its text has passed the door that `observe` has too."""
    if content is None and value.get("tool_calls"):
        return None
    if isinstance(content, list):
        parts = [part if isinstance(part, str) else _part_text(part, place) for part in content]
        content = "\n".join(part for part in parts if part)
        if not content and value.get("tool_calls"):
            return None
    return check_text(content, f"{place}, content")


def _part_text(part: Any, place: str) -> str:
    if not isinstance(part, dict):
        raise not_ours(f"{place}, content", f"a part is a {type(part).__name__}")
    text = part.get("text")
    return text if isinstance(text, str) else f"[{part.get('type', 'attachment')}]"


def _meta(value: Mapping[str, Any], place: str) -> dict[str, Any]:
    meta = value.get("meta") or {}
    if not isinstance(meta, dict):
        raise InvalidInputError(f"{place}, meta", "expected a mapping", 'Use {"key": "value"}')
    extra = {
        key: value[key]
        for key in value
        if key not in _TAKEN and key not in _KEPT and isinstance(value[key], (str, int, float))
    }
    return {**extra, **meta}
