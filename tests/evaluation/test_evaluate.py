"""A user's own questions scored on their own memory, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jiyi import Memory
from jiyi.errors import InvalidInputError
from jiyi.evaluation import Question, evaluate, read_questions
from jiyi.testing import FakeClock


def write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> str:
    target = str(tmp_path / "own.db")
    with Memory(target, embedder=None, clock=FakeClock(), background=False) as memory:
        memory.remember("Sun works at the research farm", user="sun")
        memory.remember("孙工对花生过敏", user="sun")
        memory.remember("The spare key hangs behind the barometer", user="ann")
        memory.observe("The gate code is QX-4471", user="sun", session="A")
    return target


def test_figures(file: str) -> None:
    """Words and ids both count as evidence, in hits and in contexts; what nothing answers is
    counted as silence; each user is asked in their own scope."""
    with Memory(file, embedder=None, clock=FakeClock(), read_only=True) as memory:
        turn = memory.turns(user="sun")[0].id
        questions = [
            Question(text="Where does Sun work?", evidence=("Research  farm",), category="en"),
            Question(text="孙工对什么过敏？", evidence=("花生",), category="zh"),
            Question(text="gate code?", evidence=(turn,)),
            Question(text="spare key?", evidence=("barometer",), user="ann"),
            Question(text="Where does Sun work?", evidence=("on the moon",)),
            Question(text="Which violin does she play?"),
        ]
        result = evaluate(memory.scoped(user="sun"), questions, budgets=[300])
    overall = result.overall
    assert [a.rank is not None for a in result.answers] == [True] * 4 + [False] * 2
    assert (overall.questions, overall.unanswerable) == (6, 1)
    assert overall.recall[1] == overall.context[300] == overall.mrr == pytest.approx(0.8)
    assert (overall.silence, overall.false_silence) == (1.0, 0.0)
    assert set(result.by_category) == {"en", "zh"}
    assert result.by_category["zh"].recall[1] == 1.0


def test_it_changes_nothing(file: str) -> None:
    """Opened read-only, an evaluation leaves every byte of the store as it was."""
    before = Path(file).read_bytes()
    with Memory(file, embedder=None, clock=FakeClock(), read_only=True) as memory:
        evaluate(memory.scoped(user="sun"), [Question(text="gate code?", evidence=("QX-4471",))])
    assert Path(file).read_bytes() == before


def test_reading_a_file(tmp_path: Path) -> None:
    """Each line is one question; one piece of evidence may stand alone."""
    path = write(
        tmp_path / "q.jsonl",
        {"question": "Where?", "evidence": "farm", "category": "work", "user": "孙"},
        {"question": "鞋码？", "answerable": False},
    )
    first, second = read_questions(path)
    assert first == Question(text="Where?", evidence=("farm",), category="work", user="孙")
    assert not second.answerable


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"question": "Where?"}, "evidence"),
        ({"question": " ", "evidence": ["x"]}, "question"),
        ({"question": "Where?", "evidence": [7]}, "evidence"),
        ({"question": "Where?", "evidence": 7}, "evidence"),
        ({"question": "Where?", "evidence": ["x"], "answerable": False}, "evidence"),
        ({"question": "Where?", "evidence": [], "answerable": True}, "evidence"),
        ({"question": "Where?", "evidense": ["x"]}, "evidense"),
        (["Where?"], "line 2"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, row: object, named: str) -> None:
    """A line that is no question is one error that names line and field."""
    path = write(tmp_path / "q.jsonl", {"question": "ok?", "evidence": ["x"]}, row)
    with pytest.raises(InvalidInputError, match=named) as caught:
        read_questions(path)
    assert "line 2" in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"{", b"\xff\xfe\x00", b"not json"])
def test_no_questions(tmp_path: Path, content: bytes) -> None:
    """A file that holds no questions is an error, never a score."""
    path = tmp_path / "q.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidInputError):
        read_questions(path)
