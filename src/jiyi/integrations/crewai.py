"""A storage for CrewAI's memory (extra `crewai`).

    import jiyi
    from crewai import Memory
    from jiyi.integrations.crewai import JiyiStorage

    storage = JiyiStorage(jiyi.Memory("agent.db"))
    memory = Memory(storage=storage, embedder=…)  # Crew(…, memory=memory)
    memory.remember("We ship on Fridays", scope="/team")

CrewAI decides what it keeps and how it ranks; the records are items (see `jiyi.memory.items`), kept
to the letter with the vectors that CrewAI made, and found by `jiyi.Memory.recall` as documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import anyio.to_thread
import numpy as np
from crewai.memory.storage.backend import EmbeddingDimensionMismatchError
from crewai.memory.types import MemoryRecord, ScopeInfo

from jiyi.memory import Memory
from jiyi.memory.items import Item, Items, NewItem

__all__ = ["JiyiStorage"]

FAMILY: Final = "crewai"
Path = tuple[str, ...]
R = TypeVar("R")


class JiyiStorage:
    """CrewAI's `StorageBackend` over a memory. Thread-safe.

    Scopes match by whole segments: "/team" holds "/team/a", and not "/teams". Deleted records are
    gone from the files.

    Args:
        memory: where the records are kept: in the space of its `tenant` and `user`.
    """

    def __init__(self, memory: Memory) -> None:
        self._items = Items(memory, FAMILY)
        self._dimension: int | None = None

    def save(self, records: list[MemoryRecord]) -> None:
        """Keep records, each in the place of the former one with its id; all or none.

        Raises:
            EmbeddingDimensionMismatchError: vectors of another length than those that are there.
        """
        for record in records:
            if record.embedding:
                self._check_size(len(record.embedding))
        self._write(records)

    def update(self, record: MemoryRecord) -> None:
        """Replace the record with this id; it may move to another scope."""
        self.save([record])

    def search(  # noqa: PLR0917 - CrewAI's order
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """Records by the nearness of their vectors, best first: the cosine, from 0 to 1.

        Raises:
            EmbeddingDimensionMismatchError: the query's vector is of another length.
        """
        items = [
            item
            for item in self._items.under(_path(scope_prefix))
            if item.value.get("embedding") and _fits(item, categories, metadata_filter)
        ]
        if not items or limit <= 0:
            return []
        self._check_size(len(query_embedding))
        matrix = np.array([item.value["embedding"] for item in items], np.float32)
        query = np.array(query_embedding, np.float32)
        lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(query)
        cosines = np.divide(matrix @ query, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        scores = np.clip(cosines, 0.0, 1.0)
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(_record(items[n]), float(scores[n])) for n in best if scores[n] >= min_score]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Erase for good what every given condition means; how many went."""
        if record_ids is not None:
            chosen = self._items.named(record_ids, _path(scope_prefix))
        else:
            chosen = self._items.under(_path(scope_prefix))
        gone = [
            (item.path, item.key)
            for item in chosen
            if _fits(item, categories, metadata_filter)
            and (older_than is None or _instant(_record(item).created_at) < _instant(older_than))
        ]
        return sum(self._items.change((), gone))

    def touch_records(self, record_ids: list[str]) -> None:
        """Note that these were used now."""
        now = datetime.now(UTC).replace(tzinfo=None)  # as CrewAI writes it
        used = [_record(item) for item in self._items.named(record_ids)]
        self._write([record.model_copy(update={"last_accessed": now}) for record in used])

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """The record with this id, or None."""
        found = self._items.named([record_id])
        return _record(found[0]) if found else None

    def list_records(
        self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0
    ) -> list[MemoryRecord]:
        """Records of a scope, newest first."""
        if limit <= 0 or offset < 0:
            return []
        records = [_record(item) for item in self._items.under(_path(scope_prefix))]
        records.sort(key=lambda record: _instant(record.created_at), reverse=True)
        return records[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """What a scope and those below it hold."""
        path = _path(scope)
        records = [_record(item) for item in self._items.under(path)]
        times = sorted((record.created_at for record in records), key=_instant)
        return ScopeInfo(
            path=_scope(path),
            record_count=len(records),
            categories=sorted({each for record in records for each in record.categories}),
            oldest_record=times[0] if times else None,
            newest_record=times[-1] if times else None,
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """The scopes right below one."""
        path = _path(parent)
        below = (item.path for item in self._items.under(path))
        return sorted({_scope(found[: len(path) + 1]) for found in below if found != path})

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """How many records of a scope have each category."""
        items = self._items.under(_path(scope_prefix))
        return dict(Counter(each for item in items for each in _record(item).categories))

    def count(self, scope_prefix: str | None = None) -> int:
        """How many records a scope and those below it hold."""
        return len(self._items.under(_path(scope_prefix)))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Erase a scope and those below it for good."""
        self.delete(scope_prefix)
        self._dimension = None

    async def asave(self, records: list[MemoryRecord]) -> None:
        """`save`, in a thread."""
        await anyio.to_thread.run_sync(self.save, records)

    async def asearch(self, *args: Any, **kwargs: Any) -> list[tuple[MemoryRecord, float]]:
        """`search`, in a thread."""
        return await _aside(lambda: self.search(*args, **kwargs))

    async def adelete(self, *args: Any, **kwargs: Any) -> int:
        """`delete`, in a thread."""
        return await _aside(lambda: self.delete(*args, **kwargs))

    def _write(self, records: Sequence[MemoryRecord]) -> None:
        ids = [record.id for record in records]
        former = self._items.named(ids) if ids else []
        path_of = {record.id: _path(record.scope) for record in records}
        moved = [(item.path, item.key) for item in former if item.path != path_of[item.key]]
        self._items.change([_item(record) for record in records], moved)

    def _check_size(self, size: int) -> None:
        """Vectors of different lengths cannot be compared; the first one decides."""
        if self._dimension is None:
            vectors = (item.value.get("embedding") for item in self._items.under())
            self._dimension = next((len(v) for v in vectors if isinstance(v, list) and v), size)
        if size != self._dimension:
            raise EmbeddingDimensionMismatchError(self._dimension, size)


async def _aside(work: Callable[[], R]) -> R:
    return await anyio.to_thread.run_sync(work)


def _path(scope: str | None) -> Path:
    return tuple(part for part in (scope or "").split("/") if part)


def _scope(path: Path) -> str:
    return "/" + "/".join(path)


def _item(record: MemoryRecord) -> NewItem:
    value: dict[str, Any] = record.model_dump(mode="json")
    if record.embedding:
        value["embedding"] = [float(part) for part in record.embedding]
    return NewItem(path=_path(record.scope), key=record.id, value=value, texts=[record.content])


def _record(item: Item) -> MemoryRecord:
    record: MemoryRecord = MemoryRecord.model_validate(dict(item.value))
    return record


def _fits(item: Item, categories: Sequence[str] | None, metadata: Mapping[str, Any] | None) -> bool:
    record = _record(item)
    if categories and not set(categories) & set(record.categories):
        return False
    wanted = (metadata or {}).items()
    return all(record.metadata.get(name) == value for name, value in wanted)


def _instant(moment: datetime) -> datetime:
    """CrewAI writes UTC without saying so."""
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
