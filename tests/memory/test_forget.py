"""Forgetting: what a request means, what it leaves alone, and that it is gone from every byte."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jiyi import Memory, NotFoundError
from jiyi.testing import FakeClock


def bytes_of(path: Path) -> bytes:
    """Every byte of the store's files: database, log, shared memory, whatever lies beside."""
    return b"".join(p.read_bytes() for p in path.parent.iterdir() if p.is_file())


@pytest.mark.parametrize(
    ("said", "secret", "question"),
    [
        ("I live at 17 Quillfeather Lane", "Quillfeather", "where do I live"),
        ("我住在梧桐巷十七号", "梧桐巷", "我住在哪里"),
        ("我的 MacBook-Zq7 放在办公室", "MacBook-Zq7", "MacBook"),
    ],
)
def test_an_erased_memory_is_gone_from_every_byte(
    memory: Memory, path: Path, said: str, secret: str, question: str
) -> None:
    """Scenario 19: rows, versions, index, traces, the cited turn, free pages and the log."""
    memory.observe(said)
    id = memory.remember(said + " (again)").memory_id or ""
    memory.update(id, text=said + " (edited)")
    memory.correct(id, said + " (corrected)")
    memory.recall(question)
    memory.context(question, session="s")
    memory.flush()
    every = memory.list(include=["superseded", "candidate"]).items
    report = memory.forget(ids=[*(m.id for m in every), *(t.id for t in memory.turns())])
    assert set(report.memory_ids) >= {m.id for m in every}
    assert not report.pending
    assert report.beyond
    assert secret.encode() not in bytes_of(path)
    assert not memory.recall(question)
    for gone in every:
        with pytest.raises(NotFoundError):
            memory.get(gone.id)


@pytest.mark.parametrize(
    ("keep", "drop", "query"),
    [
        ("my sister Ana plays the cello", "my bank is Nordea in Turku", "bank Nordea"),
        ("我妹妹会拉大提琴", "我的开户行是北湾银行", "北湾银行"),
    ],
)
def test_a_query_means_memories_and_turns_that_hold_most_of_its_words(
    memory: Memory, path: Path, keep: str, drop: str, query: str
) -> None:
    """`query` reaches verbatim turns too, a dry run only says so, and the rest is untouched."""
    memory.observe([keep, drop])
    planned = memory.forget(query=query, dry_run=True)
    assert planned.dry_run
    assert len(planned.turn_ids) == 1
    assert memory.stats().turns == 2
    done = memory.forget(query=query)
    assert done.turn_ids == planned.turn_ids
    assert [t.text for t in memory.turns()] == [keep]
    assert not memory.forget(query="elephants 大象").turn_ids


def test_everything_of_one_user_and_nothing_of_another(memory: Memory, path: Path) -> None:
    """Scenario 20: A is empty everywhere, B untouched, the receipt counts."""
    a, b = memory.scoped(user="a"), memory.scoped(user="b")
    for mine in (a, b):
        mine.observe(f"I live in Zanzibar-{mine.scope.user} 我喜欢喝白毫-{mine.scope.user}")
        mine.set_permanent(badge=f"badge-{mine.scope.user}")
        mine.recall("Zanzibar 白毫")
    report = a.forget(everything=True)
    assert report.counts
    assert a.list(include=["candidate", "superseded"]).total == 0
    assert a.turns() == ()
    assert dict(a.profile().permanent) == {}
    data = bytes_of(path)
    for word in ("Zanzibar-a", "白毫-a", "badge-a"):
        assert word.encode() not in data
    assert b.recall("Zanzibar")
    assert b.profile().permanent == {"badge": "badge-b"}


@pytest.mark.parametrize("said", ["I am allergic to shellfish", "我对海鲜过敏"])
def test_two_sources_of_one_fact(memory: Memory, said: str) -> None:
    """Scenario 21: with one source turn erased the fact stays; with the second it goes."""
    turns = [memory.observe(said, session=s).turn_ids[0] for s in ("a", "b")]
    assert [len(m.sources) for m in memory.list().items] == [2]
    memory.forget(ids=turns[0])
    kept = memory.list().items
    assert len(kept) == 1
    assert [s.turn_id for s in kept[0].sources] == [turns[1]]
    memory.forget(ids=turns[1])
    assert memory.list().total == 0


def test_by_session_and_time_joined_by_and(memory: Memory, clock: FakeClock) -> None:
    """Selectors combine with AND: this session, before this time."""
    memory.observe("early in a 早", session="a")
    clock.advance(timedelta(days=2))
    cut = clock()
    memory.observe("late in a 晚", session="a")
    memory.observe("late in b 晚", session="b")
    memory.forget(session="a", before=cut)
    assert [t.text for t in memory.turns()] == ["late in a 晚", "late in b 晚"]
    memory.forget(session="b")
    assert [t.text for t in memory.turns()] == ["late in a 晚"]


@pytest.mark.parametrize(
    ("said", "word", "order", "question"),
    [
        ("My address is 9 Larkspur Row", "Larkspur", "please delete my address", "address"),
        ("我的地址是榆树街九号", "榆树街", "把我说的地址删掉", "地址"),
        ("I'm called Evander", "Evander", "forget my name", "what's my name"),
        ("我叫艾凡德", "艾凡德", "忘掉我的名字", "我叫什么"),
    ],
)
def test_delete_it_said_aloud_erases(
    memory: Memory, path: Path, said: str, word: str, order: str, question: str
) -> None:
    """Scenario 46, second half: a spoken order to delete is an erasure, in force at once."""
    memory.observe(said, session="s")
    memory.observe("I like hiking 我喜欢爬山", session="s")
    receipt = memory.observe(order, session="s")
    assert "erased" in [o.status for o in receipt.outcomes]
    memory.flush()
    assert word.encode() not in bytes_of(path)
    assert not [h for h in memory.recall(question) if word in h.text]
    assert memory.recall("hiking 爬山")


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("From now on use tabs for indentation", "don't go by that any more"),
        ("以后缩进一律用制表符", "别再按这个来了"),
    ],
)
def test_do_not_go_by_that_said_aloud_retracts_and_can_be_undone(
    memory: Memory, said: str, order: str
) -> None:
    """Scenario 46, first half: a retraction is kept for audit and undoable."""
    memory.observe(said, session="s")
    assert memory.list().total == 1
    id = memory.list().items[0].id
    receipt = memory.observe(order, session="s")
    assert [o.status for o in receipt.outcomes] == ["retracted"]
    assert memory.list().total == 0
    assert memory.get(id).status == "retracted"
    memory.undo(id)
    assert memory.get(id).status == "active"
