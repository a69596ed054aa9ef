"""AsyncMemory has the verbs of Memory, with the same signatures, and does the same."""

from __future__ import annotations

import inspect
from pathlib import Path

import anyio
import pytest

from jiyi import AsyncMemory, Memory, NotFoundError


def verbs(cls: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(member)
        for name, member in inspect.getmembers(cls, inspect.isfunction)
        if not name.startswith("_")
    }


def test_both_classes_have_the_same_verbs_and_signatures() -> None:
    """No verb is missing on either side, and no argument differs."""
    sync, awaited = verbs(Memory), verbs(AsyncMemory)
    assert sync.keys() == awaited.keys()
    for name in sync.keys() - {"scoped", "on_behalf", "task"}:
        assert list(sync[name].parameters.values()) == list(awaited[name].parameters.values()), name
        assert inspect.iscoroutinefunction(getattr(AsyncMemory, name)), name


def test_many_at_once(path: Path) -> None:
    """Concurrent awaits write everything once and read it back; errors come through as they are."""

    async def main() -> None:
        async with AsyncMemory(path, embedder=None) as memory:
            mine = memory.scoped(user="u")
            async with anyio.create_task_group() as group:
                for n in range(20):
                    group.start_soon(mine.observe, f"number {n} 第{n}句")
            assert len(await mine.turns()) == 20
            receipt = await mine.remember("我喜欢绿茶 green tea")
            assert (await mine.recall("绿茶"))[0].id == receipt.memory_id
            with pytest.raises(NotFoundError):
                await mine.get("0190f3a1-7c1e-7000-8000-000000000000")

    anyio.run(main)
