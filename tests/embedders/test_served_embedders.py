"""Embedders behind a server, against one on the loopback."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jiyi import Memory
from jiyi.embedders.ollama import OllamaEmbedder
from jiyi.embedders.openai_compatible import OpenAICompatibleEmbedder
from jiyi.errors import ConfigurationError, InvalidInputError, ModelError
from model_server import Server


def rows(*vectors: list[float]) -> dict[str, Any]:
    return {"data": [{"index": n, "embedding": v} for n, v in enumerate(vectors)]}


def test_openai_batches_order_and_prefixes(server: Server) -> None:
    """Texts go in batches with their prefix; rows that come out of order are put in order."""
    mixed = {"data": list(reversed(rows([3.0, 0.0], [0.0, 2.0])["data"]))}
    server.answers = [(200, mixed), (200, rows([1.0, 1.0])), (200, rows([1.0, 0.0]))]
    embedder = OpenAICompatibleEmbedder(
        "m", base_url=server.url, api_key="k", batch=2, query_prefix="q: ", passage_prefix="p: "
    )
    vectors = embedder.embed_documents(["一", "two", "三"])
    assert np.allclose(vectors[:2], [[1, 0], [0, 1]])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    embedder.embed_query("哪里?")
    path, headers, body = server.requests[0]
    assert (path, body["input"], headers["Authorization"]) == (
        "/v1/embeddings",
        ["p: 一", "p: two"],
        "Bearer k",
    )
    assert server.requests[2][2]["input"] == ["q: 哪里?"]
    embedder.close()


def test_prefixes_are_part_of_the_name() -> None:
    """Vectors made with other prefixes have another name, so they never mix."""
    plain = OpenAICompatibleEmbedder("m", dimension=2)
    marked = OpenAICompatibleEmbedder("m", dimension=2, query_prefix="query: ")
    assert plain.name == "openai:m"
    assert marked.name != plain.name


@pytest.mark.parametrize("tail", ["", "/", "/v1", "/api"])
def test_ollama_native(server: Server, tail: str) -> None:
    """It speaks to /api/embed whatever the URL ends with, and asks for the dimension once."""
    server.answers = [(200, {"embeddings": [[0.0, 3.0]]})]
    embedder = OllamaEmbedder("bge-m3", base_url=server.url + tail)
    assert embedder.dimension == 2
    assert embedder.dimension == 2
    assert embedder.embed_query("在哪").tolist() == [0.0, 1.0]
    assert [path for path, _, _ in server.requests] == ["/api/embed"] * 2
    embedder.close()


@pytest.mark.parametrize("kind", [OpenAICompatibleEmbedder, OllamaEmbedder])
@pytest.mark.parametrize(
    ("status", "answer", "retryable"),
    [
        (401, {"error": {"message": "bad key"}}, False),
        (503, {"error": "busy"}, True),
        (200, {"data": "?"}, False),
        (200, {"embeddings": [], "data": []}, False),
        (200, {"embeddings": [[0.0]], "data": [{"embedding": [0.0]}]}, False),
        (200, "not json", True),
    ],
)
def test_failures(
    server: Server, kind: type[Any], status: int, answer: object, retryable: bool
) -> None:
    """Whatever a server does wrong is one ModelError that says whether trying again helps."""
    server.answers = [(status, answer)]
    embedder = kind("m", base_url=server.url)
    with pytest.raises(ModelError) as caught:
        embedder.embed_documents(["a text that no message quotes"])
    assert caught.value.retryable is retryable
    assert "no message quotes" not in str(caught.value)
    embedder.close()


def test_bad_settings() -> None:
    """A missing model, a wrong address and a batch of none are said at once."""
    with pytest.raises(ConfigurationError, match="name a model"):
        OllamaEmbedder("")
    with pytest.raises(ConfigurationError, match="http"):
        OpenAICompatibleEmbedder("m", base_url="localhost:8000")
    with pytest.raises(InvalidInputError, match="batch"):
        OpenAICompatibleEmbedder("m", batch=0)


def test_a_server_that_is_down_leaves_words(server: Server) -> None:
    """Through Memory: a failing embedder loses nothing and words are still found."""
    server.answers = [(503, {"error": "busy"})]
    embedder = OpenAICompatibleEmbedder("m", base_url=server.url, dimension=2)
    with Memory(":memory:", embedder=embedder, background=False) as memory:
        memory.remember("水稻小区的代号是 P-2025", user="sun")
        assert memory.recall("P-2025", user="sun")[0].text == "水稻小区的代号是 P-2025"
    embedder.close()
