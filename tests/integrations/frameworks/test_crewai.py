"""CrewAI's storage: records to the letter, ranked by CrewAI's vectors, erased for good."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("crewai", reason="needs jiyi[crewai]")

import crewai
from crewai.memory.storage.backend import EmbeddingDimensionMismatchError, StorageBackend
from crewai.memory.types import MemoryRecord

from jiyi import InvalidInputError, Memory
from jiyi.integrations.crewai import JiyiStorage
from jiyi.testing import FakeClock, HashEmbedder

EMBEDDER = HashEmbedder()
START = datetime(2026, 1, 1)  # noqa: DTZ001 - as CrewAI writes it


def embed(texts: list[str]) -> list[list[float]]:
    return [vector.tolist() for vector in EMBEDDER.embed_documents(texts)]


def record(content: str, scope: str = "/", n: int = 0, **fields: Any) -> MemoryRecord:
    values: dict[str, Any] = {"content": content, "scope": scope, "embedding": embed([content])[0]}
    values |= {"created_at": START + timedelta(days=n), "last_accessed": START}
    return MemoryRecord(**(values | fields))


@pytest.fixture
def storage(memory: Memory) -> JiyiStorage:
    return JiyiStorage(memory)


def contents(found: Any) -> list[str]:
    records = (each[0] if isinstance(each, tuple) else each for each in found)
    return [each.content for each in records]


def test_a_record_comes_back_to_the_letter(storage: JiyiStorage, path: Path) -> None:
    """Every field and the vector, also from another process; updated, it may move."""
    assert isinstance(storage, StorageBackend)
    kept = record(
        "我们周五发布", "/团队/a", categories=["发布"], metadata={"n": [1, None]}, importance=0.9,
        source="孙", private=True,
    )  # fmt: skip
    storage.save([kept])
    with Memory(path, embedder=None) as other:
        found = JiyiStorage(other).get_record(kept.id)
    assert found is not None
    assert found.model_dump() == kept.model_dump()
    assert found.embedding == pytest.approx(kept.embedding)
    storage.update(kept.model_copy(update={"content": "周四发布", "scope": "/团队/b"}))
    assert storage.count() == 1
    assert contents(storage.list_records("/团队/b")) == ["周四发布"]
    assert storage.get_record("none") is None


def test_the_nearest_come_first(storage: JiyiStorage) -> None:
    """By cosine, within scope, categories and metadata, above the least score, up to the limit."""
    storage.save(
        [
            record("green tea in the morning", "/a", categories=["drink"], metadata={"k": 1}),
            record("green tea", "/a/b", categories=["drink"]),
            record("release on Friday", "/a", categories=["work"]),
            record("green tea", "/ab"),
            record("no vector", "/a", embedding=None),
        ]
    )
    query = embed(["green tea"])[0]
    found = storage.search(query, scope_prefix="/a")
    assert contents(found)[:2] == ["green tea", "green tea in the morning"]
    assert found[0][1] == pytest.approx(1.0, abs=1e-5)
    assert len(found) == 3
    assert contents(storage.search(query, "/a", ["drink"])) == contents(found)[:2]
    assert contents(storage.search(query, metadata_filter={"k": 1})) == ["green tea in the morning"]
    assert len(storage.search(query, limit=1)) == 1
    assert set(contents(storage.search(query, min_score=0.99))) == {"green tea"}
    assert storage.search(query, limit=0) == storage.search(query, "/none") == []


def test_vectors_of_another_length_are_refused(storage: JiyiStorage) -> None:
    """Among what is saved, beside what is there, and in a query; nothing is written."""
    with pytest.raises(EmbeddingDimensionMismatchError):
        storage.save([record("a"), record("b", embedding=[1.0, 0.0])])
    assert storage.count() == 0
    storage.save([record("a")])
    for work in (
        lambda: storage.save([record("b", embedding=[1.0])]),
        lambda: storage.search([1.0, 2.0]),
    ):
        with pytest.raises(EmbeddingDimensionMismatchError):
            work()
    storage.reset()
    storage.save([record("b", embedding=[1.0])])


def test_scopes_and_categories(storage: JiyiStorage) -> None:
    """By whole segments; `_` and `%` are nothing special."""
    storage.save(
        [
            record("one", "/a", n=1, categories=["x"]),
            record("two", "/a/b", n=3, categories=["x", "y"]),
            record("three", "/a/b/c", n=2),
            record("four", "/a_", n=4),
            record("five", "/", n=5),
        ]
    )
    assert storage.list_scopes() == ["/a", "/a_"]
    assert storage.list_scopes("/a") == ["/a/b"]
    assert storage.list_categories("/a") == {"x": 2, "y": 1}
    assert (storage.count(), storage.count("/a"), storage.count("/a_")) == (5, 3, 1)
    info = storage.get_scope_info("/a/")
    assert (info.path, info.record_count, info.categories) == ("/a", 3, ["x", "y"])
    assert (info.oldest_record, info.newest_record) == (
        START + timedelta(days=1),
        START + timedelta(days=3),
    )
    assert info.child_scopes == ["/a/b"]
    assert storage.get_scope_info("/none").record_count == 0
    assert contents(storage.list_records("/a")) == ["two", "three", "one"]
    assert contents(storage.list_records(limit=2, offset=1)) == ["four", "two"]
    assert storage.list_records(limit=0) == []


def test_deleting(storage: JiyiStorage, files: Callable[[], bytes]) -> None:
    """By id, scope, category, metadata and age, joined by AND; gone from every byte."""
    rows = [
        record("code Zq-1", "/a", n=1, categories=["x"]),
        record("code Zq-2", "/a", n=2, metadata={"k": 1}),
        record("code Zq-3", "/b", n=3, categories=["x"]),
        record("code Zq-4", "/b", n=4),
    ]
    storage.save(rows)
    assert storage.delete(record_ids=[rows[3].id, "none"]) == 1
    assert storage.delete("/a", categories=["x"], older_than=START) == 0
    assert storage.delete(older_than=datetime(2026, 1, 2, tzinfo=UTC)) == 0
    assert storage.delete("/a", categories=["x"], older_than=START + timedelta(days=9)) == 1
    assert storage.delete(metadata_filter={"k": 1}) == 1
    assert contents(storage.list_records()) == ["code Zq-3"]
    left = files()
    assert not any(b"code Zq-%d" % n in left for n in (1, 2, 4))
    storage.reset("/b")
    assert storage.count() == 0


def test_users_are_apart(memory: Memory) -> None:
    """Two users of one memory share no record."""
    mine, theirs = (JiyiStorage(memory.scoped(user=user)) for user in ("sun", "li"))
    row = record("green tea", "/a")
    mine.save([row])
    assert theirs.count() == 0
    assert theirs.get_record(row.id) is None
    assert theirs.delete(record_ids=[row.id]) == 0
    theirs.reset()
    assert mine.count() == 1


def test_a_record_that_is_no_json_is_refused_whole(storage: JiyiStorage) -> None:
    """One bad record of two: an error, and neither is kept."""
    with pytest.raises(InvalidInputError, match="value"):
        storage.save([record("good"), record("bad", metadata={"k": "\ud800"})])
    assert storage.count() == 0


def test_used_records_are_noted(storage: JiyiStorage) -> None:
    """`last_accessed` moves, nothing else."""
    row = record("green tea", "/a")
    storage.save([row, record("other")])
    storage.touch_records([row.id, "none"])
    found = storage.get_record(row.id)
    assert found is not None
    assert found.last_accessed > START
    assert found.created_at == row.created_at


def test_awaited(storage: JiyiStorage) -> None:
    """The awaited methods do the same."""

    async def main() -> None:
        row = record("green tea", "/a")
        await storage.asave([row])
        found = await storage.asearch(embed(["green tea"])[0], scope_prefix="/a")
        assert contents(found) == ["green tea"]
        assert await storage.adelete(record_ids=[row.id]) == 1

    anyio.run(main)


def test_crewais_memory_works_on_it(memory: Memory, clock: FakeClock) -> None:
    """The real `crewai.Memory`, without a language model: remember, recall, update, forget; and our
    own recall finds what a crew kept."""
    crew = crewai.Memory(storage=JiyiStorage(memory), embedder=embed, llm="none")
    try:
        given: dict[str, Any] = {"categories": ["habit"], "importance": 0.8, "metadata": {"v": 1}}
        kept = crew.remember("她早上喝绿茶", scope="/people/sun", **given)
        crew.remember("We release on Friday", scope="/team", **given)
        assert kept is not None
        (match,) = crew.recall("她早上喝绿茶", scope="/people", depth="shallow", limit=1)
        assert match.record.content == "她早上喝绿茶"
        assert crew.list_scopes("/") == ["/people", "/team"]
        crew.update(kept.id, content="她早上喝咖啡")
        assert crew.info("/people").record_count == 1
        assert memory.recall("咖啡")[0].text == "她早上喝咖啡"
        assert crew.forget(scope="/people") == 1
        assert memory.recall("咖啡").items == ()
    finally:
        crew.close()
