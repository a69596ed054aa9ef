"""Each command does what its verb does, for people and as JSON, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Jiyi

FACTS = [
    ("The greenhouse door code is ZX-9917-Q", "greenhouse code", "ZX-9917-Q"),
    ("温室的门禁码是 ZX-9917-Q", "温室门禁", "ZX-9917-Q"),
]


@pytest.mark.parametrize(("text", "question", "answer"), FACTS)
def test_add_and_recall(jiyi: Jiyi, text: str, question: str, answer: str) -> None:
    """What is added is found by a later process, with its age and score."""
    added = jiyi("add", text, "--tag", "access", "-u", "ann")
    assert (added.code, "stored" in added.out) == (0, True)
    found = jiyi("recall", question, "-u", "ann")
    assert found.code == 0
    assert answer in found.out
    assert "today" in found.out
    as_json = jiyi("recall", question, "-u", "ann", "--json").json
    assert as_json["items"][0]["text"] == text
    assert as_json["items"][0]["tags"] == ["access"]
    assert as_json["support"] in ("strong", "weak")


def test_add_again_merges(jiyi: Jiyi) -> None:
    """The same statement again is told to be known already."""
    jiyi("add", "Bees like borage", "-u", "ann")
    assert "already known" in jiyi("add", "bees like borage.", "-u", "ann").out


def test_users_are_apart(jiyi: Jiyi) -> None:
    """--user says whose memory; another user's is not seen."""
    jiyi("add", "Bees like borage", "-u", "ann")
    assert jiyi("list", "-u", "bob").code == 3
    assert jiyi("list", "-u", "ann").code == 0


def test_add_options(jiyi: Jiyi) -> None:
    """Every option of `add` reaches the memory."""
    receipt = jiyi(
        *("add", "Meeting room is B12", "-u", "ann", "--json", "--kind", "procedural"),
        *("--importance", "0.9", "--confidence", "0.8", "--slot", "meeting room=B12"),
        *("--meta", "floor=3", "--meta", "wing=east", "--said-at", "2026-03-05"),
        *("--pinned", "--source", "the porter", "--visibility", "user"),
    ).json
    shown = jiyi("show", receipt["outcomes"][0]["memory_id"], "-u", "ann", "--json").json
    assert (shown["kind"], shown["importance"], shown["confidence"]) == ("procedural", 0.9, 0.8)
    assert shown["slot"]["value"] == "B12"
    assert shown["meta"] == {"floor": 3, "wing": "east"}
    assert shown["said_at"].startswith("2026-03-05")
    assert shown["pinned"] is True
    assert shown["sources"][0]["label"] == "the porter"


def test_add_from_standard_input(jiyi: Jiyi) -> None:
    """`add -` reads the statement from a pipe."""
    jiyi("add", "-", "-u", "ann", stdin="多行\n也可以")
    assert jiyi("list", "-u", "ann", "--json").json["items"][0]["text"] == "多行\n也可以"


def test_correct_history_show(jiyi: Jiyi) -> None:
    """A corrected memory is marked, its successor leads back to it, short ids do."""
    id = jiyi("add", "The bakery opens at 7", "-u", "ann", "--json").json["outcomes"][0][
        "memory_id"
    ]
    assert jiyi("correct", id[-8:], "The bakery opens at 8", "-u", "ann").code == 0
    assert "opens at 7" not in jiyi("list", "-u", "ann").out
    listed = jiyi("list", "-u", "ann", "--include", "superseded").out
    assert "no longer current" in listed
    told = jiyi("history", id[-8:], "-u", "ann")
    assert "opens at 7" in told.out
    assert "opens at 8" in told.out
    assert "superseded" in jiyi("show", id, "-u", "ann").out


def test_undo(jiyi: Jiyi) -> None:
    """A correction can be taken back."""
    id = jiyi("add", "The bakery opens at 7", "-u", "ann", "--json").json["outcomes"][0][
        "memory_id"
    ]
    jiyi("correct", id, "The bakery opens at 8", "-u", "ann")
    assert jiyi("undo", id, "-u", "ann").code == 0
    assert "opens at 7" in jiyi("list", "-u", "ann").out


def test_profile_and_set(jiyi: Jiyi) -> None:
    """Permanent fields are set, typed, shown and removed."""
    jiyi("add", "Bees like borage", "-u", "ann")
    assert jiyi("profile", "-u", "ann").code == 3
    jiyi("set", "role=technician", "level=3", "-u", "ann")
    assert jiyi("profile", "-u", "ann", "--json").json["permanent"] == {
        "role": "technician",
        "level": 3,
    }
    assert "technician" in jiyi("profile", "-u", "ann").out
    jiyi("set", "level=", "-u", "ann")
    assert jiyi("profile", "-u", "ann", "--json").json["permanent"] == {"role": "technician"}


@pytest.mark.parametrize(("text", "question", "answer"), FACTS)
def test_context_and_why(jiyi: Jiyi, text: str, question: str, answer: str) -> None:
    """`context` shows the prompt's text; `why` then shows what was found and injected."""
    jiyi("add", text, "-u", "ann")
    built = jiyi("context", question, "-u", "ann", "--identity", "You are Bo", "--rule", "Be brief")
    assert answer in built.out
    assert "Be brief" in built.out
    assert "tokens" in built.err
    told = jiyi("why", "-u", "ann")
    assert question in told.out
    assert answer in told.out
    trace = jiyi("why", "-u", "ann", "--json").json
    assert trace["operation"] == "context"
    assert jiyi("why", trace["id"], "-u", "ann").code == 0


def test_list_pages(jiyi: Jiyi) -> None:
    """A list says how many there are in all, and how to go on."""
    for number in range(5):
        jiyi("add", f"Row {number} holds seed lot {number}", "-u", "ann")
    first = jiyi("list", "-n", "2", "-u", "ann")
    assert "2 of 5" in first.out
    page = jiyi("list", "-n", "2", "-u", "ann", "--json").json
    rest = jiyi("list", "-n", "9", "-u", "ann", "--json", "--cursor", page["cursor"]).json
    texts = [item["text"] for item in page["items"] + rest["items"]]
    assert len(set(texts)) == 5


def test_filters(jiyi: Jiyi) -> None:
    """--where takes a filter as JSON, on lists and recalls alike."""
    jiyi("add", "Wash the sieve after use", "--kind", "procedural", "-u", "ann")
    jiyi("add", "The sieve is blue", "-u", "ann")
    where = json.dumps({"kind": "procedural"})
    for command in (("list",), ("recall", "sieve")):
        out = jiyi(*command, "--where", where, "-u", "ann").out
        assert "Wash" in out
        assert "blue" not in out


def test_forget_asks_first(jiyi: Jiyi, db: Path) -> None:
    """Without --yes it shows what would go and asks; a no changes nothing, a yes erases."""
    jiyi("add", "My locker combination is 4711", "-u", "ann")
    refused = jiyi("forget", "--query", "locker combination", "-u", "ann", stdin="n\n")
    assert "would be erased" in refused.err
    assert "4711" in refused.err
    assert jiyi("list", "-u", "ann").code == 0
    done = jiyi("forget", "--query", "locker combination", "-u", "ann", stdin="y\n")
    assert "erased" in done.out
    assert "4711" not in done.out
    assert jiyi("list", "-u", "ann").code == 3
    assert b"4711" not in b"".join(p.read_bytes() for p in db.parent.glob("agent.db*"))


def test_forget_dry_run(jiyi: Jiyi) -> None:
    """--dry-run shows and changes nothing."""
    id = jiyi("add", "温室钥匙在窗台", "-u", "ann", "--json").json["outcomes"][0]["memory_id"]
    shown = jiyi("forget", id[-8:], "--dry-run", "-u", "ann")
    assert "would be erased" in shown.out
    report = jiyi("forget", id, "--dry-run", "-u", "ann", "--json").json
    assert (report["dry_run"], report["memory_ids"]) == (True, [id])
    assert jiyi("list", "-u", "ann").code == 0


def test_forget_everything_of_a_user(jiyi: Jiyi) -> None:
    """--everything means one user, or what no user is named for, and leaves the others alone."""
    jiyi("add", "ann's note", "-u", "ann")
    jiyi("add", "bob's note", "-u", "bob")
    jiyi("add", "nobody's note")
    assert jiyi("forget", "--everything", stdin="n\n").code == 0
    assert jiyi("list").code == 0
    assert jiyi("forget", "--everything", "--yes").code == 0
    assert jiyi("list").code == 3
    assert jiyi("list", "-u", "ann").code == 0
    assert "--everything" in jiyi("forget", "--everything", "--query", "x", "--yes").err
    assert "--everything" in jiyi("forget", "--yes").err
    assert jiyi("forget", "--everything", "--yes", "-u", "ann").code == 0
    assert jiyi("list", "-u", "ann").code == 3
    assert jiyi("list", "-u", "bob").code == 0


def test_stats(jiyi: Jiyi) -> None:
    """Numbers of the scope and of the store."""
    jiyi("add", "Bees like borage", "-u", "ann")
    assert "active 1" in jiyi("stats", "-u", "ann").out
    assert jiyi("stats", "-u", "ann", "--json").json["memories"]["active"] == 1
