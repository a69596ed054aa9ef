"""`jiyi consolidate` and `jiyi conflicts`, for people and as JSON, in both languages."""

from __future__ import annotations

import pytest
from command_line import Jiyi


@pytest.mark.parametrize(
    "texts",
    [
        ("Please keep your answers concise", "I prefer short answers"),
        ("我喜欢简洁的回答", "回答请简洁一点"),
    ],
)
def test_consolidate_shows_the_plan_does_it_and_is_undone(
    jiyi: Jiyi, texts: tuple[str, ...]
) -> None:
    """A dry run changes nothing; the run says what and why; `undo RUN` takes it back."""
    for text in texts:
        jiyi("add", text, "-u", "ann")
    plan = jiyi("consolidate", "--dry-run", "-u", "ann")
    assert plan.code == 0
    assert "would be done" in plan.out
    assert all(text in plan.out for text in texts)
    assert jiyi("list", "-u", "ann", "--json").json["total"] == 2
    done = jiyi("consolidate", "-u", "ann", "--json").json
    assert done["counts"] == {"merge": 1}
    assert done["failed"] is None
    assert jiyi("list", "-u", "ann", "--json").json["total"] == 1
    assert jiyi("undo", done["run_id"], "-u", "ann").code == 0
    assert jiyi("list", "-u", "ann", "--json").json["total"] == 2
    again = jiyi("consolidate", "-u", "ann")
    assert "0 steps done" in again.out


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploys on Friday are allowed", "Deploys on Friday are not allowed"),
        ("周五允许发布新版本", "周五禁止发布新版本"),
    ],
)
def test_conflicts_are_listed_and_decided(jiyi: Jiyi, one: str, other: str) -> None:
    """Both sides with their ids; --keep and --over decide; nothing left exits with 3."""
    ids = [
        jiyi("add", text, "-u", "ann", "--json").json["outcomes"][0]["memory_id"]
        for text in (one, other)
    ]
    listed = jiyi("conflicts", "-u", "ann")
    assert listed.code == 0
    assert all(
        text in listed.out and id[-8:] in listed.out
        for text, id in zip((one, other), ids, strict=True)
    )
    assert jiyi("conflicts", "-u", "ann", "--json").json[0]["first"]["id"] == ids[0]
    assert jiyi("conflicts", "--keep", ids[1], "-u", "ann").code == 2
    assert jiyi("conflicts", "--keep", ids[1][-8:], "--over", ids[0], "-u", "ann").code == 0
    assert jiyi("conflicts", "-u", "ann").code == 3
    assert jiyi("list", "-u", "ann", "--json").json["total"] == 1
