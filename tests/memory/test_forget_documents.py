"""Forgetting by words reaches documents, and says which permanent fields it left."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock

KINDS = [
    ("Handover", "Call Mireille Duvall at 555-0147.", "Mireille Duvall 555-0147", "Duvall"),
    ("交接手册", "紧急联系人是欧阳晓岚，电话 5550147。", "欧阳晓岚的电话", "欧阳晓岚"),
    ("接口 notes", "Kestrel 服务的口令是 mango-91。", "Kestrel 的口令 mango-91", "Kestrel"),
]
REST = "\n\n".join(
    f"## Part {n}\n\nStep {n}: rinse the beaker and write down the level. 第{n}步要记录液位。"
    for n in range(6)
)


def bytes_of(path: Path) -> bytes:
    return b"".join(p.read_bytes() for p in path.parent.iterdir() if p.is_file())


def long_text(title: str, secret: str) -> dict[str, object]:
    pad = "\n\n".join(f"## Pad {n}\n\n" + "Rinse, dry and store the glass. " * 40 for n in range(3))
    whole = f"# {title}\n\n{REST}\n\n{pad}\n\n## Who\n\n{secret}\n"
    return {"id": f"{title}.md", "title": title, "markdown": True, "text": whole}


@pytest.mark.parametrize("way", ["query", "subject"])
@pytest.mark.parametrize(("title", "secret", "query", "name"), KINDS)
def test_a_passage_goes_and_the_rest_stays(
    memory: Memory, path: Path, title: str, secret: str, query: str, name: str, way: str
) -> None:
    """Physically, from one's own document only; a dry run says so first, and the same file added
    again does not bring it back."""
    file = long_text(title, secret)
    memory.add_documents(file)
    before = memory.documents()[0].passages
    assert before > 1
    asked: dict[str, Any] = {"query": query} if way == "query" else {"subject": name}
    foreseen = memory.forget(**asked, dry_run=True)
    assert foreseen.counts["passages"] == 1
    assert memory.recall(secret, units=("document",))
    report = memory.forget(**asked)
    assert report.counts["passages"] == 1
    (document,) = memory.documents()
    assert document.passages == before - 1
    assert name.encode() not in bytes_of(path)
    assert memory.recall("rinse the beaker 记录液位", units=("document",))
    assert memory.add_documents(file).outcomes[0].status == "unchanged"
    assert name.encode() not in bytes_of(path)


@pytest.mark.parametrize(("title", "secret", "query", "name"), KINDS)
def test_a_document_goes_whole_with_its_last_passage_or_its_own_name(
    memory: Memory, path: Path, title: str, secret: str, query: str, name: str
) -> None:
    """Where it holds nothing else, and where its name, title or values hold the words."""
    memory.add_documents({"id": title, "title": title, "text": secret})
    memory.add_documents({"id": f"{name}.md", "title": "Glass", "text": "Rinse the glass."})
    memory.add_documents({"id": "kept.md", "title": "Kept", "text": "Dry it."})
    assert memory.forget(query=query).counts["documents"] >= 1
    memory.forget(subject=name)
    assert [document.name for document in memory.documents()] == ["kept.md"]
    assert name.encode() not in bytes_of(path)


def test_only_ones_own_and_only_what_is_meant(memory: Memory, clock: FakeClock) -> None:
    """Others' documents and shared ones of others stay; a session, ids or an earlier `before` do
    not reach documents; `before` beside words does, by when they came."""
    other = memory.scoped(user="ann")
    words = {"id": "plan.md", "title": "Plan", "text": "The orchard plan 果园计划 is secret."}
    other.add_documents(words)
    other.add_documents({**words, "id": "shared.md"}, visibility="shared")
    memory.add_documents(words)
    start = clock()
    clock.advance(timedelta(days=1))
    assert memory.forget(query="orchard plan", session="s").counts.get("passages") is None
    assert memory.forget(before=clock()).counts.get("documents") is None
    assert memory.forget(query="orchard plan", before=start).counts.get("documents") is None
    assert memory.forget(query="果园计划", before=clock()).counts["documents"] == 1
    assert [document.name for document in memory.documents()] == ["shared.md"]
    assert len(other.documents()) == 2


@pytest.mark.parametrize(
    ("fields", "asked", "kept"),
    [
        ({"phone": "555-0147", "role": "nurse"}, {"query": "phone 555-0147"}, "phone"),
        ({"部门": "育种二组", "role": "nurse"}, {"query": "育种二组"}, "部门"),
        ({"team": "Kestrel 组"}, {"subject": "Kestrel"}, "team"),
    ],
)
@pytest.mark.parametrize("dry_run", [True, False])
def test_permanent_fields_stay_and_are_named(
    memory: Memory, fields: dict[str, str], asked: dict[str, Any], kept: str, dry_run: bool
) -> None:
    """They are the application's own; the receipt says which of them hold the words."""
    memory.set_permanent(**fields)
    report = memory.forget(**asked, dry_run=dry_run)
    named = [line for line in report.beyond if line.startswith("the permanent field")]
    assert len(named) == 1
    assert f"set_permanent({kept}=None)" in named[0]
    assert dict(memory.profile().permanent) == fields
    assert not memory.forget(query="something else").beyond[0].startswith("the permanent")
