"""Talking to the memory, without a model and with one."""

from __future__ import annotations

from typing import Any

import pytest
from command_line import Jiyi

from jiyi import registry
from jiyi.errors import ModelError


@pytest.mark.parametrize(
    ("statement", "question", "answer", "honest"),
    [
        ("I live in Leeds.", "Where do I live?", "Leeds", "No chat model is connected"),
        ("我住在汉中。", "我住在哪里？", "汉中", "没有接入聊天模型"),
    ],
)
def test_without_a_model(
    jiyi: Jiyi, statement: str, question: str, answer: str, honest: str
) -> None:
    """It quotes what it knows, in the language of the question, and says that it only quotes."""
    jiyi("chat", statement, "-u", "ann")
    answered = jiyi("chat", question, "-u", "ann")
    assert answered.code == 0
    assert honest in answered.out
    assert answer in answered.out


def test_conversation_from_standard_input(jiyi: Jiyi) -> None:
    """A conversation runs line by line until /quit; later lines know the earlier ones."""
    said = "I live in Leeds.\n\nWhere do I live?\n/quit\nI live in Rome.\n"
    talked = jiyi("chat", "-u", "ann", stdin=said)
    assert talked.code == 0
    assert "Leeds" in talked.out
    assert "Rome" not in jiyi("list", "-u", "ann").out


def test_quotes_are_not_recorded_again(jiyi: Jiyi) -> None:
    """Answers that quote the memory do not become messages: only what the user says does."""
    for _ in range(3):
        jiyi("chat", "Where do I live?", "-u", "ann")
    assert jiyi("stats", "-u", "ann", "--json").json["turns"] == 3


class _Model:
    """Replies with what it was told, so that a test sees what reached it."""

    name = "echo"

    def __init__(self, model: str, **options: Any) -> None:
        self.options = options

    def complete(self, messages: Any, *, schema: Any = None) -> str:
        if any("overload" in message["content"] for message in messages):
            raise ModelError("the model is overloaded", retryable=True)
        known = "barometer" in messages[0]["content"]
        return "Behind the barometer." if known else "I do not know."


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {("chat_models", "echo"): _Model})


def test_with_a_model(jiyi: Jiyi, echo: None) -> None:
    """With --model the context reaches the model, and both sides are recorded."""
    jiyi("add", "The spare key hangs behind the barometer", "-u", "ann")
    answered = jiyi("chat", "Where is the spare key?", "-u", "ann", "--model", "echo:x")
    assert "Behind the barometer." in answered.out
    assert jiyi("stats", "-u", "ann", "--json").json["turns"] == 2
    as_json = jiyi(
        "chat", "Where is the spare key?", "-u", "ann", "--model", "echo:x", "--json"
    ).json
    assert (as_json["model"], as_json["reply"]) == ("echo", "Behind the barometer.")


def test_model_that_fails(jiyi: Jiyi, echo: None) -> None:
    """When the model fails, the user's words are kept and one line says so."""
    failed = jiyi("chat", "please overload", "-u", "ann", "--model", "echo:x")
    assert failed.code == 1
    assert "overloaded. What you said is recorded" in failed.err
    assert jiyi("stats", "-u", "ann", "--json").json["turns"] == 1
