"""From one kind of store into another and back; and what a store on a server leaves to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from places import PostgresPlace

from jiyi import ConfigurationError, Memory, StoreFormatError, StoreUnavailableError
from jiyi.archived import Archived, ArchivedTombstones
from jiyi.formats.archive import read_archive
from jiyi.registry import restore_store
from jiyi.stores.postgres import open_postgres
from jiyi.testing import HashEmbedder


def exported(memory: Memory, path: Path) -> list[Archived]:
    """Everything of a store; each adds its own key to the tombstones."""
    memory.export(path, everything=True)
    return [
        replace(value, keys=()) if isinstance(value, ArchivedTombstones) else value
        for value in read_archive(path)
    ]


def test_there_and_back(postgres_place: PostgresPlace, tmp_path: Path) -> None:
    """SQLite to PostgreSQL to SQLite: every value is the same, and vectors are made anew."""
    with (
        Memory(tmp_path / "a.db", embedder=None, background=False) as first,
        Memory(postgres_place.open(), embedder=HashEmbedder(8), background=False) as second,
        Memory(tmp_path / "b.db", embedder=None, background=False) as third,
    ):
        sun = first.scoped(user="孙 “sun”", tenant="%_", session="A")
        sun.observe([{"role": "user", "content": "我住在北京，对花生过敏。", "id": "m"}])
        sun.observe("I moved to Lyon.")
        sun.remember("共享的事", visibility="shared", meta={"深": [1, 2.5, None]})
        gone = sun.remember("the code is 4711").memory_id
        assert gone is not None
        sun.forget(ids=gone)
        sun.set_permanent(role="技师", level=3)
        sun.task("T").note("n", {"a": 1})
        sun.end_session("A")
        before = exported(first, tmp_path / "1.jsonl")
        report = second.load(tmp_path / "1.jsonl")
        assert not report.differs
        assert not report.blocked
        assert exported(second, tmp_path / "2.jsonl") == before
        assert second.load(tmp_path / "1.jsonl").known == report.added
        second.flush()
        assert second.stats(user="孙 “sun”", tenant="%_").vectors["hash-8"] > 0
        third.load(tmp_path / "2.jsonl")
        assert exported(third, tmp_path / "3.jsonl") == before


def test_what_is_left_to_the_server(postgres_place: PostgresPlace, tmp_path: Path) -> None:
    """Check and repair work; backup and restore name the server's own tools."""
    with Memory(postgres_place.open(), embedder=None) as memory:
        memory.remember("x y", user="u")
        assert memory.check() == ()
        assert not any(memory.repair().values())
        with pytest.raises(ConfigurationError, match="pg_dump"):
            memory.backup(tmp_path / "copy")
    with pytest.raises(ConfigurationError, match="pg_restore"):
        restore_store(tmp_path / "copy", "postgresql://me:secret@host/db")


def test_reading_only(postgres_place: PostgresPlace) -> None:
    """A schema opened for reading only reads, and refuses to write; a missing one is not made."""
    url, schema = postgres_place.url, postgres_place.schema
    with Memory(postgres_place.open(), embedder=None) as memory:
        memory.remember("likes tea", user="u")
    with Memory(url, schema=schema, embedder=None, read_only=True) as memory:
        assert memory.recall("tea", user="u")
        with pytest.raises(StoreUnavailableError, match="read-only"):
            memory.remember("x y", user="u")
    with pytest.raises(StoreFormatError, match="for writing"):
        open_postgres(url, schema="nowhere", read_only=True)
