"""The Ollama adapter against a server on the loopback."""

from __future__ import annotations

import pytest

from jiyi.chat_models.ollama import OllamaChatModel
from jiyi.errors import ConfigurationError, ModelError
from model_server import Server

ASK = [{"role": "user", "content": "hello"}]


@pytest.mark.parametrize("tail", ["", "/", "/v1", "/api"])
def test_native_api(server: Server, tail: str) -> None:
    """It speaks to /api/chat whatever the URL ends with, unstreamed, with schema and window."""
    server.answers = [(200, {"message": {"role": "assistant", "content": "好"}})]
    model = OllamaChatModel("qwen3:8b", base_url=server.url + tail)
    schema = {"type": "object"}
    assert model.complete(ASK, schema=schema) == "好"
    path, _, body = server.requests[0]
    assert path == "/api/chat"
    assert body["stream"] is False
    assert body["format"] == schema
    assert body["options"]["num_ctx"] >= 4096
    model.close()


@pytest.mark.parametrize(
    ("status", "answer", "retryable"),
    [
        (404, {"error": "model 'x' not found, try pulling it first"}, False),
        (503, {"error": "busy"}, True),
        (200, {"done": True}, False),
    ],
)
def test_failures(server: Server, status: int, answer: object, retryable: bool) -> None:
    """A missing model says so and is final; an overloaded server can be tried again."""
    server.answers = [(status, answer)]
    model = OllamaChatModel("x", base_url=server.url)
    with pytest.raises(ModelError) as caught:
        model.complete(ASK)
    assert caught.value.retryable is retryable
    assert status != 404 or "pulling" in str(caught.value)
    model.close()


def test_configuration() -> None:
    """A missing model name is said at once."""
    with pytest.raises(ConfigurationError):
        OllamaChatModel("")
