"""The archive is cold, not closed: what is needed exactly comes back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock

COLD = [
    ("The greenhouse door code is ZX-9917-Q", "what was ZX-9917-Q for", "zx-9917-q"),
    ("温室的门禁码是 ZX-9917-Q", "ZX-9917-Q 是什么", "zx-9917-q"),
    ("Ursula keeps bees on the roof", "who keeps bees", "bees"),
    ("乌苏拉在屋顶养蜂", "谁在屋顶养蜂", "养蜂"),
]


def freeze(memory: Memory, clock: FakeClock, text: str) -> str:
    """A memory that went into the archive for want of use, and another that is live."""
    id = memory.remember(text).memory_id or ""
    clock.advance(timedelta(days=100))
    memory.consolidate()
    memory.remember("The kiln fires at noon 窑炉中午点火")
    assert memory.get(id).status == "archived"
    assert memory.get(id).tier == "archive"
    return id


@pytest.mark.parametrize(("text", "question", "_word"), COLD)
@pytest.mark.parametrize("way", ["recall", "context"])
def test_an_exact_need_brings_it_back(
    memory: Memory, clock: FakeClock, text: str, question: str, _word: str, way: str
) -> None:
    """By a code, or where nothing live answers: found at once, live again, and undoable."""
    id = freeze(memory, clock, text)
    if way == "recall":
        assert memory.recall(question)[0].id == id
    else:
        assert text in memory.context(question).text
    thawed = memory.get(id)
    assert (thawed.status, thawed.tier) == ("active", "extended")
    memory.consolidate()
    assert memory.get(id).status == "active"
    memory.undo(id)
    assert memory.get(id).status == "archived"


def test_no_need_leaves_it_cold(memory: Memory, clock: FakeClock) -> None:
    """What a live memory answers, what was not asked, and a look into the past thaw nothing."""
    id = freeze(memory, clock, "The greenhouse door code is ZX-9917-Q")
    memory.recall("when does the kiln fire")
    memory.recall("ZX-1234-Q")
    memory.recall("ZX-9917-Q", as_of=clock() - timedelta(days=50))
    memory.recall("ZX-9917-Q", units="turn")
    memory.recall("ZX-9917-Q", where={"tags": "none"})
    memory.recall("ZX-9917-Q", user="somebody else")
    assert memory.get(id).status == "archived"


def test_asking_for_the_archive_thaws_the_best(memory: Memory, clock: FakeClock) -> None:
    """With `include`, the archived memory that answers best is live from then on."""
    id = freeze(memory, clock, "The greenhouse door is green and heavy 温室门")
    found = memory.recall("greenhouse door 温室门", include="archived")
    assert (found[0].id, found[0].status) == (id, "active")
    assert memory.get(id).status == "active"


def test_what_was_told_again_is_not_doubled(memory: Memory, clock: FakeClock) -> None:
    """An archived memory whose text or place is taken meanwhile stays cold, and is merged with
    what took it."""
    text = "The greenhouse door code is ZX-9917-Q"
    old = freeze(memory, clock, text)
    new = memory.remember(text).memory_id
    assert memory.recall("ZX-9917-Q", include="archived")[0].id == new
    assert memory.get(old).status == "archived"
    memory.consolidate()
    (kept,) = (m for m in memory.list(include="archived").items if m.text == text)
    assert len(kept.sources) == 2
    assert memory.get(old).status == "superseded"


def test_a_question_is_answered_where_nobody_may_write(path: Path, clock: FakeClock) -> None:
    """On a store opened read-only nothing thaws, and nothing fails."""
    with Memory(path, embedder=None, clock=clock) as opened:
        freeze(opened, clock, "The greenhouse door code is ZX-9917-Q")
    with Memory(path, embedder=None, clock=clock, read_only=True, background=False) as reader:
        assert not [hit for hit in reader.recall("ZX-9917-Q") if "ZX" in hit.text]
        reader._parts.journal.drop(reader.scope)
