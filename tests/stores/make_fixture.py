"""Writes `fixtures/schema_NNNN.db.gz`: a small store as a former version of the schema left it.

python tests/stores/make_fixture.py 1
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from unittest import mock

from jiyi.stores import sqlite_file
from jiyi.stores.sql.migrations import load_migrations
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing.store_suite.builders import ANN, NOW, put, residence, say, supersede

FIXTURES = Path(__file__).with_name("fixtures")


def fill(path: Path) -> None:
    """Some of everything that the first schema could hold."""
    with open_sqlite(path) as store, store.write() as writer:
        say(writer, replace(ANN, session="A"), "I moved to Oslo", key="m-1")
        say(writer, ANN, "我喜欢喝茶", role="assistant", meta={"来源": "测试"})
        old = put(writer, ANN, "lives in Oslo", slot=residence("Oslo"), tags=("home",))
        supersede(writer, ANN, old, "lives in Rome", at=NOW, slot=residence("Rome"))
        writer.set_permanent(ANN, {"role": "lead"}, at=NOW)
        writer.enqueue(ANN, "extract", {}, at=NOW, due=NOW)


def main(version: int) -> None:
    """Make the fixture of one schema version."""
    migrations = load_migrations("sqlite")[:version]
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(sqlite_file, "load_migrations", return_value=migrations),
    ):
        path = Path(folder) / "store.db"
        fill(path)
        FIXTURES.mkdir(exist_ok=True)
        target = FIXTURES / f"schema_{version:04d}.db.gz"
        target.write_bytes(gzip.compress(path.read_bytes(), mtime=0))


if __name__ == "__main__":
    main(int(sys.argv[1]))
