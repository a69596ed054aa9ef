"""Places where a store can live, for tests that run on all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from jiyi.ports import Store
from jiyi.stores.sqlite import open_sqlite


class Place(Protocol):
    """Opens handles to the same data, closes them, and can be emptied."""

    many_handles: bool

    def open(self) -> Store: ...
    def clear(self) -> None:
        """Close every handle and remove everything."""
        ...


class _Handles:
    """Remembers what was opened."""

    def __init__(self, opener: Callable[[], Store]) -> None:
        self._opener = opener
        self._opened: list[Store] = []

    def open(self) -> Store:
        store = self._opener()
        self._opened.append(store)
        return store

    def clear(self) -> None:
        while self._opened:
            self._opened.pop().close()


class MemoryPlace(_Handles):
    """A store that lives as long as its handle."""

    many_handles = False

    def __init__(self) -> None:
        super().__init__(lambda: open_sqlite(":memory:"))


class FilePlace(_Handles):
    """A SQLite file; `clear` goes on to the next file of the folder."""

    many_handles = True

    def __init__(self, folder: Path, **options: object) -> None:
        self._folder = folder
        self._count = 0
        super().__init__(lambda: open_sqlite(self.path, **options))

    @property
    def path(self) -> Path:
        return self._folder / f"store-{self._count}.db"

    def clear(self) -> None:
        super().clear()
        for path in self._folder.glob(f"store-{self._count}.db*"):
            path.unlink()
        self._count += 1


class PostgresPlace(_Handles):
    """A schema of a PostgreSQL database, emptied with DELETE (1 ms; a new schema takes 10)."""

    many_handles = True

    def __init__(self, url: str, schema: str) -> None:
        self.url, self.schema = url, schema
        from jiyi.stores.postgres import open_postgres

        super().__init__(lambda: open_postgres(url, schema=schema))

    def clear(self) -> None:
        import psycopg
        from psycopg import sql

        super().clear()
        with psycopg.connect(self.url) as connection:
            tables = connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = %s", [self.schema]
            ).fetchall()
            for (table,) in tables:
                if table not in KEPT_TABLES:
                    name = sql.Identifier(self.schema, table)
                    connection.execute(sql.SQL("DELETE FROM {}").format(name))


KEPT_TABLES = ("schema_migration", "meta")
