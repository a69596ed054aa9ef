"""Commands about fields, marks, turns, notes and ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Jiyi


def test_update_and_feedback(jiyi: Jiyi) -> None:
    """Named fields change, the others stay; marks are counted; nothing to change is a mistake."""
    added = jiyi("add", "开会用三号会议室", "--tag", "room", "-u", "ann", "--json").json
    id = added["outcomes"][0]["memory_id"]
    changed = jiyi("update", id, "--importance", "0.9", "--pinned", "-u", "ann", "--json").json
    assert (changed["importance"], changed["pinned"], changed["tags"]) == (0.9, True, ["room"])
    assert not jiyi("update", id[-8:], "--not-pinned", "-u", "ann", "--json").json["pinned"]
    assert "did not 1 times" in jiyi("feedback", id, "--unhelpful", "-u", "ann").out
    assert jiyi("update", id, "-u", "ann").code == 2
    assert jiyi("feedback", id, "-u", "ann").code == 2


@pytest.mark.parametrize("said", ["项目代号是北极星", "The project is called Polaris"])
def test_turns_and_the_end_of_a_conversation(jiyi: Jiyi, tmp_path: Path, said: str) -> None:
    """Turns are shown as they were said; an ended session leaves a digest."""
    file = tmp_path / "chat.jsonl"
    file.write_text('{"role": "user", "content": "' + said + '"}\n', "utf-8")
    jiyi("import", str(file), "-u", "ann", "-s", "S")
    assert said in jiyi("turns", "-u", "ann", "-s", "S").out
    file.write_text('{"role": "user", "content": "又及 P.S."}\n', "utf-8")
    jiyi("import", str(file), "-u", "ann", "-s", "S")
    assert "1 of 2; what was said before: --cursor t:" in jiyi("turns", "-n", "1", "-u", "ann").out
    newest = jiyi("turns", "-n", "1", "-u", "ann", "--json").json
    before = jiyi("turns", "-u", "ann", "--json", "--cursor", newest["cursor"]).json
    texts = [turn["text"] for page in (before, newest) for turn in page["items"]]
    assert (texts, before["cursor"]) == ([said, "又及 P.S."], None)
    assert jiyi("turns", "-u", "bob").code == 3
    assert jiyi("end", "-u", "ann", "-s", "S").code == 0
    assert jiyi("end", "-u", "ann").code == 2


def test_notes(jiyi: Jiyi) -> None:
    """Notes are set as JSON or text, shown, removed, and gone with their task."""
    jiyi("notes", "T-7", "--set", "进度=96/120", "--set", "seen=[1, 2]", "-u", "ann")
    assert jiyi("notes", "T-7", "-u", "ann", "--json").json == {"进度": "96/120", "seen": [1, 2]}
    assert "96/120" in jiyi("notes", "T-7", "--drop", "seen", "-u", "ann").out
    assert jiyi("notes", "T-7", "--set", "x", "-u", "ann").code == 2
    assert "1 notes are gone" in jiyi("notes", "T-7", "--end", "-u", "ann").out
    assert jiyi("notes", "T-7", "-u", "ann").code == 3
