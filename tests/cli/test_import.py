"""Conversations come in from files, once."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import Jiyi

LINES = [
    {"role": "user", "content": "我叫何苗，我住在汉中。", "said_at": "2026-03-03T08:00:00+08:00"},
    {"role": "assistant", "content": "你好，何苗。", "said_at": "2026-03-03T08:00:10+08:00"},
]


def test_import_conversation(jiyi: Jiyi, tmp_path: Path) -> None:
    """Messages are recorded at the time they were said, memories drawn from them; importing the
    file again records nothing again."""
    file = tmp_path / "周一.jsonl"
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in LINES), "utf-8")
    first = jiyi("import", str(file), "-u", "he")
    assert (first.code, "2 messages recorded" in first.out) == (0, True), first.err
    found = jiyi("recall", "何苗住在哪里", "-u", "he", "--json").json
    assert any("汉中" in hit["text"] for hit in found["items"])
    assert found["items"][0]["said_at"].startswith("2026-03-03")
    again = jiyi("import", str(file), "-u", "he", "--json").json
    assert (again["messages"], again["known_messages"], again["memories"]) == (0, 2, 0)
    assert again["session"] == "周一"


def test_import_without_encoding(jiyi: Jiyi, tmp_path: Path) -> None:
    """--no-encode keeps the messages and draws nothing from them."""
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(LINES), "utf-8")
    assert jiyi("import", str(file), "-u", "he", "--no-encode", "--json").json["memories"] == 0
    assert jiyi("list", "-u", "he").code == 3
    assert jiyi("recall", "汉中", "-u", "he").code == 0


def test_import_memory_list(jiyi: Jiyi, tmp_path: Path) -> None:
    """A list of finished memories becomes memories with their kinds and tags."""
    file = tmp_path / "list.json"
    entry = {
        "content": "株高用厘米",
        "memory_type": "procedural",
        "tags": ["单位"],
        "importance": 5,
    }
    file.write_text(json.dumps({"memories": [entry]}), "utf-8")
    assert jiyi("import", str(file), "-u", "he", "--json").json["memories"] == 1
    (item,) = jiyi("list", "-u", "he", "--json").json["items"]
    assert (item["kind"], item["tags"], item["importance"]) == ("procedural", ["单位"], 1.0)


def test_bad_file_writes_nothing(jiyi: Jiyi, tmp_path: Path, db: Path) -> None:
    """A file that is not a conversation is refused with one line before a store is made."""
    file = tmp_path / "bad.jsonl"
    file.write_text(json.dumps(LINES[0]) + '\n{"role": "user"}', "utf-8")
    failed = jiyi("import", str(file), "-u", "he")
    assert failed.code == 1
    assert failed.err.count("\n") == 1
    assert "bad.jsonl, line 2" in failed.err
    assert not db.exists()
