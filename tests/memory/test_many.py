"""Many statements in one call."""

from __future__ import annotations

import inspect

import pytest

from jiyi import InvalidInputError, Memory
from jiyi.encode.intake import DRAFT_FIELDS, MAX_ITEMS


def test_each_item_has_its_outcome(memory: Memory) -> None:
    """Texts and mappings, in order; an item may merge with, or supersede, one before it."""
    receipt = memory.remember_all(
        [
            "likes green tea",
            {"text": "住在北京", "slot": {"attribute": "residence", "value": "北京"}},
            {"text": "likes green tea", "tags": ["drink"]},
            {"text": "搬到了杭州", "slot": {"attribute": "residence", "value": "杭州"}},
        ]
    )
    assert [o.status for o in receipt.outcomes] == ["stored", "stored", "merged", "superseding"]
    assert receipt.outcomes[0].memory_id == receipt.outcomes[2].memory_id
    assert sorted(item.text for item in memory.list().items) == ["likes green tea", "搬到了杭州"]


@pytest.mark.parametrize(
    ("items", "field"),
    [
        (["fine", ""], "items[1].text"),
        (["fine", {"text": "x y", "kind": "odd"}], "items[1].kind"),
        (["fine", {"text": "x y", "user": "bob"}], "items[1].user"),
        (["fine", {"kind": "semantic"}], "items[1]"),
        (["fine", 3], "items[1]"),
        ("a text", "items"),
        ([], "items"),
        (["x y"] * (MAX_ITEMS + 1), "items"),
    ],
)
def test_one_bad_item_writes_nothing(memory: Memory, items: object, field: str) -> None:
    """The error names the item and the argument, and nothing of the others was kept."""
    with pytest.raises(InvalidInputError) as caught:
        memory.remember_all(items)  # type: ignore[arg-type]
    assert caught.value.field == field
    assert memory.list().total == 0


def test_items_take_what_remember_takes() -> None:
    """No argument of `remember` is missing."""
    parameters = set(inspect.signature(Memory.remember).parameters) - {"self", "scope"}
    assert parameters == DRAFT_FIELDS
