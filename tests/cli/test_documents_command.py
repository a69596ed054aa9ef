"""`jiyi documents`: add, list, remove."""

from __future__ import annotations

from pathlib import Path

from command_line import Jiyi


def test_documents_add_list_remove(jiyi: Jiyi, tmp_path: Path) -> None:
    """A file is added, found with its heading, listed, added again without change, and removed by
    the id that the list shows."""
    file = tmp_path / "手册.md"
    file.write_text("# 手册\n\n## 校准\n\n每次测量之前先放入 Zq-7 参考板。\n", "utf-8")
    added = jiyi("documents", "add", str(file), "-c", "manual")
    assert (added.code, "added: 手册 (1 passage)" in added.out) == (0, True)
    found = jiyi("recall", "Zq-7 参考板")
    assert "from 手册 › 校准" in found.out
    listed = jiyi("documents", "list", "--json").json
    assert [(each["title"], each["collection"]) for each in listed] == [("手册", "manual")]
    assert "manual" in jiyi("documents", "list").out
    assert "documents" in jiyi("stats").out
    again = jiyi("documents", "add", str(file), "-c", "manual", "--json").json
    assert [outcome["status"] for outcome in again["outcomes"]] == ["unchanged"]
    removed = jiyi("documents", "remove", listed[0]["id"][-8:])
    assert (removed.code, "documents 1" in removed.out) == (0, True)
    assert jiyi("documents", "list").code == 3
    assert jiyi("recall", "Zq-7 参考板").code == 3


def test_documents_of_one_user(jiyi: Jiyi, tmp_path: Path) -> None:
    """Others neither see nor remove it, unless it is shared with the tenant."""
    file = tmp_path / "guide.txt"
    file.write_text("The lamp needs five minutes.", "utf-8")
    jiyi("documents", "add", str(file), "--user", "ann")
    id = jiyi("documents", "list", "--user", "ann", "--json").json[0]["id"]
    assert jiyi("documents", "list", "--user", "bob").code == 3
    assert jiyi("documents", "remove", id, "--user", "bob").code == 3
    jiyi("documents", "add", str(file), "--user", "ann", "--shared")
    assert "(shared)" in jiyi("documents", "list", "--user", "bob").out
    assert jiyi("documents", "remove", "-c", "documents", "--user", "ann").code == 0
    assert jiyi("documents", "list", "--user", "bob").code == 3


def test_documents_wrong_use(jiyi: Jiyi) -> None:
    """One line that says what is wrong."""
    for arguments in (["add"], ["add", "nowhere.md"], ["sort"], ["remove"]):
        run = jiyi("documents", *arguments)
        assert (run.code, run.out) == (1, "")
        assert run.err.strip()
    assert jiyi("documents", "remove", "12345678").code == 3
