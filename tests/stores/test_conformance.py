"""Every store passes the suite that ships with the package."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from places import Place

from jiyi.ports import Store
from jiyi.testing.store_suite import StoreConformance


class AtPlace(StoreConformance):
    """The suite on a place (see `places`)."""

    __test__ = False

    @pytest.fixture
    def store(self, place: Place) -> Store:
        return place.open()

    @pytest.fixture
    def reopen(self, place: Place) -> Callable[[], Store] | None:
        return place.open if place.many_handles else None


class TestInMemory(AtPlace):
    """A store that lives as long as its handle."""

    __test__ = True

    @pytest.fixture
    def place(self, memory_place: Place) -> Place:
        return memory_place


class TestSqliteFile(AtPlace):
    """A SQLite file, with further handles to it."""

    __test__ = True

    @pytest.fixture
    def place(self, file_place: Place) -> Place:
        return file_place


class TestPostgres(AtPlace):
    """A schema of a PostgreSQL database."""

    __test__ = True

    @pytest.fixture
    def place(self, postgres_place: Place) -> Place:
        return postgres_place
