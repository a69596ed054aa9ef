"""Files of other systems are recognised by their shape, read whole, or refused with one error."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jiyi.errors import InvalidInputError
from jiyi.formats import Imported, read_file


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Write content to a file and read it back."""

    def inner(content: str | bytes | Any, name: str = "chat.txt", **options: Any) -> Imported:
        file = tmp_path / name
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content, ensure_ascii=False)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_file(file, **options)

    return inner


def pairs(imported: Imported) -> list[tuple[str, str]]:
    return [(m["role"], m["content"]) for c in imported.conversations for m in c.messages]


SAID = [("user", "我住在北京"), ("assistant", "Noted: Beijing")]
MESSAGES = [{"role": role, "content": text} for role, text in SAID]
PARTS = [{"role": role, "content": [{"type": "text", "text": text}]} for role, text in SAID]


@pytest.mark.parametrize(
    "content",
    [
        MESSAGES,
        {"messages": MESSAGES},
        [{"messages": MESSAGES}],
        {
            "conversations": [
                {"from": "human", "value": SAID[0][1]},
                {"from": "gpt", "value": SAID[1][1]},
            ]
        },
        PARTS,
        [
            {"type": "human", "data": {"content": SAID[0][1]}},
            {"type": "ai", "data": {"content": SAID[1][1]}},
        ],
        "\n".join(json.dumps(m) for m in MESSAGES),
        "\n\n".join(json.dumps(m, ensure_ascii=False) for m in MESSAGES) + "\n\n",
        json.dumps({"messages": MESSAGES}) + "\n",
        "User: 我住在北京\nAssistant: Noted: Beijing",
        "用户：我住在北京\n助手：Noted: Beijing\n",
        "[09:30] 我：我住在北京\n[09:31] AI: Noted: Beijing",
        "2026-03-05 09:30:12 我\n我住在北京\n\n2026-03-05 09:30:40 小助手\nNoted: Beijing\n",
        "\ufeffUser: 我住在北京\r\nAssistant: Noted: Beijing\r\n".encode(),
        "User: 我住在北京\nAssistant: Noted: Beijing".encode("utf-16"),
    ],
)
def test_shapes_of_one_conversation(read: Any, content: Any) -> None:
    """Every shape of the same two messages is read as the same two messages."""
    assert pairs(read(content)) == SAID


def test_single_message_file(read: Any) -> None:
    """One message alone in a file is a conversation too."""
    assert pairs(read(MESSAGES[0])) == SAID[:1]


def test_fields_of_our_messages(read: Any) -> None:
    """Name, time, id and meta survive; other plain fields are kept in meta."""
    (conversation,) = read(
        {
            "session": "A",
            "messages": [
                {
                    **MESSAGES[0],
                    "name": "小王",
                    "said_at": "2026-03-05T09:30:00+08:00",
                    "id": 7,
                    "meta": {"place": "田间"},
                    "channel": "field app",
                }
            ],
        }
    ).conversations
    assert conversation.session == "A"
    (message,) = conversation.messages
    assert message["name"] == "小王"
    assert message["said_at"].isoformat() == "2026-03-05T09:30:00+08:00"
    assert message["id"] == "7"
    assert message["meta"] == {"place": "田间", "channel": "field app"}


@pytest.mark.parametrize(
    "moment", [1772674200, 1772674200.0, 1772674200000, "2026-03-05T01:30:00Z"]
)
def test_times(read: Any, moment: object) -> None:
    """Seconds, milliseconds and ISO 8601 name the same instant."""
    (conversation,) = read([{**MESSAGES[0], "timestamp": moment}]).conversations
    assert conversation.messages[0]["said_at"] == datetime(2026, 3, 5, 1, 30, tzinfo=UTC)


def test_sessions_are_kept_apart(read: Any) -> None:
    """Lines of several sessions in one JSONL file become several conversations, in order."""
    lines = [{**m, "session": s} for s in ("A", "B") for m in MESSAGES]
    found = read("\n".join(map(json.dumps, lines)))
    assert [c.session for c in found.conversations] == ["A", "B"]
    assert found.message_count == 4
    many = read([{"messages": MESSAGES}, {"messages": MESSAGES}])
    assert len({c.session for c in many.conversations}) == 2


def test_ids_are_stable_and_distinct(read: Any) -> None:
    """Reading a file again, or a longer version of it, gives the same messages the same ids, so
    that importing twice stores nothing twice; the same words said twice stay two messages."""
    first = [m["id"] for m in read([*MESSAGES, MESSAGES[0]]).conversations[0].messages]
    longer = [m["id"] for m in read([*MESSAGES, MESSAGES[0], *MESSAGES]).conversations[0].messages]
    assert longer[:3] == first
    assert len(set(longer)) == 5


def chatgpt(*messages: dict[str, Any] | None, **extra: Any) -> dict[str, Any]:
    """A conversation as ChatGPT exports it: a tree in which each node follows the one before."""
    mapping = {
        f"n{n}": {
            "message": message,
            "parent": f"n{n - 1}" if n else None,
            "children": [f"n{n + 1}"] if n + 1 < len(messages) else [],
        }
        for n, message in enumerate(messages)
    }
    return {"mapping": mapping, "current_node": f"n{len(messages) - 1}", **extra}


def node(role: str, *parts: Any, kind: str = "text", **extra: Any) -> dict[str, Any]:
    return {
        "id": f"m-{role}",
        "author": {"role": role},
        "content": {"content_type": kind, "parts": list(parts)},
        **extra,
    }


def test_chatgpt_export(read: Any) -> None:
    """The visible branch is read in order; hidden notes, pictures and thoughts are passed over."""
    trunk = chatgpt(
        None,
        node("system", "", metadata={"is_visually_hidden_from_conversation": True}),
        node(
            "user",
            {"asset_pointer": "file"},
            SAID[0][1],
            kind="multimodal_text",
            create_time=1772674200.5,
        ),
        node("assistant", "…", kind="thoughts"),
        node("assistant", SAID[1][1]),
        title="搬家",
        conversation_id="c-1",
    )
    trunk["mapping"]["other"] = {"message": node("user", "an edit"), "parent": "n1", "children": []}
    found = read([trunk], "conversations.json")
    assert found.format == "ChatGPT export"
    assert pairs(found) == SAID
    assert found.conversations[0].session == "c-1"
    assert found.conversations[0].messages[0]["said_at"].year == 2026


def test_chatgpt_export_with_a_circle(read: Any) -> None:
    """A damaged tree whose nodes are each other's parents is read once, not for ever."""
    damaged = chatgpt(node("user", "hello"))
    damaged["mapping"]["n0"]["parent"] = "n0"
    assert pairs(read([damaged])) == [("user", "hello")]


def test_claude_export(read: Any) -> None:
    """Claude's export has senders instead of roles, and text in one of two places."""
    found = read(
        [
            {
                "uuid": "u-1",
                "chat_messages": [
                    {
                        "uuid": "a",
                        "sender": "human",
                        "text": SAID[0][1],
                        "created_at": "2026-03-05T01:30:00Z",
                    },
                    {
                        "uuid": "b",
                        "sender": "assistant",
                        "text": "",
                        "content": [{"type": "text", "text": SAID[1][1]}],
                    },
                ],
            }
        ]
    )
    assert found.format == "Claude export"
    assert pairs(found) == SAID


def test_transcript_of_two_people(read: Any) -> None:
    """Names other than the usual words are users under their own name; a date line dates what
    follows, and lines without a speaker continue the message above."""
    found = read(
        "# 2026年3月5日 星期四\n\n小王：今天出苗了\n一共 96 株\n[10:15] Ann Lee: ok\n\nthanks"
    )
    first, second = found.conversations[0].messages
    assert (first["name"], first["content"]) == ("小王", "今天出苗了\n一共 96 株")
    assert (second["name"], second["content"]) == ("Ann Lee", "ok\n\nthanks")
    assert first["said_at"].isoformat() == "2026-03-05T00:00:00"
    assert second["said_at"].isoformat() == "2026-03-05T10:15:00"


def test_transcript_colons_inside_messages(read: Any) -> None:
    """URLs, clock times and remarks such as "Note:" inside a message are no speakers."""
    lines = ["Ann: see https://a.example/b", "12:30 works for me", "Note: bring boots", "Bob: ok"]
    found = read("\n".join([*lines, "Ann: a", "Bob: b", "Ann: c", "Bob: d"]))
    messages = found.conversations[0].messages
    assert [m["name"] for m in messages] == ["Ann", "Bob"] * 3
    assert "Note: bring boots" in messages[0]["content"]


def test_transcript_with_a_named_assistant(read: Any) -> None:
    """A name given as the assistant's is the assistant, whatever it is called."""
    found = read("Ann: hi\nRosie: hello", assistant=["rosie"])
    assert [m["role"] for m in found.conversations[0].messages] == ["user", "assistant"]


@pytest.mark.parametrize("scale", [(1, 5, 0.2, 1.0), (0.25, 1.0, 0.25, 1.0), (4, 10, 0.4, 1.0)])
def test_memory_list(read: Any, scale: tuple[float, ...]) -> None:
    """Finished memories come with kind, tags and time; importance is read on the list's scale."""
    low, high, low_read, high_read = scale
    entry = {
        "id": 1,
        "content": "株高用厘米",
        "memory_type": "declarative",
        "tags": ["单位"],
        "importance": low,
        "create_time": 1772674200.0,
        "update_time": 1772674200.0,
    }
    how = {**entry, "id": 2, "memory_type": "procedural", "importance": high}
    found = read({"memories": [entry, how]})
    first, second = found.memories
    assert (first.text, first.kind, first.tags) == ("株高用厘米", "semantic", ("单位",))
    assert (first.importance, second.importance) == (low_read, high_read)
    assert second.kind == "procedural"
    assert first.said_at == datetime(2026, 3, 5, 1, 30, tzinfo=UTC)
    assert first.meta == {"imported_id": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        (" \n\t", "the file is empty"),
        ("just some prose\nwithout speakers", "line 1: no speaker"),
        (b"\x89PNG\r\n\x1a\n\x00", "byte 0 is not UTF-8"),
        ("中文".encode("gb18030"), "not UTF-8"),
        ("[]", "no message in it"),
        ("{}", "no role"),
        ("[1, 2]", "item 1: expected a message, got int"),
        ('{"name": "x", "version": 1}', "no role"),
        ('{"role": "user", "content": "a"}\n{"role": "user", "content": ', "line 2: not JSON"),
        (
            '{"role": "user", "content": "a"}\n{"role": "pirate", "content": "b"}',
            "line 2, role: unknown role 'pirate'",
        ),
        ('[{"role": "user", "content": "  "}]', "item 1, content"),
        ('[{"role": "user", "content": 3}]', "item 1, content"),
        ('[{"role": "user", "content": "a\\u0000b"}]', "item 1, content"),
        ('[{"role": "user", "content": "a\\ud800b"}]', "item 1, content"),
        (
            '[{"role": "user", "content": "a", "said_at": "yesterday"}]',
            "said_at: 'yesterday' is not a time",
        ),
        ('[{"role": "user", "content": "a", "meta": 3}]', "meta: expected a mapping"),
        (
            '{"memories": [{"content": "a", "memory_type": "odd"}]}',
            "memory 1, kind: unknown kind 'odd'",
        ),
        ('{"memories": [{"memory_type": "fact"}]}', "memory 1, content"),
        ('{"memories": ["a"]}', "memory 1: it is a str"),
        ('{"jiyi_archive": 1}', "an archive of jiyi itself"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_not_a_conversation(read: Any, content: str | bytes, message: str) -> None:
    """One clear error names the file, the line or item, and the way out."""
    with pytest.raises(InvalidInputError) as caught:
        read(content)
    assert str(caught.value).startswith("chat.txt")
    assert message in str(caught.value)
    assert caught.value.hint


def test_message_above_the_limit(read: Any) -> None:
    """A message above 1 MiB is refused when the file is read, before anything is written."""
    big = {"role": "user", "content": "字" * 400_000}
    with pytest.raises(InvalidInputError, match="item 2, content"):
        read([MESSAGES[0], big])


def test_missing_file(tmp_path: Path) -> None:
    """A file that is not there, or is a folder, is our error, not the operating system's."""
    for path in (tmp_path / "nowhere.json", tmp_path):
        with pytest.raises(InvalidInputError, match="Name a file"):
            read_file(path)
