"""Scenarios 1, 24: one fact is one memory, and an edit touches only what it names."""

from __future__ import annotations

import pytest

from jiyi import Memory


@pytest.mark.parametrize(
    "wordings",
    [
        ["The greenhouse is in bay 4", "the greenhouse is in bay 4", "The greenhouse is in bay 4."],
        ["温室在四号棚", "温室在四号棚。", " 温室在四号棚！"],
        ["Ｔｈｅ ｐｕｍｐ ｉｓ ｒｅｄ", "The pump is red", "THE  pump is red"],
        ["试验田用 LED 灯", "试验田用 LED 灯。", "试验田用　LED　灯"],
    ],
)
def test_same_text_is_one_memory_with_a_source_for_each_telling(
    memory: Memory, wordings: list[str]
) -> None:
    """Case, width, white space and closing marks make no second memory; sources grow."""
    receipts = [memory.remember(text) for text in wordings]
    assert memory.list().total == 1
    kept = memory.get(receipts[0].memory_id or "")
    assert len(kept.sources) == len(wordings)
    assert [r.outcomes[0].status for r in receipts] == ["stored", "merged", "merged"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("She writes C", "She writes C++"),
        ("The part is ABc-1", "The part is abC-1"),
        ("型号是 X9", "型号是 X-9+"),
    ],
)
def test_code_like_tokens_tell_texts_apart(memory: Memory, first: str, second: str) -> None:
    """C and C++ are two facts, and so are codes that differ in their case."""
    memory.remember(first)
    memory.remember(second)
    assert memory.list().total == 2


@pytest.mark.parametrize("text", ["Deploys happen on the new host", "部署在新主机上进行"])
def test_an_edit_of_the_text_leaves_the_rest(memory: Memory, text: str) -> None:
    """Scenario 24: metadata, scope, tags, importance survive a new text, and search follows it."""
    receipt = memory.remember(
        "old words 旧话", tags=["ops"], meta={"ticket": 7}, importance=0.9, agent="ci"
    )
    memory_id = receipt.memory_id or ""
    before = memory.get(memory_id)
    memory.update(memory_id, text=text)
    after = memory.get(memory_id)
    assert after.text == text
    assert (after.tags, after.meta, after.importance, after.scope) == (
        before.tags,
        before.meta,
        before.importance,
        before.scope,
    )
    assert [h.id for h in memory.recall(text)] == [memory_id]
    assert not [h for h in memory.recall("旧话 old words") if h.id == memory_id]
