"""What stands in every context is found without a look at all other memories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jiyi.ports import IMPORTANT
from jiyi.stores.sql.selection import MARKED
from jiyi.stores.sqlite import open_sqlite
from jiyi.stores.sqlite_connection import SqliteConnection
from jiyi.testing.store_suite.builders import ANN, put, select


def test_the_index_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement that reads marked memories searches `memory_marked`: its condition is that of
    the index, word by word, and that of `IMPORTANT`."""
    assert f">= {IMPORTANT}" in MARKED
    asked: list[list[Any]] = []
    read = SqliteConnection.all

    def spy(self: SqliteConnection, sql: str, parameters: Any) -> Any:
        if MARKED in sql:
            asked.append([row[3] for row in read(self, f"EXPLAIN QUERY PLAN {sql}", parameters)])
        return read(self, sql, parameters)

    monkeypatch.setattr(SqliteConnection, "all", spy)
    with open_sqlite(tmp_path / "store.db") as store:
        with store.write() as writer:
            put(writer, ANN, "pinned", pinned=True)
        with store.read() as reader:
            found, _ = reader.memories(ANN, select(marked=True), limit=500)
    assert [record.text for record in found] == ["pinned"]
    assert asked
    assert all("memory_marked" in plan[0] for plan in asked)
