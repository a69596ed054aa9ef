"""A store in memory for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jiyi.ports import Store
from jiyi.stores.sqlite import open_sqlite


@pytest.fixture
def store() -> Iterator[Store]:
    store = open_sqlite(":memory:")
    yield store
    store.close()
