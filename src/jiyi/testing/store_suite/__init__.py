"""The suite every store must pass, here and in other people's packages.

Subclass `StoreConformance` in a test module, and give it a store::

    class TestMyStore(StoreConformance):
        @pytest.fixture
        def store(self, tmp_path):
            with closing(open_my_store(tmp_path / "data")) as store:
                yield store

Override `reopen` too when a second handle can see the same data; tests that need one skip
otherwise. Each test's docstring says what is promised and where to look when it fails. The suite
talks to `jiyi.ports` only. It needs pytest and hypothesis.
"""

from __future__ import annotations

from pkgutil import iter_modules

import pytest

# Before the imports: only modules loaded after this get pytest's readable assertion errors.
pytest.register_assert_rewrite(*(part.name for part in iter_modules(__path__, f"{__name__}.")))

from jiyi.testing.store_suite.access import AccessTests  # noqa: E402
from jiyi.testing.store_suite.archives import ArchiveTests  # noqa: E402
from jiyi.testing.store_suite.builders import StoreSuite  # noqa: E402
from jiyi.testing.store_suite.documents import DocumentTests  # noqa: E402
from jiyi.testing.store_suite.entities import EntityTests  # noqa: E402
from jiyi.testing.store_suite.erase import EraseTests  # noqa: E402
from jiyi.testing.store_suite.filters import FilterTests  # noqa: E402
from jiyi.testing.store_suite.handles import HandleTests  # noqa: E402
from jiyi.testing.store_suite.index import LayoutTests, TextIndexTests  # noqa: E402
from jiyi.testing.store_suite.memories import ListTests, MemoryTests  # noqa: E402
from jiyi.testing.store_suite.queue import QueueTests  # noqa: E402
from jiyi.testing.store_suite.records import (  # noqa: E402
    AuditTests,
    BudgetTests,
    ProfileTests,
    TraceTests,
)
from jiyi.testing.store_suite.scopes import ScopeTests  # noqa: E402
from jiyi.testing.store_suite.sessions import SessionTests  # noqa: E402
from jiyi.testing.store_suite.time import TimeTests  # noqa: E402
from jiyi.testing.store_suite.turns import TurnTests  # noqa: E402
from jiyi.testing.store_suite.uniqueness import UniquenessTests  # noqa: E402
from jiyi.testing.store_suite.upkeep import UpkeepTests  # noqa: E402
from jiyi.testing.store_suite.vectors import VectorTests  # noqa: E402

__all__ = ["StoreConformance", "StoreSuite"]


class StoreConformance(
    TurnTests,
    MemoryTests,
    ListTests,
    TimeTests,
    UniquenessTests,
    FilterTests,
    ScopeTests,
    TextIndexTests,
    LayoutTests,
    VectorTests,
    QueueTests,
    UpkeepTests,
    EntityTests,
    EraseTests,
    ProfileTests,
    AuditTests,
    TraceTests,
    BudgetTests,
    SessionTests,
    ArchiveTests,
    DocumentTests,
    AccessTests,
    HandleTests,
):
    """Everything a store promises, grouped by capability."""

    def test_no_quiet_exceptions(self) -> None:
        """A subclass gives fixtures and adds tests; it does not override the suite's own."""
        for name in dir(StoreConformance):
            if name.startswith("test_"):
                assert getattr(type(self), name) is getattr(StoreConformance, name), name
