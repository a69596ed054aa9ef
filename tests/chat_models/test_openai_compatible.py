"""The OpenAI-compatible adapter against a server on the loopback."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from jiyi.chat_models.openai_compatible import OpenAICompatibleChatModel
from jiyi.errors import ConfigurationError, ModelError
from model_server import Server

ASK = [{"role": "user", "content": "我住在哪里？"}]
SCHEMA = {"type": "object", "properties": {"memories": {"type": "array"}}}


def said(content: object) -> dict[str, object]:
    return {"choices": [{"message": {"role": "assistant", "content": content}}]}


@pytest.fixture
def model(server: Server) -> Iterator[OpenAICompatibleChatModel]:
    model = OpenAICompatibleChatModel("m-1", base_url=server.url, api_key="k-1")
    yield model
    model.close()


@pytest.mark.parametrize("tail", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_url_with_or_without_version(server: Server, tail: str) -> None:
    """A base URL works with and without /v1, a slash, or the whole path."""
    server.answers = [(200, said("杭州"))]
    model = OpenAICompatibleChatModel("m-1", base_url=server.url + tail)
    assert model.complete(ASK) == "杭州"
    assert server.requests[0][0] == "/v1/chat/completions"
    assert "Authorization" not in server.requests[0][1]
    model.close()


def test_other_version_is_kept(server: Server) -> None:
    """A URL that names another version is taken as it is."""
    server.answers = [(200, said("ok"))]
    model = OpenAICompatibleChatModel("m-1", base_url=f"{server.url}/api/paas/v4")
    model.complete(ASK)
    assert server.requests[0][0] == "/api/paas/v4/chat/completions"
    model.close()


def test_without_version_where_v1_is_unknown(
    server: Server, model: OpenAICompatibleChatModel
) -> None:
    """When /v1 is not there, the URL as given is tried once and remembered."""
    server.answers = [(404, {}), (200, said("a")), (200, said("b"))]
    assert [model.complete(ASK), model.complete(ASK)] == ["a", "b"]
    paths = [path for path, _, _ in server.requests]
    assert paths == ["/v1/chat/completions", "/chat/completions", "/chat/completions"]


def test_key_model_and_messages_are_sent(server: Server, model: OpenAICompatibleChatModel) -> None:
    """The request carries the key, the model and the messages, and no schema unless asked."""
    server.answers = [(200, said("ok"))]
    model.complete(ASK)
    _, headers, body = server.requests[0]
    assert headers["Authorization"] == "Bearer k-1"
    assert body == {"model": "m-1", "messages": ASK}


def test_schema_falls_back_and_is_remembered(
    server: Server, model: OpenAICompatibleChatModel
) -> None:
    """json_schema, then json_object, then plain; what worked is used the next time."""
    server.answers = [(400, {}), (422, {}), (200, said("{}")), (200, said("{}"))]
    model.complete(ASK, schema=SCHEMA)
    model.complete(ASK, schema=SCHEMA)
    formats = [body.get("response_format", {}).get("type") for _, _, body in server.requests]
    assert formats == ["json_schema", "json_object", None, None]


@pytest.mark.parametrize(
    ("status", "retryable"),
    [(429, True), (500, True), (503, True), (401, False), (403, False), (400, False)],
)
def test_refusals(
    server: Server, model: OpenAICompatibleChatModel, status: int, retryable: bool
) -> None:
    """Overload and server faults can be tried again, a wrong key or request cannot."""
    server.answers = [(status, {"error": {"message": "secret talk", "code": "c-1"}})]
    with pytest.raises(ModelError, match=str(status)) as caught:
        model.complete(ASK, schema=SCHEMA)
    assert caught.value.retryable is retryable


def test_error_does_not_quote_the_conversation(
    server: Server, model: OpenAICompatibleChatModel
) -> None:
    """A server's words about a bad request may hold the conversation, and stay out."""
    server.answers = [(400, {"error": {"message": "bad: 我住在哪里", "type": "invalid"}})]
    with pytest.raises(ModelError) as caught:
        model.complete(ASK)
    assert "我住在" not in str(caught.value)
    assert "invalid" in str(caught.value)


def test_lost_connection_and_time_out_are_retryable(server: Server) -> None:
    """A server that hangs up, is silent, or is not there can be tried again."""
    server.answers = [(200, said("x"))]
    server.silent.set()
    model = OpenAICompatibleChatModel("m-1", base_url=server.url)
    with pytest.raises(ModelError) as hung_up:
        model.complete(ASK)
    model.close()
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        url = f"http://127.0.0.1:{mute.getsockname()[1]}"
        slow = OpenAICompatibleChatModel("m-1", base_url=url, timeout_s=0.1)
        with pytest.raises(ModelError) as silent:
            slow.complete(ASK)
        slow.close()
    gone = OpenAICompatibleChatModel("m-1", base_url=url)
    with pytest.raises(ModelError) as absent:
        gone.complete(ASK)
    gone.close()
    assert hung_up.value.retryable
    assert silent.value.retryable
    assert absent.value.retryable


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ([{"type": "text", "text": "你"}, {"type": "text", "text": "好"}], "你好"),
        ("hi", "hi"),
    ],
)
def test_contents(
    server: Server, model: OpenAICompatibleChatModel, content: object, text: str
) -> None:
    """A reply may be a text, parts, or nothing (a refusal, or thought without an answer)."""
    server.answers = [(200, said(content))]
    assert model.complete(ASK) == text


@pytest.mark.parametrize("answer", ["<html>", {"choices": []}, {"error": "x"}, []])
def test_answers_that_are_none(
    server: Server, model: OpenAICompatibleChatModel, answer: object
) -> None:
    """What is no chat completion is an error of ours, never an empty reply."""
    server.answers = [(200, answer)]
    with pytest.raises(ModelError):
        model.complete(ASK)


@pytest.mark.parametrize(("name", "url"), [("", "http://x"), ("m", "x.example"), ("m", "")])
def test_configuration(name: str, url: str) -> None:
    """A missing name or a URL without a scheme is said at once."""
    with pytest.raises(ConfigurationError):
        OpenAICompatibleChatModel(name, base_url=url)
