"""A context reads a unit once: what recall has read is not read again to be laid out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jiyi import Memory
from jiyi.ports import Selection
from jiyi.stores.sql.memories import MemoryReads
from jiyi.stores.sql.turns import TurnReads


def test_what_was_found_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the memories among the hits by their ids, nor the best turns by their keys."""
    by_id: list[tuple[str, ...]] = []
    keys: list[str] = []
    read, find = MemoryReads.memories, TurnReads.turn_key

    def memories(self: MemoryReads, scope: Any, selection: Selection, **options: Any) -> Any:
        if selection.ids is not None:
            by_id.append(selection.ids)
        return read(self, scope, selection, **options)

    def turn_key(self: TurnReads, scope: Any, turn_id: str) -> Any:
        keys.append(turn_id)
        return find(self, scope, turn_id)

    with Memory(tmp_path / "m.db", embedder=None, background=False) as memory:
        for n in range(5):
            memory.observe(f"The pump of hall {n} was noisy today, 水泵很吵", user="u", session="s")
            memory.remember(f"The pump of hall {n} is blue, 水泵是蓝色的", user="u")
        monkeypatch.setattr(MemoryReads, "memories", memories)
        monkeypatch.setattr(TurnReads, "turn_key", turn_key)
        context = memory.context("What about the pump of hall 3, 水泵怎么样?", user="u")
    assert "hall 3" in context.text
    assert by_id == []
    assert keys == []
