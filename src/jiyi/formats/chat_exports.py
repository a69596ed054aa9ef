"""The export files of chat services: ChatGPT's and Claude's `conversations.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jiyi.formats.messages import ROLE_WORDS
from jiyi.formats.values import Conversation, Message, group_sessions, not_ours, read_moment

_KINDS = {"mapping": "ChatGPT export", "chat_messages": "Claude export"}
_TEXT_TYPES = frozenset({"text", "multimodal_text", "code"})


def fits(value: Any) -> bool:
    """Whether decoded JSON looks like such an export."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and any(key in first for key in _KINDS)


def read(value: Any, name: str) -> tuple[str, tuple[Conversation, ...]]:
    """What it was recognised as, and its conversations, oldest message first.

    Messages without text (pictures, hidden system notes, empty drafts) are passed over.
    """
    conversations = value if isinstance(value, list) else [value]
    found = group_sessions(_entries(conversations, name))
    if not found:
        raise not_ours(name, "there is no message in it")
    label = next(label for key, label in _KINDS.items() if key in conversations[0])
    return label, found


def _entries(conversations: list[Any], name: str) -> Iterator[tuple[str, Message]]:
    for number, conversation in enumerate(conversations, start=1):
        place = f"{name}, conversation {number}"
        if not isinstance(conversation, dict):
            raise not_ours(place, f"expected a conversation, got {type(conversation).__name__}")
        ids = (conversation.get(key) for key in ("conversation_id", "id", "uuid"))
        session = str(next(filter(None, ids), f"conversation {number}"))
        if isinstance(conversation.get("mapping"), dict):
            messages = _chatgpt(conversation, place)
        elif isinstance(conversation.get("chat_messages"), list):
            messages = _claude(conversation["chat_messages"], place)
        else:
            raise not_ours(place, "it has neither 'mapping' nor 'chat_messages'")
        for message in messages:
            yield session, message


def _chatgpt(conversation: dict[str, Any], place: str) -> Iterator[Message]:
    """The branch of the tree that the user last saw: from `current_node` up to the root."""
    mapping = conversation["mapping"]
    node_id = conversation.get("current_node")
    if node_id not in mapping:
        leaves = [key for key, node in mapping.items() if not (node or {}).get("children")]
        node_id = leaves[-1] if leaves else None
    branch: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(node_id, str) and node_id in mapping and node_id not in seen:
        seen.add(node_id)
        node = mapping[node_id]
        if not isinstance(node, dict):
            raise not_ours(place, f"node {node_id!r} is not a mapping")
        if isinstance(node.get("message"), dict):
            branch.append(node["message"])
        node_id = node.get("parent")
    for message in reversed(branch):
        if (read_one := _chatgpt_message(message, place)) is not None:
            yield read_one


def _chatgpt_message(message: dict[str, Any], place: str) -> Message | None:
    metadata = message.get("metadata") or {}
    content = message.get("content") or {}
    author = message.get("author") or {}
    role = ROLE_WORDS.get(str(author.get("role")).casefold())
    hidden = metadata.get("is_visually_hidden_from_conversation")
    if hidden or role is None or content.get("content_type") not in _TEXT_TYPES:
        return None
    parts = content.get("parts") or [content.get("text")]
    text = "\n".join(part for part in parts if isinstance(part, str) and part.strip())
    return _message(message.get("id"), role, text, message.get("create_time"), place)


def _claude(messages: list[Any], place: str) -> Iterator[Message]:
    for message in messages:
        if not isinstance(message, dict):
            raise not_ours(place, f"expected a message, got {type(message).__name__}")
        role = ROLE_WORDS.get(str(message.get("sender")).casefold())
        parts = message.get("content") or []
        text = message.get("text") or "\n".join(
            part["text"]
            for part in parts
            if isinstance(part, dict) and isinstance(part.get("text"), str)
        )
        if role is None or not isinstance(text, str):
            continue
        read_one = _message(message.get("uuid"), role, text, message.get("created_at"), place)
        if read_one is not None:
            yield read_one


def _message(id: object, role: str, text: str, moment: object, place: str) -> Message | None:
    if not text.strip():
        return None
    message: Message = {"role": role, "content": text}
    if id is not None:
        message["id"] = str(id)
    if moment is not None:
        message["said_at"] = read_moment(moment, f"{place}, time")
    return message
