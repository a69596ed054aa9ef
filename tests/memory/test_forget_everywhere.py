"""Forgetting reaches what lies beside memories: questions, notes, copies, other processes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from jiyi import InvalidInputError, Memory, NotFoundError
from jiyi.testing import FakeClock

FIXTURES = Path(__file__).parents[1] / "stores" / "fixtures"


def bytes_of(path: Path) -> bytes:
    """Every byte of the store's files and of what lies beside."""
    return b"".join(p.read_bytes() for p in path.parent.iterdir() if p.is_file())


@pytest.mark.parametrize(
    ("said", "question", "secret", "words"),
    [
        ("my bank is Nordea in Turku", "is Nordea still my bank?", "Nordea", "bank Nordea"),
        ("我的开户行是北湾银行", "北湾银行还是我的开户行吗", "北湾银行", "北湾银行"),
        ("我在 Quillfeather 租了房", "Quillfeather 的房租多少", "Quillfeather", "Quillfeather"),
    ],
)
@pytest.mark.parametrize("how", ["ids", "query", "everything"])
def test_a_question_that_another_process_kept_does_not_come_back(
    memory: Memory,
    path: Path,
    clock: FakeClock,
    said: str,
    question: str,
    secret: str,
    words: str,
    how: str,
) -> None:
    """A trace that was made before an erasure and is written after it is dropped, also when the
    clock has not moved; what is asked afterwards is kept."""
    other = Memory(path, embedder=None, clock=clock).scoped(user="sun")
    turn = memory.observe(said).turn_ids[0]
    before = other.recall(question).trace_id
    if how == "ids":
        memories = memory.list(include=["candidate", "superseded"]).items
        memory.forget(ids=[turn, *(m.id for m in memories)])
    elif how == "query":
        memory.forget(query=words)
    else:
        memory.forget(everything=True)
    after = other.recall("tea 茶").trace_id
    other.close()
    assert memory.explain(None).id == after
    with pytest.raises(NotFoundError):
        memory.explain(before)
    assert secret.encode() not in bytes_of(path)


@pytest.mark.parametrize(
    ("said", "question", "order", "secret"),
    [
        ("My address is 9 Larkspur Row", "Larkspur Row?", "please delete my address", "Larkspur"),
        ("我的地址是榆树街九号", "榆树街在哪", "把我说的地址删掉", "榆树街"),
    ],
)
def test_nor_after_a_spoken_order(
    memory: Memory,
    path: Path,
    clock: FakeClock,
    said: str,
    question: str,
    order: str,
    secret: str,
) -> None:
    """The same where the user says it in a conversation."""
    other = Memory(path, embedder=None, clock=clock).scoped(user="sun")
    memory.observe(said, session="s")
    other.context(question, session="t")
    memory.observe(order, session="s")
    other.close()
    assert secret.encode() not in bytes_of(path)


@pytest.mark.parametrize(
    ("question", "words", "secret"),
    [
        ("what did the oncologist Varga say?", "Varga oncologist", "Varga"),
        ("肿瘤科的瓦尔加医生说了什么", "瓦尔加医生", "瓦尔加"),
        ("Dr Zoltán 的诊断是什么", "Zoltán 诊断", "Zolt"),
    ],
)
def test_a_query_reaches_questions_though_nothing_was_remembered(
    memory: Memory, path: Path, question: str, words: str, secret: str
) -> None:
    """What was only ever asked is erased too, and leaves no byte."""
    memory.observe("I like hiking 我喜欢爬山")
    memory.recall(question)
    memory.context(question, session="s")
    memory.flush()
    report = memory.forget(query=words)
    assert not report.memory_ids
    assert not report.turn_ids
    assert report.counts["traces"]
    assert secret.encode() not in bytes_of(path)
    assert memory.recall("hiking 爬山")


@pytest.mark.parametrize(
    ("question", "order", "secret"),
    [
        ("is Larkspur Row my address?", "please delete my address", "Larkspur"),
        ("榆树街是我的地址吗", "把我说的地址删掉", "榆树街"),
    ],
)
def test_a_spoken_order_reaches_questions(
    memory: Memory, path: Path, question: str, order: str, secret: str
) -> None:
    """Also where nothing is remembered about it."""
    memory.observe("I like hiking 我喜欢爬山", session="s")
    memory.recall(question)
    memory.flush()
    memory.explain(None)
    memory.observe(order, session="s")
    memory.flush()
    assert secret.encode() not in bytes_of(path)


def test_the_copy_of_a_migration_goes_with_the_first_erasure(path: Path, clock: FakeClock) -> None:
    """What a migration copied beside the store still holds what is erased; nothing else goes."""
    oldest = min(FIXTURES.glob("schema_*.db.gz"))
    path.write_bytes(gzip.decompress(oldest.read_bytes()))
    mine = path.with_name("agent.db.before-holiday")
    mine.write_bytes(b"a file of somebody else's")
    with Memory(path, embedder=None, clock=clock) as memory:
        copies = list(path.parent.glob("agent.db.before-0*"))
        assert copies
        memory.observe("secret-Zq7 秘密", user="sun")
        assert list(path.parent.glob("agent.db.before-0*")) == copies
        report = memory.forget(query="secret-Zq7", user="sun")
        assert not report.pending
    assert not list(path.parent.glob("agent.db.before-0*"))
    assert mine.exists()


def test_a_copy_that_cannot_be_deleted_is_named(
    memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The receipt says where the erased content still lies."""
    copy = path.with_name("agent.db.before-0003")
    copy.mkdir()  # no file can be unlinked here
    memory.observe("secret-Zq7 秘密")
    report = memory.forget(query="secret-Zq7")
    assert any(str(copy) in reason for reason in report.pending)
    copy.rmdir()


@pytest.mark.parametrize(
    ("note", "words", "secret"),
    [
        ("call Nordea about the loan", "Nordea loan", "Nordea"),
        ("给北湾银行打电话", "北湾银行", "北湾银行"),
    ],
)
def test_a_query_reaches_the_notes_of_tasks(
    memory: Memory, path: Path, note: str, words: str, secret: str
) -> None:
    """Notes that hold the words go, in every task; a dry run counts them; the others stay."""
    memory.task("T-1").note("todo", note)
    memory.task("T-1").note("progress", "96/120")
    memory.task("T-2").note("下一步", [note])
    assert memory.forget(query=words, dry_run=True).counts["notes"] == 2
    assert memory.task("T-1").notes()["todo"] == note
    assert memory.forget(query=words).counts["notes"] == 2
    assert memory.task("T-1").notes() == {"progress": "96/120"}
    assert memory.task("T-2").notes() == {}
    assert secret.encode() not in bytes_of(path)


def test_everything_is_also_notes_and_permanent_fields(memory: Memory, path: Path) -> None:
    """Where a user has nothing else, too; the dry run counts them."""
    memory.task("T-1").note("todo", "Zanzibar 桑给巴尔")
    memory.set_permanent(badge="badge-77")
    counts = memory.forget(everything=True, dry_run=True).counts
    assert (counts["notes"], counts["permanent fields"]) == (1, 1)
    memory.forget(everything=True)
    assert memory.task("T-1").notes() == {}
    assert dict(memory.profile().permanent) == {}
    for word in ("Zanzibar", "桑给巴尔", "badge-77"):
        assert word.encode() not in bytes_of(path)


@pytest.mark.parametrize("shared", [False, True])
def test_a_program_of_one_user_can_be_emptied(path: Path, clock: FakeClock, shared: bool) -> None:
    """With no user named and `confirm`, what is nobody's goes; named users keep all of theirs, also
    what they share."""
    with Memory(path, embedder=None, clock=clock) as memory:
        ann = memory.scoped(user="ann")
        ann.remember("Ann keeps bees 安养蜜蜂")
        if shared:
            ann.remember("the door code is 4711 门禁码", visibility="shared")
        memory.observe("I live in Zanzibar 我住在桑给巴尔")
        memory.remember("the boiler is serviced in May 锅炉五月检修")
        memory.task("T").note("todo", "Zanzibar-note")
        memory.set_permanent(badge="badge-77")
        with pytest.raises(InvalidInputError, match="confirm"):
            memory.forget(everything=True)
        assert memory.forget(everything=True, confirm=True).counts["turns"] == 1
        assert memory.turns() == ()
        assert memory.list(include=["candidate", "superseded"]).total == int(shared)
        assert memory.task("T").notes() == {}
        assert dict(memory.profile().permanent) == {}
        assert ann.list().total == 1 + shared
        data = bytes_of(path)
        for word in ("Zanzibar", "桑给巴尔", "boiler", "锅炉", "badge-77"):
            assert word.encode() not in data


def test_an_agent_explains_its_own_questions(memory: Memory) -> None:
    """A trace of one agent is not shown to another, by id or as the last; one of no agent is."""
    a, b = memory.scoped(agent="a"), memory.scoped(agent="b")
    plain = memory.recall("tea 茶").trace_id
    asked = a.recall("what is my diagnosis 我的诊断").trace_id
    for _ in range(2):  # in memory, then from the store
        assert a.explain(None).id == asked
        assert b.explain(None).id == plain
        assert memory.explain(None).id == plain
        for view in (b, memory):
            with pytest.raises(NotFoundError):
                view.explain(asked)
        memory.flush()


def test_the_receipt_says_that_names_stay(memory: Memory) -> None:
    """Ids and names of the scope stay as tombstones, and the receipt says so."""
    memory.observe("secret-Zq7 秘密")
    beyond = " ".join(memory.forget(query="secret-Zq7").beyond)
    assert "tombstones" in beyond
    assert "user" in beyond
    assert "agent" in beyond
