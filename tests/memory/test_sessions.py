"""Short-term memory from the front: notes of a task, summaries, and the digest of a session."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock, ScriptedChatModel

TALKS = {
    "en": [
        "We are planning the harvest of plot R12 for Thursday",
        "The combine needs a new belt before Wednesday",
        "I decided to rent the spare trailer from the cooperative",
        "Remember that the moisture limit is 9 percent",
    ],
    "zh": [
        "我们打算周四收割 R12 小区",
        "收割机周三之前要换一条皮带",
        "我决定向合作社租备用拖车",
        "记住水分上限是百分之九",
    ],
}


@pytest.mark.parametrize(("language", "question"), [("en", "R12 harvest"), ("zh", "R12 小区收割")])
def test_an_ended_session_leaves_a_digest_that_can_be_recalled(
    memory: Memory, clock: FakeClock, language: str, question: str
) -> None:
    """The window goes, the turns stay, and what the session came to is one memory."""
    for text in TALKS[language]:
        memory.observe(text, session="s")
        memory.observe({"role": "assistant", "content": "OK. 好的。"}, session="s")
    receipt = memory.end_session("s")
    assert receipt.outcomes[0].status == "stored"
    digest = memory.get(receipt.memory_id or "")
    assert digest.kind == "episodic"
    assert "R12" in digest.text
    clock.advance(timedelta(days=20))
    assert digest.id in [h.id for h in memory.recall(question, limit=10)]
    assert len(memory.turns(session="s")) == 2 * len(TALKS[language])
    again = memory.end_session("s")
    assert again.outcomes[0].status == "skipped"


def test_notes_live_as_long_as_their_task(memory: Memory) -> None:
    """Notes are in the context of their task, in no memory, and gone with the task's end."""
    task = memory.task("T-7")
    task.note("progress 进度", "96/120")
    assert memory.task("T-7").notes() == {"progress 进度": "96/120"}
    assert "96/120" in memory.context("how far are we? 到哪了", task="T-7").text
    assert "96/120" not in memory.context("how far are we? 到哪了", task="T-8").text
    assert memory.list().total == 0
    assert memory.scoped(user="other").task("T-7").notes() == {}
    assert task.end() == 1
    assert memory.task("T-7").notes() == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_long_session_is_summarised_in_its_context(memory: Memory, language: str) -> None:
    """What has left the window is still there as points, without a model."""
    for text in TALKS[language]:
        memory.observe(text, session="s")
    for n in range(24):
        memory.observe(f"row {n} looks fine 第{n}行正常", session="s")
    layers = {layer.name: layer for layer in memory.context("next? 下一步", session="s").layers}
    assert "summary" in layers
    assert "R12" in layers["summary"].text


NAMES = ["Ann", "Bob", "小陈", "Dee", "老李", "Fay", "Guo"]


@pytest.mark.parametrize("decided", ["I decided to rent the spare trailer", "我决定租备用拖车"])
def test_a_session_that_was_only_told_is_summarised_when_it_is_asked_for(
    memory: Memory, decided: str
) -> None:
    """Nobody who tells waits for a summary: the first context makes it, of all that was said, and
    the next ones go on from there. The digest at the end holds the beginning either way."""
    for session in ("asked", "only told"):
        memory.observe(decided, session=session)
        for n in range(70):
            memory.observe(f"{NAMES[n % 7]} was here with {NAMES[n // 10]}", session=session)
    for _ in range(2):
        shown = memory.context("next? 下一步", session="asked")
        summary = next(layer.text for layer in shown.layers if layer.name == "summary")
        assert decided in summary
        for name in NAMES + NAMES:
            memory.observe(f"{name} went home", session="asked")
    for session in ("asked", "only told"):
        assert decided in memory.get(memory.end_session(session).memory_id or "").text


def test_no_context_waits_for_a_model(tmp_path: Path) -> None:
    """With a chat model the running summary is made by rules; the model writes the digest."""
    model = ScriptedChatModel([])
    with Memory(tmp_path / "m.db", embedder=None, chat_model=model, background=False) as memory:
        for text in (*TALKS["en"], *(f"row {n} looks fine" for n in range(24))):
            memory.observe(text, session="s")
        shown = memory.context("next?", session="s")
    assert any(layer.name == "summary" and "R12" in layer.text for layer in shown.layers)
    assert not model.calls


def test_a_store_that_is_only_read_shows_the_summary_that_it_has(tmp_path: Path) -> None:
    """A context of a read-only store writes none."""
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        for text in (*TALKS["en"], *(f"row {n} looks fine" for n in range(24))):
            memory.observe(text, session="s")
    with Memory(tmp_path / "m.db", embedder=None, read_only=True) as reading:
        assert all(layer.name != "summary" for layer in reading.context("r", session="s").layers)
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        memory.context("row", session="s")
    with Memory(tmp_path / "m.db", embedder=None, read_only=True) as reading:
        assert any(layer.name == "summary" for layer in reading.context("r", session="s").layers)
