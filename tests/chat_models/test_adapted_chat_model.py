"""LangChain-style chat models as ours."""

from __future__ import annotations

from typing import Any

import pytest

from jiyi.chat_models.adapted import AdaptedChatModel
from jiyi.errors import ConfigurationError, ModelError


class Message:
    def __init__(self, content: Any) -> None:
        self.content = content


class FakeLangChain:
    model_name = "fake-1"

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    def invoke(self, messages: Any) -> Any:
        self.asked.append(messages)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    "answer",
    ["好的", Message("好的"), Message([{"type": "text", "text": "好"}, "的"])],
)
def test_reply(answer: Any) -> None:
    """A text, a message, and a message of parts are all read; roles arrive as pairs."""
    inner = FakeLangChain(answer)
    model = AdaptedChatModel(inner)
    assert model.complete([{"role": "system", "content": "a"}], schema={}) == "好的"
    assert inner.asked == [[("system", "a")]]
    assert model.name == "FakeLangChain:fake-1"


def test_foreign_errors_become_ours() -> None:
    """Whatever the model raises is a ModelError that can be retried, without its words."""
    model = AdaptedChatModel(FakeLangChain(RuntimeError("the user said …")))
    with pytest.raises(ModelError, match="RuntimeError") as caught:
        model.complete([{"role": "user", "content": "x"}])
    assert caught.value.retryable
    assert "the user said" not in str(caught.value)


def test_not_a_model() -> None:
    """An object without `invoke` is refused at once."""
    with pytest.raises(ConfigurationError):
        AdaptedChatModel(object())
