"""A backup is whole, and brings back what it holds."""

from __future__ import annotations

from pathlib import Path

from command_line import Jiyi


def test_backup_and_restore(jiyi: Jiyi, tmp_path: Path) -> None:
    """After a restore the store is as it was when it was backed up."""
    copy = str(tmp_path / "copy.db")
    jiyi("add", "蜜蜂喜欢琉璃苣", "-u", "ann")
    assert "verified" in jiyi("backup", copy).out
    jiyi("add", "Wasps like jam", "-u", "ann")
    assert jiyi("restore", copy, "--yes").code == 0
    texts = [item["text"] for item in jiyi("list", "-u", "ann", "--json").json["items"]]
    assert texts == ["蜜蜂喜欢琉璃苣"]


def test_restore_asks(jiyi: Jiyi, tmp_path: Path) -> None:
    """A store that is there is replaced only when someone says so."""
    copy = str(tmp_path / "copy.db")
    jiyi("add", "Bees like borage", "-u", "ann")
    jiyi("backup", copy)
    jiyi("add", "Wasps like jam", "-u", "ann")
    jiyi("restore", copy, stdin="n\n")
    assert jiyi("list", "-u", "ann", "--json").json["total"] == 2
    assert jiyi("restore", copy, "--json").code == 2
    jiyi("restore", copy, stdin="y\n")
    assert jiyi("list", "-u", "ann", "--json").json["total"] == 1


def test_restore_where_nothing_is(jiyi: Jiyi, tmp_path: Path) -> None:
    """A backup can become a store of another name."""
    copy, new = str(tmp_path / "copy.db"), str(tmp_path / "new.db")
    jiyi("add", "Bees like borage", "-u", "ann")
    jiyi("backup", copy)
    assert jiyi("restore", copy, "--db", new).code == 0
    assert jiyi("list", "-u", "ann", "--db", new, "--json").json["total"] == 1


def test_what_is_no_backup(jiyi: Jiyi, tmp_path: Path) -> None:
    """Another file, a missing one, or a name that is taken: one line, and nothing changed."""
    jiyi("add", "Bees like borage", "-u", "ann")
    other = tmp_path / "other.db"
    other.write_bytes(b"something else entirely" * 100)
    for arguments in (
        ("restore", str(other), "--yes"),
        ("restore", str(tmp_path / "nowhere.db"), "--yes"),
        ("backup", str(other)),
        ("restore", str(other), "--db", "postgresql://me:secret@host/db"),
    ):
        failed = jiyi(*arguments)
        assert failed.code == 1, arguments
        assert failed.err.count("\n") == 1
        assert "secret" not in failed.err
    assert jiyi("list", "-u", "ann").code == 0
