"""After everything of a user was forgotten, not even their name is in the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiyi import InvalidInputError, Memory
from jiyi.testing import FakeClock

NAMES = ["quillfeather@example.org", "欧阳晓岚", "Дмитрий Кузнецов", "ｕｓｅｒ　７", "o'brien; --"]
EVERY = ("candidate", "superseded", "expired", "archived", "retracted")


def bytes_of(path: Path) -> bytes:
    return b"".join(p.read_bytes() for p in path.parent.iterdir() if p.is_file())


def fill(memory: Memory, name: str) -> None:
    """Something wherever a name may be kept."""
    agent, session = f"agent of {name}", f"session of {name}"
    memory.observe("I live in Leeds. 我喜欢喝茶", session=session, agent=agent)
    memory.remember("for the agent 只给助手", agent=agent, visibility="agent")
    memory.remember("for the task 只给任务", task=f"task of {name}", visibility="task")
    shared = memory.remember("for all of us 大家", visibility="shared").memory_id or ""
    memory.correct(shared, "for all of us, corrected 大家都看")
    memory.add_documents({"id": "d", "title": "Manual", "text": "Rinse. 冲洗"})
    memory.set_permanent(role="nurse")
    memory.task(f"task of {name}").note("progress", "1/2")
    memory.recall("where do I live", session=session, agent=agent)
    memory.context("tea 茶", session=session, agent=agent)
    memory.flush()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("whole_tenant", [False, True])
def test_no_name_is_left(path: Path, clock: FakeClock, name: str, whole_tenant: bool) -> None:
    """Neither of the user nor of their agents, sessions and tasks, in any byte of the files; other
    users keep theirs."""
    with Memory(path, embedder=None, clock=clock) as opened:
        user, other = (opened.scoped(tenant="t", user=u) for u in (name, "neighbour"))
        fill(user, name)
        other.remember("the neighbour's cat 邻居的猫")
        opened.flush()
        assert name.encode() in bytes_of(path)
        if whole_tenant:
            report = opened.forget(everything=True, tenant="t", confirm=True)
        else:
            report = user.forget(everything=True)
            assert "keyed hash" in report.beyond[-1]
            assert other.list().total == 1
        assert report.pending == ()
        assert name.encode() not in bytes_of(path)
        assert user.list(include=EVERY).total == 0
        assert user.forget(everything=True).counts.get("memories") is None
    data = bytes_of(path)
    assert name.encode() not in data
    assert (b"neighbour" in data) is not whole_tenant


@pytest.mark.parametrize("name", NAMES)
def test_who_comes_back_is_the_same_one(path: Path, clock: FakeClock, name: str) -> None:
    """What was erased stays blocked for them, what they say now is theirs alone, and their
    archive, also that of everybody, calls them by name again."""
    archive = path.with_name("before.jsonl")
    with Memory(path, embedder=None, clock=clock) as opened:
        user = opened.scoped(user=name)
        fill(user, name)
        user.export(archive)
        user.forget(everything=True)
    with Memory(path, embedder=None, clock=clock) as opened:
        user = opened.scoped(user=name)
        assert not user.recall("Leeds", units=("memory", "turn"))
        opened.load(archive)
        assert user.list().total == 0
        assert user.turns() == ()
        user.remember("I keep bees 我养蜂")
        assert [m.text for m in user.list().items] == ["I keep bees 我养蜂"]
        opened.export(path.with_name("all.jsonl"), everything=True)
    assert name in path.with_name("all.jsonl").read_text("utf-8")
    with Memory(":memory:", embedder=None, clock=clock) as fresh:
        fresh.load(path.with_name("all.jsonl"))
        assert [m.text for m in fresh.scoped(user=name).list().items] == ["I keep bees 我养蜂"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("knows_them", [True, False])
def test_an_archive_of_erased_users_blocks_them_elsewhere(
    path: Path, clock: FakeClock, name: str, knows_them: bool
) -> None:
    """It holds no name; in another store what was erased does not come back from an older archive,
    whether that store knew the user or not, and what it had of them beside stays."""
    older, newer = path.with_name("older.jsonl"), path.with_name("newer.jsonl")
    with Memory(path, embedder=None, clock=clock) as opened:
        opened.scoped(user=name).remember("The vault code is 4711 保险柜")
        opened.export(older, everything=True)
        opened.scoped(user=name).forget(everything=True)
        opened.export(newer, everything=True)
    assert name not in newer.read_text("utf-8")
    with Memory(":memory:", embedder=None, clock=clock) as second:
        user = second.scoped(user=name)
        if knows_them:
            user.remember("I keep bees 我养蜂")
        second.load(newer)
        second.load(older)
        assert [m.text for m in user.list().items] == (["I keep bees 我养蜂"] if knows_them else [])


def test_nobody_can_call_themselves_so(memory: Memory) -> None:
    """A name that begins as the hashes do is refused."""
    with pytest.raises(InvalidInputError, match="user"):
        memory.scoped(user="\ufdd0abc")
